// The paths that a word of a command may name: the word itself, or what stands in it behind an option, a colon, an
// `@` or a quote.

export interface PathWord {
  readonly text: string;
  /** It is the word itself, or all of it behind an option or a sign: what else stands in a word is often prose. */
  readonly isWhole: boolean;
}

/** A script in one word may have more. */
const PIECES_MAX = 2_000;
/** What stands behind later ones is a piece of its own, up to the next. */
const SIGNS_MAX = 20;
const SIGNS = /[=:,;@<>|&()]/g;
const BETWEEN = /[\s=:,;@<>|&()[\]'"`\\]+/;
const LOOKS_LIKE_PATH = /[/\\]|^[.~$%]|[*?[{]/;

/** Undefined: there are more than anybody looks at. */
export function pathWords(word: string): readonly PathWord[] | undefined {
  const wholes = new Set([
    word,
    ...behindOption(word),
    ...[...word.matchAll(SIGNS)].slice(0, SIGNS_MAX).map(({ index }) => word.slice(index + 1)),
  ]);
  // What a shell makes of quotes and backslashes: `/pr''oc/se\lf`.
  const plain = word.replaceAll(/['"\\]/g, "");
  const pieces = new Set([...word.split(BETWEEN), ...plain.split(/[\s;|&()<>]+/), ...plain.split(BETWEEN)]);
  const parts = [...pieces].filter((piece) => !wholes.has(piece) && LOOKS_LIKE_PATH.test(piece));
  if (parts.length > PIECES_MAX) return undefined;
  return [
    ...[...wholes].filter((text) => text !== "").map((text) => ({ text, isWhole: true })),
    ...parts.map((text) => ({ text, isWhole: false })),
  ];
}

/** `-f/path`, `-I../x`. */
function behindOption(word: string): readonly string[] {
  if (!word.startsWith("-")) return [];
  const at = word.search(/[/~]|\.\.?\//);
  return [word.slice(2), ...(at > 0 ? [word.slice(at)] : [])];
}

/** The words of each command in a line for a shell, as far as that can be told without being one. */
export function commandsInLine(line: string): readonly (readonly string[])[] {
  const words = line.split(/[;|&()`\n]+|\$\(/).map((part) =>
    part
      .replaceAll(/['"\\]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "" && !/^[A-Za-z_]\w*=/.test(word)),
  );
  return words.filter((command) => command.length > 0);
}
