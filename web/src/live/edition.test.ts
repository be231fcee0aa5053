import { expect, test } from "vitest";
import { firstFile } from "./edition";

test("a page names the file that it begins with", () => {
  expect(firstFile('<script type="module" crossorigin src="./assets/index-B_x9-a.js"></script>')).toBe("assets/index-B_x9-a.js");
  expect(firstFile('<script type="module" src="/src/main.tsx"></script>')).toBeNull();
  expect(firstFile("<h1>The page is not built</h1>")).toBeNull();
});
