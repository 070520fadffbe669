// Reads the words after a program as the program would, by its row, and finds the values in places that are data. An
// option that the row does not list, and a word that may be any option, make every value unknown.
import type { Parameter } from "../schema/parameter.ts";

export interface ValuePart {
  /** The name in the braces. */
  readonly value: string;
  readonly parameter: Parameter;
  /** Whether the value can be any text. */
  readonly isFree: boolean;
}

export interface ReadWord {
  readonly parts: readonly (string | ValuePart)[];
  /** The word is left out if there is no value. */
  readonly mayBeAbsent: boolean;
  /** Whether there is one word for each item of a list. */
  readonly isMany: boolean;
}

export function freeIn(words: readonly ReadWord[]): readonly string[] {
  const parts = words.flatMap((word) => word.parts);
  return [...new Set(parts.flatMap((part) => (typeof part !== "string" && part.isFree ? [part.value] : [])))];
}

interface WordsReading {
  readonly open: readonly string[];
  /** Whether every word is what it seems to be; if not, all values are open. */
  readonly isKnown: boolean;
  /** The index of the subcommand, which is the first operand. */
  readonly subcommandAt?: number;
}

/** Reads the words as the program would, up to a subcommand. */
export function readDataWords(row: DataRow, args: readonly ReadWord[]): WordsReading {
  if (row.anywhere) return { open: [], isKnown: true };
  if (row.except !== undefined) return { open: readsAll(row.except, args) ? [] : freeIn(args), isKnown: true };
  const options = optionsOf(row);
  const open = new Set<string>();
  const chosen = new Set<string>();
  const given = new Set<string>();
  let pending: "data" | "fixed" | undefined;
  let [takesOptions, isKnown, operands] = [true, true, 0];
  for (const [at, word] of args.entries()) {
    const free = freeIn([word]);
    if (pending !== undefined) {
      // A value that is absent, or is several words, moves all others.
      if (word.mayBeAbsent || word.isMany) isKnown = false;
      if (pending === "fixed") for (const value of free) open.add(value);
      pending = undefined;
    } else if (takesOptions && literalOf(word) === "--") {
      takesOptions = false;
      if (row.ignoresDashes) isKnown = false;
    } else if (takesOptions && mayBeOption(word)) isKnown = false;
    else if (takesOptions && textStart(word).startsWith("-") && literalOf(word) !== "-") {
      const option = readOption(word, options, row.style === "words");
      if (!option) {
        isKnown = false;
        // The value finishes the option, even if it is a plain word.
        for (const part of word.parts) if (typeof part !== "string" && !isAuthors(part)) chosen.add(part.value);
      }
      if (operands === 0) for (const name of option?.names ?? []) given.add(name);
      if (option?.value === "fixed") for (const value of free) open.add(value);
      pending = option?.takesNext;
    } else {
      if (row.hasSubcommands) return { open: [...open], isKnown, subcommandAt: at };
      if (!isData(row, word, operands)) for (const value of free) open.add(value);
      if (row.script && operands === 0 && !row.script.test(scriptText(word))) isKnown = false;
      if (word.mayBeAbsent && (row.operands?.from ?? 0) > 0) isKnown = false;
      operands += word.isMany ? Number.POSITIVE_INFINITY : 1;
    }
  }
  const groups = row.needs?.split(/\s+/) ?? [];
  const hasNeeds = groups.every((group) => group.split("|").some((name) => given.has(name)));
  return { open: isKnown && hasNeeds ? [...open] : [...new Set([...chosen, ...freeIn(args)])], isKnown };
}

/** Whether the value is a number, or one of the author's choices. */
export function isAuthors({ parameter: { schema } }: ValuePart): boolean {
  const item = schema.type === "array" ? schema.items : schema;
  return item.type === "string" ? item.choices !== undefined : item.type !== "object" && item.type !== "array";
}

/** Whether the program only reads: `find . -type f`, and `find {words}` if no word may be an action. */
function readsAll(except: string, args: readonly ReadWord[]): boolean {
  const refused = except.split(/\s+/);
  const dashes = args.findIndex((word) => literalOf(word) === "--");
  return args.every((word, at) => {
    if (refused.includes(literalOf(word) ?? "")) return false;
    if (textStart(word).startsWith("-")) return literalOf(word) !== undefined || isNumberOption(word);
    // After `--` a value may begin with a dash, and these programs look for their words there too.
    const mayBeAny = mayBeOption(word) || (dashes !== -1 && at > dashes && beginsWithText(word));
    return !mayBeAny || refused.every((name) => isRefused(name, word));
  });
}

function beginsWithText(word: ReadWord): boolean {
  return firstValues(word).some(({ parameter: { schema } }) => {
    const item = schema.type === "array" ? schema.items : schema;
    // A path that begins with a dash gets `./`.
    return item.type === "string" && item.format !== "path" && item.choices === undefined;
  });
}

function isRefused(name: string, { parts: [part, ...others] }: ReadWord): boolean {
  if (part === undefined || typeof part === "string" || others.length > 0) return false;
  const { schema } = part.parameter;
  const item = schema.type === "array" ? schema.items : schema;
  if (item.type !== "string") return false;
  const { choices, pattern, reject } = item;
  if (choices && !choices.includes(name)) return true;
  if (pattern && !new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace("m", "")).test(name)) return true;
  return reject !== undefined && new RegExp(reject.source, reject.flags).test(name);
}

function isData(row: DataRow, word: ReadWord, operand: number): boolean {
  if (row.sign !== undefined && textStart(word).startsWith(row.sign)) return true;
  const { operands } = row;
  if (!operands || operand < operands.from) return false;
  return operands.to === Number.POSITIVE_INFINITY || (!word.isMany && operand < operands.to);
}

interface Options {
  readonly plain: ReadonlySet<string>;
  readonly data: ReadonlySet<string>;
  readonly fixed: ReadonlySet<string>;
}

const lazyOptions = new WeakMap<DataRow, Options>();

function optionsOf(row: DataRow): Options {
  const known = lazyOptions.get(row);
  if (known) return known;
  const set = (names = ""): ReadonlySet<string> => new Set(names.split(/\s+/).filter((name) => name !== ""));
  const made: Options = { plain: set(row.plain), data: set(row.data), fixed: set(row.fixed) };
  lazyOptions.set(row, made);
  return made;
}

interface ReadOption {
  readonly names: readonly string[];
  /** How a value in the same word is read. */
  readonly value?: "data" | "fixed";
  readonly takesNext?: "data" | "fixed";
}

/** Reads an option. Returns undefined if its meaning is not known. */
function readOption(word: ReadWord, options: Options, isWhole: boolean): ReadOption | undefined {
  const start = textStart(word);
  const isLiteral = literalOf(word) !== undefined;
  if (/^-\d+$/.test(start) || isNumberOption(word)) return options.plain.has("-#") ? { names: ["-#"] } : undefined;
  const takes = (name: string): "data" | "fixed" | undefined =>
    options.data.has(name) ? "data" : options.fixed.has(name) ? "fixed" : undefined;
  if (isLiteral && options.plain.has(start)) return { names: [start] };
  const next = isLiteral ? takes(start) : undefined;
  if (next) return { names: [start], takesNext: next };
  const equals = start.indexOf("=");
  if (start.startsWith("--") || isWhole) {
    const name = start.slice(0, equals === -1 ? undefined : equals);
    if (equals === -1 || !(takes(name) || options.plain.has(name))) return undefined;
    return { names: [name], value: takes(name) ?? "fixed" };
  }
  const names: string[] = [];
  for (const [index, letter] of [...start.slice(1)].entries()) {
    const name = `-${letter}`;
    const isLast = isLiteral && index === start.length - 2;
    names.push(name);
    if (options.plain.has(name)) continue;
    const value = takes(name);
    return value === undefined ? undefined : isLast ? { names, takesNext: value } : { names, value };
  }
  return isLiteral ? { names } : undefined;
}

export function literalOf(word: ReadWord | undefined): string | undefined {
  return word?.parts.every((part) => typeof part === "string") ? word.parts.join("") : undefined;
}

export function textStart(word: ReadWord | undefined): string {
  const parts = word?.parts ?? [];
  const end = parts.findIndex((part) => typeof part !== "string");
  return (end === -1 ? parts : parts.slice(0, end)).join("");
}

/** Whether the word is `-{count}` with an integer. */
function isNumberOption({ parts: [dash, number, ...others] }: ReadWord): boolean {
  return dash === "-" && typeof number === "object" && isNumeric(number) && others.length === 0;
}

function isNumeric({ parameter: { schema } }: ValuePart): boolean {
  return schema.type === "integer" || schema.type === "number";
}

function scriptText({ parts }: ReadWord): string {
  return parts.map((part) => (typeof part === "string" ? part : isNumeric(part) ? "1" : "?")).join("");
}

/** Whether the first character may be a dash that the author did not write. */
export function mayBeOption(word: ReadWord): boolean {
  return firstValues(word).some(mayBeginWithDash);
}

/** Returns the values that may begin the word, because those before them may be empty. */
function firstValues({ parts }: ReadWord): readonly ValuePart[] {
  const end = parts.findIndex((part) => typeof part === "string");
  return (end === -1 ? parts : parts.slice(0, end)).filter((part) => typeof part !== "string");
}

function mayBeginWithDash({ parameter: { schema, flags, default: usual } }: ValuePart): boolean {
  const item = schema.type === "array" ? schema.items : schema;
  const own = [...(item.type === "string" ? (item.choices ?? []) : []), ...(Array.isArray(usual) ? usual : [usual])];
  return flags === true || own.some((text) => typeof text === "string" && text.startsWith("-"));
}

/**
 * A row. Lists are words separated by white space. An option that is in no list makes every value of its command
 * unknown.
 */
export interface DataRow {
  /** Subcommands are written with a dot: `git.log`. */
  readonly names: string;
  /** The manual that is the source of the row. */
  readonly from: string;
  /** Set if the program is a different one on other platforms. Windows has only rows of its own. */
  readonly platform?: "macos" | "windows";
  /** Set if no word, option or not, can name a program or a file to write. */
  readonly anywhere?: true;
  /** Words that do more than read, before and after `--`. No other word does, and none of them has a second form. */
  readonly except?: string;
  /** The operands that are data, counted from 0. */
  readonly operands?: { readonly from: number; readonly to: number };
  /** The program text that operand 0 may be without harm; `1` is a placeholder for any number. */
  readonly script?: RegExp;
  /** The sign with which an operand begins that is data. */
  readonly sign?: "+";
  /** Options without a value; `-#` is any number. One that is also in `data` takes its value only after `=`. */
  readonly plain?: string;
  /** Options whose value is data. */
  readonly data?: string;
  /** Options whose value may only be the author's. */
  readonly fixed?: string;
  /** Options that must come before the operands; `|` separates alternatives. */
  readonly needs?: string;
  /** Says that `-name` is one option and not four. */
  readonly style?: "words";
  /** Set if `--` does not end its options. */
  readonly ignoresDashes?: true;
  /** Set if the first operand is a subcommand with a row of its own. */
  readonly hasSubcommands?: true;
  readonly input?: true;
  /** Variables whose values are data. */
  readonly variables?: string;
  /** Set if the program runs files of its folder. No value may choose that folder or be written to a file before. */
  readonly loads?: true;
  /** What the program does besides reading. */
  readonly does?: readonly ("write" | "network")[];
}
