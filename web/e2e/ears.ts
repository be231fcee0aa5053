// A browser that counts what a person would hear and be shown: rings and
// notifications. The audio and the notifications are the browser's own; only
// their beginnings and ends are written down.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { Session } from "../src/api/wire";
import { DESKTOP, login, SOON } from "./browser";
import type { Daemon } from "./daemon";

interface Heard {
  rings: number;
  /** Titles of notifications that are shown, by tag. */
  shown: Record<string, string>;
  hidden: boolean;
}

declare global {
  interface Window {
    __heard: Heard;
  }
}

export const hearing = (browser: Browser, daemon: Daemon, options: BrowserContextOptions = DESKTOP): Promise<Page> =>
  login(browser, daemon, options, listen);

async function listen(context: BrowserContext): Promise<void> {
  await context.grantPermissions(["notifications"]);
  await context.addInitScript(() => {
    const heard: Heard = { rings: 0, shown: {}, hidden: false };
    window.__heard = heard;
    window.OscillatorNode.prototype.start = new Proxy(Reflect.get(OscillatorNode.prototype, "start"), {
      apply: (start, tone: OscillatorNode, times) => {
        // A tone in a context that does not run is heard by nobody.
        if (tone.context.state === "running") heard.rings += 1;
        Reflect.apply(start, tone, times);
      },
    });
    window.Notification = class extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        heard.shown[this.tag] = title;
      }
      override close(): void {
        super.close();
        Reflect.deleteProperty(heard.shown, this.tag);
      }
    };
    Object.defineProperty(document, "visibilityState", { get: () => (heard.hidden ? "hidden" : "visible") });
  });
}

/** A gesture that does nothing but allow the audio, and waits until it runs. */
export async function warm(page: Page): Promise<void> {
  await page.locator(".alerts").click({ position: { x: 2, y: 2 } });
  await page.locator(".alerts .test", { hasText: "Test" }).waitFor(SOON);
}

/** How often this page has rung, once all that it was about to do is done. */
export async function rings(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await navigator.locks.request("schmux:ring", () => Promise.resolve());
    return window.__heard.rings;
  });
}

/** Waits until a browser is done with a call: it was granted, or refused. With several pages: one of them. */
export async function doneWith(pages: Page | readonly Page[], session: Session, seq: number): Promise<void> {
  const mark = (page: Page): Promise<number> => page.evaluate((id) => Number(localStorage.getItem(`schmux:ack:${id}`)), session.id);
  await expect.poll(async () => Math.max(...(await Promise.all([pages].flat().map(mark)))), SOON).toBe(seq);
}

/** Waits until the tab's title counts this many. */
export async function counts(page: Page, waiting: number): Promise<void> {
  await expect.poll(() => page.title(), SOON).toMatch(waiting === 0 ? /^[^(]/ : new RegExp(`^\\(${waiting}\\) `));
}

/** Makes the page believe that nobody looks at it, or that somebody does again. */
export async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((is) => {
    window.__heard.hidden = is;
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

export const notices = (page: Page): Promise<string[]> => page.evaluate(() => Object.values(window.__heard.shown));
