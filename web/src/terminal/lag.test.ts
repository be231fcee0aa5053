// Catching up.
import { expect, test } from "vitest";
import { Lag } from "./lag";

test("it is behind when what comes is old by the time it is drawn, until little waits", () => {
  const lag = new Lag();
  const seen: boolean[] = [];
  const draw = (came: number, now: number): void => {
    lag.drew(came, now);
    seen.push(lag.behind);
  };
  for (let count = 0; count < 5; count++) lag.came();
  draw(0, 200);
  draw(0, 400);
  draw(100, 300);
  draw(250, 320);
  draw(250, 900);
  expect(seen).toEqual([false, true, true, false, false]);
});
