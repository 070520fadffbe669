// Words of the commands that a line runs: what they are, and words made of others.
import type { CommandPiece, CommandWord } from "../shell/pieces.ts";

/** Returns the end of a program's path whose folder is not known: `"$venv/bin/python"`. */
export function tailOf({ pieces }: CommandWord): string | undefined {
  const last = pieces.at(-1);
  return last?.kind === "text" && /\/[^/]+$/.test(last.text)
    ? last.text.slice(last.text.lastIndexOf("/") + 1)
    : undefined;
}

export function joinedWords(words: readonly CommandWord[]): CommandWord {
  return {
    pieces: words.flatMap(({ pieces }, index): readonly CommandPiece[] =>
      index === 0 ? pieces : [{ kind: "text", text: " " }, ...pieces],
    ),
  };
}

export function textWord(text: string): CommandWord {
  return { pieces: [{ kind: "text", text }] };
}

/** Whether it is the name of a variable that programs know. */
export function isUpperName(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z][A-Z0-9_]*$/.test(text);
}

export function isExpanded({ pieces }: CommandWord): boolean {
  return pieces.some((piece) => piece.kind === "expansion" && !piece.isQuoted);
}

/** A value in one word with its option has the option in front. */
export function withoutOption({ pieces }: CommandWord, option = ""): CommandWord {
  const [head, ...others] = pieces;
  return head?.kind === "text" && head.text.startsWith(`${option}=`)
    ? { pieces: [{ kind: "text", text: head.text.slice(option.length + 1) }, ...others] }
    : { pieces };
}
