// What became of messages, in words. Pure.
import type { Message, MessageState } from "../api/wire";

const WORDS: Readonly<Record<MessageState, string>> = {
  queued: "waits its turn",
  held: "held",
  written: "being written",
  submitted: "sent, not yet confirmed",
  confirmed: "arrived",
  indeterminate: "not sure that it arrived",
  failed: "not delivered",
};

/** Which of the page's shapes stands for it. */
const SHAPES: Readonly<Record<MessageState, string>> = {
  queued: "starting",
  held: "idle",
  written: "working",
  submitted: "working",
  confirmed: "completed",
  indeterminate: "unreachable",
  failed: "failed",
};

export const receiptWord = (state: MessageState): string => (WORDS as Record<string, string>)[state] ?? state;

export const receiptShape = (state: MessageState): string => (SHAPES as Record<string, string>)[state] ?? "unknown";

/** How a message stands, with the reason where there is one. */
export function receiptWords(message: Pick<Message, "state" | "reason">): string {
  const reason = message.reason ?? "";
  return reason === "" ? receiptWord(message.state) : `${receiptWord(message.state)}: ${reason}`;
}

/** Whether its fate is still open. */
export const isPending = (state: MessageState): boolean => state === "queued" || state === "held" || state === "written" || state === "submitted";

/** Whether it can still be taken back: nothing of it was written yet. */
export const isCancellable = (state: MessageState): boolean => state === "queued" || state === "held";
