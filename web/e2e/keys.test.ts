// From nothing to a disposed session by the keyboard alone: no mouse, no touch,
// and nothing is focused for the person.
import { expect, test } from "vitest";
import { live, shows, SOON } from "./browser";
import { current, page } from "./tab";
import { daemon } from "./world";

const press = (key: string): Promise<void> => page.keyboard.press(key);
/** What has the focus, by its name and its text, and whether one can see that it has. */
const focused = (): Promise<{ name: string; ring: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const name = element?.getAttribute("aria-label") ?? (element as HTMLInputElement | null)?.labels?.[0]?.innerText ?? element?.innerText ?? "";
    // The ring of a check box may be drawn by its label, that of a field by the form around it.
    const drawn = (node: Element | null): boolean => {
      const style = node === null ? null : getComputedStyle(node);
      return style !== null && (style.outlineStyle !== "none" || style.boxShadow !== "none");
    };
    return { name, ring: drawn(element) || drawn(element?.closest("label, form, .pane") ?? null) };
  });

/** Presses Tab until the thing with this name has the focus, which is in sight all the way. */
async function tabTo(name: RegExp, most = 30): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < most; step++) {
    await press("Tab");
    const here = await focused();
    passed.push(here.name.slice(0, 30));
    expect(here.ring, `a focus that can be seen on ${here.name}`).toBe(true);
    if (name.test(here.name)) return;
  }
  throw new Error(`Tab did not come to ${String(name)}, but to ${passed.join(" | ")}`);
}

const screen = async (): Promise<string> => {
  const session = (await daemon.list()).find(({ id }) => id === current());
  return session === undefined ? "" : daemon.screen(session).join("\n");
};

test("an empty page leads to a first agent; its dialog is answered, a message written", async () => {
  await page.getByRole("heading", { name: "No agents yet" }).waitFor(SOON);
  await tabTo(/^Start the demo agent$/);
  await press("Enter");
  await page.waitForURL(/#\/s\//, SOON);
  await live(page);
  await shows(page, "Write me a message");
  await page.keyboard.type("permission\n");
  await shows(page, "Do you want to proceed?");
  await page.locator(".strip .choices-of-dialog").waitFor(SOON);
  await press("Control+Shift+L");
  await press("a");
  await expect.poll(async () => (await focused()).name, SOON).toBe("Yes");
  await press("Enter");
  await expect.poll(screen, SOON).not.toContain("Do you want to proceed?");
  await page.locator(".session:focus").waitFor(SOON);
  await press("m");
  await expect.poll(async () => (await focused()).name, SOON).toMatch(/^Message to/);
  await page.keyboard.type("by keys alone");
  await press("Enter");
  await shows(page, "by keys alone");
  await page.locator(".messages li[data-state=confirmed]").waitFor(SOON);
  // Out of the field, out of the panel.
  await press("Escape");
  await press("Escape");
  await page.locator(".panel").waitFor({ state: "detached", ...SOON });
  for (const [key, tab] of [["w", "Why"], ["t", "Timeline"], ["d", "Changes"], ["e", "Details"]] as const) {
    await press(key);
    await page.getByRole("complementary", { name: tab }).waitFor(SOON);
  }
  await press("Escape");
  await page.locator(".panel").waitFor({ state: "detached", ...SOON });
});

test("two more from the form, and every view from every other", async () => {
  await press("c");
  await page.waitForURL(/#\/new/);
  await page.getByRole("checkbox", { name: /^cat/ }).waitFor(SOON);
  // The keyboard came along: the form begins with the next Tab.
  await tabTo(/^cat/, 12);
  await press("Space");
  await tabTo(/^demo/);
  await press("Space");
  await tabTo(/^How many/, 12);
  await page.keyboard.type("2");
  await press("Backspace");
  await press("Backspace");
  await page.keyboard.type("2");
  await press("Control+Enter");
  await page.waitForURL(/#\/grid/, SOON);
  await page.locator("canvas[data-drawn=true]").nth(2).waitFor(SOON);
  await tabTo(/^cat/, 8);
  await press("Enter");
  await page.waitForURL(/#\/s\//);
  await live(page);
  await page.keyboard.type("typed\n");
  await shows(page, "typed\ntyped");
  await press("Control+Shift+L");
  await press("r");
  await page.waitForURL(/#\/r\//);
  await press("h");
  await page.waitForURL(/#\/hosts/);
  await press(",");
  await page.waitForURL(/#\/settings/);
  const quiet = page.getByRole("switch", { name: "Quiet hours" });
  await quiet.waitFor(SOON);
  await tabTo(/^Quiet hours$/);
  await press("Space");
  expect(await quiet.isChecked()).toBe(true);
  await press("i");
  // A switch is nothing that one types into.
  await page.waitForURL(/#\/$/, SOON);
  // A view that was opened by a key has the focus.
  await page.waitForFunction(() => document.activeElement?.matches("main") === true && document.querySelector(".inbox") !== null, undefined, SOON);
});

test("the list is one stop of Tab, and the arrows lead on", async () => {
  await press("Control+Shift+L");
  const first = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  await press("ArrowDown");
  await press("ArrowDown");
  const third = await page.evaluate(() => document.activeElement?.getAttribute("href"));
  expect(third).not.toBe(first);
  await press("Tab");
  expect(await page.evaluate(() => document.activeElement?.closest("#sessions"))).toBeNull();
  await press("Control+Shift+L");
  await press("Enter");
  await page.waitForURL(/#\/s\//);
  await live(page);
});

test("the palette says that nothing is found, and Enter does nothing then", async () => {
  const before = page.url();
  await press("Control+Shift+K");
  await expect.poll(async () => (await focused()).name, SOON).toMatch(/Find/);
  await page.keyboard.type("zzz no such thing");
  await page.getByText("Nothing is called that.").waitFor(SOON);
  expect(await page.getByRole("option").count()).toBe(0);
  await press("Enter");
  await press("ArrowDown");
  expect(await page.locator("dialog.palette").isVisible()).toBe(true);
  expect(page.url()).toBe(before);
  await press("Control+A");
  await press("Backspace");
  await expect.poll(() => page.getByRole("option").count(), SOON).toBeGreaterThan(3);
  await press("Escape");
  await page.locator("dialog.palette").waitFor({ state: "detached", ...SOON });
});

test("the palette opens again at once", async () => {
  await press("Control+Shift+K");
  await expect.poll(async () => (await focused()).name, SOON).toMatch(/Find/);
  // Before the browser gets to anything else, as on a busy machine.
  await page.evaluate(async () => {
    const key = (name: string, more: KeyboardEventInit = {}): void => {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
    };
    key("Enter");
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    key("K", { code: "KeyK", ctrlKey: true, shiftKey: true });
  });
  await page.keyboard.type("zzz");
  await page.getByText("Nothing is called that.").waitFor(SOON);
  await press("Escape");
  await page.locator("dialog.palette").waitFor({ state: "detached", ...SOON });
});

test("one is disposed of from the palette", async () => {
  const gone = current();
  await press("Control+Shift+K");
  await expect.poll(async () => (await focused()).name, SOON).toMatch(/Find/);
  await page.keyboard.type("dispose");
  await press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Dispose" }).waitFor(SOON);
  await tabTo(/^Dispose$/, 5);
  await press("Enter");
  await page.waitForURL(/#\/$/, SOON);
  await expect.poll(async () => (await daemon.list()).some(({ id }) => id === gone), SOON).toBe(false);
});
