// A question of a host's connect command: a passphrase, a host key, a second
// factor. It waits two minutes, and so it is asked wherever the human looks.
import { useState } from "react";
import { answerHost, asFailure, type Failure } from "../../api/http";
import type { HostPrompt, HostStatus } from "../../api/wire";
import { Icon, Problem } from "../Parts";

/** The questions of all hosts, as cards for the inbox. */
export function HostQuestions({ hosts }: { hosts: readonly HostStatus[] }) {
  const asking = hosts.filter(({ prompt }) => prompt != null);
  if (asking.length === 0) return null;
  return (
    <ul className="cards" aria-label="Hosts that ask">
      {asking.map(({ name, connect, prompt }) => prompt != null && (
        <li key={name}>
          <article className="card" data-kind="needs_input" data-seen="false" aria-label={`The host ${name} asks`}>
            <header>
              <Icon name="hosts" />
              <a className="open" href="#/hosts"><bdi>{name}</bdi></a>
              <span className="kind" data-status="needs_input">asks before it lets schmux in</span>
              <bdi className="place" title={connect.join(" ")}>{connect.join(" ")}</bdi>
            </header>
            <PromptForm key={prompt.id} name={name} prompt={prompt} />
          </article>
        </li>
      ))}
    </ul>
  );
}

export function PromptForm({ name, prompt, focus = false }: { name: string; prompt: HostPrompt; focus?: boolean }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const answer = async (given: string | null): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await answerHost(name, prompt.id, given);
    } catch (thrown) {
      setFailure(asFailure(thrown));
      setBusy(false);
    }
  };
  return (
    <form
      className="host-prompt"
      onSubmit={(event) => {
        event.preventDefault();
        void answer(text);
      }}
    >
      <label className="field">
        <span className="label"><bdi className="words">{prompt.text}</bdi></span>
        <input type={prompt.secret ? "password" : "text"} autoComplete="off" autoFocus={focus} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className="primary" disabled={busy}>Answer</button>
      <button type="button" disabled={busy} onClick={() => void answer(null)}>Refuse</button>
      {failure !== null && <Problem failure={failure} />}
    </form>
  );
}
