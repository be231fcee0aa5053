// Frames in, steps out; and when acknowledgements are due.
import { expect, test } from "vitest";
import { Acks } from "./acks";
import { TerminalStream } from "./stream";

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const keyframe = { type: "keyframe", cols: 80, rows: 24, history: 7, reason: "attached" };

test("the frame after a keyframe redraws, the next is output", () => {
  const stream = new TerminalStream();
  expect(stream.text(JSON.stringify(keyframe))).toBeNull();
  expect(stream.bytes(bytes("screen"))).toMatchObject({ step: "keyframe", frame: keyframe });
  expect(stream.bytes(bytes("x"))).toMatchObject({ step: "output" });
});

test("a size between a keyframe and its bytes changes nothing about them", () => {
  const stream = new TerminalStream();
  stream.text(JSON.stringify(keyframe));
  expect(stream.text('{"type":"size","cols":80,"rows":24,"owner":true}')).toMatchObject({ step: "notice" });
  expect(stream.bytes(bytes("screen"))).toMatchObject({ step: "keyframe" });
});

test("a keyframe that the lost connection announced is forgotten", () => {
  const stream = new TerminalStream();
  stream.text(JSON.stringify(keyframe));
  stream.restart();
  expect(stream.bytes(bytes("x"))).toMatchObject({ step: "output" });
});

test.each(["", "{", "null", "[]", "7", '{"type":3}', '{"type":"from_the_future"}'])("%j is skipped", (frame) => {
  expect(new TerminalStream().text(frame)).toBeNull();
});

test("acks: at once, then every 50 ms or 64 kB, cumulative", () => {
  const acks = new Acks();
  expect(acks.drew(10, 1000)).toBe(10);
  expect(acks.drew(10, 1010)).toBeNull();
  expect(acks.pending).toBe(true);
  expect(acks.due(1049)).toBeNull();
  expect(acks.due(1050)).toBe(20);
  expect(acks.pending).toBe(false);
  expect(acks.drew(64 * 1024, 1051)).toBe(20 + 64 * 1024);
  acks.restart();
  expect(acks.drew(5, 1052)).toBe(5);
});
