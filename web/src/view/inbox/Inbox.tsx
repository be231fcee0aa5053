// The first thing to see: who needs the human, each with a way to answer right
// here; who has finished and was not looked at yet; and how the others are.
import { unseenSeq } from "../../attention/call";
import { groups, type Group, type Member } from "../../attention/order";
import { markSeen } from "../../attention/seen";
import { useStore, type State } from "../../store";
import { AdoptOffers } from "../AdoptOffers";
import { HostQuestions } from "../hosts/HostPrompt";
import { Key } from "../Parts";
import { SessionList } from "../SessionList";
import { useIsPhone } from "../media";
import { count, splitPath } from "../words";
import { CallCard } from "./CallCard";

export function Inbox({ state }: { state: State }) {
  const isPhone = useIsPhone();
  const all = groups(state);
  const needs = all.find(({ name }) => name === "needs")?.members ?? [];
  const fresh = all.find(({ name }) => name === "done")?.members.filter(({ session }) => unseenSeq(session) !== null) ?? [];
  return (
    <div className="inbox" data-live={state.link.phase === "live"}>
      <header className="view-head">
        <h1>{headline(needs.length, state.hosts.filter(({ prompt }) => prompt != null).length)}</h1>
        <Tally all={all} />
      </header>
      <HostQuestions hosts={state.hosts} />
      <Cards members={needs} label="Needs you" />
      {fresh.length > 0 && (
        <section aria-labelledby="finished">
          <header className="part-head">
            <h2 id="finished">Finished, not seen yet</h2>
            <button type="button" className="quiet" onClick={() => seeAll(fresh)}>Mark all as seen</button>
          </header>
          <Cards members={fresh} label="Finished" />
        </section>
      )}
      {isPhone ? <><SessionList state={state} current={null} without="needs" /><AdoptOffers offers={state.adoptable} /></> : <Hints idle={needs.length === 0} />}
    </div>
  );
}

function Cards({ members, label }: { members: readonly Member[]; label: string }) {
  if (members.length === 0) return null;
  return (
    <ul className="cards" aria-label={label}>
      {members.map(({ session, workspace }) => (
        <li key={session.id}>
          <CallCard
            session={session}
            place={workspace === null ? "" : splitPath(workspace.path).name}
            path={workspace?.path ?? ""}
            branch={workspace?.branch ?? null}
          />
        </li>
      ))}
    </ul>
  );
}

function headline(waiting: number, asking: number): string {
  const who = [waiting === 0 ? "" : count(waiting, "session"), asking === 0 ? "" : count(asking, "host")].filter((some) => some !== "");
  return who.length === 0 ? "Nobody needs you" : `${who.join(" and ")} ${waiting + asking === 1 ? "needs" : "need"} you`;
}

function Tally({ all }: { all: readonly Group[] }) {
  const others = all.filter(({ name }) => name !== "needs");
  return <p className="muted tally">{others.map(({ name, members }) => <span key={name}>{members.length} {name}</span>)}</p>;
}

function Hints({ idle }: { idle: boolean }) {
  const { adoptable } = useStore();
  return (
    <p className="muted hints">
      {idle ? <><Key>c</Key> starts another one, </> : <><Key>n</Key> goes to the next one, <Key>Enter</Key> into its terminal, <Key>a</Key> to a dialog's choices, </>}
      <Key>Ctrl</Key> <Key>K</Key> finds everything, <Key>?</Key> lists the keys.
      {adoptable.length > 0 && ` ${count(adoptable.length, "agent")} outside schmux can be adopted.`}
    </p>
  );
}

function seeAll(members: readonly Member[]): void {
  for (const { session } of members) {
    const seq = unseenSeq(session);
    if (seq !== null) markSeen(session.id, seq);
  }
}
