// Pictures of screens that were left, to be shown while a terminal connects
// again: a person sees where they are at once, and it is dimmed like all that
// isn't live. The newest one outlives a reload.
import { Painter } from "./paint";
import { currentTheme } from "./theme";
import type { Terminal } from "@xterm/xterm";

// A picture takes some 4 MB; more than these are hardly come back to in one sitting.
const KEPT = 8;

const pictures = new Map<string, HTMLCanvasElement>();
const STORED = "schmux:last-screen";

/** Keeps a picture of what the terminal shows. */
export function keepScreen(id: string, terminal: Terminal): void {
  const canvas = draw(terminal);
  if (canvas === null) return;
  pictures.delete(id);
  pictures.set(id, canvas);
  const oldest = pictures.keys().next().value;
  if (pictures.size > KEPT && oldest !== undefined) pictures.delete(oldest);
}

/** Keeps it over a reload of the page. */
export function storeScreen(id: string, terminal: Terminal): void {
  const canvas = draw(terminal);
  if (canvas === null) return;
  try {
    sessionStorage.setItem(STORED, JSON.stringify({ id, width: canvas.style.width, height: canvas.style.height, picture: canvas.toDataURL("image/webp", 0.7) }));
  } catch {
    // No room or no storage: the reload begins with an empty screen.
  }
}

/** The picture of a session's last screen, as an element to show, if there is one. */
export function lastScreen(id: string): HTMLElement | null {
  const canvas = pictures.get(id);
  if (canvas !== undefined) return canvas;
  try {
    const stored = JSON.parse(sessionStorage.getItem(STORED) ?? "null") as { id: string; width: string; height: string; picture: string } | null;
    if (stored?.id !== id) return null;
    const image = new Image();
    image.src = stored.picture;
    image.alt = "";
    Object.assign(image.style, { width: stored.width, height: stored.height });
    return image;
  } catch {
    return null;
  }
}

function draw(terminal: Terminal): HTMLCanvasElement | null {
  const screen = terminal.element?.querySelector(".xterm-screen")?.getBoundingClientRect();
  if (screen === undefined || screen.width === 0) return null;
  const canvas = document.createElement("canvas");
  const scale = window.devicePixelRatio;
  const cell = { width: (screen.width / terminal.cols) * scale, height: (screen.height / terminal.rows) * scale };
  new Painter(canvas, terminal.options.fontFamily ?? "monospace").paint(terminal, currentTheme(), cell);
  Object.assign(canvas.style, { width: `${screen.width}px`, height: `${screen.height}px` });
  return canvas;
}
