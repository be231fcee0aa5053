// A command as people type it, in words. Pure.

/** Split at blanks; quotes and backslashes keep them together, as in a shell. Nothing is expanded. */
export function words(text: string): string[] {
  const found: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote === null && /\s/.test(char)) {
      if (word !== null) found.push(word);
      word = null;
    } else if (quote === null && (char === '"' || char === "'")) {
      quote = char;
      word ??= "";
    } else if (char === quote) quote = null;
    else if (char === "\\" && quote !== "'" && at + 1 < text.length) word = (word ?? "") + text.charAt(++at);
    else word = (word ?? "") + char;
  }
  return word === null ? found : [...found, word];
}

/** Words as one line that is split into the same words again. */
export const joinWords = (all: readonly string[]): string => all.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
