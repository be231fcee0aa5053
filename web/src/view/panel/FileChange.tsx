// One file's difference, line by line, with its syntax coloured. Its text is
// drawn as text: the highlighter only says which part is what.
import { useMemo } from "react";
import { Diff, Hunk, markEdits, parseDiff, tokenize, type HunkData, type HunkTokens } from "react-diff-view";
import { refractor } from "refractor";
import type { FileDiff } from "../../api/wire";
import { kindWord, languageOf } from "./gitWords";

// Colouring takes some 10 ms per thousand lines; beyond this a diff is plain.
const COLOURED_LINES = 4_000;

export function FileChange({ file, split }: { file: FileDiff; split: boolean }) {
  const parsed = useMemo(() => (file.diff === "" ? null : (parseDiff(file.diff)[0] ?? null)), [file.diff]);
  const hunks = parsed?.hunks ?? [];
  const tokens = useMemo(() => (parsed === null ? null : colour(parsed.hunks, languageOf(file.path))), [parsed, file.path]);
  return (
    <div className="file-change">
      {file.binary && <p className="muted">A binary file.</p>}
      {!file.binary && hunks.length === 0 && <p className="muted">Only its name or its mode: {kindWord(file.status)}.</p>}
      {parsed !== null && hunks.length > 0 && (
        <Diff viewType={split ? "split" : "unified"} diffType={parsed.type} hunks={hunks} tokens={tokens} gutterType="default">
          {(drawn) => drawn.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
        </Diff>
      )}
      {file.cut && <p className="muted">It goes on; this is the beginning of a long change.</p>}
    </div>
  );
}

/** The highlighter of this version tells a tree; the diff wants its branches. */
const highlighter = { highlight: (text: string, language: string) => refractor.highlight(text, language).children };

function colour(hunks: HunkData[], language: string | null): HunkTokens | null {
  const lines = hunks.reduce((sum, { changes }) => sum + changes.length, 0);
  if (lines === 0 || lines > COLOURED_LINES) return null;
  const enhancers = [markEdits(hunks, { type: "block" })];
  const known = language !== null && refractor.registered(language);
  try {
    return known ? tokenize(hunks, { highlight: true, refractor: highlighter, language, enhancers }) : tokenize(hunks, { highlight: false, enhancers });
  } catch {
    // A grammar that stumbles leaves the diff plain, and readable.
    return null;
  }
}
