// Names and words as agents and people really write them: endless, in other
// scripts and directions, in pictures. They fit at every size, a page that is
// zoomed in to 200 % included.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { beforeAll, expect, test, vi } from "vitest";
import type { Session } from "../src/api/wire";
import { findings } from "./axe";
import { DESKTOP, live, login, open, PHONE, shot, SOON, visit } from "./browser";
import { Far } from "./far";
import { untidy } from "./layout";
import { browser, daemon, others } from "./world";

const far = new Far();
others.push(far);
let asker: Session;
let lost: Session;

const LONG = "refactor-the-payment-provider-so-that-refunds-are-idempotent";

beforeAll(async () => {
  const place = join(daemon.home, "a-directory-with-a-name-that-nobody-would-choose-but-a-tool-that-makes-them-does");
  mkdirSync(place);
  execFileSync("git", ["init", "-q", "-b", `feature/${LONG}`, place]);
  execFileSync("git", ["-C", place, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", "Begin"]);
  for (let number = 0; number < 4; number++) writeFileSync(join(place, `${"a-long-name-".repeat(8)}${number}.ts`), `export const words = "${"word ".repeat(60)}";\n`);
  const spawn = (name: string, target = "lively", ...more: string[]): Promise<Session> => daemon.spawn(target, "-n", name, "-w", place, ...more);
  asker = await spawn(LONG, "demo", "-p", "permission");
  daemon.say(await spawn("مراجعة الدفع"), "needs_input هل أحذف المجلد build وأبدأ من جديد؟ (npm ci)", "task: إصلاح اختبار الدفع");
  daemon.say(await spawn("🚀 릴리스 発売"), `error ${"x".repeat(400)}`, `task: ${"日本語の長い説明".repeat(12)}`, `blocker: ${"waiting-for-".repeat(20)}`, "progress: 7/9");
  daemon.say(await spawn("👩‍👩‍👧‍👦 família"), `needs_testing ${"Please try the new search with an empty query, then with one letter, then with a very long one. ".repeat(12)}`);
  daemon.say(await spawn("busy"), "working", `task: ${LONG} ${LONG}`, "progress: 40");
  daemon.say(await spawn("done"), `completed ${"All of it is done, and then some more. ".repeat(6)}`);
  await daemon.addHost("a-host-with-a-long-name-in-eu-central-1", far.command);
  lost = await daemon.spawn("cat", "-n", "over there", "--host", "a-host-with-a-long-name-in-eu-central-1", "-w", far.work);
  far.make("broken", true);
  far.cut();
  await vi.waitUntil(async () => (await daemon.list()).find(({ id }) => id === lost.id)?.status === "unreachable", SOON);
});

// At 200 % a window of 1440 by 900 has half as many pixels of the page, each drawn by four.
const SIZES: readonly (readonly [string, BrowserContextOptions & { viewport: { width: number } }])[] = [
  ["desktop", DESKTOP],
  ["zoomed", { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }],
  ["phone", PHONE],
];

for (const [size, device] of SIZES) {
  test(`they fit: ${size}`, { timeout: 120_000 }, async () => {
    const page = await login(browser, daemon, { ...device, colorScheme: size === "zoomed" ? "dark" : "light" });
    const look = async (view: string): Promise<void> => {
      await shot(page, `awkward-${view}-${size}`);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), view).toBe(device.viewport.width);
      expect.soft(await page.evaluate(untidy), view).toEqual([]);
      expect.soft(await findings(page), view).toEqual([]);
    };
    await page.locator(".card .choices-of-dialog").waitFor(SOON);
    await look("inbox");
    await visit(page, "#/grid");
    await page.locator("canvas[data-drawn=true]").nth(1).waitFor(SOON);
    await look("grid");
    await visit(page, "#/new");
    await page.getByRole("checkbox", { name: /^demo/ }).waitFor(SOON);
    await look("spawn");
    await visit(page, "#/hosts");
    await page.locator(".host[data-state=unreachable]").waitFor(SOON);
    await page.locator(".checks li").first().waitFor(SOON);
    await look("hosts");
    await visit(page, "#/settings");
    await page.locator("details.section").first().waitFor(SOON);
    await look("settings");
    await open(page, asker);
    await look("session");
    for (const [key, tab] of [["w", "Why"], ["t", "Timeline"], ["m", "Messages"], ["d", "Changes"], ["e", "Details"]] as const) {
      await page.locator(".session").focus();
      await page.keyboard.press(key);
      await page.getByRole("complementary", { name: tab }).waitFor(SOON);
      await page.locator(".panel-body > div").waitFor(SOON);
      if (tab === "Changes") await page.locator(".diff").first().waitFor(SOON);
      await look(tab.toLowerCase());
    }
    await page.keyboard.press("Escape");
    await live(page);
    await page.getByRole("button", { name: "Dispose" }).click();
    await page.getByRole("dialog").locator(".warning").waitFor(SOON);
    await look("dispose");
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.locator(".session").focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Find" }).waitFor(SOON);
    await look("palette");
    await page.keyboard.press("Escape");
    await visit(page, `#/s/${lost.id}`);
    await page.locator(".not-live").waitFor(SOON);
    await look("unreachable");
    await page.context().close();
  });
}
