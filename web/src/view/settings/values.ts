// Settings as the form shows them: values as text, and text as values. Pure.
import type { SettingsChange, SettingsKey } from "../../api/wire";
import { joinWords } from "../shellWords";

type Kinded = Pick<SettingsKey, "kind">;

/** A setting's name, with quotes around parts that TOML wants quoted: `presets."two words".prompt`. */
export const dotted = (...parts: readonly string[]): string => parts.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");

/** What a field shows for a value. */
export function toText(key: Kinded, value: unknown): string {
  if (value === null || value === undefined) return "";
  // A command may be a list in the file; as one line it is split like in a shell.
  if (key.kind === "text" && Array.isArray(value)) return joinWords(value.map(plain));
  if (key.kind === "list") return Array.isArray(value) ? value.map(plain).join("\n") : plain(value);
  if (key.kind === "map" && typeof value === "object") {
    return Object.entries(value).map(([name, each]) => `${name} = ${plain(each)}`).join("\n");
  }
  return plain(value);
}

/** What was typed, as a value: `undefined` for an empty field, which means the default. */
export function toValue(key: Kinded, text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  switch (key.kind) {
    case "boolean":
      return trimmed === "true";
    case "integer":
    case "number":
      // What is no number goes to the daemon as it is: it says best what is wrong.
      return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
    case "list":
      return lines(text).map(tableOrText);
    case "map":
      return Object.fromEntries(lines(text).map((line) => {
        const cut = line.indexOf("=");
        return cut < 0 ? [line, ""] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
      }));
    case "text":
      return trimmed;
  }
}

/** What a person has changed in the form and not saved. */
export interface Edits {
  /** Fields by their dotted names, with what they hold now. */
  fields: ReadonlyMap<string, { key: Kinded; text: string }>;
  /** Entries of tables that are to go. */
  removed: ReadonlySet<string>;
}

/** The change that a form makes. */
export function toChange(etag: string, { fields, removed }: Edits): SettingsChange {
  const set: Record<string, unknown> = {};
  const unset: string[] = [...removed];
  for (const [name, { key, text }] of fields) {
    if (unset.some((entry) => name.startsWith(`${entry}.`))) continue;
    const value = toValue(key, text);
    if (value === undefined) unset.push(name);
    else set[name] = value;
  }
  return { etag, unset, set: set as SettingsChange["set"] & object };
}

const lines = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Lists hold texts; those of `messages.allow` are tables, written as JSON. */
function tableOrText(line: string): unknown {
  if (!line.startsWith("{")) return line;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // The daemon says best what is wrong with it.
    return line;
  }
}
