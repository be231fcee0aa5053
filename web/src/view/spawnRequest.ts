// What the form for a new session holds, and the request that it makes. Pure.
import type { SpawnRequest, Target } from "../api/wire";

export type Place = "directory" | "worktree" | "clone";

export interface Draft {
  target: string;
  place: Place;
  workspace: string;
  branch: string;
  url: string;
  nickname: string;
  prompt: string;
  count: string;
}

export const EMPTY: Draft = {
  target: "",
  place: "directory",
  workspace: "",
  branch: "",
  url: "",
  nickname: "",
  prompt: "",
  count: "1",
};

/** Fields that are empty, or belong to another place, are not sent. */
export function toRequest(draft: Draft): SpawnRequest {
  const request: SpawnRequest = { target: draft.target };
  const workspace = draft.workspace.trim();
  if (draft.place !== "clone" && workspace !== "") request.workspace = workspace;
  if (draft.place === "worktree") request.worktree = draft.branch.trim();
  if (draft.place === "clone") request.clone = draft.url.trim();
  const nickname = draft.nickname.trim();
  if (nickname !== "") request.nickname = nickname;
  if (draft.prompt.trim() !== "") request.prompt = draft.prompt;
  const count = Number.parseInt(draft.count, 10);
  if (count > 1) request.count = count;
  return request;
}

/** The target to begin with: the last one used if it is there, else an agent, else the demo. */
export function firstTarget(targets: readonly Target[], last: string | null): string {
  const available = targets.filter((target) => target.available);
  const pick =
    available.find((target) => target.name === last) ??
    available.find((target) => target.kind === "agent") ??
    available.find((target) => target.kind === "demo") ??
    available[0];
  return pick?.name ?? "";
}
