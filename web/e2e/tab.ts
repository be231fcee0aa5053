// A tab that is logged in, in the world of a file of tests, and its ways.
import type { Page } from "playwright-core";
import { beforeAll } from "vitest";
import { login, visit } from "./browser";
import { browser, daemon } from "./world";

export let page: Page;

beforeAll(async () => {
  page = await login(browser, daemon);
});

export const go = (hash: string): Promise<void> => visit(page, hash);

/** The id of the session that the address names. */
export const current = (): string => decodeURIComponent(page.url().split("#/s/")[1] ?? "");
