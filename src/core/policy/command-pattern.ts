// A pattern for the command that a call finally runs: words such as `git push *`.
import { folded, type TextPattern, textPattern } from "./text-pattern.ts";

export interface CommandPattern {
  readonly written: string;
  /** Whether the words occur in this order in the command, or in a shell's script. For rules that refuse. */
  occursIn(argv: readonly string[]): boolean;
  /** Whether the command matches word for word; a final `*` matches any further words. For rules that allow. */
  isWhole(argv: readonly string[]): boolean;
}

export function commandPattern(written: string): CommandPattern {
  const words = written.trim().split(/\s+/u);
  const hasTail = words.length > 1 && words.at(-1) === "*";
  const exact = (hasTail ? words.slice(0, -1) : words).map(textPattern);
  // A `*` alone requires no word.
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

/** Returns all words. The last result is cached, because a command is compared with many patterns. */
function allWords(argv: readonly string[]): readonly string[] {
  const known = wordsOfArgv.get(argv) ?? argv.flatMap(looseWords);
  wordsOfArgv.set(argv, known);
  return known;
}

/**
 * Splits `--flag=value` into `--flag` and `value`, a program into its name without folder and extension, and a script
 * into its words.
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
      const last = part.slice(Math.max(part.lastIndexOf("/"), part.lastIndexOf("\\")) + 1);
      const name = last === "" ? part : last.replace(/\.(exe|cmd|bat|com)$/, "");
      return name === part ? [part] : [part, name];
    });
}

function follows(patterns: readonly TextPattern[], words: readonly string[]): boolean {
  let at = 0;
  for (const word of words)
    if (patterns[at]?.matches(word, "loosely") === true && ++at === patterns.length) return true;
  return false;
}
