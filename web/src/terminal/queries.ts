// Keeps the terminal from answering, and from obeying what tmux passes over. tmux
// answers what programs ask of their terminal; a second answer from here would be
// typed into the agent. Every sequence that makes xterm.js reply is swallowed by a
// parser hook, and what it sends on its own behalf is told from what a person types.
import type { IDisposable, Terminal } from "@xterm/xterm";

/** Needs of the terminal only its parser, so that tests can use the headless one. */
type Parsing = Pick<Terminal, "parser">;

/** Call it after the addons are loaded: the hook that was added last is asked first. */
export function swallowQueries({ parser }: Parsing): IDisposable[] {
  const swallow = (): boolean => true;
  // A colour can be set or asked for; only the question is swallowed.
  const swallowQuestion = (data: string): boolean => data.split(";").includes("?");
  return [
    // Device attributes: primary, secondary, tertiary.
    parser.registerCsiHandler({ final: "c" }, swallow),
    parser.registerCsiHandler({ prefix: ">", final: "c" }, swallow),
    parser.registerCsiHandler({ prefix: "=", final: "c" }, swallow),
    // Status and cursor position reports; the colour scheme report.
    parser.registerCsiHandler({ final: "n" }, swallow),
    parser.registerCsiHandler({ prefix: "?", final: "n" }, swallow),
    // Mode requests.
    parser.registerCsiHandler({ intermediates: "$", final: "p" }, swallow),
    parser.registerCsiHandler({ prefix: "?", intermediates: "$", final: "p" }, swallow),
    // Version, terminal parameters, checksums of areas, presentation state.
    parser.registerCsiHandler({ prefix: ">", final: "q" }, swallow),
    parser.registerCsiHandler({ final: "x" }, swallow),
    parser.registerCsiHandler({ intermediates: "*", final: "y" }, swallow),
    parser.registerCsiHandler({ intermediates: "$", final: "w" }, swallow),
    // Window reports and manipulation: the page's size is not the program's.
    parser.registerCsiHandler({ final: "t" }, swallow),
    // The kitty keyboard protocol's question.
    parser.registerCsiHandler({ prefix: "?", final: "u" }, swallow),
    // Settings and capabilities.
    parser.registerDcsHandler({ intermediates: "$", final: "q" }, swallow),
    parser.registerDcsHandler({ intermediates: "+", final: "q" }, swallow),
    // ESC Z, the oldest way to ask for the device attributes.
    parser.registerEscHandler({ final: "Z" }, swallow),
    // Colours: the palette, special colours, and foreground to highlight.
    ...[4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19].map((id) =>
      parser.registerOscHandler(id, swallowQuestion),
    ),
    // The clipboard may be written (a person sees it), never read.
    parser.registerOscHandler(52, swallowQuestion),
  ];
}

/** What xterm.js would obey and tmux does not: the screen would differ from then on. */
export function swallowStrange({ parser }: Parsing): IDisposable[] {
  const swallow = (): boolean => true;
  const swallowMode = (mode: number) => (params: (number | number[])[]): boolean => params.length === 1 && params[0] === mode;
  return [
    // A soft reset.
    parser.registerCsiHandler({ intermediates: "!", final: "p" }, swallow),
    // Columns that are shifted, inserted and deleted.
    ...["@", "A"].map((final) => parser.registerCsiHandler({ intermediates: " ", final }, swallow)),
    ...["}", "~"].map((final) => parser.registerCsiHandler({ intermediates: "'", final }, swallow)),
    // Erasing what is not protected.
    ...["J", "K"].map((final) => parser.registerCsiHandler({ prefix: "?", final }, swallow)),
    // New lines for line feeds; the cursor saved by a mode alone.
    ...["h", "l"].flatMap((final) => [
      parser.registerCsiHandler({ final }, swallowMode(20)),
      parser.registerCsiHandler({ prefix: "?", final }, swallowMode(1048)),
    ]),
    // Letters of other countries, and what is kept in the third and fourth set.
    ...["(", ")"].flatMap((intermediates) =>
      "A 4 5 C R Q K Y E 6 Z H 7 =".split(" ").map((final) => parser.registerEscHandler({ intermediates, final }, swallow)),
    ),
    ...["n", "o", "|", "}", "~"].map((final) => parser.registerEscHandler({ final }, swallow)),
  ];
}

/**
 * Whether this is a focus report. xterm.js sends one whenever focus reporting is
 * switched on, which every keyframe may do, so viewers that merely look would
 * type into the agent. tmux reports no focus by default either.
 */
export function isFocusReport(data: string): boolean {
  return data === "\x1b[I" || data === "\x1b[O";
}
