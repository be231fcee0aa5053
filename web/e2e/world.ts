// What a file of tests has for itself: a daemon and a browser, there before its
// first test and gone after its last. The hooks are those of the file that
// imports this.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launch } from "./browser";
import { Daemon } from "./daemon";

export const daemon = new Daemon();
export let browser: Browser;

/** Ended after the daemon, which may use them to the last. */
export const others: { end(): void }[] = [];

beforeAll(async () => {
  await daemon.start();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await daemon.end();
  for (const other of others) other.end();
});
