// How fast the page is on this machine: how soon it can be used, what twenty live
// thumbnails and two hundred sessions cost. It prints a table for
// docs/dashboard.md; times are not asserted, because they are the machine's.
import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { DESKTOP, launch, shot, SOON, visit } from "./browser";
import { Daemon } from "./daemon";

const THUMBNAILS = 20;
const MANY = 200;
const CHANGES = 40;
const ROUNDS = 5;
// Long enough for some hundred drawings.
const WATCH_MS = 6_000;

interface Measured {
  usable: number | null;
}

declare global {
  interface Window {
    __measured: Measured;
  }
}

const daemon = new Daemon(`[targets.ticker]\ncommand = ["sh", "-c", "while :; do date +%T.%N; sleep 0.2; done"]\n`);
const figures: [what: string, figure: string][] = [];
let browser: Browser;

beforeAll(async () => {
  await daemon.start();
  browser = await launch();
});
afterAll(async () => {
  console.log(["", "| figure | here |", "|---|---|", ...figures.map(([what, figure]) => `| ${what} | ${figure} |`), ""].join("\n"));
  await browser.close();
  await daemon.end();
});

/** Notes when the inbox can be used: its field is drawn, and the page has time for a key. */
function watch(): void {
  const measured: Measured = { usable: null };
  window.__measured = measured;
  const observer = new MutationObserver(() => {
    if (document.querySelector(".inbox textarea") === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (measured.usable = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const ms = (number: number): string => `${Math.round(number)} ms`;
const wait = (page: Page, time: number): Promise<void> => page.evaluate((span) => new Promise((done) => setTimeout(done, span)), time);

async function fresh(): Promise<Page> {
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  // The login is a redirect of its own: what is measured is a visit with the cookie.
  await page.goto(await daemon.loginUrl());
  await page.locator(".inbox").waitFor(SOON);
  await context.addInitScript(watch);
  return page;
}

async function usable(page: Page): Promise<number> {
  await page.reload();
  await page.waitForFunction(() => window.__measured.usable !== null, null, SOON);
  return page.evaluate(() => window.__measured.usable ?? 0);
}

async function untilUsable(cache: boolean): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await fresh();
    await page.evaluate(async () => {
      for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
    });
    const client = await page.context().newCDPSession(page);
    await client.send("Network.setCacheDisabled", { cacheDisabled: !cache });
    times.push(await usable(page));
    await page.context().close();
  }
  return median(times);
}

/** The share of a core that the page's own work takes. */
async function load(page: Page, client: CDPSession): Promise<string> {
  const spent = async (): Promise<number> => (await client.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  const before = await spent();
  await wait(page, WATCH_MS);
  return `${(((await spent()) - before) / (WATCH_MS / 100_000)).toFixed(1)} % of a core`;
}

test("the first page", async () => {
  const asker = await daemon.spawn("cat", "-n", "asker");
  daemon.say(asker, "needs_input May I?");
  const page = await fresh();
  await usable(page);
  const sizes = await page.evaluate(async () => {
    const limit = window.__measured.usable ?? 0;
    const entries = performance.getEntriesByType("resource").filter(({ name, startTime }) => startTime < limit && /\.(js|css)$/.test(name));
    return Promise.all([location.pathname, ...entries.map(({ name }) => name)].map(async (name) => (await fetch(name)).text()));
  });
  const size = sizes.reduce((sum, text) => sum + gzipSync(text).length, 0);
  figures.push(["first page, gzipped", `${Math.round(size / 1000)} kB`]);
  await page.context().close();
  figures.push(["navigation to a usable inbox, nothing cached", ms(await untilUsable(false))]);
  figures.push(["the same, a second visit", ms(await untilUsable(true))]);
});

test("the grid", async () => {
  for (let index = 0; index < THUMBNAILS; index++) await daemon.spawn("ticker", "-n", `ticker-${index}`);
  const page = await fresh();
  const open = new Set<unknown>();
  page.on("websocket", (socket) => {
    if (!socket.url().includes("/ws/terminal/")) return;
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable");
  figures.push([`inbox, ${THUMBNAILS} agents printing`, await load(page, client)]);
  await page.setViewportSize({ width: 1440, height: 1800 });
  await visit(page, "#/grid");
  await page.locator('.segments input[value="small"]').check({ force: true });
  await page.locator("canvas[data-drawn=true]").nth(THUMBNAILS - 1).waitFor(SOON);
  figures.push([`grid, ${open.size} live thumbnails in sight`, await load(page, client)]);
  await page.setViewportSize({ width: 700, height: 260 });
  await wait(page, 1_000);
  figures.push([`grid, ${open.size} of them in sight`, await load(page, client)]);
  await page.context().close();
});

test("many sessions", async () => {
  await daemon.spawn("cat", "-n", "many", "--count", String(MANY));
  // The daemon is busy with them while they begin, which is not what a visit costs.
  await expect.poll(async () => (await daemon.list()).filter(({ status }) => status === "starting").length, { timeout: 120_000, interval: 500 }).toBe(0);
  const all = await daemon.list();
  const page = await fresh();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await usable(page));
  figures.push([`navigation to a usable inbox, ${all.length} sessions`, `${ms(median(times))}, the slowest ${ms(Math.max(...times))}`]);
  const loading = await tasksOf(page, async () => {
    await usable(page);
  });
  figures.push(["the same: what the page works for it", ms(loading.reduce((sum, { worked }) => sum + worked, 0))]);
  await page.locator("#sessions li").nth(MANY).waitFor(SOON);
  await shot(page, "many-sessions");
  const some = all.filter(({ target }) => target === "cat").slice(0, CHANGES);
  const tasks = await tasksOf(page, () => shuffle(page, some));
  const long = tasks.filter(({ took }) => took > 50);
  const most = (of: "took" | "worked"): string => ms(Math.max(...tasks.map((task) => task[of])));
  figures.push([`list of ${all.length} sessions, ${CHANGES} changes while it is scrolled: tasks above 50 ms`, long.length === 0 ? "none" : `${long.length}, the longest ${most("took")}`]);
  figures.push(["the same: the most that one task works", most("worked")]);
  await page.context().close();
});

interface Task {
  /** From its beginning to its end, in milliseconds. */
  took: number;
  /** What of that it had the processor: a busy machine makes tasks wait in their midst. */
  worked: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** Every task of the page's main thread while `act` runs. */
async function tasksOf(page: Page, act: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const isMain = new Set(traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`));
  return traceEvents.filter(({ name, pid, tid }) => name === "RunTask" && isMain.has(`${pid} ${tid}`)).map(({ dur = 0, tdur = 0 }) => ({ took: dur / 1_000, worked: tdur / 1_000 }));
}

/** States change all over the list while it is scrolled and walked through by keys. */
async function shuffle(page: Page, some: readonly Session[]): Promise<void> {
  await page.locator("#sessions a").first().focus();
  const box = await page.locator(".lists").boundingBox();
  await page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 200);
  for (const [index, session] of some.entries()) {
    daemon.say(session, index % 2 === 0 ? `working` : `completed Part ${index} is done`, `progress: ${index}/40`);
    await page.mouse.wheel(0, index % 10 < 5 ? 400 : -400);
    await page.keyboard.press("ArrowDown");
    await wait(page, 100);
  }
}
