// A pane that is larger than the window that shows it, because another window set
// its size: what is typed is in sight, and a person who looks elsewhere is left alone.
import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { cursorInSight, login, open, PHONE, rowInSight, rows, shot, shows, size, SOON } from "./browser";
import { drag } from "./finger";
import { page } from "./tab";
import { browser, daemon } from "./world";

const SMALL = { viewport: { width: 700, height: 420 } } satisfies BrowserContextOptions;

/** A pane of the large window, with a prompt in its last row. */
async function large(name: string): Promise<Session> {
  const session = await daemon.spawn("shell", "-n", name);
  await open(page, session);
  await expect.poll(async () => String(await size(page)) === String(daemon.size(session)), SOON).toBe(true);
  await page.keyboard.type("PS1='> '; seq 1 300\n");
  await shows(page, "\n300\n>");
  return session;
}

async function guest(session: Session, options: BrowserContextOptions): Promise<Page> {
  const other = await login(browser, daemon, options);
  await open(other, session);
  await other.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  await shows(other, "\n300\n>");
  return other;
}

const top = (other: Page): Promise<number> => other.evaluate(() => document.querySelector(".pane .screen")?.scrollTop ?? -1);
const visible = async (other: Page): Promise<string> => ((await other.evaluate(() => window.__schmux?.visible() ?? []))[0] ?? "").trim();

test("the prompt of a larger pane is in sight, after a reload and as it moves", async () => {
  const session = await large("wide");
  const before = daemon.size(session);
  const other = await guest(session, SMALL);
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  await other.reload();
  await other.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  await shot(other, "foreign-prompt");
  await page.keyboard.type("clear\n");
  await expect.poll(async () => (await rows(other))[1], SOON).toBe("");
  await expect.poll(() => rowInSight(other, 0), SOON).toBe(true);
  await page.keyboard.type("seq 1 200\n");
  await shows(other, "\n200\n>");
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  expect(daemon.size(session)).toEqual(before);
  await other.context().close();
});

test("who scrolls away stays there, through the lines above as well, until a key is pressed", async () => {
  const session = await large("read");
  const other = await guest(session, SMALL);
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  const bottom = await top(other);
  expect(bottom).toBeGreaterThan(0);
  await other.locator(".pane").hover();
  await other.mouse.wheel(0, -60);
  await expect.poll(() => top(other), SOON).toBe(bottom - 60);
  await page.keyboard.type("echo printed meanwhile\n");
  await shows(other, "\nprinted meanwhile");
  expect(await top(other)).toBe(bottom - 60);
  // The rows above come before the lines above the screen.
  const first = await visible(other);
  await other.mouse.wheel(0, -4_000);
  await expect.poll(() => top(other), SOON).toBe(0);
  expect(await visible(other)).toBe(first);
  await other.mouse.wheel(0, -100);
  await expect.poll(async () => Number(await visible(other)), SOON).toBeLessThan(Number(first));
  // And back: the lines first, then the rows.
  await other.mouse.wheel(0, 4_000);
  await expect.poll(() => visible(other), SOON).toBe(first);
  expect(await top(other)).toBe(0);
  await other.locator(".pane .xterm-screen").click();
  await other.keyboard.type("echo typed here\n");
  await shows(other, "\ntyped here");
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  await other.context().close();
});

test("pages of a larger pane leave no row out", async () => {
  const session = await large("paged");
  const other = await guest(session, SMALL);
  await expect.poll(() => cursorInSight(other), SOON).toBe(true);
  await other.locator(".pane .xterm-screen").click();
  // The numbers that are wholly to be seen.
  const inSight = (): Promise<number[]> => other.evaluate(() => {
    const [screen, pane] = [".pane .xterm-screen", ".pane .screen"].map((part) => document.querySelector(part)?.getBoundingClientRect());
    const [drawn, [, lines]] = [window.__schmux?.visible() ?? [], window.__schmux?.size() ?? [0, 1]];
    if (screen === undefined || pane === undefined) return [];
    const height = screen.height / lines;
    return drawn.filter((_, row) => screen.top + row * height >= pane.top - 1 && screen.top + (row + 1) * height <= pane.bottom + 1).map(Number).filter((number) => number > 0);
  });
  const read = new Set(await inSight());
  for (let turn = 0; turn < 40 && !read.has(200); turn++) {
    const before = (await inSight())[0];
    await other.keyboard.press("Shift+PageUp");
    await expect.poll(async () => (await inSight())[0], SOON).not.toBe(before);
    for (const number of await inSight()) read.add(number);
  }
  expect(Array.from({ length: 101 }, (_, index) => 200 + index).filter((number) => !read.has(number))).toEqual([]);
  await other.context().close();
});

test("its letters are smaller where that shows all of it, and of their own size once it is fitted", async () => {
  const session = await large("shrunk");
  const before = daemon.size(session);
  const other = await guest(session, { viewport: { width: 1320, height: 820 } });
  const isWhole = (): Promise<boolean> => other.evaluate(() => {
    const pane = document.querySelector(".pane .screen");
    return pane !== null && pane.scrollWidth <= pane.clientWidth && pane.scrollHeight <= pane.clientHeight;
  });
  await expect.poll(isWhole, SOON).toBe(true);
  await shot(other, "foreign-shrunk");
  expect(daemon.size(session)).toEqual(before);
  const normal = await page.evaluate(() => document.querySelector(".pane .xterm-screen")?.getBoundingClientRect().height ?? 0) / before[1];
  await other.getByRole("button", { name: "Use my size" }).click();
  await other.getByRole("button", { name: "Use my size" }).waitFor({ state: "detached", ...SOON });
  await expect.poll(async () => String(await size(other)) === String(daemon.size(session)), SOON).toBe(true);
  const [, lines] = await size(other);
  await expect.poll(async () => ((await other.locator(".pane .xterm-screen").boundingBox())?.height ?? 0) / lines, SOON).toBeCloseTo(normal, 1);
  expect(lines).toBeLessThan(before[1]);
  await other.context().close();
});

test("on a phone the prompt of a wide pane is in sight, a finger moves the rows first, and what is found is shown", async () => {
  const session = await large("pocketed");
  const phone = await guest(session, PHONE);
  await expect.poll(() => cursorInSight(phone), SOON).toBe(true);
  await shot(phone, "foreign-phone");
  await phone.setViewportSize({ width: 390, height: 500 });
  await expect.poll(() => cursorInSight(phone), SOON).toBe(true);
  const bottom = await top(phone);
  expect(bottom).toBeGreaterThan(40);
  const glass = await phone.locator(".pane").boundingBox();
  await drag(phone, { x: 100, y: (glass?.y ?? 0) + 30 }, 40);
  await expect.poll(() => top(phone), SOON).toBeLessThan(bottom - 20);
  expect((await rows(phone)).join("\n")).toContain("300");
  expect(await phone.evaluate(() => window.__schmux?.scrollback()[1])).toBe(0);
  await phone.getByRole("button", { name: "Search" }).tap();
  await phone.getByLabel("Search in the terminal").fill("299");
  const found = (await rows(phone)).indexOf("299");
  await expect.poll(() => rowInSight(phone, found), SOON).toBe(true);
  await phone.context().close();
});

test("beside Use my size every button can be reached, however long the name is", async () => {
  const session = await large("a nickname that goes on for as long as nicknames may go on x");
  const other = await guest(session, { viewport: { width: 821, height: 700 } });
  for (const width of [821, 900, 1024]) {
    await other.setViewportSize({ width, height: 700 });
    const over = await other.locator(".session-header").evaluate((header) =>
      [...header.querySelectorAll("button, a")].filter((control) => control.getBoundingClientRect().right > innerWidth).map((control) => control.getAttribute("aria-label") ?? control.textContent),
    );
    expect(over, `at ${width} pixels`).toEqual([]);
  }
  await shot(other, "foreign-named");
  await other.context().close();
});
