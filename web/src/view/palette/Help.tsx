// All keys of the page.
import { useEffect, useRef } from "react";
import { Icon, Key } from "../Parts";
import { SHORTCUTS } from "../shortcuts";

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="help" aria-labelledby="help-title" onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="quiet" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </header>
      <div className="columns">
        {SHORTCUTS.map(({ name, keys }) => (
          <section key={name}>
            <h3>{name}</h3>
            <dl>
              {keys.map(([combination, what]) => (
                <div key={combination}>
                  <dt>{combination.split(" ").map((key, index) => (key === "…" || key === "+" ? key : <Key key={index}>{key}</Key>))}</dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="muted">A terminal that has the keyboard gets every other key, Escape and Ctrl K included.</p>
    </dialog>
  );
}
