// Sessions and workspaces for tests: the least that the wire allows, and what a
// test adds to it.
import type { Session, Workspace } from "./wire";

export const exampleSession = (id: string, change: Partial<Session> = {}): Session => ({
  id,
  workspace_id: "w-001",
  target: "demo",
  host: "local",
  status: change.status ?? "unknown",
  verdict: {
    state: change.status ?? "unknown",
    confidence: "high",
    rule: "it said so",
    since: "2026-01-01T00:00:00Z",
  },
  created_at: "2026-01-01T00:00:00Z",
  command: ["schmux", "demo-agent"],
  adopted: false,
  cols: 80,
  rows: 24,
  tmux_session: id,
  attach_cmd: `tmux attach -t ${id}`,
  status_file: "",
  events_file: "",
  nudge_seq: 0,
  acked_seq: 0,
  rung_seq: 0,
  ...change,
});

/** A session with an open call, as the daemon tells it. */
export const exampleCall = (
  id: string,
  nudge_seq: number,
  nudge_state: string,
  change: Partial<Session> = {},
): Session =>
  exampleSession(id, {
    status: STATUSES[nudge_state] ?? "unknown",
    nudge_state,
    nudge_seq,
    nudge_summary: `words of ${id}`,
    nudge_at: "2026-01-01T00:00:00Z",
    nudge: { state: nudge_state, confidence: "high", evidence: ["status file"], summary: `words of ${id}`, source: "agent" },
    ...change,
  });

export const exampleWorkspace = (sessions: Session[], id = "w-001"): Workspace => ({
  id,
  path: `/home/ada/${id}`,
  kind: "directory",
  host: "local",
  created_at: "2026-01-01T00:00:00Z",
  sessions,
});

const STATUSES: Readonly<Record<string, Session["status"]>> = {
  "Needs Authorization": "needs_input",
  "Needs User Testing": "needs_testing",
  Error: "error",
  Completed: "completed",
};
