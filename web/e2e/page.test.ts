// The way of a newcomer through the page, and what must hold on it.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { faintTexts } from "./contrast";
import { DESKTOP, equalsTmux, inSight, live, login, open, PHONE, shot, shows, SOON, visit } from "./browser";
import { browser, daemon } from "./world";

let page: Page;

test("a browser that is not logged in is told how to be", async () => {
  const context = await browser.newContext(DESKTOP);
  const stranger = await context.newPage();
  await stranger.goto((await daemon.status()).url);
  await stranger.getByText("schmux url").waitFor(SOON);
  await shot(stranger, "signed-out");
  expect(await stranger.locator(".sidebar").count()).toBe(0);
  await context.close();
});

test("the login link leads to the empty page, and one click to an agent", async () => {
  page = await login(browser, daemon);
  await page.getByRole("heading", { name: "No agents yet" }).waitFor(SOON);
  expect(page.url()).not.toContain("token");
  // What isn't installed says how to get it.
  await page.getByText(/\d+ more not installed/).click(SOON);
  await page.locator(".missing .install code").first().waitFor(SOON);
  await shot(page, "empty");
  await page.getByRole("button", { name: "Start the demo agent" }).click();
  await page.waitForURL(/#\/s\//);
  await live(page);
  const id = decodeURIComponent(page.url().split("#/s/")[1] ?? "");
  const session = (await daemon.list()).find((each) => each.id === id);
  expect(session?.target).toBe("demo");
  if (session === undefined) return;
  await expect.poll(() => daemon.screen(session).join("").trim(), SOON).not.toBe("");
  await equalsTmux(page, daemon, session);
  await shot(page, "terminal");
});

test("the form starts a session in a directory, and says what is wrong with a wrong one", async () => {
  await page.getByRole("link", { name: "New session", exact: true }).first().click();
  await page.getByRole("checkbox", { name: /^demo/ }).uncheck();
  await page.getByRole("checkbox", { name: /^cat/ }).check();
  await shot(page, "new");
  await page.getByRole("combobox", { name: "Directory" }).fill("/does/not/exist");
  await page.getByRole("button", { name: "Start" }).click();
  const problem = page.locator(".spawn .problem");
  await problem.waitFor(SOON);
  expect(await problem.innerText()).toContain("/does/not/exist");
  // In sight without scrolling: the form is higher than the window.
  expect(await inSight(problem)).toBe(true);
  await shot(page, "new-problem");
  await page.getByRole("combobox", { name: "Directory" }).fill(daemon.home);
  await page.getByLabel("Nickname").fill("echo");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL(/#\/s\//);
  await live(page);
  await page.locator("#sessions").getByText("echo").waitFor(SOON);
  await page.keyboard.type("hello\n");
  await shows(page, "hello\nhello");
});

test("the list is walked by keys", async () => {
  const before = page.url();
  const focused = (): Promise<string | null | undefined> =>
    page.evaluate(() => document.activeElement?.getAttribute("href"));
  await page.keyboard.press("Control+Shift+L");
  await expect.poll(focused, SOON).toBe(new URL(before).hash);
  await page.keyboard.press("Home");
  const first = await focused();
  await page.keyboard.press("End");
  const last = await focused();
  expect(first).not.toBe(last);
  await page.keyboard.press("ArrowUp");
  expect(await focused()).toBe(first);
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe(last);
  if (last === new URL(before).hash) await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url(), SOON).not.toBe(before);
  await live(page);
  await page.keyboard.press("Control+Shift+ArrowDown");
  await expect.poll(() => page.url(), SOON).toBe(before);
  await live(page);
});

test("what a program writes is text and nothing else", async () => {
  const session = await daemon.spawn("hostile");
  await open(page, session);
  await shows(page, "<script>alert(2)</script>");
  await page.locator(".session-header").getByText("<img src=x onerror=alert(1)>").waitFor(SOON);
  expect(await page.locator("img").count()).toBe(0);
});

test("a session that ended says how", async () => {
  const session = await daemon.spawn("ends");
  await open(page, session);
  await page.locator(".session-header").getByText("exited with 3").waitFor(SOON);
});

test("disposing asks first", async () => {
  const session = await daemon.spawn("cat", "-n", "short-lived");
  await open(page, session);
  await page.getByRole("button", { name: "Dispose" }).click();
  await shot(page, "dispose");
  await page.getByRole("button", { name: "Keep it" }).click();
  expect((await daemon.list()).some((each) => each.id === session.id)).toBe(true);
  await page.getByRole("button", { name: "Dispose" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Dispose" }).click();
  await expect.poll(async () => (await daemon.list()).some((each) => each.id === session.id), SOON).toBe(false);
  await page.locator("#sessions").getByText("short-lived").waitFor({ state: "detached", ...SOON });
  await visit(page, `#/s/${session.id}`);
  await page.getByRole("heading", { name: "This session is gone" }).waitFor(SOON);
});

test("on a phone it is a list, a terminal, and a way back", async () => {
  const session = await daemon.spawn("cat", "-n", "pocket");
  const phone = await login(browser, daemon, { ...PHONE, colorScheme: "dark" });
  await phone.locator("#sessions").getByText("pocket").waitFor(SOON);
  await shot(phone, "phone-list");
  await phone.locator("#sessions").getByText("pocket").click();
  await live(phone);
  await phone.getByRole("button", { name: "Enter" }).waitFor(SOON);
  await shot(phone, "phone-terminal");
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await equalsTmux(phone, daemon, session);
  await phone.getByRole("link", { name: "To the list of sessions" }).click();
  await phone.locator("#sessions").waitFor(SOON);
  await phone.getByRole("link", { name: "New", exact: true }).click();
  await phone.getByRole("checkbox", { name: /^cat/ }).waitFor(SOON);
  await shot(phone, "phone-new");
  await phone.context().close();
});

test("every view is legible in both schemes", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const reader = await login(browser, daemon, { ...DESKTOP, colorScheme });
    await reader.locator("#sessions li").first().waitFor(SOON);
    await shot(reader, `home-${colorScheme}`);
    expect(await reader.evaluate(faintTexts)).toEqual([]);
    await reader.context().close();
  }
});
