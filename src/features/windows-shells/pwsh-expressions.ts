// Expressions of PowerShell: values with operators between them, and the targets of assignments.
import type { CommandPiece, CommandWord } from "../../core/shell/pieces.ts";
import { addAssignment, addMethod } from "./pwsh-commands.ts";
import { isAtMember, readMembers, readPrimary } from "./pwsh-primaries.ts";
import type { Expression, Mark, PwshState, Target } from "./pwsh-state.ts";

const OPERATOR = /-[A-Za-z]+(?![\w-])|\.\.|\+\+|--|\?\?(?!=)|[-*/%!?:<](?!=)|=/y;
const TYPE = /\[([A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]*\])?)\]/y;
const REDIRECTION = /(?:[1-6]|\*)?>/y;
/** Types such as numbers and dates, to which other texts cannot be cast. */
const numeric = new Set(
  [
    "byte sbyte short ushort int uint long ulong int16 int32 int64 uint16 uint32 uint64 double single float decimal bigint",
    "bool boolean switch guid version datetime timespan",
  ].flatMap((names) => names.split(" ")),
);
/** Methods that add their arguments to a list. */
const ADDS = /^(?:add|addrange|insert|insertrange|push|enqueue|append)$/;

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
  target: Target | undefined;
  /** The type to which the next value is cast. */
  cast: string | undefined;
}

function readItem(state: PwshState, isIndex: boolean): Pick<Item, "pieces" | "target"> {
  state.skipBlanks();
  const item: Item = {
    mark: state.mark(),
    pieces: [],
    isPlain: true,
    isJoined: true,
    target: undefined,
    cast: undefined,
  };
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
    if (isAtMember(state)) item.pieces.push({ kind: "text", text: "" });
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
    item.target = { name: first.text.slice(1), isNumber: isNumeric(item.cast) };
  const { isRead, member, args } = readMembers(state);
  if (isRead) item.isPlain = false;
  if (item.target && member !== undefined) {
    if (ADDS.test(member)) for (const value of args ?? []) addAssignment(state, item.target, { operator: "+=", value });
    item.target = { ...item.target, member };
  }
  if (item.cast !== undefined) castTo(state, item, from);
}

function isNumeric(type: string | undefined): boolean {
  return type !== undefined && numeric.has(type.slice(type.lastIndexOf(".") + 1).toLowerCase());
}

/** Handles a cast: the result is a number, or the type runs the value. */
function castTo(state: PwshState, item: Item, from: number): void {
  const cast = item.cast ?? "";
  item.cast = undefined;
  if (isNumeric(cast)) item.pieces.splice(from, item.pieces.length, { kind: "text", text: "1" });
  else addMethod(state, shortType(cast), [{ pieces: item.pieces.slice(from) }]);
}

/** Shortens a type's name: `[System.Diagnostics.Process]` is `[process]`. */
function shortType(type: string): string {
  return `[${type.slice(type.lastIndexOf(".") + 1).toLowerCase()}]`;
}
