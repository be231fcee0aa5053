// The form for another host. A name that ssh knows needs no command.
import { useState, type SubmitEvent } from "react";
import { addHost, asFailure, getSshNames, type Failure } from "../../api/http";
import { useAnswer } from "../../live/answer";
import { Problem } from "../Parts";
import { Field } from "../spawn/Field";
import { request } from "./request";

export function AddHost() {
  const [name, setName] = useState("");
  const [connect, setConnect] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const ssh = useAnswer("ssh names", getSshNames);
  const add = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await addHost(request(name, connect));
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
      <Field label="Name"><input name="name" required list="ssh-names" value={name} placeholder="box" autoComplete="off" spellCheck={false} onChange={(event) => setName(event.target.value)} /></Field>
      <datalist id="ssh-names">{ssh.value?.map((known) => <option key={known} value={known} />)}</datalist>
      <Field label="Command that reaches it"><input name="connect" value={connect} placeholder={`ssh ${name.trim() || "box"}`} autoComplete="off" spellCheck={false} onChange={(event) => setConnect(event.target.value)} /></Field>
      <button type="submit" disabled={busy}>{busy ? "Trying" : "Add"}</button>
      {failure !== null && <Problem failure={failure} />}
    </form>
  );
}
