// Terminals are drawn by WebGL; by the page itself where there is none, and from
// the moment on when the graphics card takes it away.
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Session } from "../src/api/wire";
import { equalsTmux, launch, login, NO_WEBGL, open, placeOf, shot, shows, SOON, visit } from "./browser";
import { page } from "./tab";
import { browser, daemon } from "./world";

let session: Session;

beforeAll(async () => {
  session = await daemon.spawn("shell");
});

/** What draws the cells; another canvas, not by WebGL, underlines links. */
const glass = (): Locator => page.locator(".xterm-screen canvas:not(.xterm-link-layer)");

/** How many colours stand around these words on the page, as it is drawn in truth. */
async function coloursAt(words: string, on = page): Promise<number> {
  const { x, y } = await placeOf(on, words);
  return coloursOf(on, await on.screenshot({ clip: { x: x - 30, y: y - 5, width: 60, height: 10 } }));
}

/** How many colours a picture has. */
function coloursOf(on: Page, picture: Buffer): Promise<number> {
  return on.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: new Uint8ClampedArray() };
    return new Set(new Uint32Array(data.buffer)).size;
  }, picture.toString("base64"));
}

test("the graphics card draws, and not the page", async () => {
  await open(page, session);
  await page.keyboard.type("printf 'DRAWN-BY-WEBGL \\033[41m \\033[0m\\n'\n");
  await shows(page, "\nDRAWN-BY-WEBGL");
  await glass().waitFor({ state: "attached", ...SOON });
  // Nothing but a WebGL canvas gives a context of this kind; the rows as elements are not there.
  expect(await glass().evaluate((element) => (element as HTMLCanvasElement).getContext("webgl2") instanceof WebGL2RenderingContext)).toBe(true);
  expect(await page.locator(".xterm-rows").count()).toBe(0);
  await expect.poll(() => coloursAt("DRAWN-BY-WEBGL"), SOON).toBeGreaterThan(4);
  await equalsTmux(page, daemon, session);
  await shot(page, "webgl");
});

test("when it is taken away, the page draws, and nothing is lost", async () => {
  await glass().evaluate((element) => {
    (element as HTMLCanvasElement).getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
  });
  await page.keyboard.type("echo typed-meanwhile\n");
  // The addon waits a few seconds for the card to come back.
  await page.locator(".xterm-rows").getByText("typed-meanwhile").first().waitFor(SOON);
  await page.locator(".xterm-rows").getByText("DRAWN-BY-WEBGL").first().waitFor(SOON);
  expect(await glass().count()).toBe(0);
  await page.keyboard.type("echo drawn-by-the-page\n");
  await page.locator(".xterm-rows").getByText("drawn-by-the-page").nth(1).waitFor(SOON);
  await expect.poll(() => coloursAt("drawn-by-the-page"), SOON).toBeGreaterThan(4);
  await equalsTmux(page, daemon, session);
  await shot(page, "webgl-lost");
});

test("a browser without it draws by itself from the beginning", async () => {
  const plain = await launch(NO_WEBGL);
  try {
    const there = await login(plain, daemon);
    expect(await there.evaluate(() => document.createElement("canvas").getContext("webgl2"))).toBeNull();
    await open(there, session);
    await there.locator(".xterm-rows").getByText("drawn-by-the-page").nth(1).waitFor(SOON);
    await expect.poll(() => coloursAt("drawn-by-the-page", there), SOON).toBeGreaterThan(4);
    expect(await there.locator(".xterm-screen canvas").count()).toBe(0);
    await equalsTmux(there, daemon, session);
  } finally {
    await plain.close();
  }
});

test("a replay from the beginning leaves nothing of its end on the glass", async () => {
  const bars = await daemon.spawn("bars");
  const tab = await login(browser, daemon);
  await open(tab, bars);
  await equalsTmux(tab, daemon, bars);
  await tab.keyboard.press("Enter");
  await shows(tab, "drawn");
  await visit(tab, `#/r/${bars.id}`);
  const drawn = async (): Promise<string> => (await tab.evaluate(() => window.__schmux?.rows() ?? [])).join("");
  const colours = async (): Promise<number> => coloursOf(tab, await tab.locator(".replay .xterm-screen").screenshot());
  await tab.getByRole("button", { name: "Play" }).click();
  await expect.poll(drawn, SOON).toContain("drawn");
  await expect.poll(colours, SOON).toBeGreaterThan(6);
  await tab.getByRole("button", { name: "From the beginning" }).click();
  await expect.poll(drawn, SOON).toBe("");
  await shot(tab, "replay-beginning");
  // Its ground and its cursor.
  await expect.poll(colours, SOON).toBeLessThan(4);
  await tab.context().close();
});
