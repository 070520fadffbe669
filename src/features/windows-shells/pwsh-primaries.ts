// Values in PowerShell's expressions: strings, variables, brackets and blocks, with their members and methods.
import { type CommandPiece, type CommandWord, literalText } from "../../core/shell/pieces.ts";
import { addMethod, addProgram } from "./pwsh-commands.ts";
import type { PwshState } from "./pwsh-state.ts";
import { readString } from "./pwsh-strings.ts";
import { gluedProblem, inText, type WindowsPlace } from "./windows-place.ts";

const VALUE: WindowsPlace = { ...inText, standsFor: "value" };
const NUMBER = /0x[\da-f]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?[dlu]?(?:[kmgtp]b)?/iy;
/** Matches a name in a hash, a class or a pattern of `switch`. */
const BARE = /[^\s;|&(){}[\],"'`$@=<>.:+*/%!?\u201c-\u201e\u2018-\u201b]+/y;
/** Matches what would extend the name of a variable, or be read as a second value. */
const JOINED = /[\p{L}\d_:?$"']|\{[A-Za-z_][\w-]*\}/uy;
const MEMBER = /(?:\?\.|\.|::)(?!\.)[ \t]*(?:([A-Za-z_]\w*)|(?=[$("'{]))/y;

/** Reads a value. Returns undefined if none begins here. */
export function readPrimary(state: PwshState): readonly CommandPiece[] | undefined {
  const { character, text, at } = state;
  const string = readString(state);
  if (string) return string;
  if (character === "$" && text[at + 1] === "(") return readBrackets(state, "$(");
  if (character === "(") return readBrackets(state, "(");
  if (character === "@") return readList(state);
  if (character === "$") {
    const variable = state.takeVariable();
    return variable && [variable];
  }
  if (character === "{") return readBraces(state, VALUE);
  if (character === "[") return readOddBrackets(state);
  const number = state.take(NUMBER)?.[0] ?? state.take(BARE)?.[0];
  return number === undefined ? undefined : [{ kind: "text", text: number }];
}

export function readBrackets(state: PwshState, opener: "(" | "$("): readonly CommandPiece[] {
  const mark = state.mark();
  return state.piecesOf(
    state.bracketed(opener, ")", () => state.readers.readStatements(state, ")")),
    mark,
  );
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
    const [key] = state.readers.readExpression(state).items;
    if (state.takeAssignment() !== "") {
      state.skipLines();
      const mark = state.mark();
      const value = state.piecesOf(state.readers.readStatement(state), mark);
      items.push({ pieces: [{ kind: "text", text: "-" }, ...(key?.pieces ?? [])] }, { pieces: value });
    }
    if (state.at === from) state.at++;
  }
}

/** Reads a placeholder or a block, whose commands are checked in their place. */
export function readBraces(state: PwshState, place: WindowsPlace): readonly CommandPiece[] {
  const isBehindText = /[\w"']/.test(state.text[state.at - 1] ?? " ");
  const piece = state.takePlaceholder("bare", place);
  if (piece?.kind === "placeholder" && place.standsFor === "value" && (isBehindText || state.sees(JOINED))) {
    state.places.set(piece, { ...place, problem: gluedProblem(piece.name) });
  }
  if (piece) return [piece];
  state.bracketed("{", "}", () => state.readers.readStatements(state, "}"));
  return [{ kind: "text", text: "{}" }];
}

const inType: WindowsPlace = {
  ...inText,
  problem: { note: "in the brackets of a type", help: ["write out the type"] },
};

/** Reads an attribute such as `[ValidateSet("a", "b")]`. */
function readOddBrackets(state: PwshState): readonly CommandPiece[] {
  const mark = state.mark();
  state.bracketed("[", "]", () => state.readers.readExpression(state, true));
  for (const piece of state.placeholders.slice(mark.placeholders)) state.places.set(piece, inType);
  return [{ kind: "text", text: "[]" }];
}

export function isAtMember(state: PwshState): boolean {
  return state.sees(MEMBER);
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
      state.bracketed("[", "]", () => state.readers.readExpression(state, true));
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
  const items = [...state.readers.readExpression(state).items];
  // An attribute may hold `Name = value`.
  while (state.takeAssignment() !== "") items.push(...state.readers.readExpression(state).items);
  state.skipLines();
  return items;
}
