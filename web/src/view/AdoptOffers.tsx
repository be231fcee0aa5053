// Agents that a person started in a tmux of their own: schmux offers to watch them.
import { useState } from "react";
import { adopt, asFailure, type Failure } from "../api/http";
import type { Adoptable } from "../api/wire";
import { loadAdoptable } from "../live/dashboard";
import { go } from "../route";
import { store } from "../store";
import { Problem } from "./Parts";

export function AdoptOffers({ offers }: { offers: readonly Adoptable[] }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  if (offers.length === 0) return null;

  const take = async (offer: Adoptable): Promise<void> => {
    setBusy(keyOf(offer));
    setFailure(null);
    try {
      const session = await adopt({
        host: offer.host ?? null,
        tmux_session: offer.tmux_session,
        pane: offer.pane,
        socket: offer.socket,
        target: offer.target ?? null,
      });
      store.arrived([session]);
      go({ view: "session", id: session.id });
      await loadAdoptable();
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(null);
    }
  };

  return (
    <section className="offers" aria-label="Running outside schmux">
      <h2>Running outside schmux <span className="count">{offers.length}</span></h2>
      <ul>
        {offers.map((offer) => (
          <li key={keyOf(offer)}>
            <span className="name" title={`tmux pane ${offer.pane}: ${paneOf(offer)}`}>
              <bdi>{offer.target ?? offer.command}</bdi> <bdi className="target">{paneOf(offer)}</bdi>
            </span>
            <button type="button" disabled={busy !== null} onClick={() => void take(offer)}>Adopt</button>
            <bdi className="title" title={`${placeOf(offer)}\n${offer.socket}`}>{placeOf(offer)}</bdi>
          </li>
        ))}
      </ul>
      {failure !== null && <Problem failure={failure} />}
    </section>
  );
}

/** The pane as tmux shows it: session, window and pane. */
const paneOf = ({ place, tmux_session }: Adoptable): string => place ?? tmux_session;

const placeOf = ({ host, path }: Adoptable): string => (host == null ? path : `${host}: ${path}`);

const keyOf = (offer: Adoptable): string => `${offer.host ?? ""} ${offer.socket} ${offer.pane}`;
