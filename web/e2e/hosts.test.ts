// Another machine, from the page alone: it is made known, agents are started and
// adopted there, it is lost and comes back, and it asks for a passphrase.
import { expect, test } from "vitest";
import { findings } from "./axe";
import { live, shot, shows, SOON } from "./browser";
import { Far } from "./far";
import { untidy } from "./layout";
import { go, page } from "./tab";
import { others } from "./world";

const far = new Far();
others.push(far);
let session: string;

const row = (state: string) => page.locator(`.host[data-state=${state}]`, { hasText: "far" });

test("a way that fails says why; a good one is kept, with what is there", async () => {
  far.startByHand("my own");
  await go("#/hosts");
  await page.getByLabel("Name", { exact: true }).fill("far");
  await page.getByLabel("Command that reaches it").fill(`${far.command}-not`);
  await page.getByRole("button", { name: "Add" }).click();
  await page.locator(".add-host .problem").getByText(/reach-not/).waitFor(SOON);
  expect(await page.locator(".host[data-state]").count()).toBe(0);
  await page.getByLabel("Command that reaches it").fill(far.command);
  await page.getByRole("button", { name: "Add" }).click();
  await row("connected").waitFor(SOON);
  expect(await row("connected").innerText()).toMatch(/far\s+connected since [\d:]+, 0 sessions[^]*reach[^]*Linux[^]*tmux \d/);
});

test("a session is started there, and says everywhere where it is", async () => {
  await row("connected").getByRole("link", { name: "New session" }).click();
  expect(await page.locator("select[name=host]").inputValue(SOON)).toBe("far");
  expect(await page.getByRole("checkbox", { name: /^demo/ }).count()).toBe(0);
  await page.getByRole("checkbox", { name: /^cat/ }).check(SOON);
  // Agents that are installed here may have been chosen already.
  for (const name of await page.locator("input[name=target]:checked:not([value=cat])").evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))) {
    await page.getByRole("checkbox", { name: new RegExp(`^${name}`) }).first().uncheck();
  }
  await page.getByRole("combobox", { name: "Directory" }).fill(far.work);
  await page.getByLabel("Nickname").fill("distant");
  await page.getByRole("button", { name: "Start" }).click();
  await shot(page, "spawn-on-a-host");
  await page.waitForURL(/#\/s\//, SOON);
  session = page.url();
  await live(page);
  await page.keyboard.type("hello over there\n");
  await shows(page, "hello over there\nhello over there");
  expect(await page.locator(".session-header .place").innerText()).toMatch(/work\s*far/);
  expect(await page.locator("#sessions li", { hasText: "distant" }).innerText()).toContain("far");
  await shot(page, "session-on-a-host");
  await page.locator(".session").focus();
  await page.keyboard.press("d");
  const changes = page.getByRole("complementary", { name: "Changes" });
  await changes.getByText("notes.md").waitFor(SOON);
  await changes.getByText("Written over there.").waitFor(SOON);
  await page.keyboard.press("Escape");
});

test("an agent in a tmux of one's own over there is offered, adopted, and let go alive", async () => {
  await go("#/");
  const offer = page.locator(".offers li", { hasText: "my own" });
  await offer.getByText(`far: ${far.work}`).waitFor(SOON);
  expect(await offer.innerText()).toMatch(/^codex my own/);
  await shot(page, "host-offers");
  await offer.getByRole("button", { name: "Adopt" }).click();
  await page.waitForURL(/#\/s\//, SOON);
  await live(page);
  await shows(page, "I am an agent");
  await page.keyboard.type("hello\n");
  await shows(page, "hello\nhello");
  await page.locator(".session-header .place", { hasText: "far" }).waitFor(SOON);
  await offer.waitFor({ state: "detached", ...SOON });
  await shot(page, "adopted-on-a-host");
  await page.getByRole("button", { name: "Dispose" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The tmux session that you started goes on.").waitFor(SOON);
  await dialog.getByRole("button", { name: "Dispose" }).click();
  await page.waitForURL(/#\/$/, SOON);
  // It goes on, nothing of ours is left in its tmux, and it is offered again.
  await expect.poll(() => far.byHand(), SOON).toBe("my own 0\n");
  await offer.waitFor(SOON);
  await page.goto(session);
  await live(page);
});

test("a lost host is unreachable, since when and why; its session comes back by itself", async () => {
  far.make("broken", true);
  far.cut();
  await page.locator(".stage .not-live", { hasText: /^far is unreachable since [\d:]+: `.+` failed \(exit status: 255\), and said: No route to far$/ }).waitFor(SOON);
  expect(await page.locator(".session-header .link-state").count()).toBe(0);
  await page.locator("#sessions [data-group=unreachable] li", { hasText: "distant" }).waitFor(SOON);
  await shot(page, "session-unreachable");
  await go("#/hosts");
  await row("unreachable").getByText("No route to far").waitFor(SOON);
  expect(await row("unreachable").innerText()).toMatch(/unreachable since [\d:]+, 1 session/);
  await shot(page, "host-unreachable");
  expect(await findings(page)).toEqual([]);
  far.make("broken", false);
  await row("unreachable").getByRole("button", { name: "Connect" }).click();
  await row("connected").waitFor(SOON);
  await page.goto(session);
  await live(page);
  await shows(page, "hello over there\nhello over there");
  await page.keyboard.type("still there\n");
  await shows(page, "still there\nstill there");
});

test("what its way asks is shown wherever one is, and answered there", async () => {
  await go("#/hosts");
  await row("connected").getByRole("button", { name: "Disconnect" }).click();
  await row("idle").waitFor(SOON);
  far.make("locked", true);
  await row("idle").getByRole("button", { name: "Connect" }).click();
  const question = page.locator(".host-prompt");
  await question.getByText("Passphrase for far:").waitFor(SOON);
  await shot(page, "host-asks");
  await page.locator(".nav a", { hasText: "Hosts" }).locator(".badge").waitFor(SOON);
  // From the inbox, refused at first.
  await go("#/");
  const field = page.getByLabel("Passphrase for far:");
  expect(await field.getAttribute("type", SOON)).toBe("password");
  await page.getByRole("heading", { name: "1 host needs you" }).waitFor(SOON);
  await shot(page, "inbox-host-asks");
  expect(await page.evaluate(untidy)).toEqual([]);
  // The question has the width of its card, and does not stand beside the host's name.
  const [card, form] = await Promise.all([".card", ".card .host-prompt"].map((part) => page.locator(part).boundingBox()));
  expect((form?.width ?? 0) / (card?.width ?? 1)).toBeGreaterThan(0.9);
  await page.getByRole("button", { name: "Refuse" }).click();
  await field.waitFor({ state: "detached", ...SOON });
  await go("#/hosts");
  await row("unreachable").getByText("Permission denied").waitFor(SOON);
  await page.getByLabel("Passphrase for far:").fill("sesame", SOON);
  await page.keyboard.press("Enter");
  await row("connected").waitFor(SOON);
  await page.goto(session);
  await live(page);
  await shows(page, "still there\nstill there");
});
