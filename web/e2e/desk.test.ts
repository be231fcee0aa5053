// What surrounds the agents: the settings as a form over a file, recordings of
// what they printed, and how they were started.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findings } from "./axe";
import { DESKTOP, inSight, live, open, shot, shows, SIZES, SOON } from "./browser";
import { faintTexts } from "./contrast";
import { go, page } from "./tab";
import { daemon } from "./world";

daemon.configure(`# Mine.
[spawn]
cols = 110 # wide enough

[presets.review]
targets = ["cat", "lively"]
description = "Two at once"
prompt = "Look at it"
`);

const config = (): string => readFileSync(join(daemon.home, "config.toml"), "utf8");

const part = (name: string) => page.locator(`details[data-name='${name}']`);
const unfold = async (name: string): Promise<void> => {
  if ((await part(name).getAttribute("open", SOON)) === null) await part(name).locator("> summary").click();
};

test("a setting is changed in the form, and the rest of the file stays", async () => {
  await go("#/settings");
  await unfold("spawn");
  const cols = page.locator('[id="set-spawn.cols"]');
  await cols.waitFor(SOON);
  expect(await cols.inputValue()).toBe("110");
  await cols.fill("132");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor(SOON);
  expect(await inSight(page.getByText("Saved."))).toBe(true);
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
  expect(await inSight(problem)).toBe(true);
  await shot(page, "settings-problem");
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

test("notifiers are added in the form, tried, and taken out", async () => {
  await go("#/");
  await go("#/settings");
  await unfold("notify");
  const add = async (name: string, command: string): Promise<void> => {
    await page.getByLabel("A name for a new entry of notify").fill(name);
    await page.keyboard.press("Enter");
    await page.locator(`[id="set-notify.${name}.command"]`).fill(command);
  };
  await add("pager", `sh -c 'cat > ${daemon.home}/told; echo "$SCHMUX_NUDGE_MESSAGE" >> ${daemon.home}/told'`);
  await page.locator('[id="set-notify.pager.states"]').getByRole("checkbox", { name: "error" }).check();
  await add("broken", "no-such-program");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor(SOON);
  expect(config()).toMatch(/\[notify\.pager\]\ncommand = .+\nstates = \["error"\]/);
  await part("notify.pager").getByRole("button", { name: "Test" }).click();
  await part("notify.pager").getByText("It was told.").waitFor(SOON);
  expect(readFileSync(join(daemon.home, "told"), "utf8")).toMatch(/"state":"needs_input"[^]*This is how you will be called\./);
  await part("notify.broken").getByRole("button", { name: "Test" }).click();
  await part("notify.broken").getByText(/no-such-program/).first().waitFor(SOON);
  await shot(page, "settings-notifiers");
  await part("notify.broken").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await part("notify.broken").waitFor({ state: "detached", ...SOON });
  expect(config()).not.toContain("no-such-program");
  expect(config()).toMatch(/^# Mine\./);
});

test("a preset fills the form, is made from it, changed in the settings, and starts at once", async () => {
  await go("#/new");
  await page.getByRole("button", { name: /^review/ }).click(SOON);
  await page.getByRole("button", { name: "Start 2 sessions" }).waitFor(SOON);
  expect(await page.getByRole("textbox", { name: "Prompt" }).inputValue()).toBe("Look at it");
  await page.getByRole("checkbox", { name: /^lively/ }).uncheck();
  await page.getByRole("combobox", { name: "Directory" }).fill(daemon.home);
  await page.getByLabel("Nickname").fill("quick");
  await page.getByRole("button", { name: "Save as preset" }).click();
  await page.getByLabel("Name of the preset").fill("my echo");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Start my echo at once" }).waitFor(SOON);
  await shot(page, "preset");
  await go("#/settings");
  await unfold("presets");
  await unfold('presets."my echo"');
  await page.locator(`[id='set-presets."my echo".description']`).fill("Says it again");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor(SOON);
  await shot(page, "settings-presets");
  await go("#/new");
  await page.getByText("Says it again").waitFor(SOON);
  await page.getByRole("button", { name: "Start my echo at once" }).click();
  await page.waitForURL(/#\/s\//);
  await page.locator("#sessions").getByText("quick").waitFor(SOON);
});

/** The replay in both schemes and on three sizes: it fits, can be read, and axe-core has nothing serious to say. */
async function lookAtReplay(): Promise<void> {
  for (const [size, { viewport }] of SIZES) {
    for (const colorScheme of ["dark", "light"] as const) {
      // Without motion: a colour on its way from one scheme to the other is neither.
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.setViewportSize(viewport);
      await shot(page, `replay-${size}-${colorScheme}`);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
      expect.soft(await page.evaluate(faintTexts)).toEqual([]);
      expect.soft(await findings(page)).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  await page.setViewportSize(DESKTOP.viewport);
}

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
  await lookAtReplay();
  // A mark is a way to its moment.
  await page.locator(".marks").getByRole("button", { name: /May I go on\?/ }).click();
  await page.locator(".marks li[aria-current=step]").getByText("May I go on?").waitFor(SOON);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as asciicast" }).click();
  const cast = readFileSync(await (await download).path(), "utf8");
  expect(JSON.parse(cast.split("\n")[0] ?? "{}")).toMatchObject({ version: 2 });
  expect(cast).toContain("the first line");
  expect(cast.split("\n").some((line) => line.includes('"m"') && line.includes("May I go on?"))).toBe(true);
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

/** git, as a person who commits. */
const git = (where: string, ...args: string[]): string =>
  execFileSync("git", ["-C", where, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** A repository with one commit that its remote has, too. */
function shared(name: string): string {
  const path = join(daemon.home, name);
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", `${path}.git`]);
  execFileSync("git", ["init", "-q", "-b", "main", path]);
  writeFileSync(join(path, "cart.ts"), "1\n");
  git(path, "add", ".");
  git(path, "commit", "-qm", "A cart");
  git(path, "remote", "add", "origin", `${path}.git`);
  git(path, "push", "-qu", "origin", "main");
  return path;
}

test("how a workspace stands to its upstream, and what changed in it", async () => {
  const path = shared("market");
  const other = join(daemon.home, "elsewhere");
  execFileSync("git", ["clone", "-q", `${path}.git`, other]);
  git(other, "commit", "-q", "--allow-empty", "-m", "By somebody else");
  git(other, "push", "-q");
  git(path, "fetch", "-q");
  for (const words of ["One", "Two"]) git(path, "commit", "-q", "--allow-empty", "-m", words);
  writeFileSync(join(path, "cart.ts"), "export const price: number = 2;\n");
  await open(page, await daemon.spawn("cat", "-n", "seller", "-w", path));
  await page.locator(".session").focus();
  await page.keyboard.press("d");
  const changes = page.getByRole("complementary", { name: "Changes" });
  await changes.getByText("main, 2 ahead, 1 behind of origin/main").waitFor(SOON);
  expect(await changes.innerText()).toMatch(/1 file, 1 line added, 1 removed[^]*2 commits that no remote has[^]*modified\s+cart\.ts/);
  // Its syntax is coloured.
  await changes.locator(".diff .token.keyword", { hasText: "export" }).waitFor(SOON);
  await page.keyboard.press("Escape");
});

test("ending a session tells of work that is nowhere else, and may take its worktree along", async () => {
  const shop = shared("shop");
  const session = await daemon.spawn("cat", "-n", "worker", "-w", shop, "--worktree", "fix");
  const path = daemon.pathOf(session);
  writeFileSync(join(path, "cart.ts"), "2\n");
  git(path, "commit", "-qam", "Two");
  writeFileSync(join(path, "cart.ts"), "3\n");
  writeFileSync(join(path, "new.ts"), "new\n");
  await open(page, session);
  await page.getByRole("button", { name: "Dispose" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 commit not pushed").waitFor(SOON);
  expect(await dialog.innerText()).toMatch(/on fix:[^]*1 file changed and not committed[^]*1 new file not committed[^]*1 commit not pushed/);
  await shot(page, "dispose-with-work");
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: "Dispose" }).click();
  await page.locator("#sessions").getByText("worker").waitFor({ state: "detached", ...SOON });
  await expect.poll(() => existsSync(path), SOON).toBe(false);
});

test("an agent in a tmux of one's own is offered, adopted, and let go alive", async () => {
  const socket = `e2e-own-${process.pid}`;
  const tmux = (...args: string[]): string => execFileSync("tmux", ["-u", "-L", socket, ...args], { encoding: "utf8" });
  writeFileSync(join(daemon.home, "claude"), "echo I am an agent; cat\n");
  // It runs below a shell, in one half of a window.
  tmux("-f", "/dev/null", "new-session", "-d", "-s", "my own", "-x", "100", "-y", "31", "-c", daemon.home, "cat");
  tmux("split-window", "-v", "-t", "=my own:", "-c", daemon.home, "sh claude");
  daemon.watched.push(socket);
  await page.reload();
  const offer = page.locator(".offers li", { hasText: "my own" }).filter({ hasText: daemon.home });
  await offer.getByText("my own:0.1", { exact: true }).waitFor(SOON);
  await shot(page, "offers");
  await offer.getByRole("button", { name: "Adopt" }).click(SOON);
  await page.waitForURL(/#\/s\//);
  await live(page);
  await shows(page, "I am an agent");
  await page.keyboard.type("hello\n");
  await shows(page, "hello\nhello");
  await offer.waitFor({ state: "detached", ...SOON });
  // The half's own size, which stays what it was: there is nothing to claim.
  const size = tmux("display-message", "-p", "-t", "=my own:0.1", "#{pane_width}×#{pane_height}").trim();
  expect(size).toMatch(/^100×1\d$/);
  await page.locator(".pane-size").getByText(size, { exact: true }).waitFor(SOON);
  expect(await page.getByRole("button", { name: "Use my size" }).count()).toBe(0);
  expect(tmux("show-options", "-w", "-t", "=my own:", "window-size")).toBe("");
  await shot(page, "adopted");
  await page.getByRole("button", { name: "Dispose" }).click();
  await page.getByRole("dialog").getByText("The tmux session that you started goes on.").waitFor(SOON);
  await page.getByRole("dialog").getByRole("button", { name: "Dispose" }).click();
  await page.waitForURL(/#\/$/);
  expect(tmux("list-panes", "-s", "-t", "=my own", "-F", "#{pane_dead}")).toBe("0\n0\n");
  await offer.waitFor(SOON);
});
