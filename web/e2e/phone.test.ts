// The page in a hand: touched, with a keyboard that comes and goes, and reached
// by a camera that looks at `schmux start`.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { live, login, open, PHONE, rows, shot, shows, size, SOON } from "./browser";
import { Daemon } from "./daemon";
import { drag, flick } from "./finger";
import { linkIn } from "./qr";
import { browser, daemon } from "./world";

const above = (page: Page): Promise<number> => page.evaluate(() => window.__schmux?.scrollback()[1] ?? 0);

test("answer from the inbox, write from below the terminal, keys that its keyboard lacks", async () => {
  const asker = await daemon.spawn("demo", "-n", "pocket", "-p", "permission");
  const writer = await daemon.spawn("cat", "-n", "typed");
  const phone = await login(browser, daemon, { ...PHONE, colorScheme: "dark" });
  await phone.locator(`.card[data-id="${asker.id}"]`).getByRole("button", { name: /^No/ }).tap(SOON);
  await phone.locator(`.card[data-id="${asker.id}"][data-kind=needs_input]`).waitFor({ state: "detached", ...SOON });
  await phone.locator("#sessions").getByText("typed").tap();
  await live(phone);
  await phone.locator(".pane").tap();
  await phone.keyboard.type("abc");
  await phone.getByRole("button", { name: "Ctrl, for the next key" }).tap();
  await phone.keyboard.type("u");
  await phone.keyboard.type("cleared");
  await phone.getByRole("button", { name: "Enter" }).tap();
  await shows(phone, "cleared\ncleared");
  expect((await rows(phone)).join("")).not.toContain("abc");
  expect(await size(phone)).toEqual(daemon.size(writer));
  await phone.context().close();
  expect((await daemon.list()).find(({ id }) => id === asker.id)?.dialog).toBeUndefined();
});

test("what a session asks stands within its two lines, and the search below a match in the first rows", async () => {
  const session = await daemon.spawn("framed", "-n", "wordy");
  daemon.say(session, "needs_input Which of the three gypsy migrations may I apply to the staging database, and shall I keep a copy of the old tables?");
  const phone = await login(browser, daemon, PHONE);
  await open(phone, session);
  const words = phone.locator(".strip .words");
  await words.getByText("gypsy migrations").waitFor(SOON);
  const [text, strip] = await Promise.all([words.boundingBox(), phone.locator(".strip").boundingBox()]);
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual((strip?.y ?? 0) + (strip?.height ?? 0) - 1);
  await shot(phone, "phone-strip");
  await phone.locator(".pane").tap();
  await phone.keyboard.type("needle\n");
  await shows(phone, "needle");
  await phone.getByRole("button", { name: "Search" }).tap();
  await phone.getByLabel("Search in the terminal").fill("needle");
  await phone.locator(".search[data-low=true]").getByText("1 of 1").waitFor(SOON);
  await shot(phone, "phone-search");
  await phone.getByLabel("Search in the terminal").fill("nothing like it");
  await phone.locator(".search").getByText("none").waitFor(SOON);
  await phone.locator(".search[data-low=false]").waitFor(SOON);
  await phone.context().close();
});

test("a dialog is answered below its terminal, which is covered by nothing and not resized", async () => {
  const session = await daemon.spawn("demo", "-n", "asks below", "-p", "question");
  const phone = await login(browser, daemon, PHONE);
  await open(phone, session);
  const reply = phone.locator(".reply");
  const choice = reply.getByRole("button", { name: "Make it fast" });
  await choice.waitFor(SOON);
  await expect.poll(async () => String(await size(phone)) === String(daemon.size(session)), SOON).toBe(true);
  const before = daemon.size(session);
  await shot(phone, "phone-dialog");
  // The panel's own head is in reach, too.
  await phone.getByRole("button", { name: "About this session" }).tap();
  await phone.getByRole("tab", { name: "Details" }).tap();
  await phone.getByRole("button", { name: "Close the panel" }).tap();
  // Whoever writes at that moment goes on: the choices make room.
  await choice.waitFor(SOON);
  await reply.locator("textarea").focus();
  await phone.keyboard.type("half a thought");
  const [field, options] = await Promise.all([reply.locator("form").boundingBox(), choice.boundingBox()]);
  expect((options?.y ?? 0) + (options?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
  await choice.tap();
  await expect.poll(() => daemon.screen(session).join("\n"), SOON).toContain("A good choice");
  await choice.waitFor({ state: "detached", ...SOON });
  expect(await reply.locator("textarea").inputValue()).toBe("half a thought");
  expect(daemon.size(session)).toEqual(before);
  await phone.context().close();
});

test("a keyboard that lies over the page moves it up, and one that takes from its height does, too; neither resizes the agent", async () => {
  const session = await daemon.spawn("redraws", "-n", "steady");
  const phone = await login(browser, daemon, PHONE);
  await open(phone, session);
  await shows(phone, "ready");
  await expect.poll(async () => String(await size(phone)) === String(daemon.size(session)), SOON).toBe(true);
  await shows(phone, "redrawn 1");
  const before = daemon.size(session);
  const edges = async (): Promise<{ header: number; dock: number }> => {
    const [header, dock] = await Promise.all([".session-header", ".dock"].map((part) => phone.locator(part).boundingBox()));
    return { header: header?.y ?? -1, dock: (dock?.y ?? -1) + (dock?.height ?? 0) };
  };
  expect(await edges()).toEqual({ header: 0, dock: 844 });
  await phone.locator(".pane").tap();

  // As in most browsers: the visible part becomes smaller, the page doesn't.
  const cover = (pixels: number): Promise<void> => phone.evaluate((height) => {
    const visible = window.visualViewport;
    if (visible === null) return;
    Object.defineProperty(visible, "height", { value: innerHeight - height, configurable: true });
    visible.dispatchEvent(new Event("resize"));
  }, pixels);
  await cover(300);
  await expect.poll(edges, SOON).toEqual({ header: 0, dock: 544 });
  await shot(phone, "phone-keyboard");
  await cover(0);
  await expect.poll(edges, SOON).toEqual({ header: 0, dock: 844 });
  await phone.evaluate(() => {
    if (window.visualViewport !== null) Reflect.deleteProperty(window.visualViewport, "height");
  });

  // As in the others: the window itself becomes smaller.
  const client = await phone.context().newCDPSession(phone);
  const screen = (height: number): Promise<unknown> => client.send("Emulation.setDeviceMetricsOverride", { width: 390, height, deviceScaleFactor: 1, mobile: true });
  await screen(544);
  await phone.waitForFunction(() => innerHeight === 544, null, SOON);
  await expect.poll(edges, SOON).toEqual({ header: 0, dock: 544 });
  expect(await phone.evaluate(() => [document.documentElement.scrollTop, document.querySelector("main")?.scrollTop])).toEqual([0, 0]);
  await screen(844);
  await phone.waitForFunction(() => innerHeight === 844, null, SOON);
  await expect.poll(edges, SOON).toEqual({ header: 0, dock: 844 });
  // Turned, it is another width: that is what the agent is told.
  await client.send("Emulation.setDeviceMetricsOverride", { width: 844, height: 390, deviceScaleFactor: 1, mobile: true });
  await shows(phone, "redrawn 2");
  expect(daemon.size(session)[0]).toBeGreaterThan(before[0]);
  expect((await rows(phone)).join("\n")).not.toContain("redrawn 3");
  await phone.context().close();
});

test("a finger scrolls the lines above, and in a program that has the whole screen", async () => {
  const long = await daemon.spawn("history", "-n", "long");
  const phone = await login(browser, daemon, PHONE);
  await open(phone, long);
  await shows(phone, "line 3000");
  const [, lines] = await size(phone);
  const glass = await phone.locator(".pane .xterm-screen").boundingBox();
  if (glass === null) throw new Error("no terminal");
  const row = glass.height / lines;
  const at = { x: 100, y: glass.y + 40 };
  // Ten rows down with the finger are ten lines up in the scrollback, and there they stay.
  await drag(phone, at, row * 10);
  await expect.poll(() => above(phone), SOON).toBeGreaterThanOrEqual(9);
  expect(await above(phone)).toBeLessThanOrEqual(10);
  await drag(phone, { ...at, y: at.y + row * 12 }, -row * 5);
  await expect.poll(() => above(phone), SOON).toBeLessThanOrEqual(6);

  const pager = await daemon.spawn("shell", "-n", "pager");
  await open(phone, pager);
  await phone.locator(".pane").tap();
  await phone.keyboard.type("seq 1 500 | less\n");
  await shows(phone, "\n:");
  const first = async (): Promise<number> => Number((await rows(phone))[0]);
  expect(await first()).toBe(1);
  await drag(phone, { ...at, y: at.y + row * 20 }, -row * 10);
  await expect.poll(first, SOON).toBeGreaterThanOrEqual(10);
  expect(await first()).toBeLessThanOrEqual(11);
  await phone.context().close();
});

test("a flick runs on by itself, but not for who wants no motion; for them nothing moves on the page", async () => {
  const session = await daemon.spawn("history", "-n", "moving");
  for (const reducedMotion of ["no-preference", "reduce"] as const) {
    const phone = await login(browser, daemon, { ...PHONE, reducedMotion });
    await open(phone, session);
    await shows(phone, "line 3000");
    const box = await phone.locator(".pane").boundingBox();
    await flick(phone, { x: 100, y: (box?.y ?? 0) + 60 }, 240);
    await expect.poll(() => above(phone), SOON).toBeGreaterThan(5);
    const [, lines] = await size(phone);
    const under = Math.ceil((240 * lines) / (box?.height ?? 1)) + 1;
    if (reducedMotion === "reduce") {
      // Two frames later it would have run on.
      await phone.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      expect(await above(phone)).toBeLessThanOrEqual(under);
    } else await expect.poll(() => above(phone), SOON).toBeGreaterThan(under + 5);
    // What moves by the page's own styles, and how.
    const moving = await phone.evaluate(() =>
      [...document.querySelectorAll("*")].flatMap((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        const isStill = transitionDuration.split(", ").every((time) => time === "0s") && animationName === "none";
        return isStill ? [] : [`${element.className}: ${transitionDuration} ${animationName}`];
      }),
    );
    if (reducedMotion === "reduce") expect(moving).toEqual([]);
    else expect(moving).not.toEqual([]);
    await phone.context().close();
  }
});

test("bound to the network, schmux start shows a code, and a phone that reads it is in", async () => {
  const open = new Daemon('[server]\nbind = "0.0.0.0"\n');
  try {
    const printed = await open.startInTerminal((rows) => linkIn(rows) !== null, Date.now() + SOON.timeout);
    const link = linkIn(printed) ?? "";
    // The code says what stands beside it, which is not loopback.
    expect(printed.join("")).toContain(link);
    expect(link).toMatch(/^https:\/\/(?!127\.|localhost)[^/]+\/\?token=/);
    // The certificate is the daemon's own: a person agrees to it once.
    const context = await browser.newContext({ ...PHONE, ignoreHTTPSErrors: true });
    const phone = await context.newPage();
    await phone.goto(link);
    await phone.getByRole("button", { name: "Start the demo agent" }).tap(SOON);
    await phone.waitForURL(/#\/s\//, SOON);
    await live(phone);
    await shows(phone, "Write me a message");
    expect(phone.url()).not.toContain("token");
    await shot(phone, "phone-by-code");
    await context.close();
  } finally {
    await open.end();
  }
});
