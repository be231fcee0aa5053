// Settings as the form shows them: values as text, and text as values. Pure.
import type { SettingsChange, SettingsKey } from "../../api/wire";

type Kinded = Pick<SettingsKey, "kind">;

/** What a field shows for a value. */
export function toText(key: Kinded, value: unknown): string {
  if (value === null || value === undefined) return "";
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
      return lines(text);
    case "map":
      return Object.fromEntries(lines(text).map((line) => {
        const cut = line.indexOf("=");
        return cut < 0 ? [line, ""] : [line.slice(0, cut).trim(), line.slice(cut + 1).trim()];
      }));
    case "text":
      return trimmed;
  }
}

/** The change that a form makes: fields by their dotted names, with what they hold now. */
export function toChange(etag: string, edits: ReadonlyMap<string, { key: Kinded; text: string }>): SettingsChange {
  const set: Record<string, unknown> = {};
  const unset: string[] = [];
  for (const [name, { key, text }] of edits) {
    const value = toValue(key, text);
    if (value === undefined) unset.push(name);
    else set[name] = value;
  }
  return { etag, unset, set: set as SettingsChange["set"] & object };
}

const lines = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

const plain = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
