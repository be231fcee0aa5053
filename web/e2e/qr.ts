// Reads a QR code from the rows of a terminal, as a camera would from its glass.
import jsQR from "jsqr";

// A row of text is two rows of the code: what of each is dark.
const HALVES: Readonly<Record<string, readonly [upper: boolean, lower: boolean]>> = {
  "█": [true, true],
  "▀": [true, false],
  "▄": [false, true],
  " ": [false, false],
};

// Readers want to see more than a pixel of each module.
const SCALE = 4;

/** The text of the code that stands in these rows, or `null` if none can be read. */
export function linkIn(rows: readonly string[]): string | null {
  const code = rows.filter((row) => /[█▀▄]/.test(row));
  const columns = Math.max(0, ...code.map((row) => row.length));
  // The quiet zone around it is blank, and so was cut from the rows.
  const [width, height] = [(columns + 8) * SCALE, (code.length * 2 + 8) * SCALE];
  const picture = new Uint8ClampedArray(width * height * 4).fill(255);
  const isDark = (x: number, y: number): boolean => HALVES[code[Math.floor(y / 2)]?.[x] ?? " "]?.[y % 2] ?? false;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / SCALE) - 4, Math.floor(y / SCALE) - 4];
      if (column >= 0 && row >= 0 && isDark(column, row)) picture.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return jsQR(picture, width, height)?.data ?? null;
}
