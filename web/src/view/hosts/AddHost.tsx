// The form for another host.
import { useState, type SubmitEvent } from "react";
import { addHost, asFailure, type Failure } from "../../api/http";
import { Problem } from "../Parts";
import { Field } from "../spawn/Field";
import { words } from "../shellWords";

export function AddHost() {
  const [name, setName] = useState("");
  const [connect, setConnect] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const add = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await addHost({ name: name.trim(), connect: words(connect) });
      setName("");
      setConnect("");
    } catch (thrown) {
      setFailure(asFailure(thrown));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void add();
  };
  return (
    <form className="add-host" onSubmit={submit}>
      <Field label="Name"><input name="name" required value={name} placeholder="box" autoComplete="off" spellCheck={false} onChange={(event) => setName(event.target.value)} /></Field>
      <Field label="Command that reaches it"><input name="connect" required value={connect} placeholder="ssh box" autoComplete="off" spellCheck={false} onChange={(event) => setConnect(event.target.value)} /></Field>
      <button type="submit" disabled={busy}>{busy ? "Trying" : "Add"}</button>
      {failure !== null && <Problem failure={failure} />}
    </form>
  );
}
