// A pattern for what a call runs in the end: words such as `git push *`.
import { folded, type TextPattern, textPattern } from "./text-pattern.ts";

export interface CommandPattern {
  readonly written: string;
  /** For what refuses: the words stand in this order somewhere among those of the command, of a shell's script too. */
  occursIn(argv: readonly string[]): boolean;
  /** For what allows: word for word; `*` at the end stands for any further words. */
  isWhole(argv: readonly string[]): boolean;
}

export function commandPattern(written: string): CommandPattern {
  const words = written.trim().split(/\s+/u);
  const hasTail = words.length > 1 && words.at(-1) === "*";
  const exact = (hasTail ? words.slice(0, -1) : words).map(textPattern);
  // A `*` alone says nothing of which words there are.
  const loose = words
    .flatMap((word, index) =>
      looseWords(word).filter((part, at, parts) =>
        index === 0 ? at === parts.length - 1 : !(at > 0 && parts[at - 1]?.endsWith(`/${part}`)),
      ),
    )
    .filter((word) => !/^\*+$/.test(word))
    .map(textPattern);
  return {
    written,
    occursIn: (argv) => (loose.length === 0 ? argv.length > 0 : follows(loose, allWords(argv))),
    isWhole: (argv) =>
      (hasTail ? argv.length >= exact.length : argv.length === exact.length) &&
      exact.every((pattern, index) => pattern.matches(argv[index] ?? "", "exactly")),
  };
}

const wordsOfArgv = new WeakMap<readonly string[], readonly string[]>();

/** A command is held against many patterns. */
function allWords(argv: readonly string[]): readonly string[] {
  const known = wordsOfArgv.get(argv) ?? argv.flatMap(looseWords);
  wordsOfArgv.set(argv, known);
  return known;
}

/**
 * `--flag=value` is `--flag` and `value`; a program is its name without folder and ending; a script is what stands in
 * it.
 */
function looseWords(word: string): readonly string[] {
  const plain = folded(
    word
      .replaceAll(/\\\r?\n/g, "")
      .replaceAll(/\\(?=.)|["'`]|\$\{?IFS\}?/gs, (part) => (part.startsWith("$") ? " " : "")),
  );
  return plain
    .split(/[\s;|&()<>{}$=,]+/u)
    .filter((part) => part !== "")
    .flatMap((part) => {
      const name = /[^/\\]+$/.exec(part)?.[0]?.replace(/\.(exe|cmd|bat|com)$/, "") ?? part;
      return name === part ? [part] : [part, name];
    });
}

function follows(patterns: readonly TextPattern[], words: readonly string[]): boolean {
  let at = 0;
  for (const word of words)
    if (patterns[at]?.matches(word, "loosely") === true && ++at === patterns.length) return true;
  return false;
}
