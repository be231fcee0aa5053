// All keys of the page.
import { useModal } from "../modal";
import { Icon, Key } from "../Parts";
import { SHORTCUTS } from "../shortcuts";

export function Help({ onClose }: { onClose: () => void }) {
  const modal = useModal(onClose);
  return (
    <dialog {...modal.props} className="help" aria-labelledby="help-title">
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="quiet" aria-label="Close" onClick={modal.close}><Icon name="close" /></button>
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
