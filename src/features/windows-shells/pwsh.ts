// Reads a script for PowerShell: its statements, and in them commands, expressions and blocks. It covers the parts of
// the language that decide where a command begins, what its words are and what variables hold. Sources: about_Parsing
// and about_Language_Keywords.
import type { CommandPiece, CommandWord, Redirection, SimpleCommand } from "../../core/shell/pieces.ts";
import { addAssignment, addOutput, addProgram, addPwshCommand, addUnknown } from "./pwsh-commands.ts";
import { type Mark, PwshState, type StatementResult } from "./pwsh-state.ts";
import { readBraces, readExpression, readList, readMembers, readString } from "./pwsh-values.ts";
import { type Argument, inText, joined, type Place, type WindowsScript } from "./state.ts";

/** `isParameter` says whether a name is a parameter's. */
export function scanPwsh(text: string, isParameter: (name: string) => boolean = () => false): WindowsScript {
  const state = new PwshState(text, { readStatements, readStatement }, isParameter);
  readStatements(state, "");
  return state.script();
}

const keywords = [
  "if elseif else while until for foreach switch do try catch finally trap begin process end clean param function filter",
  "return throw exit",
];
const KEYWORD = new RegExp(`(${keywords.join(" ").replaceAll(" ", "|")})(?![\\w.\\\\/:=-])`, "iy");
/** Keywords with rules that differ from those of other statements; they are not followed here. */
const UNREAD =
  /(?:class|enum|configuration|workflow)(?=[ \t]+[A-Za-z_]\w*\s*[:{])|(?:inlinescript|dynamicparam|data)(?=\s*\{)/iy;
const SWITCH_OPTION = /[ \t]*-\w+/y;
const LABEL = /:[A-Za-z_]\w*/y;
const NAME = /[ \t]*[^\s({]+[ \t]*/y;
/** Matches the beginning of an expression in a pipeline. Source: about_Parsing. */
const EXPRESSION =
  /[$"'(@[{+!,\u201c-\u201e\u2018-\u201b-]|(?:0x[\da-f]+|\.?\d[\d.]*(?:e[+-]?\d+)?[dlu]?(?:[kmgtp]b)?)(?=[\s;|&)},.+*/%-]|$)/iuy;
/** A pipe may begin the next line, since PowerShell 7. */
const NEXT_PIPE = /[ \t\r]*(?:\n[ \t\r]*)+(?=\|(?!\|))/y;
const INVOCATION = /[&.](?=[\s$("'{@`\u201c-\u201e\u2018-\u201b])[ \t]*/y;
const REDIRECTION = /(?:[1-6]|\*)?>>?/y;
const MERGING = /(?:[1-6]|\*)>&[12]/y;
const STOP_PARSING = /--%(?=\s|$)[^|\n]*/y;
const PART = /[^\s;|&(){},"'`$<>\u201c-\u201e\u2018-\u201b]+|[<{@]/y;

/** Reads up to a closing bracket, and leaves that bracket. */
function readStatements(state: PwshState, closer: "" | ")" | "}"): StatementResult {
  const given: StatementResult[] = [];
  while (!state.isOver) {
    state.skipLines();
    if (state.isOver || (closer !== "" && state.character === closer)) break;
    if (")}".includes(state.character)) {
      state.fail("unclosed", state.character);
      break;
    }
    const from = state.at;
    if (state.character === ";") state.at++;
    else given.push(readStatement(state, closer === ""));
    if (state.at === from) state.at++;
  }
  const [only, ...others] = given;
  return only && others.length === 0 ? only : {};
}

function readStatement(state: PwshState, isTop = false): StatementResult {
  state.take(LABEL);
  state.skipBlanks();
  const unread = state.take(UNREAD)?.[0];
  state.unread ??= unread;
  const keyword = state.take(KEYWORD)?.[1]?.toLowerCase();
  switch (keyword) {
    case undefined:
      return readPipeline(state, isTop);
    case "if":
    case "elseif":
    case "while":
    case "until":
    case "for":
    case "switch":
    case "foreach":
      while (state.take(SWITCH_OPTION)) state.skipBlanks();
      state.skipLines();
      if (state.character === "(")
        state.bracketed("(", ")", () => (keyword === "foreach" ? readLoop(state) : readStatements(state, ")")));
      return {};
    case "param":
    case "function":
    case "filter":
      if (keyword !== "param") state.take(NAME);
      state.skipLines();
      if (state.character === "(") state.bracketed("(", ")", () => readParameters(state));
      return {};
    case "return":
    case "throw":
    case "exit":
      state.skipBlanks();
      return state.isOver || "\n;)}".includes(state.character) ? {} : readPipeline(state);
    default:
      // The block after it is read as the next statement.
      return {};
  }
}

/** Reads the head of a loop: `$name in …`. */
function readLoop(state: PwshState): void {
  state.skipLines();
  const variable = state.takeVariable();
  state.skipLines();
  const mark = state.mark();
  state.take(/in\b/iy);
  const { items } = readStatements(state, ")");
  const values = items?.flatMap(({ pieces: [only, ...others], ...word }) =>
    only?.kind === "expansion" && only.items && others.length === 0
      ? only.items
      : [{ ...word, pieces: only ? [only, ...others] : [] }],
  ) ?? [{ pieces: [state.since(mark)] }];
  for (const { pieces } of variable ? values : [])
    addAssignment(state, { name: variable?.text.slice(1) ?? "" }, { operator: "=", value: pieces });
}

/** Reads the parameters of a function, which may get anything from the caller. */
function readParameters(state: PwshState): void {
  const { tokens } = state.mark();
  state.skipLines();
  while (!state.isOver && state.character !== ")") {
    const from = state.at;
    readExpression(state);
    state.takeAssignment();
    state.skipLines();
    if (state.character === "," || (state.at === from && state.character !== ")")) state.at++;
  }
  for (const token of new Set(state.tokens.slice(tokens))) if (/^\$\w/.test(token)) addUnknown(state, token.slice(1));
}

/** Reads a pipeline, and what follows after `&&` and `||`. `isTop` marks a statement of the script itself. */
function readPipeline(state: PwshState, isTop = false): StatementResult {
  let first: StatementResult | undefined;
  for (;;) {
    state.skipBlanks();
    const element = state.sees(EXPRESSION) ? readValue(state, first === undefined) : readCommand(state);
    const isAlone = first === undefined;
    first ??= element;
    state.skipBlanks();
    state.take(NEXT_PIPE);
    const operator = state.take(/\|\||&&|\|/y)?.[0];
    if (operator === undefined) {
      if (isTop && isAlone) refuseAlone(state, element);
      return isAlone ? element : {};
    }
    if (operator === "|") state.feedsInput = true;
    state.skipLines();
    if (state.isOver) return {};
  }
}

/** Refuses a value that stands alone: PowerShell prints it, but its author means a program. */
function refuseAlone(state: PwshState, { items = [] }: StatementResult): void {
  const [only, ...others] = items[0]?.pieces ?? [];
  if (items.length === 1 && others.length === 0 && only?.kind === "placeholder" && only.quoting === "bare")
    addProgram(state, [only]);
}

function readValue(state: PwshState, isFirst: boolean): StatementResult {
  const { items, targets } = readExpression(state);
  const start = state.at;
  const operator = isFirst ? state.takeAssignment() : "";
  if (operator !== "") {
    const value = state.statementValue(() => state.nested(operator, start, () => readStatement(state)));
    for (const target of targets) addAssignment(state, target, { operator, value });
    return {};
  }
  const redirections: Redirection[] = [];
  while (takeRedirection(state, redirections)) state.skipBlanks();
  addOutput(state, items, redirections);
  return { items };
}

/** Reads a command, from its name or the `&` or `.` before it, to its end. */
function readCommand(state: PwshState): StatementResult {
  state.take(INVOCATION);
  const name = readArgument(state);
  if (!name) return {};
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
  return { printer: addPwshCommand(state, { name: name.word, args, redirections }) };
}

/** Reads `> file`; `2>&1` names no file. */
function takeRedirection(state: PwshState, redirections: Redirection[]): boolean {
  if (state.take(MERGING)) return true;
  if (!state.take(REDIRECTION)) return false;
  state.skipBlanks();
  const target = readArgument(state);
  if (target) redirections.push({ operator: ">", word: target.word });
  return true;
}

const behindStop: Place = {
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
  const pieces: CommandPiece[] = [{ kind: "text", text: found }];
  for (state.at = start; state.at < end; ) {
    const piece = state.takePlaceholder("bare", behindStop);
    if (piece) pieces.push(piece);
    else state.at++;
  }
  args.push({ word: { pieces }, form: "value" });
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
  const mark = state.mark();
  const value = (pieces: readonly CommandPiece[]): Argument => ({ word: { pieces }, form: "value" });
  const string = readString(state);
  if (string) return value(string);
  if (state.character === "(") return value(withMembers(state, mark, state.bracketedValue("(")));
  const list = state.character === "@" ? readList(state) : undefined;
  if (list) return value(list);
  if (state.character === "{") {
    const pieces = readBraces(state, inText);
    return pieces[0]?.kind === "placeholder" ? readBare(state, pieces) : value(pieces);
  }
  return readBare(state, []);
}

/** Reads the members of a value. With members, the value is only known when the script runs. */
function withMembers(state: PwshState, mark: Mark, pieces: readonly CommandPiece[]): readonly CommandPiece[] {
  const [first] = pieces;
  const printer: SimpleCommand | undefined = first?.kind === "expansion" ? first.printer : undefined;
  return readMembers(state).isRead ? [state.since(mark, printer ? { printer } : {})] : pieces;
}

/** Reads bare text with variables, strings and placeholders in it. */
function readBare(state: PwshState, before: readonly CommandPiece[]): Argument | undefined {
  const pieces: CommandPiece[] = [...before];
  const start = state.at;
  const isVariable = state.character === "$" && pieces.length === 0;
  while (!state.isAtEnd && !",(".includes(state.character) && !/\s/.test(state.character)) {
    const from = state.at;
    if (state.character === "$") pieces.push(...readDollar(state, pieces.length === 0));
    else if (state.character === "{") {
      // A block begins a new word, as brackets do.
      const piece = state.takePlaceholder("bare");
      if (!piece) break;
      pieces.push(piece);
    } else pieces.push(...readPart(state));
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
  if (state.text.startsWith("$(", state.at)) return state.bracketedValue("$(");
  const variable = state.takeVariable();
  if (variable) return isFirst ? withMembers(state, mark, [variable]) : [variable];
  state.at++;
  return [{ kind: "text", text: "$" }];
}

function readPart(state: PwshState): readonly CommandPiece[] {
  const string = readString(state);
  if (string) return string;
  const text = state.take(/`([^]?)/y)?.[1] ?? state.take(PART)?.[0];
  return text === undefined ? [] : [{ kind: "text", text }];
}
