// Shapes that the daemon is about to tell.
import type { components } from "./schema";
type Status = components["schemas"]["Status"];
type Confidence = components["schemas"]["Confidence"];
type HistoryEntry = components["schemas"]["HistoryEntry"];
export interface Dialog {
  id: string; kind: string; title?: string | null; question: string; body?: string[];
  choices: { label: string; detail?: string | null; selected: boolean; answerable: boolean }[];
  multiple?: boolean; since: string;
}
export interface AnswerReply { closed: boolean }
export interface Verdict { state: Status; confidence: Confidence; rule: string; message?: string | null; since: string }
export interface Vote { source: string; says: string; state?: Status | null; at: string; age_ms: number; decided: boolean }
export interface StateChange { at: string; from: Status; to: Status; confidence: Confidence; rule: string }
export interface Why {
  session_id: string; verdict: Verdict; votes: Vote[]; changes: StateChange[]; drifts: number; last_drift?: string | null; reader: string;
}
export type ChangeKind = "added" | "modified" | "deleted" | "renamed" | "copied" | "type_changed" | "untracked" | "conflicted";
export interface ChangedFile {
  path: string; old_path?: string | null; status: ChangeKind; additions?: number | null; deletions?: number | null; staged: boolean; unstaged: boolean;
}
export interface Commit { id: string; subject: string; author: string; at: string }
export interface Risk { uncommitted: number; untracked: number; unpushed: number; stashes: number; removable: boolean; lost: string[] }
export interface GitState {
  is_repo: boolean; branch?: string | null; head?: string | null; upstream?: string | null; ahead: number; behind: number;
  changed: ChangedFile[]; more_changed: number; stashes: number; unpushed: Commit[]; unpushed_count: number; risk: Risk;
}
export interface FileDiff { path: string; old_path?: string | null; status: ChangeKind; binary: boolean; diff: string; cut: boolean }
export interface GitDiff { files: FileDiff[]; left_out: string[] }
export interface SessionDetails { command: string; dir: string; pid?: number | null; env: { name: string; value: string; secret: boolean }[] }
export interface Preset {
  name: string; description?: string | null; targets: string[]; workspace?: string | null; worktree?: string | null; clone?: string | null;
  nickname?: string | null; prompt?: string | null; count?: number | null; args?: string[];
}
export interface RecentWorkspace {
  path: string; kind: "directory" | "worktree" | "clone"; host: string; branch?: string | null; workspace_id?: string | null; sessions: number; last_used_at: string;
}
export interface Recording { session_id: string; target?: string | null; nickname?: string | null; from: number; to: number; bytes: number }
export type GapReason = "flood" | "behind" | "away";
export type Replay = Recording & {
  activity: { from: number; to: number; bytes: number }[]; gaps: { from: number; to: number; reason: GapReason }[]; marks: HistoryEntry[];
};
export type ReplayFrame =
  | { type: "keyframe"; at: number; cols: number; rows: number; data: string }
  | { type: "output"; at: number; data: string }
  | { type: "gap"; at: number; reason: GapReason };
export interface ReplayFrames { frames: ReplayFrame[]; next?: string | null }
export type SettingsKind = "boolean" | "integer" | "number" | "text" | "list" | "map";
export interface SettingsKey {
  name: string; doc: string; kind: SettingsKind; choices?: string[]; default_words: string; default: unknown; value: unknown; overridden_by?: string | null; restart: boolean;
}
export interface SettingsSection { name: string; doc: string; keys: SettingsKey[] }
export interface SettingsTable { name: string; doc: string; keys: SettingsKey[]; entries: Record<string, unknown> }
export interface Settings {
  path: string; text: string; etag: string; problem?: { line: number; column: number; message: string } | null; restart_needed: boolean;
  sections: SettingsSection[]; tables: SettingsTable[];
}
export interface SettingsChange { etag: string; set?: Record<string, unknown>; unset?: string[]; text?: string | null }
