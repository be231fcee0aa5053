// Every view, in both schemes and on three sizes, as pictures for people to look
// at; and what must hold on each of them: it fits, nothing lies over anything,
// everything can be read, and axe-core has nothing serious to say.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { findings } from "./axe";
import { live, login, open, shot, shows, SIZES, SOON, visit } from "./browser";
import { faintTexts } from "./contrast";
import { untidy } from "./layout";
import { browser, daemon } from "./world";

const agents: Record<string, Session> = {};

const agent = (name: string): Session => {
  const session = agents[name];
  if (session === undefined) throw new Error(`no agent ${name}`);
  return session;
};


/** A repository with a change that is worth looking at. */
function repository(): string {
  const path = join(daemon.home, "shop");
  const git = (...args: string[]): unknown => execFileSync("git", ["-C", path, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { stdio: "ignore" });
  mkdirSync(join(path, "src"), { recursive: true });
  git("init", "-q", "-b", "main");
  writeFileSync(join(path, "src/cart.ts"), CART);
  git("add", ".");
  git("commit", "-q", "-m", "A cart");
  writeFileSync(join(path, "src/cart.ts"), CART.replace("sum + item.price", "sum + item.price * item.count").replace("// All of it", "// Everything that is in it"));
  writeFileSync(join(path, "notes.md"), "# Cart\n\nCounts were ignored.\n");
  return path;
}

const CART = `// All of it
export interface Item {
  name: string;
  price: number;
  count: number;
}

export function total(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}
`;

beforeAll(async () => {
  const shop = repository();
  const here = ["-w", shop];
  agents.fixer = await daemon.spawn("demo", "-n", "fixer", ...here, "-p", "permission");
  agents.painter = await daemon.spawn("demo", "-n", "painter", ...here, "-p", "question");
  for (const name of ["docs", "payments", "search", "migrate", "reviewer", "release"]) {
    agents[name] = await daemon.spawn("lively", "-n", name, ...here);
  }
  agents.flaky = await daemon.spawn("ends", "-n", "flaky");
  daemon.say(agent("search"), "working", "task: Index the catalogue", "progress: 2/5");
  daemon.say(agent("reviewer"), "completed Review of #214 is done: two remarks, both about names.");
  daemon.say(agent("docs"), "needs_testing The new search page is on http://localhost:5173/docs. Please try it with an empty query.");
  daemon.say(agent("payments"), "error cargo test fails: 3 of 214, all in payments::refund", "task: Refund endpoint", "blocker: no access to the staging database");
});

/** It fits, is tidy, and can be read. */
async function check(page: Page, width: number, name: string): Promise<void> {
  await shot(page, name);
  expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
  expect.soft(await page.evaluate(untidy), name).toEqual([]);
  expect.soft(await page.evaluate(faintTexts), name).toEqual([]);
  expect.soft(await findings(page), name).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const [size, device] of SIZES) {
    // A dozen views, each looked at by axe-core: a busy machine takes its time.
    test(`${size}, ${colorScheme}`, { timeout: 150_000 }, async () => {
      const page = await login(browser, daemon, { ...device, colorScheme });
      const { width } = device.viewport;
      const look = (view: string): Promise<void> => check(page, width, `${view}-${size}-${colorScheme}`);
      const go = (hash: string): Promise<void> => visit(page, hash);
      await page.locator(".card").nth(3).waitFor(SOON);
      await page.locator(".card .choices-of-dialog").nth(1).waitFor(SOON);
      await look("inbox");

      await go("#/grid");
      await page.locator("canvas[data-drawn=true]").nth(2).waitFor(SOON);
      await look("grid");
      await go("#/new");
      await page.getByRole("checkbox", { name: /^demo/ }).waitFor(SOON);
      await look("spawn");

      await go("#/hosts");
      await page.locator(".checks li").first().waitFor(SOON);
      await look("hosts");
      await go("#/settings");
      await page.getByText("Quiet hours", { exact: true }).waitFor(SOON);
      await look("settings");

      await open(page, agent("fixer"));
      await shows(page, "Do you want to proceed?");
      await look("session");
      for (const [key, tab] of [["w", "Why"], ["t", "Timeline"], ["m", "Messages"], ["d", "Changes"], ["e", "Details"]] as const) {
        await page.locator(".session").focus();
        await page.keyboard.press(key);
        await page.getByRole("complementary", { name: tab }).waitFor(SOON);
        await page.locator(".panel-body > div").waitFor(SOON);
        if (tab === "Changes") await page.locator(".diff").getByText("Counts were ignored.").waitFor(SOON);
        await look(`session-${tab.toLowerCase()}`);
      }
      await page.keyboard.press("Escape");
      await page.locator(".session").focus();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Find" }).waitFor(SOON);
      await look("palette");
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached", ...SOON });
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor(SOON);
      await look("help");
      await page.keyboard.press("Escape");
      await live(page);
      await page.context().close();
    });
  }
}

test("above a terminal every button can be reached, however narrow the window beside the list is", async () => {
  const page = await login(browser, daemon);
  await open(page, agent("docs"));
  daemon.say(agent("docs"), "needs_testing Please look at the login page", "progress: 40");
  daemon.say(agent("payments"), "needs_testing And at the other one");
  await page.locator(".strip .next-call").waitFor(SOON);
  for (const width of [821, 840, 858, 880, 960, 1001, 1024]) {
    await page.setViewportSize({ width, height: 700 });
    const over = await page.locator(".session-header").evaluate((header) =>
      [...header.querySelectorAll("button, a")].filter((control) => control.getBoundingClientRect().right > innerWidth).map((control) => control.getAttribute("aria-label") ?? control.textContent),
    );
    expect(over, `at ${width} pixels`).toEqual([]);
    await shot(page, `strip-${width}`);
  }
  await page.context().close();
});
