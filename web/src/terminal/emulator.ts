// xterm.js as schmux wants it: its addons, its colours, its manners. What comes
// over the wire is `screen.ts`'s business.
import { ClipboardAddon, type ClipboardSelectionType } from "@xterm/addon-clipboard";
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal, type IDisposable } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { isSet, onPreference } from "../attention/preferences";
import { swallowQueries, swallowStrange } from "./queries";
import { Sight } from "./sight";
import { currentTheme, followTheme } from "./theme";
import { scrollByTouch } from "./touch";
import { turnByWheel } from "./wheel";
import { countLikeTmux } from "./widths";

export interface Emulator {
  terminal: Terminal;
  fit: FitAddon;
  search: SearchAddon;
  sight: Sight;
  /** While someone searches, what is selected is the match that they are at. */
  seek(active: string | null): void;
  /** Like the terminal's own, but `then` is not called once it is disposed: what is left is still parsed after that. */
  write(data: string | Uint8Array, then?: () => void): void;
  /** After a reset and what was drawn upon it: nothing that was there before stays on the glass. */
  wipe(): void;
  dispose(): void;
}

// The most history that is ever asked for, with room for what is printed while
// it is looked at. A full terminal of it takes about 25 MB.
const SCROLLBACK = 12_000;

/** `onClipboard` is told what a program wants on the clipboard; nothing is written before a person agrees. */
export function openEmulator(container: HTMLElement, onClipboard: (text: string) => void): Emulator {
  const small = matchMedia("(max-width: 700px)");
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: getComputedStyle(container).getPropertyValue("--mono") || "monospace",
    fontSize: small.matches ? 12 : 13,
    lineHeight: 1.15,
    linkHandler: { activate: (_event, address) => openLink(address), allowNonHttpProtocols: false },
    macOptionClickForcesSelection: true,
    minimumContrastRatio: 4.5,
    rightClickSelectsWord: false,
    scrollback: SCROLLBACK,
    screenReaderMode: isSet("screen-reader"),
    theme: currentTheme(),
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openLink(address)));
  const writeText = (_selection: ClipboardSelectionType, text: string): void => onClipboard(text);
  terminal.loadAddon(new ClipboardAddon(undefined, { readText: () => "", writeText }));
  countLikeTmux(terminal);
  swallowQueries(terminal);
  swallowStrange(terminal);
  terminal.open(container);
  drawByWebgl(terminal);
  turnByWheel(terminal);

  const sight = new Sight(terminal, container);
  let found: string | null = null;
  // The addon marks this match, too, and below the selection.
  const paint = (): void => {
    terminal.options.theme = found === null ? currentTheme() : { ...currentTheme(), selectionBackground: found, selectionInactiveBackground: found };
  };
  const stops = [
    sight.listen(search),
    followTheme(paint),
    onPreference(() => (terminal.options.screenReaderMode = isSet("screen-reader"))),
    scrollByTouch(terminal, container, (pixels) => sight.pan(pixels)),
  ];
  let disposed = false;
  return {
    terminal,
    fit,
    search,
    sight,
    seek: (active) => {
      found = active;
      paint();
    },
    write: (data, then) => terminal.write(data, () => disposed || then?.()),
    wipe: () => wipe(terminal),
    dispose: () => {
      disposed = true;
      for (const stop of stops) stop();
      terminal.dispose();
    },
  };
}

/** Programs choose the text of a link and its address: nothing but the web, and no way back. */
export function openLink(address: string): void {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return;
  window.open(url.href, "_blank", "noopener,noreferrer");
}

/**
 * The WebGL addon draws backgrounds anew only with a cell that differs from those
 * of its model. A reset empties the model, so before an empty screen it would go on
 * showing the bars of the one before. A cell that is marked for one frame differs.
 */
function wipe(terminal: Terminal): void {
  const marker = terminal.registerMarker(0);
  const decoration = terminal.registerDecoration({ marker, width: 1, backgroundColor: currentTheme().background ?? "#000000" });
  const drawn = terminal.onRender(() => {
    drawn.dispose();
    decoration?.dispose();
    marker.dispose();
  });
}

/** WebGL where it works. Without it, or when the graphics card takes it away, xterm.js draws by DOM. */
function drawByWebgl(terminal: Terminal): void {
  let lost: IDisposable | undefined;
  try {
    const webgl = new WebglAddon();
    lost = webgl.onContextLoss(() => webgl.dispose());
    terminal.loadAddon(webgl);
  } catch {
    lost?.dispose();
  }
}
