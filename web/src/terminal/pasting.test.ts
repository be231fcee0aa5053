import { expect, test } from "vitest";
import { MOST_BYTES, pasting } from "./pasting";

const frameOf = (text: string): string => JSON.stringify({ type: "paste", text });

test("what fits into a message is pasted, to the byte, and nothing longer", () => {
  const room = MOST_BYTES - frameOf("").length;
  for (const text of ["", "a\r\nb\u001b\u2028", "x".repeat(room), "漢".repeat(Math.floor(room / 3)), "\n".repeat(Math.floor(room / 2))]) {
    expect(pasting(text)).toEqual({ frame: frameOf(text) });
  }
  for (const text of ["x".repeat(room + 1), "漢".repeat(Math.ceil(room / 3) + 1), "\n".repeat(room)]) {
    expect(pasting(text)).toEqual({ tooLong: expect.stringMatching(/^Nothing was pasted: .* this has \d+\.\d MB/) as string });
  }
});
