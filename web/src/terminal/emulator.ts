// xterm.js as schmux wants it: its addons, its colours, its manners. What comes
// over the wire is `screen.ts`'s business.
import { ClipboardAddon, type ClipboardSelectionType } from "@xterm/addon-clipboard";
import { FitAddon } from "@xterm/addon-fit";
import { SearchAddon } from "@xterm/addon-search";
import { WebLinksAddon } from "@xterm/addon-web-links";
import { WebglAddon } from "@xterm/addon-webgl";
import { Terminal, type IDisposable } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { swallowQueries } from "./queries";
import { DARK, LIGHT } from "./theme";
import { countLikeTmux } from "./widths";

export interface Emulator {
  terminal: Terminal;
  fit: FitAddon;
  search: SearchAddon;
  dispose(): void;
}

// The most history that is ever asked for, with room for what is printed while
// it is looked at. A full terminal of it takes about 25 MB.
const SCROLLBACK = 12_000;

export function openEmulator(container: HTMLElement): Emulator {
  const dark = matchMedia("(prefers-color-scheme: dark)");
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
    theme: dark.matches ? DARK : LIGHT,
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openLink(address)));
  terminal.loadAddon(new ClipboardAddon(undefined, { readText: () => "", writeText }));
  countLikeTmux(terminal);
  swallowQueries(terminal);
  terminal.open(container);
  drawByWebgl(terminal);

  const recolour = (): void => {
    terminal.options.theme = dark.matches ? DARK : LIGHT;
  };
  dark.addEventListener("change", recolour);
  return {
    terminal,
    fit,
    search,
    dispose: () => {
      dark.removeEventListener("change", recolour);
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

async function writeText(_selection: ClipboardSelectionType, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The browser wants the tab focused and a secure origin. Without them the
    // program's copy is lost, as it is in any terminal that forbids OSC 52.
  }
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
