// What the store makes of what it is told.
import { expect, test } from "vitest";
import type { Session, Workspace } from "./api/wire";
import { allSessions, findSession, neighbour, Store } from "./store";

const session = (id: string): Session => ({
  id,
  workspace_id: "w-001",
  target: "demo",
  host: "local",
  status: "unknown",
  created_at: "2026-01-01T00:00:00Z",
  command: ["schmux", "demo-agent"],
  adopted: false,
  cols: 80,
  rows: 24,
  tmux_session: id,
  attach_cmd: `tmux attach -t ${id}`,
  status_file: "",
  events_file: "",
});

const workspace = (...ids: string[]): Workspace => ({
  id: "w-001",
  path: "/w",
  kind: "directory",
  host: "local",
  created_at: "2026-01-01T00:00:00Z",
  sessions: ids.map(session),
});

test("a new session is there before the socket tells of it, and once after", () => {
  const store = new Store();
  store.told([workspace("a")]);
  store.arrived([session("a"), session("b")]);
  expect(allSessions(store.get()).map(({ id }) => id)).toEqual(["a", "b"]);
  expect(findSession(store.get(), "b")?.id).toBe("b");
  store.told([workspace("b", "a")]);
  expect(allSessions(store.get()).map(({ id }) => id)).toEqual(["b", "a"]);
  store.told([workspace("a")]);
  expect(findSession(store.get(), "b")).toBeNull();
});

test("a disposed arrival is gone", () => {
  const store = new Store();
  store.arrived([session("a")]);
  store.left("a");
  expect(allSessions(store.get())).toEqual([]);
});

test("being told means being let in", () => {
  const store = new Store();
  store.update({ access: "denied" });
  store.told([]);
  expect(store.get().access).toBe("granted");
});

test("listeners hear every change until they leave", () => {
  const store = new Store();
  let heard = 0;
  const leave = store.subscribe(() => (heard += 1));
  store.told([]);
  leave();
  store.told([]);
  expect(heard).toBe(1);
});

test("neighbours go round", () => {
  const store = new Store();
  expect(neighbour(store.get(), null, 1)).toBeNull();
  store.told([workspace("a", "b", "c")]);
  const next = (id: string | null, step: 1 | -1): string | null => neighbour(store.get(), id, step);
  expect([next("a", 1), next("c", 1), next("a", -1), next(null, 1), next(null, -1), next("gone", 1)]).toEqual([
    "b", "a", "c", "a", "c", "a",
  ]);
});
