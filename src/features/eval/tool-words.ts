// The words by which a model, or a person, tells tools apart.

/** Words that nearly every description has. */
const common: ReadonlySet<string> = new Set(
  "the and for with that this from into are its one all any can has not tool use used uses using which what when where each their they them then than also only more most other such will was were been does".split(
    " ",
  ),
);

/** Returns each word once, in lower case and without the `s` of a plural, in order. */
export function wordsIn(text: string): ReadonlySet<string> {
  const words = text
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !common.has(word));
  return new Set(words.map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word)));
}

/** Returns the part of all words that both have, from 0 to 1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}
