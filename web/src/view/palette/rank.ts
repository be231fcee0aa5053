// How well words fit what was typed. Pure.

/** Each letter of `typed` must be found in order; the more together and the more at word beginnings, the better. */
export function fit(typed: string, text: string): number | null {
  const [wanted, given] = [typed.toLowerCase().replaceAll(/\s+/g, ""), text.toLowerCase()];
  if (wanted === "") return 0;
  const at = given.indexOf(typed.toLowerCase().trim());
  if (at >= 0) return 1000 - at - given.length / 1000 + (isStart(given, at) ? 500 : 0);
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = given.indexOf(letter, from);
    if (found < 0) return null;
    score += found === from && from > 0 ? 4 : isStart(given, found) ? 3 : 0;
    from = found + 1;
  }
  return score - given.length / 1000;
}

const isStart = (text: string, at: number): boolean => at === 0 || /[\s/:._-]/.test(text.charAt(at - 1));

/** Those that fit, the best first; equals keep their order. */
export function ranked<Item>(typed: string, items: readonly Item[], textOf: (item: Item) => string): readonly Item[] {
  return items
    .map((item) => ({ item, score: fit(typed, textOf(item)) }))
    .filter((each): each is { item: Item; score: number } => each.score !== null)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}
