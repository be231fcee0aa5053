// How this browser calls: sound and notifications, each with its switch. The
// browser's permission is asked for by a press of a button and never otherwise.
import { useState, useSyncExternalStore } from "react";
import { permission } from "../attention/notices";
import { set, usePreference } from "../attention/preferences";
import { chime } from "../attention/start";
import { Icon } from "./Parts";

export function Alerts() {
  return (
    <div className="alerts" role="group" aria-label="How this browser calls you">
      <Notifications />
      {/* Last, because its words change with the first click: what stands after it would move away from under that. */}
      <Sound />
    </div>
  );
}

function Sound() {
  const muted = usePreference("muted");
  const able = useSyncExternalStore(chime.subscribe, chime.able);
  const toggle = (): void => {
    set("muted", !muted);
    // Whoever turns it on wants to know how it sounds.
    if (muted) void test();
  };
  const waits = !muted && !able;
  return (
    <span className="alert">
      <button type="button" className="quiet" aria-pressed={!muted} title={muted ? "Ring when an agent asks or fails" : "Be silent"} onClick={toggle}>
        <Icon name={muted ? "muted" : "bell"} /> {muted ? "Muted" : "Sound on"}
      </button>
      {!muted && (
        <button type="button" className="quiet test" title={waits ? "The browser allows sound after the first click or key" : "Ring once"} onClick={() => void test()}>
          {waits ? "waits for a click" : "Test"}
        </button>
      )}
    </span>
  );
}

async function test(): Promise<void> {
  if (await chime.ready()) chime.sound();
}

function Notifications() {
  const [allowed, setAllowed] = useState(permission);
  const quiet = usePreference("quiet-notices");
  if (allowed === "unsupported") return null;
  if (allowed === "denied") {
    return <span className="alert blocked" title="Allow them in the browser's settings for this page">Notifications blocked</span>;
  }
  const on = allowed === "granted" && !quiet;
  const toggle = async (): Promise<void> => {
    if (allowed === "granted") set("quiet-notices", on);
    else {
      set("quiet-notices", false);
      setAllowed(await Notification.requestPermission());
    }
  };
  return (
    <span className="alert">
      <button type="button" className="quiet" aria-pressed={on} title={on ? "Don't notify" : "Notify when this page is hidden"} onClick={() => void toggle()}>
        <Icon name="notice" /> {on ? "Notifications on" : "Notify me"}
      </button>
    </span>
  );
}
