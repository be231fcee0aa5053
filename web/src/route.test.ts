// Addresses and what they mean, both ways.
import { expect, test } from "vitest";
import { httpAddress, socketAddress } from "./api/address";
import { readFailure } from "./api/http";
import { readRoute, writeRoute, type Route } from "./route";

const routes: Route[] = [
  { view: "home" },
  { view: "session", id: "myproj-001-abcdefgh" },
  { view: "session", id: "odd/ü ?#%-1" },
  { view: "new", workspace: null },
  { view: "new", workspace: "my proj&x-001" },
  { view: "new", workspace: null, again: "my proj&x-001-abcdefgh" },
];

test.each(routes)("%j comes back", (route) => {
  expect(readRoute(writeRoute(route))).toEqual(route);
});

test.each(["", "#", "#/", "#/s/", "#/s/%E0%A4%A", "#/unknown", "#<script>"])("%j is home", (hash) => {
  expect(readRoute(hash)).toEqual({ view: "home" });
});

test.each([
  ["http://127.0.0.1:7337/#/s/x", "http://127.0.0.1:7337/api/spawn", "ws://127.0.0.1:7337/ws/dashboard"],
  ["https://box.example/tools/schmux/?a=1#/s/x", "https://box.example/tools/schmux/api/spawn", "wss://box.example/tools/schmux/ws/dashboard"],
])("from %s", (base, http, socket) => {
  expect(httpAddress("api/spawn", base)).toBe(http);
  expect(socketAddress("ws/dashboard", base)).toBe(socket);
});

test.each([
  [400, '{"code":"x","message":"No.","advice":"Do."}', "No.", "Do."],
  [400, '{"code":"x","message":"No."}', "No.", null],
  [502, "<html>bad gateway</html>", "The daemon answered with status 502.", null],
  [500, "null", "The daemon answered with status 500.", null],
])("a refusal %i %s", (status, body, message, advice) => {
  expect(readFailure(status, body)).toMatchObject({ status, message, advice });
});
