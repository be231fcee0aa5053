// A letter with Ctrl held, as terminals send it. Pure.

/** `c` becomes 0x03; what has no such form stays as it is. */
export function withControl(text: string): string {
  if (text.length !== 1) return text;
  if (text === " ") return "\x00";
  if (text === "?") return "\x7f";
  const code = text.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : text;
}
