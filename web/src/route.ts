// What the page shows, in the address's hash, so that a reload and a bookmark
// come back to it. Pure but for the two functions at the end.
import { useSyncExternalStore } from "react";

export type Route =
  | { view: "home" }
  | { view: "session"; id: string }
  | { view: "replay"; id: string }
  | { view: "grid" }
  | { view: "hosts" }
  | { view: "settings" }
  /** The form for a new session, with a workspace or a host already chosen or not, or like one that is there. */
  | { view: "new"; workspace: string | null; host?: string; again?: string };

/** Views that are named by their name alone. */
const PLAIN = ["grid", "hosts", "settings"] as const;

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const [, letter, name] = /^\/([sr])\/(.+)$/.exec(path) ?? [];
  if (name !== undefined) {
    const id = decode(name);
    return id === null ? { view: "home" } : { view: letter === "s" ? "session" : "replay", id };
  }
  const plain = PLAIN.find((view) => path === `/${view}`);
  if (plain !== undefined) return { view: plain };
  if (path === "/new") {
    const chosen = new URLSearchParams(query);
    const host = chosen.get("host");
    const again = chosen.get("again");
    return { view: "new", workspace: chosen.get("workspace"), ...(host === null ? {} : { host }), ...(again === null ? {} : { again }) };
  }
  return { view: "home" };
}

export function writeRoute(route: Route): string {
  switch (route.view) {
    case "home":
      return "#/";
    case "session":
      return `#/s/${encodeURIComponent(route.id)}`;
    case "replay":
      return `#/r/${encodeURIComponent(route.id)}`;
    case "grid":
    case "hosts":
    case "settings":
      return `#/${route.view}`;
    case "new": {
      const query = new URLSearchParams();
      if (route.workspace !== null) query.set("workspace", route.workspace);
      if (route.host !== undefined) query.set("host", route.host);
      if (route.again !== undefined) query.set("again", route.again);
      return query.size === 0 ? "#/new" : `#/new?${query}`;
    }
  }
}

export function go(route: Route): void {
  location.hash = writeRoute(route);
}

export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
