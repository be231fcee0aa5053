// The frames of `/ws/terminal/{id}` as steps for a terminal. Pure: it holds
// only what one frame says about the next.
import { readTerminalFrame, type TerminalMessage } from "../api/wire";

type Message<Type extends TerminalMessage["type"]> = Extract<TerminalMessage, { type: Type }>;

export type Step =
  /** Everything anew: resize, reset if there is history, then draw the bytes. */
  | { step: "keyframe"; frame: Message<"keyframe">; bytes: Uint8Array<ArrayBuffer> }
  | { step: "output"; bytes: Uint8Array<ArrayBuffer> }
  | { step: "notice"; message: Exclude<TerminalMessage, Message<"keyframe">> };

export class TerminalStream {
  private keyframe: Message<"keyframe"> | null = null;

  /** A text frame. A keyframe is not a step yet: its bytes come next. */
  text(frame: string): Step | null {
    const message = readTerminalFrame(frame);
    if (message?.type === "keyframe") {
      this.keyframe = message;
      return null;
    }
    return message === null ? null : { step: "notice", message };
  }

  bytes(bytes: Uint8Array<ArrayBuffer>): Step {
    const frame = this.keyframe;
    this.keyframe = null;
    return frame === null ? { step: "output", bytes } : { step: "keyframe", frame, bytes };
  }

  /** A new connection begins: what the old one announced will not come. */
  restart(): void {
    this.keyframe = null;
  }
}
