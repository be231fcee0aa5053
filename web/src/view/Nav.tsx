// The ways to the page's views: a row in the sidebar, a bar below on a phone.
import { inbox } from "../attention/order";
import { useRoute, writeRoute, type Route } from "../route";
import { useStore } from "../store";
import { Icon } from "./Parts";
import { count } from "./words";

interface View {
  name: string;
  title: string;
  route: Route;
  icon: Parameters<typeof Icon>[0]["name"];
}

const VIEWS: readonly View[] = [
  { name: "Inbox", title: "Who needs you (i)", route: { view: "home" }, icon: "inbox" },
  { name: "Grid", title: "All terminals at once (g)", route: { view: "grid" }, icon: "grid" },
  { name: "Hosts", title: "Machines and their health (h)", route: { view: "hosts" }, icon: "hosts" },
  { name: "Settings", title: "Settings (,)", route: { view: "settings" }, icon: "settings" },
];

const NEW: View = { name: "New", title: "New session (c)", route: { view: "new", workspace: null }, icon: "add" };

export function Nav() {
  return <nav className="nav" aria-label="Views">{VIEWS.map((view) => <Way key={view.name} view={view} />)}</nav>;
}

/** On a phone it stands at the bottom, with the way to a new session in the middle. */
export function TabBar() {
  const [first, second, ...rest] = VIEWS;
  const views = [first, second, NEW, ...rest].filter((view) => view !== undefined);
  return <nav className="tab-bar" aria-label="Views">{views.map((view) => <Way key={view.name} view={view} />)}</nav>;
}

function Way({ view }: { view: View }) {
  const current = useRoute().view === view.route.view;
  const badge = useBadge(view.route);
  return (
    <a href={writeRoute(view.route)} title={view.title} aria-current={current ? "page" : undefined}>
      <Icon name={view.icon} />
      <span className="label">{view.name}</span>
      {badge !== null && <span className="badge" aria-label={badge.words}>{badge.number}</span>}
    </a>
  );
}

/** How many wait behind a way: sessions that need the human, hosts that ask something. */
function useBadge(route: Route): { number: number; words: string } | null {
  const state = useStore();
  const asking = state.hosts.filter(({ prompt }) => prompt != null).length;
  const waiting = inbox(state).length;
  if (route.view === "hosts" && asking > 0) return { number: asking, words: `${count(asking, "host")} asking` };
  return route.view === "home" && waiting > 0 ? { number: waiting, words: `${count(waiting, "session")} waiting` } : null;
}
