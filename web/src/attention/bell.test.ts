// The bell against a daemon's ledger, a bad line and other tabs.
import { expect, test } from "vitest";
import { exampleCall, exampleSession } from "../api/example";
import type { Session } from "../api/wire";
import { Bell } from "./bell";
import { Marks } from "./marks";
import type { Answer, Ringable } from "./ring";

class Shelf {
  private readonly items = new Map<string, string>();
  get length(): number {
    return this.items.size;
  }
  key = (at: number): string | null => [...this.items.keys()][at] ?? null;
  getItem = (key: string): string | null => this.items.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.items.set(key, value);
  removeItem = (key: string): void => void this.items.delete(key);
}

/** A daemon, as far as rings go: it grants each call once. */
class Ledger {
  readonly granted = new Set<string>();
  asked = 0;
  line: "up" | "down" | "answers get lost" = "up";
  answer({ id, seq }: Ringable): Answer {
    this.asked += 1;
    if (this.line === "down") return "unanswered";
    const isFirst = !this.granted.has(`${id} ${seq}`);
    this.granted.add(`${id} ${seq}`);
    return this.line === "answers get lost" ? "unanswered" : isFirst ? "granted" : "refused";
  }
}

/** The tabs of one browser: they share marks and a lock. */
function browser(ledger: Ledger) {
  const shelf = new Shelf();
  let queue = Promise.resolve();
  const tab = () => {
    const timers: (() => void)[] = [];
    const it = {
      sessions: [] as readonly Session[],
      audible: true,
      running: true,
      rings: 0,
      onAsk: (): void => undefined,
      passTime: (): void => timers.splice(0).forEach((act) => act()),
      waits: () => timers.length,
      bell: null as unknown as Bell,
    };
    it.bell = new Bell({
      sessions: () => it.sessions,
      marks: new Marks(() => shelf),
      audible: () => it.audible,
      ready: () => Promise.resolve(it.running),
      sound: () => (it.rings += 1),
      ask: (call) => {
        it.onAsk();
        return Promise.resolve(ledger.answer(call));
      },
      alone: (act) => (queue = queue.then(act)),
      after: (_ms, act) => {
        timers.push(act);
        return () => timers.splice(timers.indexOf(act), 1);
      },
      chance: () => 0,
    });
    return it;
  };
  return { tab, shelf };
}

type Tab = ReturnType<ReturnType<typeof browser>["tab"]>;

async function tell(tabs: readonly Tab[], ...sessions: Session[]): Promise<void> {
  for (const tab of tabs) {
    tab.sessions = sessions;
    tab.bell.look();
  }
  await settled();
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const rings = (tabs: readonly Tab[]): number[] => tabs.map((tab) => tab.rings);

test("a call rings once, however often it is told", async () => {
  const ledger = new Ledger();
  const tab = browser(ledger).tab();
  const call = exampleCall("a", 1, "Needs Authorization");
  await tell([tab], call);
  await tell([tab], call);
  await tell([tab], exampleSession("a", { status: "working", nudge_seq: 1 }));
  expect([tab.rings, ledger.asked]).toEqual([1, 1]);
  await tell([tab], exampleCall("a", 2, "Needs Authorization"));
  expect(tab.rings).toBe(2);
});

test("two tabs ask once between them, two browsers ring once between them", async () => {
  const ledger = new Ledger();
  const [desk, phone] = [browser(ledger), browser(ledger)];
  const tabs = [desk.tab(), desk.tab(), phone.tab()];
  await tell(tabs, exampleCall("a", 1, "Error"));
  expect([rings(tabs), ledger.asked]).toEqual([[1, 0, 0], 2]);
});

test("a reload doesn't even ask", async () => {
  const ledger = new Ledger();
  const desk = browser(ledger);
  await tell([desk.tab()], exampleCall("a", 1, "Error"));
  const reloaded = desk.tab();
  await tell([reloaded], exampleCall("a", 1, "Error"));
  expect([reloaded.rings, ledger.asked]).toEqual([0, 1]);
});

test("a page that can't be heard leaves the ring to others, and takes what is left when it can", async () => {
  const ledger = new Ledger();
  const [desk, phone] = [browser(ledger).tab(), browser(ledger).tab()];
  desk.audible = false;
  await tell([desk, phone], exampleCall("a", 1, "Error"));
  expect(rings([desk, phone])).toEqual([0, 1]);
  phone.audible = false;
  await tell([desk, phone], exampleCall("a", 1, "Error"), exampleCall("b", 1, "Error"), exampleCall("c", 7, "Needs Authorization"));
  expect(rings([desk, phone])).toEqual([0, 1]);
  desk.audible = true;
  desk.bell.look();
  await settled();
  expect(rings([desk, phone])).toEqual([1, 1]);
});

test("audio that doesn't run after all asks for nothing", async () => {
  const ledger = new Ledger();
  const tab = browser(ledger).tab();
  tab.running = false;
  await tell([tab], exampleCall("a", 1, "Error"));
  expect([tab.rings, ledger.asked]).toEqual([0, 0]);
});

test("no answer: asked again after a while, not at every change, and rung once", async () => {
  const ledger = new Ledger();
  const tab = browser(ledger).tab();
  ledger.line = "down";
  await tell([tab], exampleCall("a", 1, "Error"));
  await tell([tab], exampleCall("a", 1, "Error", { title: "other" }));
  expect([tab.rings, ledger.asked, tab.waits()]).toEqual([0, 1, 1]);
  tab.passTime();
  await settled();
  expect([tab.rings, ledger.asked]).toEqual([0, 2]);
  ledger.line = "up";
  tab.bell.retryNow();
  await settled();
  expect([tab.rings, ledger.asked, tab.waits()]).toEqual([1, 3, 0]);
});

test("an answer that got lost never makes a second ring", async () => {
  const ledger = new Ledger();
  const tab = browser(ledger).tab();
  ledger.line = "answers get lost";
  await tell([tab], exampleCall("a", 1, "Error"));
  ledger.line = "up";
  tab.passTime();
  await settled();
  tab.bell.look();
  await settled();
  expect([tab.rings, ledger.asked]).toEqual([0, 2]);
});

test("answered before the retry: nothing is asked any more", async () => {
  const ledger = new Ledger();
  const tab = browser(ledger).tab();
  ledger.line = "down";
  await tell([tab], exampleCall("a", 1, "Error"));
  await tell([tab], exampleSession("a", { status: "working", nudge_seq: 1 }));
  ledger.line = "up";
  tab.passTime();
  await settled();
  expect([tab.rings, ledger.asked]).toEqual([0, 1]);
});

test("answered or seen while the daemon is asked: silence", async () => {
  for (const then of [exampleSession("a", { status: "working", nudge_seq: 1 }), exampleCall("a", 1, "Error", { acked_seq: 1 })]) {
    const tab = browser(new Ledger()).tab();
    tab.onAsk = () => {
      tab.sessions = [then];
    };
    await tell([tab], exampleCall("a", 1, "Error"));
    expect(tab.rings).toBe(0);
  }
});

test("a call that comes while the daemon is asked for another rings too", async () => {
  const tab = browser(new Ledger()).tab();
  tab.onAsk = () => {
    tab.onAsk = () => undefined;
    tab.sessions = [exampleCall("a", 1, "Error"), exampleCall("b", 1, "Error")];
    tab.bell.look();
  };
  await tell([tab], exampleCall("a", 1, "Error"));
  await settled();
  expect(tab.rings).toBe(2);
});

test("marks only grow, and go with their sessions", () => {
  const shelf = new Shelf();
  shelf.setItem("other", "1");
  shelf.setItem("schmux:ack:broken", "x");
  const marks = new Marks(() => shelf);
  marks.set("a", 3);
  marks.set("a", 2);
  marks.set("b", 1);
  expect([marks.get("a"), marks.get("b"), marks.get("broken"), shelf.getItem("schmux:ack:a")]).toEqual([3, 1, 0, "3"]);
  marks.prune(new Set(["b"]));
  expect([marks.get("a"), marks.get("b"), shelf.length, shelf.getItem("other")]).toEqual([0, 1, 2, "1"]);
});

test("without storage marks last as long as the page", () => {
  const marks = new Marks(() => {
    throw new Error("forbidden");
  });
  marks.set("a", 2);
  expect(marks.get("a")).toBe(2);
  marks.prune(new Set());
  expect(marks.get("a")).toBe(0);
});
