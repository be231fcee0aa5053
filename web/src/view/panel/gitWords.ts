// The git state of a workspace in words. Pure.
import type { ChangedFile, ChangeKind, GitState, Risk } from "../../api/wire";
import { count } from "../words";

const KINDS: Readonly<Record<ChangeKind, string>> = {
  added: "added",
  modified: "modified",
  deleted: "deleted",
  renamed: "renamed",
  copied: "copied",
  type_changed: "type changed",
  untracked: "new",
  conflicted: "in conflict",
};

export const kindWord = (kind: ChangeKind): string => (KINDS as Record<string, string>)[kind] ?? kind;

/** The branch and how it stands to its upstream. */
export function branchWords(git: GitState): string {
  const at = git.branch ?? (git.head == null ? "no commit yet" : `detached at ${git.head.slice(0, 8)}`);
  if (git.upstream == null) return git.branch == null ? at : `${at}, no upstream`;
  const apart = [git.ahead > 0 ? `${git.ahead} ahead` : "", git.behind > 0 ? `${git.behind} behind` : ""].filter((part) => part !== "");
  return `${at}, ${apart.length === 0 ? "even with" : `${apart.join(", ")} of`} ${git.upstream}`;
}

/** How many files and lines differ. */
export function changeWords(git: Pick<GitState, "changed" | "more_changed">): string {
  const files = git.changed.length + git.more_changed;
  if (files === 0) return "Nothing differs from the last commit";
  const sum = (of: "additions" | "deletions"): number => git.changed.reduce((total, file: ChangedFile) => total + (file[of] ?? 0), 0);
  return `${count(files, "file")}, ${count(sum("additions"), "line")} added, ${sum("deletions")} removed`;
}

/** What one should know before a session is ended, or nothing. */
export function riskWords(risk: Risk): readonly string[] {
  return [
    risk.uncommitted > 0 ? `${count(risk.uncommitted, "file")} changed and not committed` : "",
    risk.untracked > 0 ? `${count(risk.untracked, "new file")} not committed` : "",
    risk.unpushed > 0 ? `${count(risk.unpushed, "commit")} not pushed` : "",
    risk.stashes > 0 ? `${count(risk.stashes, "stash", "stashes")} put away` : "",
  ].filter((line) => line !== "");
}

const LANGUAGES: Readonly<Record<string, string>> = {
  bash: "bash", c: "c", cc: "cpp", cfg: "ini", conf: "ini", cpp: "cpp", cs: "csharp", css: "css", go: "go", h: "c", hpp: "cpp", htm: "markup",
  html: "markup", ini: "ini", java: "java", js: "javascript", json: "json", jsx: "jsx", kt: "kotlin", less: "less", lua: "lua", mjs: "javascript",
  md: "markdown", mts: "typescript", php: "php", pl: "perl", py: "python", r: "r", rb: "ruby", rs: "rust", scss: "scss", sh: "bash", sql: "sql",
  svg: "markup", swift: "swift", toml: "toml", ts: "typescript", tsx: "tsx", xml: "markup", yaml: "yaml", yml: "yaml", zsh: "bash",
}; // prettier-ignore

/** The highlighter's name for a file's language, or `null` for plain text. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  if (name === "makefile") return "makefile";
  const dot = name.lastIndexOf(".");
  return dot < 0 ? null : (LANGUAGES[name.slice(dot + 1)] ?? null);
}
