// Git in words.
import { expect, test } from "vitest";
import type { GitState } from "../../api/wire";
import { branchWords, changeWords, languageOf, riskWords } from "./gitWords";

const CLEAN: GitState = {
  is_repo: true, branch: "main", head: "0123456789abcdef", upstream: "origin/main", ahead: 0, behind: 0, changed: [], more_changed: 0,
  stashes: 0, unpushed: [], unpushed_count: 0, risk: { uncommitted: 0, untracked: 0, unpushed: 0, stashes: 0, removable: false, lost: [] },
}; // prettier-ignore

test.each<[Partial<GitState>, string]>([
  [{}, "main, even with origin/main"],
  [{ ahead: 2 }, "main, 2 ahead of origin/main"],
  [{ ahead: 2, behind: 1 }, "main, 2 ahead, 1 behind of origin/main"],
  [{ upstream: null }, "main, no upstream"],
  [{ branch: null, upstream: null }, "detached at 01234567"],
  [{ branch: null, head: null, upstream: null }, "no commit yet"],
])("the branch of %j", (change, words) => {
  expect(branchWords({ ...CLEAN, ...change })).toBe(words);
});

test("what differs is counted", () => {
  expect(changeWords(CLEAN)).toBe("Nothing differs from the last commit");
  const file = { path: "a", status: "modified", additions: 3, deletions: 1, staged: false, unstaged: true } as const;
  expect(changeWords({ changed: [file, { ...file, additions: null }], more_changed: 1 })).toBe("3 files, 3 lines added, 2 removed");
});

test("what could be lost is named, and nothing else", () => {
  expect(riskWords(CLEAN.risk)).toEqual([]);
  expect(riskWords({ ...CLEAN.risk, uncommitted: 1, unpushed: 2 })).toEqual(["1 file changed and not committed", "2 commits not pushed"]);
});

test.each([["src/a.rs", "rust"], ["Makefile", "makefile"], ["a.b/c", null], [".gitignore", null], ["x.TSX", "tsx"]])("the language of %s", (path, language) => {
  expect(languageOf(path)).toBe(language);
});
