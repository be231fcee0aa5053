// A session whose program has ended: when and how, its last screen, and what one
// may want then.
import { expect, test } from "vitest";
import { live, login, open, PHONE, shot, shows, SOON } from "./browser";
import { current, go, page } from "./tab";
import { browser, daemon } from "./world";

test("it says when and how it ended, and its last screen and the lines above stay", async () => {
  const session = await daemon.spawn("shell", "-n", "over");
  await open(page, session);
  await page.keyboard.type("seq 1 500; echo last words; exit 3\n");
  const ended = page.getByRole("region", { name: "This session has ended" });
  await ended.getByText("Ended with exit code 3").waitFor(SOON);
  expect(await ended.innerText()).toMatch(/at \d\d:\d\d:\d\d, (just now|\d+s ago), after (\d+ s|less than a second)\./);
  await shows(page, "last words");
  await shot(page, "ended");
  await page.reload();
  await live(page);
  await shows(page, "last words");
  expect(await page.evaluate(() => window.__schmux?.scrollback()[0] ?? 0)).toBeGreaterThan(400);
  await ended.getByRole("link", { name: "Replay" }).click();
  await page.locator(".replay").waitFor(SOON);
});

test("it is started again with what it was given, or with something changed", async () => {
  const session = await daemon.spawn("demo", "-n", "once", "-p", "exit 4");
  await open(page, session);
  const ended = page.getByRole("region", { name: "This session has ended" });
  await page.keyboard.type("\x04");
  await ended.getByText("Ended").waitFor(SOON);
  await ended.getByRole("button", { name: "Start again" }).click();
  await page.waitForFunction((before) => !location.hash.includes(before), session.id, SOON);
  await live(page);
  const again = (await daemon.list()).find(({ id }) => id === current());
  expect(again).toMatchObject({ target: "demo", nickname: "once-2", workspace_id: session.workspace_id, command: session.command });
  await go(`#/s/${session.id}`);
  await ended.getByRole("link", { name: "Change and start" }).click();
  await expect.poll(() => page.getByLabel("Prompt").inputValue(), SOON).toBe("exit 4");
  expect(await page.getByRole("checkbox", { name: /^demo/ }).isChecked()).toBe(true);
  expect(await page.locator("input[name=workspace]").inputValue()).toBe(daemon.pathOf(session));
  await shot(page, "ended-change");
});

test("where it can't be started again, it says why", async () => {
  const session = await daemon.spawn("ends", "-n", "uprooted", "-w", daemon.makeDirectory("uprooted"));
  await open(page, session);
  const ended = page.getByRole("region", { name: "This session has ended" });
  // A program that ends at once leaves its code unknown at times: tmux doesn't have it then.
  await ended.getByText(/^Ended/).first().waitFor(SOON);
  daemon.removeDirectory("uprooted");
  await ended.getByRole("button", { name: "Start again" }).click();
  await ended.locator(".problem").waitFor(SOON);
  await shot(page, "ended-problem");
});

test("when its screen is gone with its tmux session, the page says so instead of waiting for it", async () => {
  const session = await daemon.spawn("shell", "-n", "screenless");
  await open(page, session);
  await page.keyboard.type("echo here I was\n");
  await shows(page, "\nhere I was");
  daemon.endOutside(session);
  await page.locator(".no-screen").waitFor(SOON);
  expect(await page.locator(".not-live").count()).toBe(0);
  await page.reload();
  await page.locator(".no-screen").waitFor(SOON);
  await page.getByRole("region", { name: "This session has ended" }).getByText("its tmux session is no longer there").waitFor(SOON);
  await shot(page, "ended-screenless");
});

test("on a phone the words and buttons of an end stand where one would type", async () => {
  const session = await daemon.spawn("ends", "-n", "an end with a name that no phone is wide enough for");
  const phone = await login(browser, daemon, { ...PHONE, colorScheme: "dark" });
  await open(phone, session);
  await phone.getByRole("region", { name: "This session has ended" }).getByText(/^Ended/).first().waitFor(SOON);
  expect(await phone.locator(".key-row, .reply").count()).toBe(0);
  await shows(phone, "bye");
  await shot(phone, "ended-phone");
  await phone.getByRole("region", { name: "This session has ended" }).getByRole("link", { name: "Replay" }).tap();
  await phone.locator(".replay .export").waitFor(SOON);
  const name = phone.locator(".replay h1");
  expect(await name.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(30);
  expect(await name.getAttribute("title")).toContain("wide enough for");
  await phone.context().close();
});
