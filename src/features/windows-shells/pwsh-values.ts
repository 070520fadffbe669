// Expressions of PowerShell: strings, variables, brackets and blocks with their members and methods, operators between
// them, and the targets of assignments.
// `"…"` and `@"…"@` contain variables and `$(…)`, while `'…'` and `@'…'@` are literal.
import { type CommandPiece, type CommandWord, literalText } from "../../core/shell/pieces.ts";
import { addAssignment, addMethod, addProgram } from "./pwsh-commands.ts";
import type { Expression, Mark, PwshState, Target } from "./pwsh-state.ts";
import { inText, type Place } from "./state.ts";

// PowerShell accepts typographic quotes.
const DOUBLE_QUOTES = '"\u{201c}\u{201d}\u{201e}';
const SINGLE_QUOTES = "'\u{2018}\u{2019}\u{201a}\u{201b}";
const HERE_STRING = new RegExp(`@([${DOUBLE_QUOTES}${SINGLE_QUOTES}])[ \\t]*\\r?\\n`, "uy");
/** Matches a string in single quotes that is the same in double quotes. */
const PLAIN_SINGLE = new RegExp(
  `[${SINGLE_QUOTES}]([^${SINGLE_QUOTES}${DOUBLE_QUOTES}\`$]*)[${SINGLE_QUOTES}](?![${SINGLE_QUOTES}])`,
  "uy",
);
const NUMBER = /0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?[dlu]?(?:[kmgtp]b)?/iy;
/** Matches a name in a hash, a class or a pattern of `switch`. */
const BARE = /[^\s;|&(){}[\],"'`$@=<>.:+*/%!?\u201c-\u201e\u2018-\u201b]+/y;
/** Matches what would extend the name of a variable, or be read as a second value. */
const JOINED = /[\p{L}\d_:?$"']|\{[A-Za-z_][\w-]*\}/uy;
const MEMBER = /(?:\?\.|\.|::)(?!\.)[ \t]*(?:([A-Za-z_]\w*)|(?=[$("'{]))/y;

const OPERATOR = /-[A-Za-z]+(?![\w-])|\.\.|\+\+|--|\?\?(?!=)|[-*/%!?:<](?!=)|=/y;
const TYPE = /\[([A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]*\])?)\]/y;
const REDIRECTION = /(?:[1-6]|\*)?>/y;
/** Methods that add their arguments to a list. */
const ADDS = /^(?:add|addrange|insert|insertrange|push|enqueue|append)$/;

const VALUE: Place = { ...inText, standsFor: "value" };
const inSingleQuotes: Place = {
  ...inText,
  problem: {
    note: "PowerShell puts no value into this string in single quotes",
    help: ['put it in double quotes, with a backtick before each `$` and `"` of the text'],
  },
};
const inType: Place = {
  ...inText,
  problem: { note: "in the brackets of a type", help: ["write out the type"] },
};

/** Reads a string. Returns undefined if none begins here; an empty string is an empty text. */
export function readString(state: PwshState): readonly CommandPiece[] | undefined {
  const start = state.at;
  expandSingle(state);
  const here = state.take(HERE_STRING)?.[1];
  const quote = here ?? state.character;
  if (quote === "" || !(DOUBLE_QUOTES + SINGLE_QUOTES).includes(quote)) return undefined;
  if (here === undefined) state.at++;
  return readText(state, { start, isDouble: DOUBLE_QUOTES.includes(quote), isHere: here !== undefined });
}

/** Gives a string in single quotes double ones if a value stands in it and its text means the same there. */
function expandSingle(state: PwshState): void {
  const { at, text } = state;
  const [whole, inside = ""] = state.take(PLAIN_SINGLE) ?? [];
  state.at = at;
  if (whole === undefined) return;
  const names = [...inside.matchAll(/(?<!\{)\{([A-Za-z_][\w-]*)\}(?!\})/g)].map(([, name = ""]) => name);
  if (names.length > 0 && names.every(state.isParameter))
    state.requote(`${text.slice(0, at)}"${inside}"${text.slice(at + whole.length)}`);
}

interface StringKind {
  readonly start: number;
  readonly isDouble: boolean;
  readonly isHere: boolean;
}

function readText(state: PwshState, kind: StringKind): readonly CommandPiece[] {
  const pieces: CommandPiece[] = [];
  let text = "";
  while (!state.isOver) {
    const length = endLength(state, kind);
    if (length > 0) {
      state.at += length;
      return [...pieces, { kind: "text", text }];
    }
    const found = kind.isDouble ? expansionIn(state) : placeholderIn(state);
    if (found) {
      if (text !== "") pieces.push({ kind: "text", text });
      text = "";
      pieces.push(...found);
    } else text += takeCharacter(state, kind);
  }
  state.fail("unclosed", state.text.slice(kind.start, kind.start + (kind.isHere ? 2 : 1)), kind.start);
  return pieces;
}

/** Returns the length of the text that closes the string here, or 0. */
function endLength({ text, at }: PwshState, { isDouble, isHere }: StringKind): number {
  const quotes = isDouble ? DOUBLE_QUOTES : SINGLE_QUOTES;
  const isQuote = quotes.includes(text[at] ?? " ");
  if (isHere) return isQuote && text[at - 1] === "\n" && text[at + 1] === "@" ? 2 : 0;
  return isQuote && !quotes.includes(text[at + 1] ?? " ") ? 1 : 0;
}

function expansionIn(state: PwshState): readonly CommandPiece[] | undefined {
  if (state.text.startsWith("$(", state.at)) return state.bracketedValue("$(");
  const found = state.takeVariable() ?? state.takePlaceholder("double");
  return found && [found];
}

function placeholderIn(state: PwshState): readonly CommandPiece[] | undefined {
  const found = state.takePlaceholder("single", inSingleQuotes);
  return found && [found];
}

/** Reads a character of a string. A doubled quote is one quote, and a backtick escapes. */
function takeCharacter(state: PwshState, { isDouble, isHere }: StringKind): string {
  const { character } = state;
  const next = state.text[state.at + 1] ?? "";
  if (isDouble && character === "`") {
    state.at += 2;
    return "nr".includes(next) ? "\n" : "0abeftv".includes(next) ? "" : next;
  }
  state.at += !isHere && (isDouble ? DOUBLE_QUOTES : SINGLE_QUOTES).includes(character) ? 2 : 1;
  return character;
}

/** Reads a value. Returns undefined if none begins here. */
function readPrimary(state: PwshState): readonly CommandPiece[] | undefined {
  const { character, text, at } = state;
  const string = readString(state);
  if (string) return string;
  if (character === "(") return state.bracketedValue("(");
  if (character === "@") return readList(state);
  if (character === "$") {
    if (text[at + 1] === "(") return state.bracketedValue("$(");
    const variable = state.takeVariable();
    return variable && [variable];
  }
  if (character === "{") return readBraces(state, VALUE);
  if (character === "[") return readOddBrackets(state);
  const found = state.take(NUMBER)?.[0] ?? state.take(BARE)?.[0];
  return found === undefined ? undefined : [{ kind: "text", text: found }];
}

/** Reads `@(…)`, `@{…}`, or `@name`, whose items become words. */
export function readList(state: PwshState): readonly CommandPiece[] | undefined {
  const next = state.text[state.at + 1];
  const mark = state.mark();
  if (next === "(") {
    const given = state.bracketed("@(", ")", () => state.readers.readStatements(state, ")"));
    return [state.since(mark, { ...given, ...(given.items ? { items: flattened(given.items) } : {}) })];
  }
  if (next === "{") {
    const items = state.bracketed("@{", "}", () => readHash(state));
    return [state.since(mark, { items })];
  }
  const splat = state.takeSplat();
  return splat && [splat];
}

/** Removes a nesting: `@(@('a'))` is the list `a`. */
function flattened(items: readonly CommandWord[]): readonly CommandWord[] {
  const [only, ...others] = items;
  const [piece, ...rest] = only?.pieces ?? [];
  return others.length === 0 && rest.length === 0 && piece?.kind === "expansion" && piece.items ? piece.items : items;
}

/** Reads a hash as the parameters that it stands for: `-name` and the value. */
function readHash(state: PwshState): readonly CommandWord[] {
  const items: CommandWord[] = [];
  for (;;) {
    state.skipLines();
    if (state.isOver || state.character === "}") return items;
    const from = state.at;
    const [key] = readExpression(state).items;
    if (state.takeAssignment() !== "") {
      const pieces = state.statementValue(() => state.readers.readStatement(state));
      items.push({ pieces: [{ kind: "text", text: "-" }, ...(key?.pieces ?? [])] }, { pieces });
    }
    if (state.at === from) state.at++;
  }
}

/** Reads a placeholder or a block, whose commands are checked in their place. */
export function readBraces(state: PwshState, place: Place): readonly CommandPiece[] {
  const isBehindText = /[\w"']/.test(state.text[state.at - 1] ?? " ");
  const piece = state.takePlaceholder("bare", place);
  if (piece?.kind === "placeholder" && place.standsFor === "value" && (isBehindText || state.sees(JOINED)))
    state.place(piece, { isGlued: true });
  if (piece) return [piece];
  state.bracketed("{", "}", () => state.readers.readStatements(state, "}"));
  return [{ kind: "text", text: "{}" }];
}

/** Reads an attribute such as `[ValidateSet("a", "b")]`. */
function readOddBrackets(state: PwshState): readonly CommandPiece[] {
  const mark = state.mark();
  readIndex(state);
  for (const piece of state.placeholders.slice(mark.placeholders)) state.places.set(piece, inType);
  return [{ kind: "text", text: "[]" }];
}

function readIndex(state: PwshState): void {
  state.bracketed("[", "]", () => readExpression(state, true));
}

interface Members {
  readonly isRead: boolean;
  /** The name of the last member. */
  readonly member?: string | undefined;
  /** The arguments of a method. */
  readonly args?: readonly CommandWord[] | undefined;
}

/** Reads `.Length`, `[0]`, `::Create(…)`. `type` is the type of static members. */
export function readMembers(state: PwshState, type = ""): Members {
  const start = state.at;
  let owner = type;
  let last: Pick<Members, "member" | "args"> = {};
  for (;;) {
    if (state.character === "[" && owner === "") {
      readIndex(state);
      continue;
    }
    const member = state.take(MEMBER);
    if (!member) return { isRead: state.at > start, ...last };
    const name = (member[1] ?? nameIn(state)).toLowerCase();
    // The value is the input of the script.
    if (owner === "[console]" && /^(?:in|readline|openstandardinput)$/.test(name)) state.tokens.push("$_");
    const args = state.character === "(" ? state.bracketed("(", ")", () => readMethodArguments(state)) : undefined;
    if (args) addMethod(state, `${owner}::${name}`, args);
    last = { member: name, args };
    owner = "";
  }
}

/**
 * Reads the name of a member. In `$x.$name(…)` a value would choose the method; without brackets, it only chooses a
 * property.
 */
function nameIn(state: PwshState): string {
  const pieces = readPrimary(state) ?? [];
  if (state.character === "(") addProgram(state, pieces);
  return literalText({ pieces }) ?? "";
}

function readMethodArguments(state: PwshState): readonly CommandWord[] {
  state.skipLines();
  const items = [...readExpression(state).items];
  // An attribute may hold `Name = value`.
  while (state.takeAssignment() !== "") items.push(...readExpression(state).items);
  state.skipLines();
  return items;
}

/** Reads an expression. With `isIndex`, a `]` ends it too. */
export function readExpression(state: PwshState, isIndex = false): Expression {
  const items: CommandWord[] = [];
  const targets: Target[] = [];
  for (;;) {
    const item = readItem(state, isIndex);
    if (item.pieces.length > 0) items.push({ pieces: item.pieces });
    if (item.target) targets.push(item.target);
    if (state.character !== "," || state.isOver) return { items, targets };
    state.at++;
    state.skipLines();
  }
}

/** A value between two commas. */
interface Item {
  readonly mark: Mark;
  pieces: CommandPiece[];
  /** Whether the item consists only of values joined by `+`, so that it is known as far as they are. */
  isPlain: boolean;
  /** Whether a value may follow directly: at the beginning, and after an operator. */
  isJoined: boolean;
  target?: Target | undefined;
  /** The type to which the next value is cast. */
  cast?: string | undefined;
}

function readItem(state: PwshState, isIndex: boolean): Pick<Item, "pieces" | "target"> {
  state.skipBlanks();
  const item: Item = { mark: state.mark(), pieces: [], isPlain: true, isJoined: true };
  while (!state.isAtEnd && state.character !== "," && !(isIndex && state.character === "]")) {
    if (item.pieces.length > 0 && (state.isAtAssignment || state.sees(REDIRECTION))) break;
    step(state, item);
    state.skipBlanks();
  }
  if (item.cast !== undefined && item.pieces.length === 0) item.pieces.push({ kind: "text", text: `[${item.cast}]` });
  const pieces = item.isPlain || item.pieces.length === 0 ? item.pieces : [state.since(item.mark)];
  return { pieces, target: item.target };
}

function step(state: PwshState, item: Item): void {
  if (state.character === "+" && state.text[state.at + 1] !== "+") {
    state.at++;
    state.skipLines();
    item.isJoined = true;
    return;
  }
  if (state.take(OPERATOR)) {
    state.skipLines();
    item.isPlain = false;
    return;
  }
  const from = item.pieces.length;
  const type = state.take(TYPE)?.[1];
  if (type !== undefined) {
    if (state.sees(MEMBER)) item.pieces.push({ kind: "text", text: "" });
    else item.cast = type;
    if (readMembers(state, shortType(type)).isRead) item.isPlain = false;
    return;
  }
  if (from > 0 && !item.isJoined) item.isPlain = false;
  const primary = readPrimary(state);
  if (primary === undefined) {
    item.isPlain = false;
    state.at++;
    return;
  }
  item.pieces.push(...primary);
  item.isJoined = false;
  const [first] = primary;
  if (!item.target && first?.kind === "expansion" && /^\$\w+$/.test(first.text))
    item.target = { name: first.text.slice(1) };
  const { isRead, member, args } = readMembers(state);
  if (isRead) item.isPlain = false;
  if (item.target && member !== undefined) {
    if (ADDS.test(member))
      for (const { pieces: value } of args ?? []) addAssignment(state, item.target, { operator: "+=", value });
    item.target = { ...item.target, member };
  }
  // The type may run the value.
  if (item.cast !== undefined) addMethod(state, shortType(item.cast), [{ pieces: item.pieces.slice(from) }]);
  item.cast = undefined;
}

/** Shortens a type's name: `[System.Diagnostics.Process]` is `[process]`. */
function shortType(type: string): string {
  return `[${type.slice(type.lastIndexOf(".") + 1).toLowerCase()}]`;
}
