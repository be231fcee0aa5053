// What people do that nobody planned for: back and forth through all views, links
// to what is gone, dialogs about what ends meanwhile, huge pastes, a page that is
// older than its daemon.
import { expect, test } from "vitest";
import { live, login, open, PHONE, shot, shows, SOON } from "./browser";
import { go, page } from "./tab";
import { browser, daemon } from "./world";

/** Every view, by its address, and something that only it has. */
const views = (id: string): readonly (readonly [hash: string, mark: string])[] => [
  ["#/", ".inbox, .home.empty"],
  ["#/grid", ".grid-view"],
  ["#/new", "form.spawn"],
  ["#/hosts", ".hosts"],
  ["#/settings", ".settings"],
  [`#/s/${id}`, `.session[data-id="${id}"]`],
  [`#/r/${id}`, ".replay"],
];

test("back and forth through every view; what lies over one goes with it", async () => {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  const session = await daemon.spawn("cat", "-n", "walked");
  await page.locator("#sessions").getByText("walked").waitFor(SOON);
  const all = views(session.id);
  const shown = async (mark: string): Promise<void> => {
    await page.locator(mark).waitFor(SOON);
    expect(await page.locator(all.map(([, each]) => each).join(", ")).count()).toBe(1);
  };
  for (const [hash, mark] of all) {
    await page.evaluate((to) => (location.hash = to), hash);
    await shown(mark);
  }
  for (const [, mark] of all.toReversed().slice(1)) {
    await page.goBack();
    await shown(mark);
  }
  for (const [, mark] of all.slice(1)) {
    await page.goForward();
    await shown(mark);
  }
  await page.goBack();
  await live(page);
  await page.keyboard.press("Control+Shift+K");
  await page.getByRole("combobox", { name: "Find" }).waitFor(SOON);
  await page.goBack();
  await shown(".settings");
  await page.locator("dialog").waitFor({ state: "detached", ...SOON });
  expect(errors).toEqual([]);
});

test("a link to a session that was never there, or that makes no sense", async () => {
  await go("#/s/nobody-0000");
  await page.getByRole("heading", { name: "This session is gone" }).waitFor(SOON);
  await page.getByRole("link", { name: "Its recording" }).click();
  await page.locator(".replay .problem").waitFor(SOON);
  await shot(page, "no-recording");
  for (const hash of ["#/s/%E0%A4%A", "#/nowhere", "#/s/"]) {
    await go(hash);
    await page.locator(".inbox").waitFor(SOON);
  }
});

test("a session that ends while one is asked whether to end it", async () => {
  const brief = await daemon.spawn("shell", "-n", "brief");
  await open(page, brief);
  await page.keyboard.type("sleep 1; exit 3\n");
  await page.getByRole("button", { name: "Dispose" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Its program has ended, and its last screen goes away.").waitFor(SOON);
  await dialog.getByRole("button", { name: "Dispose" }).click();
  await page.waitForURL(/#\/$/, SOON);

  const other = await daemon.spawn("cat", "-n", "taken");
  await open(page, other);
  await page.getByRole("button", { name: "Dispose" }).click();
  await dialog.getByRole("button", { name: "Keep it" }).waitFor(SOON);
  await daemon.dispose(other);
  await page.getByRole("heading", { name: "This session is gone" }).waitFor(SOON);
  await dialog.waitFor({ state: "detached", ...SOON });
});

test("a megabyte in the field for a message, and a byte more; it goes to another one, too", async () => {
  const other = await daemon.spawn("demo", "-n", "beside", "-p", "permission");
  const session = await daemon.spawn("demo", "-n", "reader", "-p", "permission");
  await open(page, session);
  await shows(page, "Do you want to proceed?");
  await page.locator(".session").focus();
  await page.keyboard.press("m");
  const field = page.getByRole("textbox", { name: "Message to reader" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const paste = async (length: number): Promise<void> => {
    await page.evaluate((size) => navigator.clipboard.writeText("a line of a long log\n".repeat(Math.ceil(size / 21)).slice(0, size)), length);
    await field.focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+V");
    await expect.poll(async () => (await field.inputValue()).length, SOON).toBe(length);
  };
  await paste((1 << 20) + 1);
  await page.keyboard.press("Enter");
  await page.locator(".composer .problem").waitFor(SOON);
  await shot(page, "message-too-long");
  expect((await field.inputValue()).length).toBe((1 << 20) + 1);
  await paste(1 << 20);
  expect(await page.locator("#sessions li").first().evaluate((row) => getComputedStyle(row).contentVisibility)).toBe("visible");
  // By what they are, not by their words: to look for words a test reads the whole megabyte, again and again.
  await page.locator(".others summary").click();
  await page.locator(`.others label[title="${other.id}"] input`).check();
  await field.focus();
  await page.keyboard.press("Enter");
  await page.locator(".messages li[data-state=held]").waitFor(SOON);
  await shot(page, "message-of-a-megabyte");
  await expect.poll(async () => (await daemon.list()).find(({ id }) => id === other.id)?.mail?.length, SOON).toBe(1);
  await page.getByRole("button", { name: "Take back" }).click();
  await page.locator(".messages li[data-state=failed]").waitFor(SOON);
});

test("a page that is older than its daemon says so, and loses no draft when it is loaded again", async () => {
  const session = await daemon.spawn("cat", "-n", "drafted");
  daemon.say(session, "needs_testing Please try it");
  await go("#/");
  const field = page.getByRole("textbox", { name: "Message to drafted" });
  await field.fill("half a thought", SOON);
  // As a newer build would: its page begins with another file.
  await page.route("**/", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/assets\/index-[\w-]+\.js/, "assets/index-newer.js") });
  });
  await daemon.kill();
  await page.locator(".sidebar .link-state[data-phase=lost]").waitFor(SOON);
  await daemon.start();
  const again = page.getByRole("button", { name: "Load the page again" });
  await again.waitFor(SOON);
  await shot(page, "outdated");
  await page.unroute("**/");
  await again.click();
  await page.locator(".sidebar .link-state[data-phase=live]").waitFor(SOON);
  expect(await field.inputValue(SOON)).toBe("half a thought");
  expect(await again.count()).toBe(0);
});

test("on a phone, too, the page says that it is not live; every view opens all the same", async () => {
  const phone = await login(browser, daemon, PHONE);
  await phone.locator("#sessions li").first().waitFor(SOON);
  // The views' files come by themselves, a little after the page, and what they need with them.
  for (const file of ["Grid", "Hosts", "Settings"]) {
    const found = await phone.waitForFunction((name) => performance.getEntriesByType("resource").find((entry) => entry.name.includes(`/assets/${name}-`))?.name, file, SOON);
    await phone.evaluate(`import(${JSON.stringify(await found.jsonValue())}).then(() => true)`);
  }
  await daemon.kill();
  for (const [view, mark] of [["Inbox", ".inbox"], ["Settings", ".settings"], ["Hosts", ".hosts"], ["Grid", ".grid-view"]] as const) {
    await phone.locator(".tab-bar").getByText(view).click();
    await phone.locator(mark).waitFor(SOON);
    await phone.locator(".page-notice").getByText(/not live since \d\d:\d\d:\d\d/).waitFor(SOON);
  }
  await shot(phone, "phone-not-live");
  await daemon.start();
  await phone.locator(".page-notice").waitFor({ state: "detached", ...SOON });
  await phone.context().close();
});
