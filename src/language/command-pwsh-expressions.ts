// Expressions of PowerShell: values with operators between them, and what an assignment gives something to.
import type { CommandPiece, CommandWord } from "./command-pieces.ts";
import { addAssignment, addMethod } from "./command-pwsh-commands.ts";
import { isAtMember, readMembers, readPrimary } from "./command-pwsh-primaries.ts";
import type { Mark, PwshState } from "./command-pwsh-state.ts";

export interface Expression {
  /** Between commas. */
  readonly items: readonly CommandWord[];
  /** What an assignment behind it would give something to. */
  readonly targets: readonly Target[];
}

export interface Target {
  readonly name: string;
  /** `[int]$n = …` holds a number in any case. */
  readonly isNumber: boolean;
  /** `$x.member = …` */
  readonly member?: string;
}

const OPERATOR = /-[A-Za-z]+(?![\w-])|\.\.|\+\+|--|\?\?(?!=)|[-*/%!?:<](?!=)|=/y;
const TYPE = /\[([A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]*\])?)\]/y;
const ASSIGNMENT = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y;
const REDIRECTION = /(?:[1-6]|\*)?>/y;
/** Types such as numbers and dates: a cast of any other text fails. */
const numeric = new Set(
  [
    "byte sbyte short ushort int uint long ulong int16 int32 int64 uint16 uint32 uint64 double single float decimal bigint",
    "bool boolean switch guid version datetime timespan",
  ].flatMap((names) => names.split(" ")),
);
/** Methods that add to a list what they are given. */
const ADDS = /^(?:add|addrange|insert|insertrange|push|enqueue|append)$/;

export function isAtAssignment(state: PwshState): boolean {
  return state.sees(ASSIGNMENT);
}

/** The operator, such as `+=`. */
export function takeAssignment(state: PwshState): string {
  return state.take(ASSIGNMENT)?.[0] ?? "";
}

/** Where an expression or the arguments of a command end. */
export function isAtEnd({ isOver, character }: PwshState): boolean {
  return isOver || "\n;|&)}".includes(character);
}

/** `isIndex`: `]` ends it too. */
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

/** Between two commas. */
interface Item {
  readonly mark: Mark;
  pieces: CommandPiece[];
  /** Nothing but values that `+` joins: what it becomes is known as far as they are. */
  isPlain: boolean;
  /** A value that is to come, or not. */
  isJoined: boolean;
  target: Target | undefined;
  /** The type that the next value becomes. */
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
  while (!isAtEnd(state) && state.character !== "," && !(isIndex && state.character === "]")) {
    if (item.pieces.length > 0 && (isAtAssignment(state) || state.sees(REDIRECTION))) break;
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

/** What it becomes is a number, or the type runs it. */
function castTo(state: PwshState, item: Item, from: number): void {
  const cast = item.cast ?? "";
  item.cast = undefined;
  if (isNumeric(cast)) item.pieces.splice(from, item.pieces.length, { kind: "text", text: "1" });
  else addMethod(state, shortType(cast), [{ pieces: item.pieces.slice(from) }]);
}

/** `[System.Diagnostics.Process]` is `[process]`. */
function shortType(type: string): string {
  return `[${type.slice(type.lastIndexOf(".") + 1).toLowerCase()}]`;
}
