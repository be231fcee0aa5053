// What the form for new sessions holds, and the request that it makes. Pure.
import type { HostStatus, Preset, SpawnRequest, Target } from "../../api/wire";

export type Place = "directory" | "worktree" | "clone";

export interface Draft {
  targets: readonly string[];
  /** A host's name; empty for this machine. */
  host: string;
  place: Place;
  workspace: string;
  branch: string;
  url: string;
  nickname: string;
  prompt: string;
  count: string;
  args: readonly string[];
}

export const EMPTY: Draft = {
  targets: [],
  host: "",
  place: "directory",
  workspace: "",
  branch: "",
  url: "",
  nickname: "",
  prompt: "",
  count: "1",
  args: [],
};

/** Fields that are empty, or belong to another place, are not sent. */
export function toRequest(draft: Draft): SpawnRequest {
  const [only, ...others] = draft.targets;
  const request: SpawnRequest = others.length === 0 && only !== undefined ? { target: only } : { targets: [...draft.targets] };
  if (draft.host !== "") request.host = draft.host;
  const workspace = draft.workspace.trim();
  if (draft.place !== "clone" && workspace !== "") request.workspace = workspace;
  if (draft.place === "worktree") request.worktree = draft.branch.trim();
  if (draft.place === "clone") request.clone = draft.url.trim();
  const nickname = draft.nickname.trim();
  if (nickname !== "") request.nickname = nickname;
  if (draft.prompt.trim() !== "") request.prompt = draft.prompt;
  if (draft.args.length > 0) request.args = [...draft.args];
  const count = countOf(draft);
  if (count > 1) request.count = count;
  return request;
}

/** How many sessions it makes. */
export const sessionsOf = (draft: Draft): number => draft.targets.length * countOf(draft);

const countOf = (draft: Draft): number => Math.max(1, Number.parseInt(draft.count, 10) || 1);

/** The target to begin with: the last ones used that are there, else an agent, else the demo. */
export function firstTargets(targets: readonly Target[], last: readonly string[]): readonly string[] {
  const available = targets.filter((target) => target.available);
  const again = last.filter((name) => available.some((target) => target.name === name));
  if (again.length > 0) return again;
  const pick =
    available.find((target) => target.kind === "agent") ??
    available.find((target) => target.kind === "demo") ??
    available[0];
  return pick === undefined ? [] : [pick.name];
}

/**
 * What can be run on a host. Its agents are known once they were looked for; until
 * then all are offered, as are commands, and the daemon says what is missing there.
 */
export function targetsOn(targets: readonly Target[], host: Pick<HostStatus, "agents"> | null): readonly Target[] {
  if (host === null) return targets;
  const isThere = ({ name, base, kind }: Target): boolean => kind === "command" || host.agents.length === 0 || host.agents.includes(base ?? name);
  return targets.filter(({ kind }) => kind !== "demo").map((target) => ({ ...target, available: isThere(target) }));
}

/** The form as a preset fills it; what it doesn't say stays as it is. */
export function fromPreset(preset: Preset, before: Draft): Draft {
  const place: Place = preset.clone != null ? "clone" : preset.worktree != null ? "worktree" : preset.workspace != null ? "directory" : before.place;
  return {
    targets: preset.targets.length > 0 ? preset.targets : before.targets,
    host: preset.host === "local" ? "" : (preset.host ?? before.host),
    place,
    workspace: preset.workspace ?? before.workspace,
    branch: preset.worktree ?? before.branch,
    url: preset.clone ?? before.url,
    nickname: preset.nickname ?? "",
    prompt: preset.prompt ?? before.prompt,
    count: String(preset.count ?? 1),
    args: preset.args ?? [],
  };
}

/** The form as a session was started, to be changed. */
export const fromRequest = (request: SpawnRequest): Draft =>
  fromPreset({ ...request, name: "", targets: request.target === undefined || request.target === "" ? (request.targets ?? []) : [request.target], host: request.host ?? "local", prompt: request.prompt ?? "" }, EMPTY);

/** The form as an entry of `[presets.NAME]`: what was filled in, and nothing else. */
export function toPreset(draft: Draft): Record<string, unknown> {
  const { target, targets, ...rest } = toRequest(draft);
  return { targets: targets ?? (target === undefined ? [] : [target]), ...rest };
}

/** What the browser remembers of a form that was sent: not the nickname, which is for those sessions alone. */
export const toMemory = (draft: Draft): string => JSON.stringify({ ...draft, nickname: "", prompt: "" });

/** What was remembered, as far as it is understood. */
export function fromMemory(text: string | null): Draft {
  let kept: Partial<Record<keyof Draft, unknown>> = {};
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (typeof value === "object" && value !== null) kept = value;
  } catch {
    // Of another version, or damaged: the form begins empty.
  }
  const field = (name: "host" | "workspace" | "branch" | "url" | "count"): string => (typeof kept[name] === "string" ? kept[name] : EMPTY[name]);
  const place = (["directory", "worktree", "clone"] as const).find((each) => each === kept.place) ?? "directory";
  const targets = Array.isArray(kept.targets) ? kept.targets.filter((each) => typeof each === "string") : [];
  return { ...EMPTY, targets, place, host: field("host"), workspace: field("workspace"), branch: field("branch"), url: field("url"), count: field("count") };
}
