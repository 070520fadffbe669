// `NAME=…` as the first words of a command or among them.
import { type CommandPiece, type CommandWord, literalStart } from "./command-pieces.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;

export interface Assignment {
  readonly name: string;
  readonly appends: boolean;
  readonly value: CommandWord;
}

/** `NAME=…`, `NAME+=…`, `NAME[…]=…`. */
export function assignmentOf(word: CommandWord): Assignment | undefined {
  const start = literalStart(word);
  const whole = ASSIGNMENT.exec(start);
  if (whole)
    return {
      name: whole[1] ?? "",
      appends: whole[0].endsWith("+="),
      value: withoutStart(word.pieces, whole[0].length),
    };
  const name = /^([A-Za-z_]\w*)\[/.exec(start)?.[1];
  const end =
    name === undefined ? -1 : word.pieces.findIndex((piece) => piece.kind === "text" && /\]\+?=/.test(piece.text));
  const last = word.pieces[end];
  if (name === undefined || last?.kind !== "text") return undefined;
  const behind = /\]\+?=/.exec(last.text);
  return {
    name,
    appends: true,
    value: withoutStart(word.pieces.slice(end), (behind?.index ?? 0) + (behind?.[0].length ?? 0)),
  };
}

/** A value follows right behind it. */
export function isAssignmentStart(text: string): boolean {
  return ASSIGNMENT.exec(text)?.[0] === text;
}

function withoutStart([first, ...others]: readonly CommandPiece[], length: number): CommandWord {
  const text = first?.kind === "text" ? first.text.slice(length) : "";
  return { pieces: text === "" ? others : [{ kind: "text", text }, ...others] };
}
