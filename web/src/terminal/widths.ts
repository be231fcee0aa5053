// How many columns a character takes: the same as in tmux, or everything right
// of it would be drawn in the wrong place. Measured against tmux 3.3a, which
// asks the C library (Unicode 15) about single characters and joins a wide
// character to the cell before it when a zero-width joiner stands between. It
// does neither skin tones, nor flags, nor emoji variation selectors, so the
// graphemes addon would be wrong about all of them. Unicode 11 of xterm.js's
// addon is right but for what came later, which is added here.
import { Unicode11Addon } from "@xterm/addon-unicode11";
import type { IUnicodeVersionProvider, Terminal } from "@xterm/xterm";

type Width = 0 | 1 | 2;
type Range = readonly [first: number, last: number, width: Width];

/** Sorted; what Unicode 12 to 15 added or changed. */
const LATER: readonly Range[] = [
  [0x0600, 0x0605, 1], [0x06dd, 0x06dd, 1], [0x070f, 0x070f, 1], [0x0898, 0x089f, 0],
  [0x08ca, 0x08d2, 0], [0x08e2, 0x08e2, 1], [0x0b55, 0x0b55, 0], [0x0c3c, 0x0c3c, 0],
  [0x0d81, 0x0d81, 0], [0x1734, 0x1734, 1], [0x180f, 0x180f, 0], [0x1abf, 0x1ace, 0],
  [0x1dfa, 0x1dfa, 0], [0x2028, 0x2029, 0], [0x1f6d6, 0x1f6d7, 2], [0x1f6dc, 0x1f6df, 2],
  [0x1f6fb, 0x1f6fc, 2], [0x1f7f0, 0x1f7f0, 2], [0x1f90c, 0x1f90c, 2], [0x1f93b, 0x1f93b, 1],
  [0x1f946, 0x1f946, 1], [0x1f972, 0x1f972, 2], [0x1f977, 0x1f979, 2], [0x1f9a3, 0x1f9a4, 2],
  [0x1f9ab, 0x1f9ad, 2], [0x1f9cb, 0x1f9cc, 2], [0x1fa74, 0x1fa7c, 2], [0x1fa83, 0x1fa88, 2],
  [0x1fa96, 0x1fabd, 2], [0x1fabf, 0x1fac5, 2], [0x1face, 0x1facf, 2], [0x1fad0, 0x1fadb, 2],
  [0x1fae0, 0x1fae8, 2], [0x1faf0, 0x1faf8, 2],
]; // prettier-ignore

const JOINER = 0x200d;

/** Makes the terminal count as tmux does. */
export function countLikeTmux(terminal: Terminal): void {
  let provider: IUnicodeVersionProvider | undefined;
  // The addon has its table to itself: it hands it to the terminal it is
  // activated on, so it is given one that only listens.
  const listener = { unicode: { register: (given: IUnicodeVersionProvider) => (provider = given) } };
  new Unicode11Addon().activate(listener as unknown as Terminal);
  if (provider === undefined) return;
  terminal.unicode.register(new TmuxWidths(provider));
  terminal.unicode.activeVersion = "tmux";
}

// xterm.js keeps a number for the character before: bit 0 whether it joined the
// cell before it, bits 1 and 2 the cell's width, and above that what the provider
// likes: here, whether it was a joiner.
const JOINED = 1;
const AFTER_JOINER = 1 << 3;
const widthOf = (properties: number): Width => ((properties >> 1) & 3) as Width;

class TmuxWidths implements IUnicodeVersionProvider {
  readonly version = "tmux";

  constructor(private readonly unicode11: IUnicodeVersionProvider) {}

  wcwidth(codepoint: number): Width {
    // Nearly all text is below the first range.
    if (codepoint < 0x0600) return this.unicode11.wcwidth(codepoint);
    let low = 0;
    let high = LATER.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = LATER[middle];
      if (range === undefined) break;
      if (codepoint < range[0]) high = middle - 1;
      else if (codepoint > range[1]) low = middle + 1;
      else return range[2];
    }
    return this.unicode11.wcwidth(codepoint);
  }

  charProperties(codepoint: number, preceding: number): number {
    const width = this.wcwidth(codepoint);
    const before = widthOf(preceding);
    const joins = before > 0 && (width === 0 || (width === 2 && (preceding & AFTER_JOINER) !== 0));
    const state = codepoint === JOINER ? AFTER_JOINER : 0;
    return joins ? state | (before << 1) | JOINED : state | (width << 1);
  }
}
