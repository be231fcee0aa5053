// The wheel in a program that has the whole screen and not the mouse (a pager, an
// editor): xterm.js makes one arrow key of each turn, however far it goes. Here it
// goes as far as it would in the scrollback.
import type { Terminal } from "@xterm/xterm";

/** Whole rows of a movement, and what is left of one for the next. */
export function rowsOf(pixels: number, rowHeight: number, rest: number): { rows: number; rest: number } {
  // Another direction begins anew.
  const sum = pixels / rowHeight + (Math.sign(rest) === Math.sign(pixels) ? rest : 0);
  const rows = Math.trunc(sum);
  return { rows, rest: sum - rows };
}

export function turnByWheel(terminal: Terminal): void {
  let rest = 0;
  terminal.attachCustomWheelEventHandler((event) => {
    const isProgram = terminal.buffer.active.type === "alternate" && terminal.modes.mouseTrackingMode === "none";
    if (!isProgram || event.shiftKey || event.ctrlKey || event.deltaY === 0) return true;
    const height = Math.max(1, (terminal.element?.querySelector<HTMLElement>(".xterm-screen")?.offsetHeight ?? 0) / terminal.rows);
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? height : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? height * terminal.rows : 1;
    const turned = rowsOf(event.deltaY * unit, height, rest);
    rest = turned.rest;
    // A flick of a touchpad is no more than a page.
    const rows = Math.min(Math.abs(turned.rows), terminal.rows);
    const key = `\x1b${terminal.modes.applicationCursorKeysMode ? "O" : "["}${event.deltaY < 0 ? "A" : "B"}`;
    if (rows > 0) terminal.input(key.repeat(rows));
    event.preventDefault();
    event.stopPropagation();
    return false;
  });
}
