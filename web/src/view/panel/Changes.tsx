// What a session's workspace has that its last commit doesn't: the branch, the
// files, and each file's difference when it is opened.
import "react-diff-view/style/index.css";
import { useState } from "react";
import { getDiff, getGit } from "../../api/http";
import type { ChangedFile, GitState, Session } from "../../api/wire";
import { useAnswer } from "../../live/answer";
import { useMedia } from "../media";
import { useNow } from "../now";
import { Icon, Problem } from "../Parts";
import { ago, count } from "../words";
import { FileChange } from "./FileChange";
import { branchWords, changeWords, kindWord } from "./gitWords";

// Agents write files all the time; git is asked again this often at most.
const READ_AGAIN_MS = 10_000;

/** A few files are shown open; more would be a wall. */
const OPEN_FILES = 3;

export default function Changes({ session }: { session: Session }) {
  const workspace = session.workspace_id;
  const wide = useMedia("(min-width: 1400px)");
  const [split, setSplit] = useState(false);
  const { value: git, failure, reload } = useAnswer(`${workspace} ${session.status} ${Math.floor(useNow() / READ_AGAIN_MS)}`, () => getGit(workspace));
  if (git === null) return failure === null ? <p className="muted">Reading.</p> : <Problem failure={failure} />;
  if (!git.is_repo) return <p className="muted">Its workspace is no git repository, so there is nothing to compare with.</p>;
  return (
    <div className="changes">
      <header>
        <p><Icon name="branch" /> <bdi>{branchWords(git)}</bdi></p>
        <p className="muted">{changeWords(git)}{git.stashes > 0 && `, ${count(git.stashes, "stash", "stashes")}`}</p>
        <p className="change-actions">
          {wide && <button type="button" className="quiet" aria-pressed={split} onClick={() => setSplit(!split)}>Side by side</button>}
          <button type="button" className="quiet" onClick={reload}>Read again</button>
        </p>
      </header>
      {failure !== null && <Problem failure={failure} />}
      <Unpushed git={git} />
      <ul className="files">
        {git.changed.map((file, index) => (
          <File key={`${file.path} ${file.status}`} workspace={workspace} file={file} split={split && wide} isOpen={git.changed.length <= OPEN_FILES || index === 0} />
        ))}
      </ul>
      {git.more_changed > 0 && <p className="muted">And {count(git.more_changed, "more file")}.</p>}
    </div>
  );
}

function File({ workspace, file, split, isOpen }: { workspace: string; file: ChangedFile; split: boolean; isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen);
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="change-kind" data-kind={file.status}>{kindWord(file.status)}</span>
          <bdi className="path" title={file.path}>{file.path}</bdi>
          {file.old_path != null && <span className="muted"> from <bdi>{file.old_path}</bdi></span>}
          <span className="lines"><span className="plus">+{file.additions ?? "?"}</span> <span className="minus">−{file.deletions ?? "?"}</span></span>
        </summary>
        {open && <Difference workspace={workspace} file={file} split={split} />}
      </details>
    </li>
  );
}

function Difference({ workspace, file, split }: { workspace: string; file: ChangedFile; split: boolean }) {
  const key = `${workspace} ${file.path} ${file.status} ${file.additions} ${file.deletions}`;
  const { value, failure } = useAnswer(key, () => getDiff(workspace, file.path));
  if (value === null) return failure === null ? <p className="muted">Reading.</p> : <Problem failure={failure} />;
  return value.files.map((each) => <FileChange key={each.path} file={each} split={split} />);
}

function Unpushed({ git }: { git: GitState }) {
  const now = useNow();
  if (git.unpushed_count === 0) return null;
  return (
    <details className="unpushed">
      <summary>{count(git.unpushed_count, "commit")} that no remote has</summary>
      <ol>
        {git.unpushed.map((commit) => (
          <li key={commit.id}><code>{commit.id.slice(0, 8)}</code> <bdi>{commit.subject}</bdi> <span className="muted"><bdi>{commit.author}</bdi>, {ago(Date.parse(commit.at), now)}</span></li>
        ))}
      </ol>
    </details>
  );
}
