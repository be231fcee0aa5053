// A finger on the glass, as the browser gets it from a touch screen: the times
// are the finger's, however busy the machine is.
import type { Page } from "playwright-core";

interface Point {
  x: number;
  y: number;
}

// A screen tells this often where the finger is.
const FRAME_S = 0.016;
const STEPS = 8;

/** Moves a finger up or down, lets it rest, and lifts it. */
export const drag = (page: Page, from: Point, by: number): Promise<void> => touch(page, from, by, 0.3);

/** Moves a finger and lifts it in full speed. */
export const flick = (page: Page, from: Point, by: number): Promise<void> => touch(page, from, by, FRAME_S);

async function touch(page: Page, { x, y }: Point, by: number, rest: number): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const begin = Date.now() / 1_000;
  await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y }], timestamp: begin });
  for (let step = 1; step <= STEPS; step++) {
    await client.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y: y + (by * step) / STEPS }], timestamp: begin + step * FRAME_S });
  }
  await client.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [], timestamp: begin + STEPS * FRAME_S + rest });
  await client.detach();
}
