// What surrounds the agents: the settings as a form over a file, recordings of
// what they printed, and how they were started.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch, login, open, shot, shows, SOON } from "./browser";
import { Daemon } from "./daemon";

const daemon = new Daemon(`# Mine.
[spawn]
cols = 110 # wide enough

[presets.review]
targets = ["cat", "lively"]
description = "Two at once"
prompt = "Look at it"
`);
let browser: Browser;
let page: Page;

const config = (): string => readFileSync(join(daemon.home, "config.toml"), "utf8");
const go = async (hash: string): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/${hash}`);
};

beforeAll(async () => {
  await daemon.start();
  browser = await launch();
  page = await login(browser, daemon);
});
afterAll(async () => {
  await browser.close();
  await daemon.end();
});

test("a setting is changed in the form, and the rest of the file stays", async () => {
  await go("#/settings");
  const cols = page.locator('[id="set-spawn.cols"]');
  await cols.waitFor(SOON);
  expect(await cols.inputValue()).toBe("110");
  await cols.fill("132");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor(SOON);
  expect(config()).toMatch(/^# Mine\.[^]*cols = 132 # wide enough/);
  await shot(page, "settings-saved");
});

test("what the daemon would refuse is refused, and nothing is written", async () => {
  const before = config();
  await page.locator('[id="set-spawn.cols"]').fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  const problem = page.locator(".settings .problem");
  await problem.waitFor(SOON);
  expect(await problem.innerText()).toMatch(/cols/);
  expect(config()).toBe(before);
});

test("a file that was changed meanwhile isn't written over", async () => {
  appendFileSync(join(daemon.home, "config.toml"), "\n# added by an editor\n");
  await page.locator('[id="set-spawn.cols"]').fill("140");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Read the file again" }).click(SOON);
  await page.getByRole("button", { name: "Edit as text" }).click(SOON);
  const text = page.getByRole("textbox", { name: "config.toml" });
  await expect.poll(() => text.inputValue(), SOON).toContain("# added by an editor");
  await text.fill(`${await text.inputValue()}# by hand\n`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor(SOON);
  expect(config()).toMatch(/# added by an editor[^]*# by hand/);
});

test("a preset fills the form", async () => {
  await go("#/new");
  await page.getByRole("button", { name: /^review/ }).click(SOON);
  await page.getByRole("button", { name: "Start 2 sessions" }).waitFor(SOON);
  expect(await page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("Look at it");
  await shot(page, "preset");
});

test("what was printed and said can be replayed, from any moment, and exported", async () => {
  const session = await daemon.spawn("cat", "-n", "recorded");
  await open(page, session);
  await page.keyboard.type("the first line\n");
  await shows(page, "the first line\nthe first line");
  daemon.say(session, "needs_input May I go on?");
  await page.locator(".strip").getByText("May I go on?").waitFor(SOON);
  await page.keyboard.type("the last line\n");
  await shows(page, "the last line\nthe last line");
  await page.locator(".session").focus();
  // What was just printed is recorded a little later.
  await expect
    .poll(async () => {
      await go(`#/s/${session.id}`);
      await go(`#/r/${session.id}`);
      await page.getByRole("button", { name: "From the beginning" }).waitFor(SOON);
      return page.locator(".marks").innerText();
    }, { timeout: 30_000, interval: 1_000 })
    .toContain("May I go on?");
  await page.getByRole("button", { name: "From the beginning" }).click();
  await page.getByRole("button", { name: "Play" }).click();
  await shows(page, "the first line");
  await shot(page, "replay");
  const cast = await page.evaluate(async (id) => (await fetch(`api/sessions/${id}/replay/cast`)).text(), session.id);
  expect(JSON.parse(cast.split("\n")[0] ?? "{}")).toMatchObject({ version: 2 });
  expect(cast).toContain("the first line");
});

test("how a session was started can be looked up", async () => {
  const session = await daemon.spawn("cat", "-n", "known");
  await open(page, session);
  await page.locator(".session").focus();
  await page.keyboard.press("e");
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByText("SCHMUX_SESSION_ID").waitFor(SOON);
  expect(await details.innerText()).toContain(session.id);
});
