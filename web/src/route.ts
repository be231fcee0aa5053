// What the page shows, in the address's hash, so that a reload and a bookmark
// come back to it. Pure but for the two functions at the end.
import { useSyncExternalStore } from "react";

export type Route =
  | { view: "home" }
  | { view: "session"; id: string }
  /** The form for a new session, with a workspace already chosen or not. */
  | { view: "new"; workspace: string | null };

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  const session = /^\/s\/(.+)$/.exec(path)?.[1];
  if (session !== undefined) {
    const id = decode(session);
    return id === null ? { view: "home" } : { view: "session", id };
  }
  if (path === "/new") {
    return { view: "new", workspace: new URLSearchParams(query).get("workspace") };
  }
  return { view: "home" };
}

export function writeRoute(route: Route): string {
  switch (route.view) {
    case "home":
      return "#/";
    case "session":
      return `#/s/${encodeURIComponent(route.id)}`;
    case "new": {
      const query = route.workspace === null ? "" : `?${new URLSearchParams({ workspace: route.workspace })}`;
      return `#/new${query}`;
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
