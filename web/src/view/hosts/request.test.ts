// Hosts out of the form.
import { expect, test } from "vitest";
import { request } from "./request";

test("a name alone is one of ssh's", () => {
  expect(request(" me@build.lan ", "")).toEqual({ name: "me-build-lan", connect: ["ssh", "me@build.lan"] });
  expect(request("box", "docker exec -i c")).toEqual({ name: "box", connect: ["docker", "exec", "-i", "c"] });
});
