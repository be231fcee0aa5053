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

export function scrollByTouch(terminal: Terminal, element: HTMLElement): () => void {
  let last: { y: number; at: number } | null = null;
  let moved = 0;
  let speed = 0;
  let frame = 0;
  let rest = 0;
  const turn = (pixels: number): void => {
    const screen = element.querySelector(".xterm-screen") ?? element;
    const { left, top, height } = screen.getBoundingClientRect();
    if (terminal.buffer.active.type === "alternate" || terminal.modes.mouseTrackingMode !== "none") {
      screen.dispatchEvent(new WheelEvent("wheel", { deltaY: pixels, deltaMode: 0, bubbles: true, cancelable: true, clientX: left + 1, clientY: top + 1 }));
      return;
    }
    // Whole lines; what is left of one counts with the next movement.
    rest += (pixels * terminal.rows) / Math.max(1, height);
    const lines = Math.trunc(rest);
    rest -= lines;
    if (lines !== 0) terminal.scrollLines(lines);
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
  const end = (): void => {
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
