// The calls of the HTTP API. Every failure becomes a `Failure` with words for a
// person: the daemon's own message and advice where it gave them.
import { httpAddress } from "./address";
import type {
  Adoptable,
  AdoptRequest,
  ApiError,
  Check,
  DaemonStatus,
  HistoryEntry,
  HostRequest,
  HostStatus,
  AnswerReply,
  GitDiff,
  GitState,
  Message,
  MessageRequest,
  Preset,
  RecentWorkspace,
  Replay,
  ReplayFrames,
  SessionDetails,
  Settings,
  SettingsChange,
  Why,
  RingReply,
  Session,
  SpawnRequest,
  Target,
} from "./wire";

export class Failure extends Error {
  constructor(
    message: string,
    /** The HTTP status, or 0 if the daemon gave no answer. */
    readonly status: number,
    readonly advice: string | null,
    /** The daemon's own name for it. */
    readonly code: string | null = null,
  ) {
    super(message);
    this.name = "Failure";
  }
}

/** Whether the daemon answers anything at all in this time; a proxy's word that it doesn't is none. */
export async function answersWithin(ms: number): Promise<boolean> {
  try {
    await send("GET", "api/healthz", undefined, AbortSignal.timeout(ms));
    return true;
  } catch (thrown) {
    const { status } = asFailure(thrown);
    return status > 0 && status < 500;
  }
}

export const getStatus = (): Promise<DaemonStatus> => call("GET", "api/status");
/** What the daemon finds when it looks at its own health. */
export const getDoctor = (): Promise<Check[]> => call("GET", "api/doctor");
export const getTargets = (): Promise<Target[]> => call("GET", "api/targets");
export const getAdoptable = (): Promise<Adoptable[]> => call("GET", "api/adoptable");
export const spawn = (request: SpawnRequest): Promise<Session[]> =>
  call("POST", "api/spawn", request);
export const adopt = (request: AdoptRequest): Promise<Session> =>
  call("POST", "api/adopt", request);
export const dispose = async (id: string, options: { remove_workspace?: boolean; force?: boolean } = {}): Promise<void> => {
  const query = new URLSearchParams(Object.entries(options).map(([name, value]) => [name, String(value)]));
  await send("POST", `${ofSession(id, "dispose")}?${query}`);
};

/** Puts a message into the outboxes of those that it is for. */
export const tell = (request: MessageRequest): Promise<Message[]> => call("POST", "api/messages", request);
/** The messages to a session with what became of them, oldest first. */
export const getMessages = (session: string): Promise<Message[]> =>
  call("GET", `api/messages?${new URLSearchParams({ session, all: "true" })}`);
export const cancelMessage = (id: number): Promise<Message> => call("POST", `api/messages/${id}/cancel`);
export const retryMessage = (id: number): Promise<Message> => call("POST", `api/messages/${id}/retry`);
/** Has it go before the others that wait for the same agent. */
export const promoteMessage = (id: number): Promise<Message> => call("POST", `api/messages/${id}/first`);
/** Answers this very dialog. If it is gone, nothing is sent and the daemon says so. */
export const answer = (id: string, dialog: string, choice: number): Promise<AnswerReply> =>
  call("POST", ofSession(id, "answer"), { dialog, choice });
/** Why a session is shown as it is. */
export const getWhy = (id: string): Promise<Why> => call("GET", ofSession(id, "why"));
/** How a session was started: its command, its directory, its environment. */
export const getDetails = (id: string): Promise<SessionDetails> => call("GET", ofSession(id, "details"));

/** What starts another session like this one. */
export const getAgain = (id: string): Promise<SpawnRequest> => call("GET", ofSession(id, "again"));

export const getGit = (workspace: string): Promise<GitState> => call("GET", ofWorkspace(workspace, "git"));
/** What differs from HEAD in a workspace, or in one file of it. */
export const getDiff = (workspace: string, path: string | null): Promise<GitDiff> =>
  call("GET", `${ofWorkspace(workspace, "diff")}${path === null ? "" : `?${new URLSearchParams({ path })}`}`);

export const getHosts = (): Promise<HostStatus[]> => call("GET", "api/hosts");
export const getSshNames = (): Promise<string[]> => call("GET", "api/ssh-names");
export const addHost = (request: HostRequest): Promise<HostStatus> => call("POST", "api/hosts", request);
export type HostAct = "test" | "connect" | "disconnect" | "remove";
export const actOnHost = async (name: string, act: HostAct): Promise<void> => {
  await send("POST", `api/hosts/${encodeURIComponent(name)}/${act}`);
};
/** Answers what a host's connect command asks; without an answer it is refused. */
export const answerHost = async (name: string, id: number, answer: string | null): Promise<void> => {
  await send("POST", `api/hosts/${encodeURIComponent(name)}/answer`, { id, answer });
};

export const getPresets = (): Promise<Preset[]> => call("GET", "api/presets");
export const getRecent = (): Promise<RecentWorkspace[]> => call("GET", "api/recent");
export const getSettings = (): Promise<Settings> => call("GET", "api/settings");
export const putSettings = (change: SettingsChange): Promise<Settings> => call("PUT", "api/settings", change);

/** Sends a test by a notifier, as `config.toml` has it now. */
export const testNotifier = async (name: string): Promise<void> => {
  await send("POST", `api/notifiers/${encodeURIComponent(name)}/test`);
};

export const getReplay = (id: string): Promise<Replay> => call("GET", ofSession(id, "replay"));
/** A part of a recording: from a moment, or going on where an answer ended. */
export const getFrames = (id: string, start: { from: number } | { after: string }): Promise<ReplayFrames> =>
  call("GET", `${ofSession(id, "replay/frames")}?${new URLSearchParams(Object.entries(start).map(([name, value]) => [name, String(value)]))}`);
/** Where a recording can be had as an asciicast. */
export const castAddress = (id: string): string => httpAddress(ofSession(id, "replay/cast"));

/** The human has seen a session's calls up to this one. */
export const acknowledge = async (id: string, seq: number): Promise<void> => {
  await send("POST", `api/sessions/${encodeURIComponent(id)}/ack`, { seq }, AbortSignal.timeout(BRIEF_MS));
};
/** Names this page, so that it may ask again when the answer got lost. */
const claim = crypto.getRandomValues(new Uint32Array(2)).join("-");
/** Whether this page is the one that rings for a call. */
export const askToRing = async (id: string, seq: number): Promise<boolean> => {
  const path = `api/sessions/${encodeURIComponent(id)}/ring`;
  const response = await send("POST", path, { seq, claim }, AbortSignal.timeout(BRIEF_MS));
  return ((await response.json()) as RingReply).granted;
};

/**
 * A session's history, oldest first: the newest lines, or those after a number,
 * which the daemon waits for a while if there are none.
 */
export async function getHistory(session: string, after: number | null, signal: AbortSignal): Promise<HistoryEntry[]> {
  const query = new URLSearchParams({ session, limit: String(HISTORY_LINES) });
  if (after !== null) {
    query.set("after", String(after));
    query.set("wait_ms", String(HISTORY_WAIT_MS));
  }
  const response = await send("GET", `api/events?${query}`, undefined, AbortSignal.any([signal, AbortSignal.timeout(HISTORY_WAIT_MS + GET_TIMEOUT_MS)]));
  return (await response.json()) as HistoryEntry[];
}

/** Anything that was thrown, as something that can be shown. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  return new Failure(thrown instanceof Error ? thrown.message : String(thrown), 0, null);
}

/** The failure that a refusing answer describes. */
export function readFailure(status: number, body: string): Failure {
  let error: Partial<ApiError> = {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === "object" && value !== null) error = value;
  } catch {
    // A proxy in between answers with HTML: the status is all there is to say.
  }
  const message =
    typeof error.message === "string" ? error.message : `The daemon answered with status ${status}.`;
  const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return new Failure(message, status, text(error.advice), text(error.code));
}

const ofSession = (id: string, what: string): string => `api/sessions/${encodeURIComponent(id)}/${what}`;
const ofWorkspace = (id: string, what: string): string => `api/workspaces/${encodeURIComponent(id)}/${what}`;

async function call<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  const response = await send(method, path, body);
  return (await response.json()) as Answer;
}

// A daemon that hangs should be told from one that is slow to clone a big
// repository: GETs are always quick, POSTs may take their time.
const GET_TIMEOUT_MS = 10_000;
// These are asked again when there is no answer, so they needn't wait for long.
const BRIEF_MS = 5_000;
// More than anyone reads of one session, and some 30 kB.
const HISTORY_LINES = 200;
// Below the 25 s at which the daemon answers anyway.
const HISTORY_WAIT_MS = 20_000;

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function send(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, credentials: "same-origin", cache: "no-store" };
  if (signal !== undefined) init.signal = signal;
  else if (method === "GET") init.signal = AbortSignal.timeout(GET_TIMEOUT_MS);
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "content-type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(httpAddress(path), init);
  } catch {
    throw new Failure(
      "The daemon did not answer.",
      0,
      "See whether it runs with `schmux status`, and start it with `schmux start`.",
    );
  }
  if (!response.ok) throw readFailure(response.status, await response.text());
  return response;
}
