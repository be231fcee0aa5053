// What is set for this browser alone: how it calls, and how its terminals behave.
import { useState, type ReactNode } from "react";
import { set, usePreference, type Preference } from "../../attention/preferences";
import { quietHours, readTime, setQuietHours, writeTime, type QuietHours } from "../../attention/quiet";
import { Alerts } from "../Alerts";

export function Browser() {
  return (
    <section aria-labelledby="browser">
      <h2 id="browser">This browser</h2>
      <div className="setting">
        <span className="about"><span className="key">Calls</span><span className="doc">It rings for a question or an error, and notifies while the page is hidden.</span></span>
        <Alerts />
      </div>
      <Hours />
      <Switch name="no-copy-on-select" inverted label="Copy on select">What is selected in a terminal is on the clipboard at once.</Switch>
      <Switch name="programs-may-copy" label="Programs may copy">A program in a terminal may write to the clipboard without asking (OSC 52).</Switch>
      <Switch name="screen-reader" label="Screen-reader mode">Terminals are read aloud by a screen reader. It makes them slower.</Switch>
      <Switch name="latency" label="Typing latency">How long keys take to be drawn, in the corner of a terminal.</Switch>
    </section>
  );
}

function Switch({ name, label, inverted = false, children }: { name: Preference; label: string; inverted?: boolean; children: ReactNode }) {
  const on = usePreference(name) !== inverted;
  return (
    <label className="setting">
      <span className="about"><span className="key">{label}</span><span className="doc">{children}</span></span>
      <input type="checkbox" role="switch" checked={on} onChange={(event) => set(name, event.target.checked !== inverted)} />
    </label>
  );
}

/** What most people would choose; it is only a beginning. */
const NIGHT: QuietHours = { from: 22 * 60, to: 7 * 60 };

function Hours() {
  const [hours, setHours] = useState(quietHours);
  const change = (next: QuietHours | null): void => {
    setQuietHours(next);
    setHours(next);
  };
  const time = (name: "from" | "to", label: string, now: QuietHours): ReactNode => (
    <input type="time" aria-label={label} value={writeTime(now[name])} onChange={(event) => change({ ...now, [name]: readTime(event.target.value) ?? now[name] })} />
  );
  return (
    <div className="setting">
      <span className="about"><span className="key">Quiet hours</span><span className="doc">It neither rings nor notifies then. What waits is shown all the same.</span></span>
      <span className="hours">
        {hours !== null && <span className="times">{time("from", "Quiet from", hours)} to {time("to", "Quiet until", hours)}</span>}
        <input type="checkbox" role="switch" aria-label="Quiet hours" checked={hours !== null} onChange={(event) => change(event.target.checked ? NIGHT : null)} />
      </span>
    </div>
  );
}
