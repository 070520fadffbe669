// Assignments `NAME=…` before a command or among its words.
import { type CommandPiece, type CommandWord, literalStart } from "./pieces.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\[[^\]]*\])?\+?=/;

interface Assignment {
  readonly name: string;
  readonly appends: boolean;
  readonly value: CommandWord;
}

/** Reads `NAME=…`, `NAME+=…` or `NAME[…]=…`. */
export function assignmentOf(word: CommandWord): Assignment | undefined {
  const start = literalStart(word);
  if (!start.includes("=") && !start.includes("[")) return undefined;
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

/** Whether the text ends in `NAME=`, so that a value would follow directly. */
export function isAssignmentStart(text: string): boolean {
  return text.endsWith("=") && ASSIGNMENT.exec(text)?.[0] === text;
}

function withoutStart([first, ...others]: readonly CommandPiece[], length: number): CommandWord {
  const text = first?.kind === "text" ? first.text.slice(length) : "";
  return { pieces: text === "" ? others : [{ kind: "text", text }, ...others] };
}
