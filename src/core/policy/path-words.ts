// The paths that a word of a command may name: the word itself, or a part after an option, a colon, an `@` or a quote.

export interface PathWord {
  readonly text: string;
  /** Whether it is the whole word, or all of it after an option or a sign: other parts of a word are often prose. */
  readonly isWhole: boolean;
}

/** The limit of parts; a script in one word may have more. */
const PIECES_MAX = 2_000;
/** The limit of signs; after later signs, the text up to the next sign is a part. */
const SIGNS_MAX = 20;
/** Matches words in which nothing else can be a path: compiling the expressions below takes longer than all other work. */
const PLAIN = /^[\w-]*$/;
const SIGNS = /[=:,;@<>|&()]/g;
const BETWEEN = /[\s=:,;@<>|&()[\]'"`\\]+/;
const LOOKS_LIKE_PATH = /[/\\]|^[.~$%]|[*?[{]/;

/** Returns undefined if there are too many to check. */
export function pathWords(word: string): readonly PathWord[] | undefined {
  if (PLAIN.test(word)) return wholeWords(word.startsWith("-") ? [word, word.slice(2)] : [word]);
  const wholes = new Set([
    word,
    ...behindOption(word),
    ...[...word.matchAll(SIGNS)].slice(0, SIGNS_MAX).map(({ index }) => word.slice(index + 1)),
  ]);
  // A shell removes quotes and backslashes: `/pr''oc/se\lf`.
  const plain = word.replaceAll(/['"\\]/g, "");
  const pieces = new Set([...word.split(BETWEEN), ...plain.split(/[\s;|&()<>]+/), ...plain.split(BETWEEN)]);
  const parts = [...pieces].filter((piece) => !wholes.has(piece) && LOOKS_LIKE_PATH.test(piece));
  if (parts.length > PIECES_MAX) return undefined;
  return [...wholeWords([...wholes]), ...parts.map((text) => ({ text, isWhole: false }))];
}

function wholeWords(texts: readonly string[]): readonly PathWord[] {
  return texts.filter((text) => text !== "").map((text) => ({ text, isWhole: true }));
}

/** Returns the paths in `-f/path`, `-I../x`. */
function behindOption(word: string): readonly string[] {
  if (!word.startsWith("-")) return [];
  const at = word.search(/[/~]|\.\.?\//);
  // Behind `=` a value begins, whatever signs it has: `--tags=api/*`.
  return [word.slice(2), ...(at > 0 && !word.slice(0, at).includes("=") ? [word.slice(at)] : [])];
}

/** Returns the words of each command in a line for a shell, as far as they can be known without a shell. */
export function commandsInLine(line: string): readonly (readonly string[])[] {
  const words = line.split(/[;|&()`\n]+|\$\(/).map((part) =>
    part
      .replaceAll(/['"\\]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "" && !(word.includes("=") && /^[A-Za-z_]\w*=/.test(word))),
  );
  return words.filter((command) => command.length > 0);
}
