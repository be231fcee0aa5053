// The browser of the tests: the chromium that is installed, and what the tests
// ask of a page again and again.
import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import type { Session } from "../src/api/wire";
import type {} from "../src/terminal/probe";
import type { Daemon } from "./daemon";

export const DESKTOP = { viewport: { width: 1440, height: 900 } } satisfies BrowserContextOptions;
export const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
} satisfies BrowserContextOptions;

const LAPTOP = { viewport: { width: 1280, height: 800 } } satisfies BrowserContextOptions;

/** Those that every view is looked at on. */
export const SIZES = [["desktop", DESKTOP], ["laptop", LAPTOP], ["phone", PHONE]] as const;

const SHOTS = join(import.meta.dirname, "screenshots");

/** A busy two-core machine can be slow; a page that takes longer than this is broken. */
export const SOON = { timeout: 20_000, interval: 50 };

/** Without a graphics card; chromium still draws WebGL then, by software. `NO_WEBGL` is a browser that has none. */
export async function launch(...more: readonly string[]): Promise<Browser> {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium(),
    args: ["--disable-gpu", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", ...more, ...(root ? ["--no-sandbox"] : [])],
  });
}

export const NO_WEBGL = "--disable-3d-apis";

/** A page in a browser of its own that is logged in. An error in it fails the test that looks. */
export async function login(
  browser: Browser,
  daemon: Daemon,
  options: BrowserContextOptions = DESKTOP,
  prepare?: (context: BrowserContext) => Promise<void>,
): Promise<Page> {
  const context = await browser.newContext(options);
  await prepare?.(context);
  const page = await context.newPage();
  page.on("pageerror", (error) => {
    console.error("error in the page:", error);
  });
  page.on("dialog", (dialog) => {
    throw new Error(`the page ran what it should have shown: ${dialog.message()}`);
  });
  await page.goto(await daemon.loginUrl());
  return page;
}

/** To a view of the page, by its address: `#/grid`. */
export async function visit(page: Page, hash: string): Promise<void> {
  const { origin, pathname } = new URL(page.url());
  await page.goto(`${origin}${pathname}${hash}`);
}

export async function open(page: Page, session: Session): Promise<void> {
  await visit(page, `#/s/${session.id}`);
  await live(page);
}

/** Waits until the terminal of the session in the address is there and live. */
export async function live(page: Page): Promise<void> {
  const id = decodeURIComponent(page.url().split("#/s/")[1] ?? "");
  await page.waitForFunction((wanted) => window.__schmux?.session === wanted, id, SOON);
  await page.locator(".session-header .link-state[data-phase=live]").waitFor({ state: "attached", ...SOON });
}

/** The rows that are drawn. */
export const rows = (page: Page): Promise<string[]> => page.evaluate(() => window.__schmux?.rows() ?? []);

export const size = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => window.__schmux?.size() ?? [0, 0]);

/** The middle of some words on the glass, for the mouse or a finger. */
export async function placeOf(page: Page, words: string): Promise<{ x: number; y: number }> {
  const drawn = await rows(page);
  const row = drawn.findIndex((line) => line.includes(words));
  const box = await page.locator(".pane .xterm-screen").boundingBox();
  if (row < 0 || box === null) throw new Error(`${words} is not drawn`);
  const [cols, lines] = await size(page);
  const column = (drawn[row]?.indexOf(words) ?? 0) + words.length / 2;
  return { x: box.x + (column * box.width) / cols, y: box.y + ((row + 0.5) * box.height) / lines };
}

/** Waits until the text is drawn. */
export async function shows(page: Page, text: string): Promise<void> {
  await expect.poll(async () => (await rows(page)).join("\n"), SOON).toContain(text);
}

/** Waits until what is drawn is what tmux has. */
export async function equalsTmux(page: Page, daemon: Daemon, session: Session): Promise<void> {
  await expect
    .poll(async () => {
      const drawn = await rows(page);
      const meant = daemon.screen(session);
      return drawn.join("\n") === meant.join("\n") ? "equal" : { drawn, meant };
    }, SOON)
    .toBe("equal");
}

/** Whether its middle can be seen without scrolling, and nothing stands over it. */
export const inSight = (it: Locator): Promise<boolean> =>
  it.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

/** Whether a row of the screen, by its number, is drawn where it can be seen. */
export const rowInSight = (page: Page, row: number): Promise<boolean> =>
  page.evaluate((wanted) => {
    const [screen, pane] = [".pane .xterm-screen", ".pane .screen"].map((part) => document.querySelector(part)?.getBoundingClientRect());
    const [, lines] = window.__schmux?.size() ?? [0, 1];
    if (screen === undefined || pane === undefined) return false;
    const [top, bottom] = [screen.top + (wanted * screen.height) / lines, screen.top + ((wanted + 1) * screen.height) / lines];
    return top >= pane.top - 1 && bottom <= Math.min(pane.bottom, innerHeight) + 1;
  }, row);

export const cursorInSight = async (page: Page): Promise<boolean> => rowInSight(page, await page.evaluate(() => window.__schmux?.cursor()[1] ?? 0));

/** For people to look at: every view, in a folder that is not kept. */
export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

function findChromium(): string {
  const named = process.env.CHROMIUM;
  if (named !== undefined && named !== "") return named;
  const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
  const folders = (process.env.PATH ?? "").split(delimiter).concat("/usr/bin");
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not here: the next place.
    }
  }
  throw new Error("no chromium was found: install one, or name it with CHROMIUM");
}
