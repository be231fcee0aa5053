// Scrolling by a finger, which xterm.js knows only for its scrollbar. A drag
// scrolls the scrollback; a program that has the whole screen or the mouse gets
// turns of the wheel instead. A flick goes on by itself for a while.
import type { Terminal } from "@xterm/xterm";

// Speed that a flick loses per frame; with this it runs for about a second.
const FRICTION = 0.95;
// Slower than this, in pixels per millisecond, it stands still.
const SLOWEST = 0.02;
// A finger that moves less than this has touched, and not scrolled.
const TOUCH_PX = 6;
// One that rested this long before it was lifted has put the lines where it wants
// them. Screens tell of a moving finger every 8 to 16 ms.
const REST_MS = 60;
// Programs that have the mouse scroll by three rows for a turn of the wheel, most of them.
const ROWS_PER_TURN = 3;

/** `pan` may take some of the pixels first, and tells how many are left. */
export function scrollByTouch(terminal: Terminal, element: HTMLElement, pan: (pixels: number) => number): () => void {
  let last: { y: number; at: number } | null = null;
  let moved = 0;
  let speed = 0;
  let frame = 0;
  let rest = 0;
  const turn = (moved: number): void => {
    const pixels = pan(moved);
    const screen = element.querySelector(".xterm-screen") ?? element;
    const { left, top, height } = screen.getBoundingClientRect();
    const hasMouse = terminal.modes.mouseTrackingMode !== "none";
    // Whole steps; what is left of one counts with the next movement.
    rest += (pixels * terminal.rows) / Math.max(1, height) / (hasMouse ? ROWS_PER_TURN : 1);
    const steps = Math.trunc(rest);
    rest -= steps;
    if (!hasMouse && terminal.buffer.active.type !== "alternate") {
      if (steps !== 0) terminal.scrollLines(steps);
      return;
    }
    // xterm.js makes one key, or one turn, of an event, however far it goes.
    const wheel = { deltaY: Math.sign(steps), deltaMode: WheelEvent.DOM_DELTA_LINE, bubbles: true, cancelable: true, clientX: left + 1, clientY: top + 1 };
    for (let step = 0; step < Math.abs(steps); step++) screen.dispatchEvent(new WheelEvent("wheel", wheel));
  };
  const start = (event: TouchEvent): void => {
    cancelAnimationFrame(frame);
    const [touch] = event.touches;
    last = event.touches.length === 1 && touch !== undefined ? { y: touch.clientY, at: event.timeStamp } : null;
    moved = 0;
    speed = 0;
  };
  const move = (event: TouchEvent): void => {
    const [touch] = event.touches;
    if (last === null || touch === undefined) return;
    const pixels = last.y - touch.clientY;
    moved += Math.abs(pixels);
    if (moved < TOUCH_PX) return;
    event.preventDefault();
    speed = pixels / Math.max(1, event.timeStamp - last.at);
    last = { y: touch.clientY, at: event.timeStamp };
    turn(pixels);
  };
  const end = (event: TouchEvent): void => {
    if (last === null || event.timeStamp - last.at > REST_MS) speed = 0;
    last = null;
    let before = performance.now();
    const run = (now: number): void => {
      if (Math.abs(speed) < SLOWEST) return;
      turn(speed * (now - before));
      before = now;
      speed *= FRICTION;
      frame = requestAnimationFrame(run);
    };
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) frame = requestAnimationFrame(run);
  };
  element.addEventListener("touchstart", start, { passive: true });
  element.addEventListener("touchmove", move, { passive: false });
  element.addEventListener("touchend", end, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    element.removeEventListener("touchstart", start);
    element.removeEventListener("touchmove", move);
    element.removeEventListener("touchend", end);
  };
}
