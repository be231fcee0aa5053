// What the store makes of what it is told.
import { expect, test } from "vitest";
import { exampleCall, exampleSession as session, exampleWorkspace } from "./api/example";
import type { Workspace } from "./api/wire";
import { allSessions, findSession, Store } from "./store";

const workspace = (...ids: string[]): Workspace => exampleWorkspace(ids.map((id) => session(id)));

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

test("what was seen here stays seen until the daemon says so too", () => {
  const store = new Store();
  const told = (): Workspace[] => [exampleWorkspace([exampleCall("a", 2, "Error"), exampleCall("b", 1, "Error")])];
  const acked = (): (number | undefined)[] => ["a", "b"].map((id) => findSession(store.get(), id)?.acked_seq);
  store.told(told());
  store.saw("a", 2);
  store.saw("b", 1);
  expect(acked()).toEqual([2, 1]);
  store.told(told());
  expect(acked()).toEqual([2, 1]);
  store.told([]);
  store.told(told());
  expect(acked()).toEqual([0, 0]);
});

test("a session that did not change is the same object, so that nothing is drawn for it", () => {
  const store = new Store();
  store.told([exampleWorkspace([session("a"), session("b")])]);
  const [a, b] = allSessions(store.get());
  store.told([exampleWorkspace([session("a"), session("b", { title: "new" })])]);
  const [sameA, otherB] = allSessions(store.get());
  expect([sameA === a, otherB === b, otherB?.title]).toEqual([true, false, "new"]);
});
