// The terminal: what is drawn is what tmux has, whatever happens to the window,
// the tab, the connection or the daemon.
import { expect, test } from "vitest";
import { equalsTmux, live, open, placeOf, rows, shot, shows, size, SOON } from "./browser";
import { go, page } from "./tab";
import { daemon } from "./world";

const scrollback = (): Promise<[number, number]> => page.evaluate(() => window.__schmux?.scrollback() ?? [0, 0]);

test("keys go in and their echo comes back", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  await page.keyboard.type("echo $((6*7)) ümlaut 漢字\n");
  await shows(page, "42 ümlaut 漢字");
  await page.keyboard.type("printf '\\033[31mred\\033[0m \\033[7mreverse\\033[0m\\n'; sleep 100\n");
  await shows(page, "red reverse");
  await page.keyboard.press("Control+C");
  await page.keyboard.type("echo after\n");
  await shows(page, "\nafter");
  await equalsTmux(page, daemon, session);
});

test("the pane follows the window's size", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  await page.keyboard.type("seq 1 200; echo a line that is long enough to be wrapped when the window becomes narrow $(seq 1 60)\n");
  await shows(page, "59 60");
  for (const [width, height] of [[1000, 600], [820, 1000], [1440, 900]] as const) {
    const before = await size(page);
    await page.setViewportSize({ width, height });
    await expect.poll(() => size(page), SOON).not.toEqual(before);
    await expect.poll(async () => String(await size(page)) === String(daemon.size(session)), SOON).toBe(true);
    await equalsTmux(page, daemon, session);
  }
});

test("full-screen programs are drawn, and left", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  await page.keyboard.type("seq 1 500 | less\n");
  await shows(page, "\n:");
  // The wheel goes as far as in the scrollback, and not a line for a turn.
  await page.locator(".pane .xterm-screen").hover();
  await page.mouse.wheel(0, 100);
  await expect.poll(async () => Number((await rows(page))[0]), SOON).toBeGreaterThanOrEqual(5);
  expect(Number((await rows(page))[0])).toBeLessThanOrEqual(8);
  await page.keyboard.type("\x06");
  await equalsTmux(page, daemon, session);
  await page.reload();
  await live(page);
  await equalsTmux(page, daemon, session);
  await page.keyboard.type("q");
  await page.keyboard.type("echo left\n");
  await shows(page, "\nleft");
  await equalsTmux(page, daemon, session);
});

test("a reload comes back to the same session", async () => {
  const session = await daemon.spawn("cat");
  await open(page, session);
  await page.keyboard.type("before the reload\n");
  await shows(page, "before the reload\nbefore the reload");
  await page.reload();
  await live(page);
  await equalsTmux(page, daemon, session);
  await page.keyboard.type("after\n");
  await shows(page, "after\nafter");
});

test("a flood arrives whole", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  await page.keyboard.type("seq 1 200000; echo done flooding\n");
  await shows(page, "\ndone flooding");
  await equalsTmux(page, daemon, session);
});

test("a slow device says that it is catching up, and then it has", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  const client = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const header = document.querySelector(".session-header");
    const look = (): void => {
      if (header?.querySelector(".link-state")?.textContent.includes("catching up") === true) document.documentElement.dataset.wasBehind = "yes";
    };
    if (header !== null) new MutationObserver(look).observe(header, { subtree: true, childList: true, characterData: true });
  });
  await client.send("Emulation.setCPUThrottlingRate", { rate: 20 });
  await page.keyboard.type("seq 1 200000; echo done flooding\n");
  await page.locator("html[data-was-behind=yes]").waitFor({ state: "attached", ...SOON });
  await client.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await shows(page, "\ndone flooding");
  await page.locator(".session-header .link-state[data-behind=false]").waitFor(SOON);
  await equalsTmux(page, daemon, session);
});

const paste = (text: string): Promise<void> =>
  page.evaluate((plain) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", plain);
    document.querySelector(".pane textarea")?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);

test("a paste is framed by tmux and arrives as one", async () => {
  const session = await daemon.spawn("framed");
  await open(page, session);
  await paste("one\ntwo\n");
  await page.keyboard.type("\n");
  await shows(page, "^[[200~one");
  await shows(page, "two");
  await shows(page, "^[[201~");
});

test("a paste can't end its own frame, and its lines end once", async () => {
  const session = await daemon.spawn("framed");
  await open(page, session);
  await paste("echo harmless\x1b[201~\rtouch x\r\nbeta");
  await page.keyboard.type("\n");
  await shows(page, "^[[200~echo harmlessM-bM-^PM-^[[201~\ntouch x\nbeta^[[201~");
  // A shell that would run it: it stands in the line until Enter.
  const shell = await daemon.spawn("shell");
  await open(page, shell);
  await shows(page, "bash-");
  await paste("echo $((40+2))\x1b[201~\recho $((50+3))\r");
  await shows(page, "echo $((50+3))");
  // What it would have run is drawn before this is.
  await page.keyboard.type("#typed");
  await shows(page, "#typed");
  expect((await rows(page)).filter((row) => ["42", "53"].includes(row))).toEqual([]);
});

test("a paste that is too long is told of, and the connection stays", async () => {
  const session = await daemon.spawn("cat");
  await open(page, session);
  await page.evaluate((length) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "x".repeat(length));
    document.querySelector(".pane textarea")?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, 9 * 1024 * 1024);
  const told = page.getByRole("alert").filter({ hasText: "Nothing was pasted: 8 MB is the most at once, and this has 9.0 MB" });
  await told.waitFor(SOON);
  await shot(page, "paste-too-long");
  await told.getByRole("button", { name: "Close" }).click();
  await told.waitFor({ state: "detached", ...SOON });
  await page.keyboard.type("still here\n");
  await shows(page, "still here\nstill here");
});

test("from one terminal to the next the keyboard is never the page's", async () => {
  const [first, second] = [await daemon.spawn("cat"), await daemon.spawn("cat")];
  await open(page, first);
  // Looks between any two tasks of the page, which is where a key could come.
  await page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      if (document.activeElement?.matches("textarea") !== true) document.documentElement.dataset.wasOutside = document.activeElement?.tagName;
      port2.postMessage(null);
    };
    port2.postMessage(null);
  });
  for (const key of ["Control+Shift+ArrowDown", "Control+Shift+ArrowUp"]) {
    const before = page.url();
    await page.keyboard.press(key);
    await expect.poll(() => page.url(), SOON).not.toBe(before);
    await live(page);
  }
  expect(await page.evaluate(() => document.documentElement.dataset.wasOutside)).toBeUndefined();
  await page.reload();
  for (const session of [first, second]) await daemon.dispose(session);
});

test("the browser answers no question of a program", async () => {
  const session = await daemon.spawn("curious");
  await open(page, session);
  await shows(page, "asked");
  await page.reload();
  await live(page);
  await page.keyboard.type("\n");
  await page.keyboard.type("typed\n");
  await shows(page, "typed");
  const told = (await rows(page)).join("\n");
  // tmux's own answers are there, once each; anything from a second terminal would stand beside them.
  expect(told.match(/\^\[\[\?1;2c/g)?.length).toBe(1);
  expect(told).not.toContain("^[]11");
  expect(told).not.toContain("^[[?1;2c^[[?1;2c");
});

test("scrolling to the top brings more history and keeps the place", async () => {
  const session = await daemon.spawn("history");
  await open(page, session);
  await shows(page, "line 3000");
  await page.reload();
  await live(page);
  await shows(page, "line 3000");
  await expect.poll(async () => (await scrollback())[0], SOON).toBeGreaterThanOrEqual(900);
  expect((await scrollback())[0]).toBeLessThan(1_200);
  const top = async (): Promise<string> => (await page.evaluate(() => window.__schmux?.visible() ?? []))[0] ?? "";
  const first = (await rows(page))[0];
  const seen: string[] = [];
  await expect
    .poll(async () => {
      await page.keyboard.press("Shift+PageUp");
      seen.push(await top());
      return (await scrollback())[0];
    }, SOON)
    .toBeGreaterThan(2_500);
  // The reader stayed with the lines that were on the screen, page by page.
  const numbers = [first, ...seen].map((line) => Number(line?.replace("line ", "")));
  for (const [at, number] of numbers.slice(1).entries()) {
    expect(number).toBeLessThanOrEqual(numbers[at] ?? 0);
    expect(number).toBeGreaterThan((numbers[at] ?? 0) - 120);
  }
  await expect
    .poll(async () => {
      await page.keyboard.press("Shift+PageUp");
      return top();
    }, SOON)
    .toBe("line 1");
});

test("search finds in the scrollback and counts", async () => {
  const session = await daemon.spawn("history");
  await open(page, session);
  await shows(page, "line 3000");
  await page.keyboard.press("Control+Shift+F");
  await page.getByLabel("Search in the terminal").fill("line 2990");
  await page.locator(".search .found").getByText("1 of 1").waitFor(SOON);
  await page.getByLabel("Search in the terminal").fill("line 299");
  await page.locator(".search .found").getByText(/of 1[01]/).waitFor(SOON);
  await shot(page, "search");
  await page.getByLabel("Search in the terminal").fill("nowhere to be found");
  await page.locator(".search .found").getByText("none").waitFor(SOON);
  await page.keyboard.press("Escape");
  await page.keyboard.type("typing again\n");
  await shows(page, "typing again\ntyping again");
});

test("search finds what was not loaded yet", async () => {
  const session = await daemon.spawn("history");
  await open(page, session);
  await shows(page, "line 3000");
  await page.reload();
  await live(page);
  await expect.poll(async () => (await scrollback())[0], SOON).toBeGreaterThanOrEqual(900);
  await page.keyboard.press("Control+Shift+F");
  // Once at the top and once among what was there: 100 and 1000 to 1009.
  await page.getByLabel("Search in the terminal").fill("line 100");
  await page.locator(".search .found").getByText("of 11").waitFor(SOON);
  await shot(page, "search-above");
  await page.keyboard.press("Escape");
});

test("the match that one is at is told from the others, and the search doesn't cover it", async () => {
  const session = await daemon.spawn("shell");
  await open(page, session);
  await shows(page, "bash-");
  await page.keyboard.type("clear; printf '%s\\n' needle needle needle\n");
  await expect.poll(async () => (await rows(page)).slice(0, 3), SOON).toEqual(["needle", "needle", "needle"]);
  await page.keyboard.press("Control+Shift+F");
  const bar = page.locator(".search");
  await page.getByLabel("Search in the terminal").fill("needle");
  await bar.getByText("3 of 3").waitFor(SOON);
  await page.keyboard.press("Enter");
  await bar.getByText("2 of 3").waitFor(SOON);
  await shot(page, "search-matches");
  expect(await bar.getAttribute("data-low")).toBe("false");
  await page.setViewportSize({ width: 390, height: 844 });
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator(".search[data-low=true]").waitFor(SOON);
  await shot(page, "search-narrow");
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
});

test("links open beside the page, and nothing but links to the web", async () => {
  const session = await daemon.spawn("links");
  await open(page, session);
  // Printed while someone looks: this tmux keeps the words of a link and not where it leads.
  await page.keyboard.press("Enter");
  await shows(page, "a trap");
  const context = page.context();
  await context.route("https://example.org/**", (route) => route.fulfill({ body: "<title>there</title>", contentType: "text/html" }));
  for (const [words, address] of [["example.org/docs", "https://example.org/docs?q=1"], ["behind words", "https://example.org/behind"]] as const) {
    const { x, y } = await placeOf(page, words);
    const opened = context.waitForEvent("page", SOON);
    // xterm.js looks for a link where the mouse has come to rest.
    await page.mouse.move(x, y - 1);
    await page.mouse.move(x, y);
    await page.locator(".xterm-cursor-pointer").waitFor(SOON);
    await page.mouse.click(x, y);
    const there = await opened;
    await there.waitForURL(address);
    expect(await there.evaluate(() => [window.opener === null, document.referrer])).toEqual([true, ""]);
    await there.close();
  }
  const { x, y } = await placeOf(page, "a trap");
  await page.mouse.click(x, y);
  // A click after it opens its page: had the trap opened one, it would have come first.
  const next = context.waitForEvent("page", SOON);
  const good = await placeOf(page, "behind words");
  await page.mouse.move(good.x, good.y);
  await page.locator(".xterm-cursor-pointer").waitFor(SOON);
  await page.mouse.click(good.x, good.y);
  await (await next).waitForURL("https://example.org/behind");
  expect(context.pages().length).toBe(2);
  await (await next).close();
});

test("a second tab looks without resizing and without a redraw, until it is told to", async () => {
  const session = await daemon.spawn("redraws");
  await open(page, session);
  await shows(page, "ready");
  await expect.poll(async () => String(await size(page)) === String(daemon.size(session)), SOON).toBe(true);
  const before = daemon.size(session);
  // The first window was fitted once, and that was the last redraw.
  await shows(page, "redrawn");
  const drawn = daemon.screen(session);
  const second = await page.context().newPage();
  await second.setViewportSize({ width: 800, height: 500 });
  await second.goto(page.url());
  await live(second);
  await second.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  expect(await size(second)).toEqual(before);
  await equalsTmux(second, daemon, session);
  await shot(second, "not-the-owner");
  await second.reload();
  await live(second);
  await equalsTmux(second, daemon, session);
  expect(daemon.size(session)).toEqual(before);
  expect(daemon.screen(session)).toEqual(drawn);
  await second.getByRole("button", { name: "Use my size" }).click();
  await expect.poll(() => daemon.size(session), SOON).not.toEqual(before);
  await expect.poll(() => daemon.screen(session).join("\n").match(/redrawn/g)?.length, SOON).toBe((drawn.join("\n").match(/redrawn/g)?.length ?? 0) + 1);
  await expect.poll(async () => String(await size(page)) === String(daemon.size(session)), SOON).toBe(true);
  await page.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  await second.close();
});

test("after a restart the tab that set the size sets it again, whoever is back first", async () => {
  const session = await daemon.spawn("cat");
  await open(page, session);
  await expect.poll(async () => String(await size(page)) === String(daemon.size(session)), SOON).toBe(true);
  const second = await page.context().newPage();
  await second.setViewportSize({ width: 900, height: 500 });
  await second.goto(page.url());
  await live(second);
  await second.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  const before = daemon.size(session);
  await daemon.kill();
  for (const tab of [page, second]) await tab.locator(".stage").getByText(/not live since/).waitFor(SOON);
  // The owner's way to the daemon is cut until the other one is back.
  let cut = true;
  await page.routeWebSocket(/ws\/terminal/, (socket) => (cut ? socket.close() : void socket.connectToServer()));
  await daemon.start();
  await live(second);
  await equalsTmux(second, daemon, session);
  expect(daemon.size(session)).toEqual(before);
  await second.getByRole("button", { name: "Use my size" }).waitFor(SOON);
  cut = false;
  await live(page);
  await page.getByRole("button", { name: "Use my size" }).waitFor({ state: "detached", ...SOON });
  // It is the owner: the pane follows its window.
  await page.setViewportSize({ width: 1200, height: 800 });
  await expect.poll(() => daemon.size(session), SOON).not.toEqual(before);
  await second.close();
  await page.unrouteAll();
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("a screen reader can read the terminal, and typing latency is shown to who asks", async () => {
  const session = await daemon.spawn("cat");
  await go("#/settings");
  for (const name of ["Screen-reader mode", "Typing latency"]) await page.getByRole("switch", { name }).check(SOON);
  await open(page, session);
  await page.locator(".latency", { hasText: "type to measure" }).waitFor(SOON);
  await page.keyboard.type("read me aloud\n");
  await page.locator(".xterm-accessibility-tree").getByText("read me aloud").first().waitFor({ state: "attached", ...SOON });
  await expect.poll(() => page.locator(".latency").innerText(), SOON).toMatch(/^\d+ ms, median \d+ ms$/);
  await shot(page, "latency");
  // Off again, in the terminal that is open.
  for (const command of ["Screen-reader mode of the terminal off", "Hide typing latency"]) {
    await page.keyboard.press("Control+Shift+K");
    await page.keyboard.type(command);
    await page.keyboard.press("Enter");
  }
  await page.locator(".xterm-accessibility-tree").waitFor({ state: "detached", ...SOON });
  await page.locator(".latency").waitFor({ state: "detached", ...SOON });
});

test("the daemon is killed and started again: the page says so and comes back by itself", async () => {
  const session = await daemon.spawn("cat");
  await open(page, session);
  await page.keyboard.type("before the crash\n");
  await shows(page, "before the crash\nbefore the crash");
  await daemon.kill();
  await page.locator(".stage").getByText(/not live since \d\d:\d\d:\d\d/).waitFor(SOON);
  await page.locator(".sidebar").getByText(/not live since \d\d:\d\d:\d\d/).waitFor(SOON);
  await shot(page, "not-live");
  await daemon.start();
  await live(page);
  await page.locator(".sidebar .link-state[data-phase=live]").waitFor(SOON);
  await equalsTmux(page, daemon, session);
  await page.keyboard.type("after it\n");
  await shows(page, "after it\nafter it");
});

test("a daemon that hangs keeps its connections open: the page says that it is not live all the same", async () => {
  const session = await daemon.spawn("cat");
  await open(page, session);
  await page.keyboard.type("before it hung\n");
  await shows(page, "before it hung\nbefore it hung");
  const goOn = await daemon.hang();
  try {
    const since = (part: string) => page.locator(part).getByText(/not live since \d\d:\d\d:\d\d/);
    await since(".stage").waitFor(SOON);
    await since(".sidebar").waitFor(SOON);
    // Since the daemon's last word, wherever it is said.
    const [inStage, inSidebar] = await Promise.all([".stage", ".sidebar"].map((part) => since(part).innerText()));
    expect(inStage?.match(/since .*/)?.[0]).toBe(inSidebar?.match(/since .*/)?.[0]);
    await shot(page, "hangs");
  } finally {
    goOn();
  }
  await live(page);
  await equalsTmux(page, daemon, session);
  await page.keyboard.type("after it\n");
  await shows(page, "after it\nafter it");
});
