// Reads a script for PowerShell: its statements, and in them commands, expressions, strings and blocks. It covers the
// parts of the language that decide where a command begins, what its words are and what variables hold. Sources:
// about_Parsing and about_Language_Keywords.
import { readExpression } from "./pwsh-expressions.ts";
import { type StatementResult, PwshState } from "./pwsh-state.ts";
import type { WindowsScript } from "./windows-place.ts";
import type { CommandWord, Redirection, SimpleCommand } from "../../core/shell/pieces.ts";
import { readCommand, takeRedirection } from "./pwsh-arguments.ts";
import { addAssignment, addOutput, addProgram, addUnknown } from "./pwsh-commands.ts";

export function scanPwsh(text: string): WindowsScript {
  const state = new PwshState(text, { readStatements, readStatement, readExpression });
  readStatements(state, "");
  return state.script("pwsh");
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
  if (unread !== undefined) {
    state.fail("unread", unread, state.at - unread.length);
    return {};
  }
  const keyword = state.take(KEYWORD)?.[1]?.toLowerCase();
  return keyword === undefined ? readPipeline(state, isTop) : readKeyword(state, keyword);
}

function readKeyword(state: PwshState, keyword: string): StatementResult {
  switch (keyword) {
    case "if":
    case "elseif":
    case "while":
    case "until":
    case "for":
    case "switch":
      while (state.take(SWITCH_OPTION)) state.skipBlanks();
      state.skipLines();
      if (state.character === "(") state.bracketed("(", ")", () => readStatements(state, ")"));
      return {};
    case "foreach":
      state.skipLines();
      if (state.character === "(") state.bracketed("(", ")", () => readLoop(state));
      return {};
    case "param":
      state.skipLines();
      readParameters(state);
      return {};
    case "function":
    case "filter":
      state.take(NAME);
      state.skipLines();
      readParameters(state);
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
  const given = readStatements(state, ")");
  if (!variable) return;
  const values = given.items?.flatMap(itemsOf) ?? [{ pieces: state.piecesOf(given, mark) }];
  for (const value of values)
    addAssignment(state, { name: variable.text.slice(1), isNumber: false }, { operator: "=", value });
}

/** Returns the items of a list: `@('a', 'b')` has two. */
function itemsOf(word: CommandWord): readonly CommandWord[] {
  const [only, ...others] = word.pieces;
  return only?.kind === "expansion" && only.items && others.length === 0 ? only.items : [word];
}

/** Reads the parameters of a function, which may get anything from the caller. */
function readParameters(state: PwshState): void {
  if (state.character !== "(") return;
  const { tokens } = state.mark();
  state.bracketed("(", ")", () => {
    state.skipLines();
    while (!state.isOver && state.character !== ")") {
      const from = state.at;
      readExpression(state);
      if (state.takeAssignment() !== "") state.skipLines();
      state.skipLines();
      if (state.character === "," || (state.at === from && state.character !== ")")) state.at++;
    }
  });
  for (const token of new Set(state.tokens.slice(tokens))) if (/^\$\w/.test(token)) addUnknown(state, token.slice(1));
}

/** Reads a pipeline, and what follows after `&&` and `||`. `isTop` marks a statement of the script itself. */
function readPipeline(state: PwshState, isTop = false): StatementResult {
  let first: StatementResult | undefined;
  for (;;) {
    state.skipBlanks();
    const element = state.sees(EXPRESSION) ? readValue(state, first === undefined) : printedBy(readCommand(state));
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

function printedBy(printer: SimpleCommand | undefined): StatementResult {
  return printer ? { printer } : {};
}

/** Refuses a value that stands alone: PowerShell prints it, but its author means a program. */
function refuseAlone(state: PwshState, { items = [] }: StatementResult): void {
  const [only, ...others] = items[0]?.pieces ?? [];
  if (items.length === 1 && others.length === 0 && only?.kind === "placeholder" && only.quoting === "bare")
    addProgram(state, [only]);
}

function readValue(state: PwshState, isFirst: boolean): StatementResult {
  const { items, targets } = readExpression(state);
  if (isFirst && state.isAtAssignment) {
    const start = state.at;
    const operator = state.takeAssignment();
    state.skipLines();
    const mark = state.mark();
    const given = state.nested(operator, start, () => readStatement(state));
    const value = { pieces: state.piecesOf(given, mark) };
    for (const target of targets) addAssignment(state, target, { operator, value });
    return {};
  }
  const redirections: Redirection[] = [];
  while (takeRedirection(state, redirections)) state.skipBlanks();
  addOutput(state, items, redirections);
  return { items };
}
