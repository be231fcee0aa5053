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
  const waiting = inbox(useStore()).length;
  const badge = view.route.view === "home" && waiting > 0 ? waiting : null;
  return (
    <a href={writeRoute(view.route)} title={view.title} aria-current={current ? "page" : undefined}>
      <Icon name={view.icon} />
      <span className="label">{view.name}</span>
      {badge !== null && <span className="badge" aria-label={`${count(badge, "session")} waiting`}>{badge}</span>}
    </a>
  );
}
