// A command as people type it, in words. Pure.
import type { HostRequest } from "../../api/wire";

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

/** A host as the form says it: without a command it is what ssh calls so. */
export function request(name: string, connect: string): HostRequest {
  const typed = name.trim();
  const command = words(connect);
  return command.length > 0 ? { name: typed, connect: command } : { name: typed.replace(/[^\w-]/g, "-"), connect: ["ssh", typed] };
}
