// The inbox: what needs the human stands first, is one key away, is seen and
// answered; and what happened can be read.
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { DESKTOP, live, login, open, PHONE, shot, shows, SOON } from "./browser";
import { faintTexts } from "./contrast";
import { counts } from "./ears";
import { current, go, page } from "./tab";
import { browser, daemon } from "./world";

const agents: Record<string, Session> = {};

const agent = (name: string): Session => {
  const session = agents[name];
  if (session === undefined) throw new Error(`no agent ${name}`);
  return session;
};
const shown = (group: string): Promise<string[]> => page.locator(`[data-group=${group}] li .name bdi:first-child`).allInnerTexts();

beforeAll(async () => {
  for (const name of ["fixer", "docs", "payments", "search", "ui-polish", "migrate", "reviewer", "cart-test", "release", "bench"]) {
    agents[name] = await daemon.spawn("cat", "-n", name);
  }
  agents.flaky = await daemon.spawn("ends", "-n", "flaky");
  agents.tour = await daemon.spawn("demo", "-n", "tour");
});

test("those that need the human stand first, the newest call first", async () => {
  daemon.say(agent("search"), "working", "task: Index the catalogue", "progress: 2/5");
  daemon.say(agent("cart-test"), "working", "task: Find out why the cart test is flaky", "blocker: the staging database is down");
  daemon.say(agent("reviewer"), "completed Review of #214 is done, 2 remarks");
  // Each is awaited before the next is said: the order is that of their times.
  const calls: [name: string, words: string][] = [
    ["migrate", "needs_input Apply 14 migrations to staging?"],
    ["docs", "needs_testing The new search page is on http://localhost:5173/docs. Please try it with an empty query."],
    ["payments", "error cargo test fails: 3 of 214, all in payments::refund"],
    ["fixer", "needs_input May I run `rm -rf build && npm ci`? The lock file changed and the old modules are in the way."],
  ];
  for (const [index, [name, words]] of calls.entries()) {
    daemon.say(agent(name), words);
    await counts(page, index + 1);
  }
  await expect.poll(() => shown("needs"), SOON).toEqual(["fixer", "payments", "docs", "migrate"]);
  // The others have printed nothing and said nothing: they count as starting for a while.
  await expect.poll(async () => (await shown("working")).toSorted(), { timeout: 45_000, interval: 100 }).toEqual(["cart-test", "search"]);
  expect(await shown("done")).toEqual(["reviewer"]);
  expect(await shown("ended")).toEqual(["flaky"]);
  const row = (name: string): Promise<string> => page.locator(`li[data-id="${agent(name).id}"]`).innerText();
  expect(await row("search")).toMatch(/working[^]*Index the catalogue[^]*40%/);
  expect(await row("cart-test")).toMatch(/blocked: the staging database is down/);
  expect(await row("reviewer")).toMatch(/completed[^]*Review of #214/);
});

test("n walks from call to call and types into none of them; Enter goes in, Ctrl Shift L out", async () => {
  const walked: string[] = [];
  await page.locator("body").click({ position: { x: 900, y: 800 } });
  while (walked.length < 4) {
    const before = page.url();
    await page.keyboard.press("n");
    await expect.poll(() => page.url(), SOON).not.toBe(before);
    await live(page);
    walked.push(current());
  }
  expect(walked).toEqual(["fixer", "payments", "docs", "migrate"].map((name) => agent(name).id));
  // All were opened, so all were seen; n goes round.
  await page.locator("[data-group=needs] li[data-seen=true]").nth(3).waitFor(SOON);
  await page.keyboard.press("n");
  await expect.poll(current, SOON).toBe(agent("fixer").id);
  await live(page);
  await page.keyboard.press("Enter");
  await page.keyboard.type("n yes");
  await shows(page, "n yes");
  // The Enter that led into the terminal was not typed: it would have answered.
  await counts(page, 4);
  for (const name of ["payments", "docs", "migrate"]) expect(daemon.screen(agent(name)).join("").trim()).toBe("");
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("Enter");
  await page.keyboard.type("!");
  await shows(page, "n yes!");
  await counts(page, 4);
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("n");
  await expect.poll(current, SOON).toBe(agent("payments").id);
  await page.keyboard.press("Control+Shift+.");
  await expect.poll(current, SOON).toBe(agent("docs").id);
  expect(daemon.screen(agent("fixer")).join("").trim()).toBe("n yes!");
});

test("marking as seen, by key and by button", async () => {
  await go("#/");
  daemon.say(agent("payments"), "error Still failing");
  daemon.say(agent("migrate"), "needs_input Really?");
  const card = (name: string) => page.locator(`[data-group=needs] li[data-id="${agent(name).id}"]`);
  await card("payments").and(page.locator("[data-seen=false]")).waitFor(SOON);
  await card("migrate").and(page.locator("[data-seen=false]")).waitFor(SOON);
  await card("payments").getByRole("button", { name: "Mark payments as seen" }).click();
  await card("payments").and(page.locator("[data-seen=true]")).waitFor(SOON);
  await card("migrate").locator("a").focus();
  await page.keyboard.press("s");
  await card("migrate").and(page.locator("[data-seen=true]")).waitFor(SOON);
  const acked = async (): Promise<boolean[]> =>
    (await daemon.list()).filter(({ nickname }) => nickname === "payments" || nickname === "migrate").map((each) => each.acked_seq === each.nudge_seq);
  await expect.poll(acked, SOON).toEqual([true, true]);
  await counts(page, 4);
});

test("the focus in the list goes with its session", async () => {
  const focused = (): Promise<string | undefined> => page.evaluate(() => document.activeElement?.closest("li")?.dataset.id);
  await page.locator(`li[data-id="${agent("bench").id}"] > a`).focus();
  daemon.say(agent("bench"), "error Slower than before");
  await page.locator(`[data-group=needs] li[data-id="${agent("bench").id}"]`).waitFor(SOON);
  expect(await focused()).toBe(agent("bench").id);
  daemon.say(agent("bench"), "working");
  await page.locator(`[data-group=working] li[data-id="${agent("bench").id}"]`).waitFor(SOON);
  expect(await focused()).toBe(agent("bench").id);
});

test("a session's header says what it asks, and its timeline what happened", async () => {
  await open(page, agent("fixer"));
  const header = page.locator(".session-header");
  await header.getByText("Needs Authorization").waitFor(SOON);
  expect(await header.innerText()).toMatch(/May I run[^]*status file, high confidence/);
  const before = await page.evaluate(() => window.__schmux?.size());
  await page.getByRole("button", { name: "About this session" }).click();
  const timeline = page.getByRole("complementary", { name: "Timeline" });
  await timeline.getByText("May I run").waitFor(SOON);
  daemon.say(agent("fixer"), "working");
  await timeline.locator("li[data-shape=working]").first().waitFor(SOON);
  daemon.say(agent("fixer"), "needs_input And now?");
  await timeline.getByText("And now?").waitFor(SOON);
  await header.getByText("And now?").first().waitFor(SOON);
  await shot(page, "timeline");
  await page.keyboard.press("w");
  const why = page.getByRole("complementary", { name: "Why" });
  const decides = why.locator(".votes li[data-decided=true]");
  await decides.getByText("And now?").waitFor(SOON);
  expect(await decides.innerText()).toMatch(/^status file/);
  expect(await why.innerText()).toMatch(/needs authorization\s+high confidence, since [\d:]+[^]*because .+[^]*How it changed/);
  // Calls come and go without the agent's terminal being resized.
  expect(await page.evaluate(() => window.__schmux?.size())).toEqual(before);
  await page.keyboard.press("Escape");
  await why.waitFor({ state: "detached", ...SOON });
});

test("what agents say is text and nothing else", async () => {
  const hostile = "<img src=x onerror=alert(1)> `</title>` ‮abc";
  daemon.say(agent("ui-polish"), `error ${hostile}`, "task: <script>alert(2)</script>", "progress: <b>4</b>");
  const card = page.locator(`[data-group=needs] li[data-id="${agent("ui-polish").id}"]`);
  await card.getByText("<img src=x onerror=alert(1)>").waitFor(SOON);
  await card.getByText("<script>alert(2)</script>").waitFor(SOON);
  await open(page, agent("ui-polish"));
  await page.keyboard.press("Control+Shift+L");
  await page.keyboard.press("t");
  await page.locator(".timeline").getByText("<img src=x onerror=alert(1)>").waitFor(SOON);
  expect(await page.locator("img, main script").count()).toBe(0);
  daemon.say(agent("ui-polish"), "working");
});

test("it looks well, and everything can be read, in both schemes and sizes", async () => {
  daemon.say(agent("fixer"), "working");
  daemon.say(agent("fixer"), "needs_input May I run `rm -rf build && npm ci`? The lock file changed and the old modules are in the way.");
  daemon.say(agent("payments"), "error cargo test fails: 3 of 214, all in payments::refund", "task: Refund endpoint", "blocker: no access to the staging database");
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [name, device] of [["desktop", DESKTOP], ["phone", PHONE]] as const) {
      const reader = await login(browser, daemon, { ...device, colorScheme });
      await reader.locator(".card").nth(3).waitFor(SOON);
      await shot(reader, `calls-${name}-${colorScheme}`);
      expect(await reader.evaluate(faintTexts)).toEqual([]);
      await open(reader, agent(name === "phone" ? "docs" : "tour"));
      await shot(reader, `called-${name}-${colorScheme}`);
      expect(await reader.evaluate(faintTexts)).toEqual([]);
      expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBe(device.viewport.width);
      await reader.context().close();
    }
  }
});
