// One command of PowerShell: its name and its arguments, which are words if it is a program.
import type { CommandPiece, CommandWord, Redirection, SimpleCommand } from "../../core/shell/pieces.ts";
import { addPwshCommand } from "./pwsh-commands.ts";
import type { Argument } from "./pwsh-places.ts";
import { readBraces, readBrackets, readList, readMembers } from "./pwsh-primaries.ts";
import type { Mark, PwshState } from "./pwsh-state.ts";
import { readString } from "./pwsh-strings.ts";
import { inText, type WindowsPlace } from "./windows-place.ts";

const INVOCATION = /[&.](?=[\s$("'{@`\u201c-\u201e\u2018-\u201b])[ \t]*/y;
const REDIRECTION = /(?:[1-6]|\*)?>>?/y;
const MERGING = /(?:[1-6]|\*)>&[12]/y;
const STOP_PARSING = /--%(?=\s|$)[^|\n]*/y;
const PART = /[^\s;|&(){},"'`$<>\u201c-\u201e\u2018-\u201b]+|[<{@]/y;

/** Reads a command, from its name or the `&` or `.` before it, to its end. */
export function readCommand(state: PwshState): SimpleCommand | undefined {
  state.take(INVOCATION);
  const name = readArgument(state);
  if (!name) return undefined;
  const args: Argument[] = [];
  const redirections: Redirection[] = [];
  for (;;) {
    state.skipBlanks();
    if (state.isAtEnd) break;
    const from = state.at;
    if (!takeRedirection(state, redirections) && !takeVerbatim(state, args)) {
      const argument = readItems(state);
      if (argument) args.push(argument);
    }
    if (state.at === from) state.at++;
  }
  return addPwshCommand(state, { name, args, redirections });
}

/** Reads `> file`; `2>&1` names no file. */
export function takeRedirection(state: PwshState, redirections: Redirection[]): boolean {
  if (state.take(MERGING)) return true;
  if (!state.take(REDIRECTION)) return false;
  state.skipBlanks();
  const target = readArgument(state);
  if (target) redirections.push({ operator: ">", word: target.word });
  return true;
}

const behindStop: WindowsPlace = {
  ...inText,
  problem: {
    note: "PowerShell does not expand values after `--%`",
    help: ["remove the `--%`, and put words with special characters in quotes"],
  },
};

/** Reads the arguments after `--%`, in which PowerShell interprets nothing. */
function takeVerbatim(state: PwshState, args: Argument[]): boolean {
  const start = state.at;
  const found = state.take(STOP_PARSING)?.[0];
  if (found === undefined) return false;
  const end = state.at;
  const pieces: CommandPiece[] = [];
  for (state.at = start; state.at < end; ) {
    const piece = state.takePlaceholder("bare", behindStop);
    if (piece) pieces.push(piece);
    else state.at++;
  }
  args.push({ word: { pieces: [{ kind: "text", text: found }, ...pieces] }, form: "value" });
  return true;
}

/** Reads `a, b`: one argument, which becomes several words for a program. */
function readItems(state: PwshState): Argument | undefined {
  const mark = state.mark();
  const first = readArgument(state);
  if (!first) return undefined;
  const items: CommandWord[] = [first.word];
  for (;;) {
    state.skipBlanks();
    if (state.character !== "," || state.isOver) break;
    state.at++;
    state.skipLines();
    const next = readArgument(state);
    if (!next) break;
    items.push(next.word);
  }
  if (items.length === 1) return first;
  return { word: { pieces: [state.since(mark, { items })] }, form: "value", items };
}

/** Reads a bare word, a string, a variable, brackets or a block. */
function readArgument(state: PwshState): Argument | undefined {
  const { character } = state;
  const string = readString(state);
  if (string) return { word: { pieces: string }, form: "value" };
  if (character === "(") {
    const mark = state.mark();
    return { word: { pieces: withMembers(state, mark, readBrackets(state, "(")) }, form: "value" };
  }
  if (character === "@") {
    const list = readList(state);
    if (list) return { word: { pieces: list }, form: "value" };
  }
  if (character === "{") {
    const { placeholders } = state.mark();
    const pieces = readBraces(state, inText);
    if (pieces[0]?.kind === "placeholder") return readBare(state, pieces);
    return { word: { pieces }, form: "value", inside: state.placeholders.slice(placeholders) };
  }
  return readBare(state, []);
}

/** Reads the members of a value. With members, the value is only known when the script runs. */
function withMembers(state: PwshState, mark: Mark, pieces: readonly CommandPiece[]): readonly CommandPiece[] {
  const [first] = pieces;
  const printer = first?.kind === "expansion" && first.printer ? { printer: first.printer } : {};
  return readMembers(state).isRead ? [state.since(mark, printer)] : pieces;
}

/** Reads bare text with variables, strings and placeholders in it. */
function readBare(state: PwshState, before: readonly CommandPiece[]): Argument | undefined {
  const pieces: CommandPiece[] = [...before];
  const start = state.at;
  let isVariable = false;
  while (!state.isAtEnd && state.character !== "," && !/\s/.test(state.character)) {
    const from = state.at;
    if (state.character === "$") {
      isVariable ||= pieces.length === 0;
      pieces.push(...readDollar(state, isVariable && pieces.length === 0));
    } else if (state.character === "{") {
      // A block begins a new word, as brackets do.
      const piece = state.takePlaceholder("bare");
      if (!piece) break;
      pieces.push(piece);
    } else if (state.character === "(") break;
    else pieces.push(...readPart(state));
    if (state.at === from) break;
  }
  if (pieces.length === 0 && state.at === start) return undefined;
  const [only] = pieces;
  const isLone = pieces.length === 1 && only?.kind === "placeholder";
  return { word: { pieces: joined(pieces) }, form: isLone ? "placeholder" : isVariable ? "value" : "bare" };
}

/** Reads `$x.Name[0]`, which is one value at the beginning of a word. */
function readDollar(state: PwshState, isFirst: boolean): readonly CommandPiece[] {
  const mark = state.mark();
  if (state.text.startsWith("$(", state.at)) return readBrackets(state, "$(");
  const variable = state.takeVariable();
  if (!variable) {
    state.at++;
    return [{ kind: "text", text: "$" }];
  }
  return isFirst ? withMembers(state, mark, [variable]) : [variable];
}

function readPart(state: PwshState): readonly CommandPiece[] {
  const string = readString(state);
  if (string) return string;
  if (state.character === "`") {
    state.at += 2;
    return [{ kind: "text", text: state.text[state.at - 1] ?? "" }];
  }
  const text = state.take(PART)?.[0];
  return text === undefined ? [] : [{ kind: "text", text }];
}

function joined(pieces: readonly CommandPiece[]): readonly CommandPiece[] {
  const made: CommandPiece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (piece.kind === "text" && last?.kind === "text")
      made[made.length - 1] = { kind: "text", text: last.text + piece.text };
    else made.push(piece);
  }
  return made;
}
