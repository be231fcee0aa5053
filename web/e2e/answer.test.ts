// What a person does with agents from the page, without a shell: start them,
// answer them, write to them; by mouse, by keys alone, and behind a proxy.
import type { WebSocket } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { DESKTOP, equalsTmux, live, open, placeOf, rows, shot, shows, SOON } from "./browser";
import { Proxy } from "./proxy";
import { go, page } from "./tab";
import { browser, daemon, others } from "./world";

const PATH = "/tools/schmux/";
const proxy = new Proxy(PATH);
others.push(proxy);
const proxyPort = await proxy.listen();
daemon.configure(`[server]\nallowed_hosts = ["127.0.0.1:${proxyPort}"]\n`);
beforeAll(async () => proxy.lead((await daemon.status()).port));

const card = (session: Session) => page.locator(`.card[data-id="${session.id}"]`);
const post = (path: string, body: unknown): Promise<{ status: number; code?: string }> =>
  page.evaluate(async ([address, json]) => {
    const answer = await fetch(address, { method: "POST", body: json, headers: { "content-type": "application/json" } });
    const told = (await answer.json().catch(() => ({}))) as { code?: string };
    return { status: answer.status, ...(told.code === undefined ? {} : { code: told.code }) };
  }, [path, JSON.stringify(body)] as const);

test("a dialog is answered by a button of its card, and by nothing else", async () => {
  const session = await daemon.spawn("demo", "-n", "asker", "-p", "permission");
  await go("#/");
  const yes = card(session).getByRole("button", { name: "Yes", exact: true });
  await yes.waitFor(SOON);
  expect(await card(session).innerText()).toMatch(/ls -1 \| head -5[^]*Do you want to proceed\?/);
  await shot(page, "answer");
  const { dialog } = (await daemon.list()).find(({ id }) => id === session.id) ?? {};
  await yes.click();
  await card(session).and(page.locator("[data-kind=needs_input]")).waitFor({ state: "detached", ...SOON });
  await expect.poll(() => daemon.screen(session).join("\n"), SOON).toMatch(/^(?![^]*esc to interrupt)[^]*waiting for you\./);
  // The same answer once more: that dialog is gone, so nothing is typed.
  const before = daemon.screen(session);
  expect(await post(`api/sessions/${session.id}/answer`, { dialog: dialog?.id, choice: 0 })).toEqual({ status: 409, code: "dialog_gone" });
  expect(daemon.screen(session)).toEqual(before);
});

test("a reply in a card waits for the dialog there, says so, and arrives when that was answered", async () => {
  const session = await daemon.spawn("demo", "-n", "replied", "-p", "permission");
  const yes = card(session).getByRole("button", { name: "Yes", exact: true });
  await yes.waitFor(SOON);
  const field = card(session).getByRole("textbox", { name: "Message to replied" });
  await field.fill("and then the cart");
  await field.press("Enter");
  await card(session).locator(".fate", { hasText: /and then the cart held: .+/ }).waitFor(SOON);
  expect(await field.inputValue()).toBe("");
  await shot(page, "replied");
  await yes.click();
  await expect.poll(() => daemon.screen(session).join("\n"), SOON).toContain("and then the cart");
});

test("a question with several choices is answered with the one that is pressed", async () => {
  const session = await daemon.spawn("demo", "-n", "chooser", "-p", "question");
  await card(session).getByRole("button", { name: "Make it fast" }).click(SOON);
  await expect.poll(() => daemon.screen(session).join("\n"), SOON).toContain("A good choice");
  expect(daemon.screen(session).join("\n")).toMatch(/Make it fast/);
});

test("an answer that comes too late is told of, though its card is gone", async () => {
  const session = await daemon.spawn("demo", "-n", "late", "-p", "permission");
  await go("#/");
  const yes = card(session).getByRole("button", { name: "Yes", exact: true });
  await yes.waitFor(SOON);
  // Someone else is faster: the answer arrives when the dialog is closed, and the page knows that.
  await page.route("**/answer", async (route) => {
    await post(`api/sessions/${session.id}/keys`, { keys: ["Escape"] });
    await yes.waitFor({ state: "detached", ...SOON });
    await route.continue();
  });
  await yes.click();
  const notice = page.locator(".page-notice", { hasText: "Your answer to late was not given" });
  await notice.waitFor(SOON);
  await shot(page, "answer-too-late");
  await page.unroute("**/answer");
  await notice.getByRole("button", { name: "Close" }).click();
  await notice.waitFor({ state: "detached", ...SOON });
  await daemon.dispose(session);
});

test("above the terminal, too, by mouse and by keys, without resizing the agent", async () => {
  const session = await daemon.spawn("demo", "-n", "strip", "-p", "permission");
  await open(page, session);
  const strip = page.locator(".strip");
  const screen = (): string => daemon.screen(session).join("\n");
  await strip.getByRole("button", { name: "Yes", exact: true }).waitFor(SOON);
  await expect.poll(async () => String(await page.evaluate(() => window.__schmux?.size())) === String(daemon.size(session)), SOON).toBe(true);
  const before = daemon.size(session);
  await shot(page, "answer-in-session");
  // As if the page had been late: the press is for a dialog that another one has replaced.
  const drawn = screen();
  await page.route("**/answer", (route) => route.continue({ postData: JSON.stringify({ dialog: "another", choice: 0 }) }));
  await strip.getByRole("button", { name: "Yes", exact: true }).click();
  await page.locator(".answer-outcome .problem").waitFor(SOON);
  await shot(page, "answer-refused");
  await page.unroute("**/answer");
  expect(screen()).toBe(drawn);
  await strip.getByRole("button", { name: /^No/ }).click();
  await strip.locator(".choices-of-dialog").waitFor({ state: "detached", ...SOON });
  await expect.poll(screen, SOON).not.toContain("Do you want to proceed?");
  // The press left the keyboard with the terminal: the next question is typed there.
  await page.keyboard.type("question");
  await page.keyboard.press("Enter");
  await strip.getByRole("button", { name: "Make it fast" }).waitFor(SOON);
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("a");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect.poll(screen, SOON).toMatch(/A good choice/);
  expect(screen()).toContain("Make it fast");
  await page.locator(".session:focus").waitFor(SOON);
  expect(daemon.size(session)).toEqual(before);
});

test("a message is sent from a session, arrives, and its receipts can be read", async () => {
  const session = await daemon.spawn("demo", "-n", "listener");
  await open(page, session);
  await shows(page, "Write me a message");
  await page.locator(".session").focus();
  await page.keyboard.press("m");
  const field = page.getByRole("complementary", { name: "Messages" }).getByRole("textbox", { name: "Message to listener" });
  await field.fill("hello from the page");
  await page.keyboard.press("Enter");
  await shows(page, 'hello from the page');
  const letter = page.locator(".messages li[data-state=confirmed]");
  await letter.waitFor(SOON);
  await letter.locator("summary").click();
  expect(await letter.innerText()).toMatch(/You[^]*hello from the page[^]*arrived[^]*waits its turn/);
  expect(await field.inputValue()).toBe("");
  await shot(page, "message");
  await page.keyboard.press("Escape");
});

test("a message that has to wait says why, and can be taken back", async () => {
  const session = await daemon.spawn("demo", "-n", "busy", "-p", "permission");
  await open(page, session);
  await shows(page, "Do you want to proceed?");
  await page.locator(".session").focus();
  await page.keyboard.press("m");
  await page.getByRole("textbox", { name: "Message to busy" }).fill("not now");
  await page.keyboard.press("Enter");
  const letter = page.locator(".messages li[data-state=held]");
  await letter.waitFor(SOON);
  expect(await letter.innerText()).toMatch(/held: .+/);
  await letter.getByRole("button", { name: "Take back" }).click();
  await page.locator(".messages li[data-state=failed]").waitFor(SOON);
  expect((await rows(page)).join("\n")).not.toContain("not now");
  await page.getByRole("button", { name: "Close the panel" }).click();
});

test("three agents on one prompt, from the form to the grid", async () => {
  await go("#/new");
  await page.getByRole("checkbox", { name: /^demo/ }).check();
  await page.getByRole("checkbox", { name: /^cat/ }).check();
  await page.getByRole("checkbox", { name: /^lively/ }).check();
  await page.getByRole("combobox", { name: "Directory" }).fill(daemon.home);
  await page.getByRole("button", { name: "Start 3 sessions" }).click();
  await page.waitForURL(/#\/grid$/);
  const before = page.locator(".thumbnail");
  await expect.poll(() => before.count(), SOON).toBe(9);
  await page.locator("canvas[data-drawn=true]").nth(8).waitFor(SOON);
  await shot(page, "three-in-the-grid");
  // The form remembers.
  await go("#/new");
  await page.getByRole("button", { name: "Start 3 sessions" }).waitFor(SOON);
});

test("thumbnails are live, and looking at them resizes nobody", async () => {
  const session = await daemon.spawn("cat", "-n", "small");
  const before = daemon.size(session);
  const sockets = new Set<WebSocket>();
  page.on("websocket", (socket) => {
    if (!socket.url().includes("/ws/terminal/")) return;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await page.setViewportSize({ width: 1440, height: 1800 });
  await go("#/grid");
  const canvas = page.locator(`.thumbnail[data-id="${session.id}"] canvas[data-drawn=true]`);
  await canvas.waitFor(SOON);
  const picture = (): Promise<string> => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
  const blank = await picture();
  expect((await post(`api/sessions/${session.id}/keys`, { text: "drawn small", keys: ["Enter"] })).status).toBe(200);
  await expect.poll(picture, SOON).not.toBe(blank);
  expect(daemon.size(session)).toEqual(before);
  // One that is out of sight is not connected, and none is when the grid is left.
  const all = await page.locator(".thumbnail").count();
  await expect.poll(() => sockets.size, SOON).toBe(all);
  await page.setViewportSize({ width: 800, height: 200 });
  await expect.poll(() => sockets.size, SOON).toBeLessThan(all);
  expect(sockets.size).toBeGreaterThan(0);
  await go("#/");
  await expect.poll(() => sockets.size, SOON).toBe(0);
  await page.setViewportSize(DESKTOP.viewport);
});

test("everything by keys: from the inbox to a new session and back out of its terminal", async () => {
  await go("#/");
  await page.locator("body").click({ position: { x: 1200, y: 850 } });
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor(SOON);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached", ...SOON });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new sess");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/new/);
  await page.getByRole("checkbox", { name: /^demo/ }).waitFor(SOON);
  for (const name of ["demo", "lively"]) {
    await page.getByRole("checkbox", { name: new RegExp(`^${name}`) }).focus();
    await page.keyboard.press("Space");
  }
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/#\/s\//);
  await live(page);
  // The terminal has the keyboard: it gets Ctrl K and ?, and the page doesn't.
  await page.keyboard.type("typed?");
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Enter");
  await shows(page, "typed?");
  expect(await page.locator("dialog").count()).toBe(0);
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("g");
  await page.waitForURL(/#\/grid/);
  await page.keyboard.press("i");
  await page.waitForURL(/#\/$/);
  await page.keyboard.press("1");
  await page.waitForURL(/#\/s\//);
  await live(page);
  await page.keyboard.press("Control+Shift+K");
  await expect.poll(() => page.getByRole("combobox", { name: "Find" }).evaluate((field) => field === document.activeElement), SOON).toBe(true);
  await page.keyboard.type("small");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  const small = (await daemon.list()).find(({ nickname }) => nickname === "small");
  await expect.poll(() => page.url(), SOON).toMatch(new RegExp(`#/s/${small?.id}$`));
  await live(page);
});

test("a program that wants to copy has to ask; what is selected is copied", async () => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await daemon.spawn("shell", "-n", "copier");
  await open(page, session);
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText("mine"));
  await page.keyboard.type("printf '\\033]52;c;%s\\007' $(printf stolen | base64)\n");
  await page.getByRole("alertdialog").getByText("stolen").waitFor(SOON);
  expect(await clipboard()).toBe("mine");
  await page.getByRole("button", { name: "Don't" }).click();
  expect(await clipboard()).toBe("mine");
  await page.keyboard.type("clear; printf '\\033]52;c;%s\\007' $(printf given | base64)\n");
  await page.getByRole("button", { name: "Copy", exact: true }).click(SOON);
  await expect.poll(clipboard, SOON).toBe("given");
  await page.keyboard.type("clear; echo SELECTED\n");
  await expect.poll(() => rows(page), SOON).toContain("SELECTED");
  const { x, y } = await placeOf(page, "SELECTED");
  await page.mouse.dblclick(x, y);
  await expect.poll(clipboard, SOON).toBe("SELECTED");
});

test("while a terminal connects, its last screen is shown", async () => {
  const session = await daemon.spawn("lively", "-n", "pictured");
  await open(page, session);
  await shows(page, "211 tests passed");
  await go("#/");
  await page.locator(".inbox").waitFor(SOON);
  // Sockets are kept from opening, as on a slow line.
  await page.evaluate(() => {
    const Real = window.WebSocket;
    window.WebSocket = class extends Real {
      constructor(url: string | URL) {
        super(String(url).includes("/ws/terminal/") ? "ws://127.0.0.1:9/" : url);
      }
    };
  });
  await page.evaluate((id) => (location.hash = `#/s/${id}`), session.id);
  await page.locator("canvas.last-screen").waitFor(SOON);
  await page.locator(".stage").getByText("connecting").waitFor(SOON);
  await shot(page, "last-screen");
  await page.reload();
  await live(page);
  await page.locator(".last-screen").waitFor({ state: "detached", ...SOON });
});

test("behind a proxy, under a path of its own, everything works", async () => {
  const session = await daemon.spawn("cat", "-n", "proxied");
  const context = await browser.newContext();
  const there = await context.newPage();
  const token = new URL(await daemon.loginUrl()).search;
  await there.goto(`http://127.0.0.1:${proxyPort}${PATH}${token}`);
  await there.locator("#sessions").getByText("proxied").click(SOON);
  await live(there);
  await there.keyboard.type("through the proxy\n");
  await shows(there, "through the proxy\nthrough the proxy");
  await equalsTmux(there, daemon, session);
  expect(new URL(there.url()).pathname).toBe(PATH);
  // Only these connections are dead; the daemon answers every new one, so that a new
  // one is all that there is to see of it.
  const again = there.waitForEvent("websocket", { predicate: (socket) => socket.url().includes("/ws/terminal/"), timeout: 40_000 });
  proxy.forget();
  await again;
  await live(there);
  await there.keyboard.type("and again\n");
  await shows(there, "and again\nand again");
  await context.close();
});

test("what is typed while a terminal connects arrives, from its first key", async () => {
  const [before, session] = [await daemon.spawn("cat"), await daemon.spawn("cat")];
  const context = await browser.newContext();
  const there = await context.newPage();
  const token = new URL(await daemon.loginUrl()).search;
  await there.goto(`http://127.0.0.1:${proxyPort}${PATH}${token}#/s/${before.id}`);
  await live(there);
  const goOn = proxy.hold();
  try {
    await there.evaluate((id) => (location.hash = `#/s/${id}`), session.id);
    await there.waitForFunction((id) => window.__schmux?.session === id, session.id, SOON);
    await there.keyboard.type("git sta");
  } finally {
    goOn();
  }
  await there.keyboard.type("tus\n");
  await shows(there, "git status\ngit status");
  await context.close();
});

test("the shell opens while the daemon is away, and says so", async () => {
  await go("#/");
  await page.evaluate(() => navigator.serviceWorker.ready);
  // The browser would install it, were its window not a private one.
  const client = await page.context().newCDPSession(page);
  const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);
  await page.reload();
  await page.locator(".sidebar .link-state[data-phase=live]").waitFor(SOON);
  await daemon.kill();
  await page.reload();
  await page.getByText("Waiting for the daemon").or(page.getByText("Connecting to the daemon")).waitFor(SOON);
  await shot(page, "daemon-away");
  await daemon.start();
  await page.locator(".sidebar .link-state[data-phase=live]").waitFor(SOON);
  await page.locator("#sessions li").first().waitFor(SOON);
});
