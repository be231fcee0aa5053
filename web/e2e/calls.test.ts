// No call is missed and none is heard twice, whatever happens to tabs, browsers
// and the daemon in between.
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { live, open, shows, SOON, visit } from "./browser";
import { counts, doneWith, hearing, hide, notices, rings, warm } from "./ears";
import { browser, daemon } from "./world";

let desk: Page;
let agent: Session;

beforeAll(async () => {
  agent = await daemon.spawn("cat", "-n", "fixer");
  desk = await hearing(browser, daemon);
  await desk.locator("#sessions li").first().waitFor(SOON);
});

const sessionOf = async (id: string): Promise<Session | undefined> => (await daemon.list()).find((each) => each.id === id);

test("a page that was not touched leaves the ring to others; the first gesture rings once for all that waits", async () => {
  const other = await daemon.spawn("cat", "-n", "other");
  const reloadedEarly = await hearing(browser, daemon);
  daemon.say(agent, "needs_input May I?");
  daemon.say(other, "error It broke");
  await counts(reloadedEarly, 2);
  expect(await rings(reloadedEarly)).toBe(0);
  expect(await sessionOf(agent.id)).toMatchObject({ nudge_seq: 1, rung_seq: 0 });
  await warm(reloadedEarly);
  await doneWith(reloadedEarly, agent, 1);
  await doneWith(reloadedEarly, other, 1);
  expect(await rings(reloadedEarly)).toBe(1);
  daemon.say(agent, "working");
  daemon.say(other, "working");
  await counts(reloadedEarly, 0);
  await reloadedEarly.context().close();
});

test("a call rings once, and is said in title, icon, list and to screen readers", async () => {
  await warm(desk);
  daemon.say(agent, "needs_input May I run the tests?", "task: Find the flaky test", "progress: 40");
  await doneWith(desk, agent, 2);
  expect(await rings(desk)).toBe(1);
  await counts(desk, 1);
  expect(await desk.locator("link[rel=icon]").getAttribute("href")).toContain("data:image/svg+xml");
  await desk.locator("[data-group=needs] li").getByText("Needs Authorization").waitFor(SOON);
  const card = desk.locator(".card");
  expect(await card.innerText()).toMatch(/fixer[^]*May I run the tests\?[^]*Find the flaky test[^]*40%/);
  expect(await desk.locator("[data-calls]").innerText()).toBe("fixer: Needs Authorization. May I run the tests?");
});

test("not again after a reload", async () => {
  await desk.reload();
  await counts(desk, 1);
  await warm(desk);
  expect(await rings(desk)).toBe(0);
});

test("not in a second tab", async () => {
  const second = await desk.context().newPage();
  await second.goto(desk.url());
  await counts(second, 1);
  await warm(second);
  expect(await rings(second)).toBe(0);
  await second.close();
});

test("not on another device", async () => {
  const phone = await hearing(browser, daemon);
  await counts(phone, 1);
  await warm(phone);
  expect(await rings(phone)).toBe(0);
  await phone.context().close();
});

test("not when the daemon was killed and is back", async () => {
  await daemon.kill();
  await desk.locator(".sidebar .link-state[data-phase=lost]").waitFor(SOON);
  await daemon.start();
  await desk.locator(".sidebar .link-state[data-phase=live]").waitFor(SOON);
  await counts(desk, 1);
  expect(await rings(desk)).toBe(0);
  expect(await sessionOf(agent.id)).toMatchObject({ nudge_seq: 2, rung_seq: 2 });
});

test("once more when it asks again, on one of two devices and two tabs", async () => {
  const phone = await hearing(browser, daemon);
  const second = await desk.context().newPage();
  await second.goto(desk.url());
  await warm(phone);
  await warm(second);
  daemon.say(agent, "working");
  for (const page of [desk, second, phone]) await counts(page, 0);
  daemon.say(agent, "needs_input May I run the tests?");
  for (const page of [desk, second, phone]) await counts(page, 1);
  await doneWith([desk, phone], agent, 3);
  const heard = await Promise.all([desk, second, phone].map(rings));
  expect(heard.reduce((sum, each) => sum + each)).toBe(1);
  await second.close();
  await phone.context().close();
});

test("only questions and errors ring", async () => {
  const before = await rings(desk);
  daemon.say(agent, "needs_testing Please try it");
  await desk.getByText("Needs User Testing").first().waitFor(SOON);
  daemon.say(agent, "completed All done");
  await desk.locator("[data-group=done] li").waitFor(SOON);
  await counts(desk, 0);
  expect(await rings(desk)).toBe(before);
});

test("a muted browser neither rings nor takes the ring from others", async () => {
  await desk.getByRole("button", { name: "Sound on" }).click();
  const before = await rings(desk);
  daemon.say(agent, "error Out of disk");
  await counts(desk, 1);
  expect(await rings(desk)).toBe(before);
  const seq = (await sessionOf(agent.id))?.nudge_seq ?? 0;
  const phone = await hearing(browser, daemon);
  await warm(phone);
  await doneWith(phone, agent, seq);
  expect(await rings(phone)).toBe(1);
  await phone.context().close();
  await desk.getByRole("button", { name: "Muted" }).click();
  await desk.getByRole("button", { name: "Sound on" }).waitFor(SOON);
});

test("the test button rings, and quiet hours don't, nor do they take the ring from others", async () => {
  const before = await rings(desk);
  await desk.locator(".sidebar .test").click();
  await expect.poll(() => rings(desk), SOON).toBe(before + 1);
  await visit(desk, "#/settings");
  await desk.getByRole("switch", { name: "Quiet hours" }).check(SOON);
  const around = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toTimeString().slice(0, 5);
  await desk.getByLabel("Quiet from").fill(around(-2));
  await desk.getByLabel("Quiet until").fill(around(2));
  daemon.say(agent, "working");
  await counts(desk, 0);
  daemon.say(agent, "error In the middle of the night");
  await counts(desk, 1);
  const seq = (await sessionOf(agent.id))?.nudge_seq ?? 0;
  const phone = await hearing(browser, daemon);
  await warm(phone);
  await doneWith(phone, agent, seq);
  expect([await rings(desk), await rings(phone)]).toEqual([before + 1, 1]);
  await phone.context().close();
  await desk.getByRole("switch", { name: "Quiet hours" }).uncheck();
  daemon.say(agent, "working");
  await counts(desk, 0);
  daemon.say(agent, "error In the morning");
  await doneWith(desk, agent, seq + 1);
  expect(await rings(desk)).toBe(before + 2);
});

test("Enter in the terminal answers the call everywhere, and withdraws its notification", async () => {
  const away = await hearing(browser, daemon);
  const phone = await hearing(browser, daemon);
  await counts(away, 1);
  await hide(away, true);
  daemon.say(agent, "needs_input Shall I push?");
  await expect.poll(() => notices(away), SOON).toEqual(["fixer: Needs Authorization"]);
  expect(await notices(phone)).toEqual([]);
  await open(desk, agent);
  await desk.keyboard.type("yes");
  await counts(phone, 1);
  await desk.keyboard.press("Enter");
  for (const page of [desk, away, phone]) await counts(page, 0);
  expect(await notices(away)).toEqual([]);
  await shows(desk, "yes\nyes");
  await phone.context().close();
  await away.context().close();
});

test("a tab that is looked at spares the hidden ones their notifications", async () => {
  await visit(desk, "#/");
  const hidden = await desk.context().newPage();
  await hidden.goto(desk.url());
  await hidden.locator("#sessions li").first().waitFor(SOON);
  await hide(hidden, true);
  daemon.say(agent, "error One");
  await counts(hidden, 1);
  await hide(desk, true);
  daemon.say(agent, "error Two");
  // The second notification comes after the question whether to show the first.
  await expect.poll(() => notices(hidden), SOON).toEqual(["fixer: Error"]);
  expect(await hidden.evaluate(() => Object.keys(window.__heard.shown))).toEqual([`schmux:${agent.id}:${(await sessionOf(agent.id))?.nudge_seq}`]);
  await hide(desk, false);
  await hidden.close();
});

test("opening a session is seeing its call, everywhere", async () => {
  const phone = await hearing(browser, daemon);
  daemon.say(agent, "working");
  await counts(phone, 0);
  daemon.say(agent, "needs_input Look at this");
  await phone.locator("[data-group=needs] li[data-seen=false]").waitFor(SOON);
  await desk.locator("[data-group=needs] li a").click();
  await live(desk);
  await phone.locator("[data-group=needs] li[data-seen=true]").waitFor(SOON);
  expect(await phone.locator(".card").innerText()).toContain("Look at this");
  await counts(phone, 1);
  expect(await sessionOf(agent.id)).toMatchObject({ status: "needs_input", acked_seq: (await sessionOf(agent.id))?.nudge_seq });
  await phone.context().close();
});

test("the marks of sessions that are gone go too", async () => {
  const brief = await daemon.spawn("cat", "-n", "brief");
  daemon.say(brief, "error Gone soon");
  await doneWith(desk, brief, 1);
  await daemon.dispose(brief);
  const marks = (): Promise<string[]> => desk.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("schmux:ack:")));
  await expect.poll(marks, SOON).not.toContain(`schmux:ack:${brief.id}`);
  expect(await marks()).toContain(`schmux:ack:${agent.id}`);
});
