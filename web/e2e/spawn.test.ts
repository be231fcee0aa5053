// Places and numbers of the form for new sessions: a git worktree, a fresh
// clone, several of one kind.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { live, shot, shows, SOON } from "./browser";
import { current, go, page } from "./tab";
import { daemon } from "./world";

const shop = join(daemon.home, "shop");

const git = (where: string, ...args: string[]): string =>
  execFileSync("git", ["-C", where, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

beforeAll(() => {
  execFileSync("git", ["init", "-q", "-b", "main", shop]);
  writeFileSync(join(shop, "cart.ts"), "export const cart = 1;\n");
  git(shop, "add", ".");
  git(shop, "commit", "-qm", "A cart");
});

/** The form, with one target chosen. */
async function form(target: string): Promise<void> {
  await go("#/new");
  const choices = page.locator(".targets input[type=checkbox]");
  await choices.first().waitFor(SOON);
  for (const choice of await choices.all()) await choice.setChecked((await choice.getAttribute("value")) === target);
}

/** The session whose terminal is shown. */
async function shown(): Promise<Session> {
  await page.waitForURL(/#\/s\//, SOON);
  await live(page);
  const session = (await daemon.list()).find(({ id }) => id === current());
  if (session === undefined) throw new Error(`no session ${current()}`);
  return session;
}

test("a git worktree on a branch that isn't there yet", async () => {
  await form("shell");
  await page.getByText("A git worktree").click();
  await page.getByRole("combobox", { name: "Repository" }).fill(shop);
  await page.getByRole("textbox", { name: "Branch" }).fill("feature/gift-cards");
  await shot(page, "spawn-worktree");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const session = await shown();
  const path = daemon.pathOf(session);
  expect(path).not.toBe(shop);
  expect(git(path, "branch", "--show-current")).toBe("feature/gift-cards");
  expect(git(shop, "branch", "--show-current")).toBe("main");
  await page.locator(".session-header").getByText("feature/gift-cards").waitFor(SOON);
  await page.keyboard.type("cat cart.ts\n");
  await shows(page, "export const cart = 1;");
});

test("the form scrolls and the page does not, and another view begins at its top", async () => {
  await form("shell");
  await page.getByText(/\d+ more not installed/).click();
  await page.locator(".missing .install code").first().waitFor(SOON);
  await page.getByRole("radio", { name: "A fresh clone" }).focus();
  const scrolled = (): Promise<[page: number, longer: number, main: number]> =>
    page.evaluate(() => {
      const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
      return [scrollTop, scrollHeight - clientHeight, document.querySelector("main")?.scrollTop ?? 0] as [number, number, number];
    });
  const [top, longer, main] = await scrolled();
  expect([top, longer]).toEqual([0, 0]);
  expect(main).toBeGreaterThan(0);
  await page.evaluate(() => (location.hash = "#/settings"));
  await page.locator("[data-view=settings]").waitFor(SOON);
  await expect.poll(async () => (await scrolled())[2], SOON).toBe(0);
});

test("a fresh clone; one that fails says why, and the form is as it was", async () => {
  await form("shell");
  await page.getByText("A fresh clone").click();
  const address = page.getByRole("textbox", { name: "Repository" });
  await address.fill(join(daemon.home, "no-such-repository"));
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const problem = page.locator(".spawn .problem");
  await problem.waitFor(SOON);
  expect(await problem.innerText()).toContain("no-such-repository");
  expect(await address.inputValue()).toContain("no-such-repository");
  await address.fill(shop);
  await shot(page, "spawn-clone");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const session = await shown();
  const path = daemon.pathOf(session);
  expect(path).not.toBe(shop);
  expect(git(path, "remote", "get-url", "origin")).toBe(shop);
  await page.keyboard.type("git log --oneline | cat\n");
  await shows(page, "A cart");
});

test("three of one kind, with one nickname, in one directory", async () => {
  await form("cat");
  await page.getByText("A directory").click();
  // Used before: one press away.
  await page.getByRole("group", { name: "Used last" }).getByRole("button").first().waitFor(SOON);
  await page.getByRole("combobox", { name: "Directory" }).fill(shop);
  await page.getByLabel("Nickname").fill("trio");
  await page.getByLabel("How many").fill("3");
  await page.getByRole("button", { name: "Start 3 sessions" }).click();
  await page.waitForURL(/#\/grid$/, SOON);
  const names = async (): Promise<string[]> => (await page.locator(".thumbnail .name").allInnerTexts()).filter((name) => name.startsWith("trio"));
  await expect.poll(async () => (await names()).length, SOON).toBe(3);
  expect(new Set(await names()).size).toBe(3);
  const mine = (await daemon.list()).filter(({ nickname }) => nickname?.startsWith("trio") === true);
  expect(mine.map((session) => daemon.pathOf(session))).toEqual([shop, shop, shop]);
  // No more than the daemon starts at once.
  await form("cat");
  await page.getByLabel("How many").fill("201");
  await page.getByRole("button", { name: "Start 201 sessions" }).click();
  expect(await page.getByLabel("How many").evaluate((field) => (field as HTMLInputElement).validity.rangeOverflow)).toBe(true);
  expect(page.url()).toMatch(/#\/new$/);
});
