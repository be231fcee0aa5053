// The wire types under the names that the page uses. They are all generated;
// nothing here describes JSON by hand.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Adoptable = Schemas["Adoptable"];
export type AdoptRequest = Schemas["AdoptRequest"];
export type AnswerReply = Schemas["AnswerReply"];
export type ApiError = Schemas["ApiError"];
export type ChangedFile = Schemas["ChangedFile"];
export type ChangeKind = Schemas["ChangeKind"];
export type Check = Schemas["Check"];
export type Commit = Schemas["Commit"];
export type DaemonStatus = Schemas["DaemonStatus"];
export type DashboardMessage = Schemas["DashboardMessage"];
export type Dialog = Schemas["Dialog"];
export type FileDiff = Schemas["FileDiff"];
export type Gap = Schemas["Gap"];
export type GapReason = Schemas["GapReason"];
export type GitDiff = Schemas["GitDiff"];
export type GitState = Schemas["GitState"];
export type HistoryEntry = Schemas["HistoryEntry"];
export type HostPrompt = Schemas["HostPrompt"];
export type HostRequest = Schemas["HostRequest"];
export type HostState = Schemas["HostState"];
export type HostStatus = Schemas["HostStatus"];
export type Message = Schemas["Message"];
export type MessageReceipt = Schemas["MessageReceipt"];
export type MessageRequest = Schemas["MessageRequest"];
export type MessageState = Schemas["MessageState"];
export type Nudge = Schemas["Nudge"];
export type Preset = Schemas["Preset"];
export type RecentWorkspace = Schemas["RecentWorkspace"];
export type Recording = Schemas["Recording"];
export type Replay = Schemas["Replay"];
export type ReplayFrame = Schemas["ReplayFrame"];
export type ReplayFrames = Schemas["ReplayFrames"];
export type RingReply = Schemas["RingReply"];
export type Risk = Schemas["Risk"];
export type Session = Schemas["Session"];
export type SessionDetails = Schemas["SessionDetails"];
export type Settings = Schemas["Settings"];
export type SettingsChange = Schemas["SettingsChange"];
export type SettingsKey = Schemas["SettingsKey"];
export type SettingsKind = Schemas["SettingsKind"];
export type SettingsSection = Schemas["SettingsSection"];
export type SettingsTable = Schemas["SettingsTable"];
export type SpawnRequest = Schemas["SpawnRequest"];
export type StateChange = Schemas["StateChange"];
export type Status = Schemas["Status"];
export type Target = Schemas["Target"];
export type TargetKind = Schemas["TargetKind"];
export type TerminalMessage = Schemas["TerminalMessage"];
export type TerminalRequest = Schemas["TerminalRequest"];
export type Verdict = Schemas["Verdict"];
export type Vote = Schemas["Vote"];
export type Why = Schemas["Why"];
export type Workspace = Schemas["Workspace"];

/** A text frame of `/ws/dashboard`, or `null` for what the page doesn't know. */
export const readDashboardFrame = (text: string): DashboardMessage | null =>
  knownFrame(text, ["sessions", "hosts", "alive"]) as DashboardMessage | null;

/** A text frame of `/ws/terminal/{id}`, or `null` for what the page doesn't know. */
export const readTerminalFrame = (text: string): TerminalMessage | null =>
  knownFrame(text, ["keyframe", "size", "exited", "unreachable", "gone"]) as TerminalMessage | null;

/**
 * The object in `text` if its `type` is one of these. Others are skipped, so
 * that a daemon that is newer than the page may say more than the page knows.
 */
function knownFrame(text: string, types: readonly string[]): object | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("type" in value)) return null;
  return typeof value.type === "string" && types.includes(value.type) ? value : null;
}
