// Messages to several sessions, and their order.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { launch, login, open, shot, shows, SOON } from "./browser";
import { Daemon } from "./daemon";

const daemon = new Daemon();
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await daemon.start();
  browser = await launch();
  page = await login(browser, daemon);
});
afterAll(async () => {
  await browser.close();
  await daemon.end();
});

const messages = () => page.getByRole("complementary", { name: "Messages" });

async function openMessages(session: Session): Promise<void> {
  await open(page, session);
  await page.locator(".session").focus();
  // It stays open from one session to the next.
  if (!(await messages().isVisible())) await page.keyboard.press("m");
  await messages().getByRole("textbox", { name: `Message to ${session.nickname}` }).waitFor(SOON);
}

test("a message goes to several that were chosen, and to no others", async () => {
  const [one, two, three] = [await daemon.spawn("demo", "-n", "one"), await daemon.spawn("demo", "-n", "two"), await daemon.spawn("demo", "-n", "three")];
  await openMessages(one);
  await messages().getByText("Also to others").click();
  await messages().getByRole("checkbox", { name: "two" }).check();
  await shot(page, "message-to-several");
  await messages().getByRole("textbox", { name: "Message to one" }).fill("a word to two of you");
  await page.keyboard.press("Enter");
  await shows(page, "a word to two of you");
  await expect.poll(() => daemon.screen(two).join("\n"), SOON).toContain("a word to two of you");
  expect(daemon.screen(three).join("\n")).not.toContain("a word to two of you");
  // The next one is for the one that is open, unless one chooses anew.
  await expect.poll(() => messages().getByRole("checkbox", { name: "two" }).isChecked(), SOON).toBe(false);
  await openMessages(three);
  expect(await messages().locator("li[data-state]").count()).toBe(0);
});

test("a message that waits can go before the others", async () => {
  const session = await daemon.spawn("demo", "-n", "asking", "-p", "permission");
  await open(page, session);
  await shows(page, "Do you want to proceed?");
  await openMessages(session);
  const field = messages().getByRole("textbox", { name: "Message to asking" });
  for (const [index, words] of ["the first", "the second"].entries()) {
    await field.fill(words);
    await page.keyboard.press("Enter");
    await expect.poll(() => messages().locator("ol > li[data-state]").count(), SOON).toBe(index + 1);
  }
  const second = messages().locator("li[data-state]", { hasText: "the second" });
  await second.getByRole("button", { name: "Before the others" }).click();
  // Only the one that is next says what it waits for.
  await expect.poll(() => second.getAttribute("data-state"), SOON).toBe("held");
});

test("what is typed while a message is on its way is the next one, and the keyboard stays where it was taken", async () => {
  const session = await daemon.spawn("demo", "-n", "quick");
  await openMessages(session);
  await shows(page, "Write me a message");
  const field = messages().getByRole("textbox", { name: "Message to quick" });
  await field.fill("the first");
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route("**/messages", async (route) => {
    if (route.request().method() === "POST") await held;
    await route.continue();
  });
  await field.press("Enter");
  await expect.poll(() => field.inputValue(), SOON).toBe("");
  await page.keyboard.type("the second");
  await page.locator(".xterm-helper-textarea").focus();
  letGo();
  await page.locator(".messages li", { hasText: "the first" }).first().waitFor(SOON);
  await page.unroute("**/messages");
  expect(await field.inputValue()).toBe("the second");
  expect(await page.locator(".xterm-helper-textarea").evaluate((element) => element === document.activeElement)).toBe(true);
  await daemon.dispose(session);
});
