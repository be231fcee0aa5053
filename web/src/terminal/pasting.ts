// How much may be pasted at once. It is one message to the daemon, because tmux
// frames each paste by itself: in parts it would be several to the program.
import type { TerminalRequest } from "../api/wire";

// The daemon closes the connection on a longer message (`MOST_INCOMING` in `ws.rs`).
export const MOST_BYTES = 8 * 1024 * 1024;

/** The paste as the daemon is told of it, or in words why it can't be. */
export function pasting(text: string): { frame: string } | { tooLong: string } {
  const request: TerminalRequest = { type: "paste", text };
  const frame = JSON.stringify(request);
  // No character of it takes more than three bytes.
  const bytes = frame.length * 3 <= MOST_BYTES ? 0 : new TextEncoder().encode(frame).length;
  if (bytes <= MOST_BYTES) return { frame };
  return { tooLong: `Nothing was pasted: 8 MB is the most at once, and this has ${megabytes(bytes)} MB. Put it into a file, and tell the agent where.` };
}

const megabytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1);
