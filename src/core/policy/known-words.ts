// Words of commands as far as they are known before a call runs: positional parameters, variables with one value,
// options that take a word.
import { type CommandWord, literalText } from "../shell/pieces.ts";

export interface KnownWords {
  /** All texts that may become a part of an unknown word: the values of the script, and its environment. */
  readonly given: readonly string[];
  /** `$1` and the following: the given values, until the script changes them. */
  readonly positions: string[];
  /** Variables, those of the environment too. Undefined: the variable has several values. */
  readonly variables: Map<string, string | undefined>;
}

/** Returns the values of options that take a word: `-C dir`, `-Cdir`, `--directory=dir`. */
export function valuesOf(options: string | undefined, args: readonly CommandWord[]): readonly CommandWord[] {
  const names = options?.split(" ") ?? [];
  return args.flatMap((word, index) => {
    const [head, ...others] = word.pieces;
    const start = head?.kind === "text" ? head.text : "";
    if (names.includes(start) && others.length === 0) return args.slice(index + 1, index + 2);
    const glued = names.find((one) => /^-[A-Za-z]$/.test(one) && start.startsWith(one));
    const name = names.find((one) => start.startsWith(`${one}=`)) ?? glued;
    if (name === undefined) return [];
    return [{ pieces: [{ kind: "text", text: start.slice(name.length).replace(/^=/, "") }, ...others] }];
  });
}

const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;
const WORDS_BEFORE = new Set(["!", "{", "(", "do", "else", "elif", "if", "then", "time", "until", "while"]);

/** Returns the words without leading assignments, and records what those assign. */
export function withoutAssignments(words: readonly CommandWord[], known: KnownWords): readonly CommandWord[] {
  let start = 0;
  for (const word of words) {
    const [head, ...others] = word.pieces;
    const text = head?.kind === "text" ? head.text : "";
    const name = text.includes("=") ? ASSIGNMENT.exec(text)?.[1] : undefined;
    if (name !== undefined) {
      const value = textOf({ pieces: [{ kind: "text", text: text.slice(text.indexOf("=") + 1) }, ...others] }, known);
      known.variables.set(name, known.variables.has(name) && known.variables.get(name) !== value ? undefined : value);
    } else if (!WORDS_BEFORE.has(literalText(word) ?? "")) break;
    start++;
  }
  return words.slice(start);
}

/** Returns undefined if the text is known only at run time. */
export function textOf({ pieces }: CommandWord, known: KnownWords): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "placeholder") return undefined;
    const part = piece.kind === "text" ? piece.text : valueOf(piece.text, known);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
}

function valueOf(expansion: string, { positions, variables }: KnownWords): string | undefined {
  const [, name = ""] = /^\$\{?(\w+)\}?$/.exec(expansion) ?? [];
  return /^\d+$/.test(name) ? positions[Number(name) - 1] : variables.get(name);
}

/** Returns all texts that may become a part of the word. */
export function unknownText({ pieces }: CommandWord, { given }: KnownWords): string {
  return JSON.stringify([pieces.map((piece) => (piece.kind === "placeholder" ? piece.name : piece.text)), given]);
}

/** Returns whether it is the output of a step, known only after it ran: `{build.stdout}`; `${name}` is a variable. */
export function isReference(text: string): boolean {
  return /(?<!\$)\{[A-Za-z_][\w.-]*\}/.test(text);
}
