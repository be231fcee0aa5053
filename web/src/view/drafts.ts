// What is typed into the field for a message and not sent: it stays for as long
// as the tab does, over a reload too.
import { useState } from "react";

const STORED = "schmux:drafts";

const drafts = stored();

type SetText = (next: string | ((now: string) => string)) => void;

export function useDraft(id: string): [text: string, setText: SetText] {
  const [text, setText] = useState(() => drafts.get(id) ?? "");
  return [
    text,
    (change) => {
      const next = typeof change === "string" ? change : change(drafts.get(id) ?? "");
      if (next === "") drafts.delete(id);
      else drafts.set(id, next);
      setText(next);
    },
  ];
}

// Stored when the page goes and not at each key: a draft may be a megabyte.
window.addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...drafts]));
  } catch {
    // No room or no storage: the drafts end with the page.
  }
});

function stored(): Map<string, string> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as [string, string][]);
  } catch {
    return new Map();
  }
}
