// The calls of the HTTP API. Every failure becomes a `Failure` with words for a
// person: the daemon's own message and advice where it gave them.
import { httpAddress } from "./address";
import type {
  Adoptable,
  AdoptRequest,
  ApiError,
  DaemonStatus,
  HistoryEntry,
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
  ) {
    super(message);
    this.name = "Failure";
  }
}

export const getStatus = (): Promise<DaemonStatus> => call("GET", "api/status");
export const getTargets = (): Promise<Target[]> => call("GET", "api/targets");
export const getAdoptable = (): Promise<Adoptable[]> => call("GET", "api/adoptable");
export const spawn = (request: SpawnRequest): Promise<Session[]> =>
  call("POST", "api/spawn", request);
export const adopt = (request: AdoptRequest): Promise<Session> =>
  call("POST", "api/adopt", request);
export const dispose = async (id: string): Promise<void> => {
  await send("POST", `api/sessions/${encodeURIComponent(id)}/dispose`);
};

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
  return new Failure(message, status, typeof error.advice === "string" ? error.advice : null);
}

async function call<Answer>(method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> {
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

async function send(method: "GET" | "POST", path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
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
