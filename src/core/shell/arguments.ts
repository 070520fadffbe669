// Reads the arguments of a program as the program would, by its row in the tables: options, their values, operands.
import { type CommandWord, literalStart, literalText } from "./pieces.ts";
import type { OperandRange, ProgramRule } from "./rule.ts";

export interface ReadArguments {
  readonly code: readonly CodeWord[];
  readonly operands: readonly OperandWord[];
  /** Files with program text. */
  readonly files: readonly CommandWord[];
  /** The options by their names in the table. */
  readonly options: ReadonlySet<string>;
  /** Words before the operands, such as `NAME=value` of env. */
  readonly skipped: readonly CommandWord[];
  /** Words whose position changes if one before them is missing. */
  readonly shifted: readonly CommandWord[];
}

/** A word that is, or may be, program text. */
export interface CodeWord {
  readonly word: CommandWord;
  /** The option whose value this word is. */
  readonly option?: string;
}

export interface OperandWord {
  readonly word: CommandWord;
  /** The index among the words. */
  readonly at: number;
  /**
   * The lowest index that the word can have among the operands, counted from 0: unknown options may have taken words
   * before it as values.
   */
  readonly least: number;
  readonly most: number;
  readonly isAfterDashes: boolean;
  /** Whether an option is accepted in this place. */
  readonly mayBeOption: boolean;
}

export interface WordSurroundings {
  mayVanish(word: CommandWord): boolean;
  /** Whether the word is a list, of which an option takes only the first item. */
  isList?(word: CommandWord): boolean;
}

export function readArguments(
  rule: ProgramRule,
  args: readonly CommandWord[],
  { mayVanish, isList }: WordSurroundings,
): ReadArguments {
  const optionKinds = kindsOf(rule);
  const reading: Reading = { code: [], operands: [], options: new Set(), skipped: [], files: [] };
  let [takesOptions, isAfterDashes, mayTakeNext, mayHaveOption] = [true, false, false, false];
  let slack = 0;
  // Where the word is missing, the next one may be an option.
  let absent = 0;
  let from = 0;
  if (isOldStyle(rule, args)) from = readOldStyle(optionKinds, args, reading);
  let shifted: readonly CommandWord[] = [];
  const wanted = Math.max(rule.text?.to ?? 0, rule.runs?.to ?? 0, 1);
  for (let at = from; at < args.length; at++) {
    const word = args[at];
    // The remaining words are not needed.
    if (!word || (!takesOptions && reading.operands.length - slack - absent > wanted)) break;
    const start = literalStart(word);
    const mayBeOption = takesOptions && !word.isOperand && isVariable(word);
    mayHaveOption ||= mayBeOption;
    // A `--` after operands is followed by a command, as in `kubectl exec pod -- ls`.
    const mayEnd =
      takesOptions ||
      (rule.runs !== undefined && reading.operands.length > 0 && reading.operands.length < rule.runs.to);
    if (mayEnd && start === "--" && literalText(word) !== undefined) {
      [takesOptions, isAfterDashes, mayTakeNext] = [false, true, false];
      continue;
    }
    if (reading.operands.length === 0 && rule.skips?.test(start)) {
      reading.skipped.push(word);
      continue;
    }
    const option = takesOptions && !word.isOperand ? optionOf(word, optionKinds, rule) : undefined;
    const next =
      option && !option.isWhole && option.takes !== "nothing" && option.takes !== "unknown" ? args[at + 1] : undefined;
    const limit = rule.text && rule.text.to !== Number.POSITIVE_INFINITY && reading.operands.length < rule.text.to;
    const isMissing = mayVanish(word) || (next !== undefined && mayVanish(next));
    if (shifted.length === 0 && (mayBeOption || ((takesOptions || limit) && isMissing))) {
      shifted = args.slice(at + (next ? 2 : 1));
      // The value of a code option is the next word that exists.
      if (next && option?.takes === "code")
        reading.code.push(...shifted.map((one) => ({ word: one, option: option.names.at(-1) ?? "" })));
    }
    if (option) {
      for (const name of option.names) reading.options.add(name);
      if (option.takes === "code")
        reading.code.push({ word: option.isWhole ? word : (next ?? word), option: option.names.at(-1) ?? start });
      if (option.names.some((name) => optionKinds.file.has(name))) reading.files.push(next ?? word);
      if (next && mayVanish(next)) absent++;
      // Its other items are operands.
      if (next && isList?.(next)) {
        const least = Math.max(0, reading.operands.length - slack);
        const most = Number.POSITIVE_INFINITY;
        reading.operands.push({ word: next, at: at + 1, least, most, isAfterDashes, mayBeOption: takesOptions });
        slack++;
      }
      if (next) at += option.isPair ? 2 : 1;
      mayTakeNext = option.takes === "unknown" && !option.isWhole;
      if (option.names.some((name) => optionKinds.ends.has(name))) takesOptions = false;
    } else {
      if (mayTakeNext) slack++;
      // Each missing word moves a filter; for other programs, `shifted` says so.
      const lost = slack + (rule.takesWhole === true ? absent : 0);
      if (isMissing) absent++;
      mayTakeNext = false;
      const most = reading.operands.length;
      reading.operands.push({
        word,
        at,
        least: Math.max(0, most - lost),
        most: isList?.(word) ? Number.POSITIVE_INFINITY : most,
        isAfterDashes,
        mayBeOption: takesOptions,
      });
      // `rest` ends the options, whatever unknown ones may have taken; `every` does not.
      if (rule.text?.to === Number.MAX_SAFE_INTEGER) takesOptions &&= most < rule.text.from;
      else if (rule.permutes !== true && most - slack - absent >= (rule.permutes ?? 0))
        takesOptions &&= rule.text?.to === Number.POSITIVE_INFINITY;
    }
  }
  return { ...reading, shifted: isMovable(rule, reading, mayHaveOption) ? shifted : [] };
}

/** The options that a row knows, by their indexes among the words. */
export interface KnownOptions {
  /** Indexes of words that are values of those options. */
  readonly values: ReadonlySet<number>;
  /** Indexes of options that take no value from the next word. */
  readonly alone: ReadonlySet<number>;
  /** The index of the first `--`, or the number of words if there is none. */
  readonly dashesAt: number;
}

export function optionsOf(rule: ProgramRule, args: readonly CommandWord[]): KnownOptions {
  const kinds = kindsOf(rule);
  const [values, alone] = [new Set<number>(), new Set<number>()];
  let at = 0;
  if (isOldStyle(rule, args)) {
    at = readOldStyle(kinds, args, { code: [], operands: [], options: new Set(), skipped: [], files: [] });
    for (let value = 1; value < at; value++) values.add(value);
  }
  for (; at < args.length; at++) {
    const word = args[at];
    if (!word || literalText(word) === "--") break;
    const option = optionOf(word, kinds, rule);
    if (option && (option.isWhole || option.takes === "nothing")) alone.add(at);
    else if (option && option.takes !== "unknown") {
      values.add(++at);
      if (option.isPair) values.add(++at);
    }
  }
  return { values, alone, dashesAt: Math.min(at, args.length) };
}

interface Reading {
  readonly code: CodeWord[];
  readonly operands: OperandWord[];
  readonly options: Set<string>;
  readonly skipped: CommandWord[];
  readonly files: CommandWord[];
}

/** Whether a word in another place could be program text. */
function isMovable(rule: ProgramRule, { options }: Reading, mayHaveOption: boolean): boolean {
  if (rule.trustsFlags) return rule.text !== undefined && applies(rule.text, options);
  return mayHaveOption || (rule.text !== undefined && applies(rule.text, options));
}

export function applies(range: Pick<OperandRange, "with" | "without">, options: ReadonlySet<string>): boolean {
  const isGiven = (names: string): boolean => names.split(" ").some((name) => options.has(name));
  return (range.with === undefined || isGiven(range.with)) && !(range.without !== undefined && isGiven(range.without));
}

export function operandsIn(
  range: OperandRange | undefined,
  { operands, options }: ReadArguments,
): readonly OperandWord[] {
  if (!range || !applies(range, options)) return [];
  return operands.filter(({ least, most }) => least < range.to && most >= range.from);
}

interface OptionKinds {
  readonly plain: ReadonlySet<string>;
  readonly glued: ReadonlySet<string>;
  readonly value: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
  readonly code: ReadonlySet<string>;
  readonly gluedCode: ReadonlySet<string>;
  readonly ends: ReadonlySet<string>;
  readonly file: ReadonlySet<string>;
  /** Whether options begin with `/`, in any case. */
  readonly hasSlash: boolean;
}

const lazyKinds = new WeakMap<ProgramRule, OptionKinds>();

function kindsOf(rule: ProgramRule): OptionKinds {
  const known = lazyKinds.get(rule);
  if (known) return known;
  const set = (names: string | undefined): ReadonlySet<string> =>
    new Set(names === undefined || names === "" ? [] : names.split(" "));
  const made: OptionKinds = {
    plain: set(rule.plain),
    glued: set(rule.glued),
    value: set(rule.value),
    pairs: set(rule.pairs),
    code: set(rule.code),
    gluedCode: set(rule.gluedCode),
    ends: set(rule.ends),
    file: set(rule.file),
    hasSlash: /(?:^| )\//.test(`${rule.plain ?? ""} ${rule.value ?? ""} ${rule.code ?? ""}`),
  };
  lazyKinds.set(rule, made);
  return made;
}

interface Option {
  readonly names: readonly string[];
  readonly takes: "nothing" | "value" | "code" | "unknown";
  /** Whether the option takes nothing from the next word. */
  readonly isWhole: boolean;
  /** Whether it takes two words. */
  readonly isPair?: true;
}

/** Returns undefined if the word cannot be an option. */
function optionOf(word: CommandWord, kinds: OptionKinds, rule: ProgramRule): Option | undefined {
  const start = literalStart(word);
  const isLiteral = literalText(word) !== undefined;
  if (rule.assigns && /^[A-Za-z][\w-]*=/.test(start)) return longOption(`--${start}`, isLiteral, kinds);
  if (rule.style === "prefix") return prefixOption(start, isLiteral, kinds);
  const [sign = ""] = start;
  const isOption =
    sign === "-" ||
    (sign === "+" && [...kinds.plain].some((name) => name.startsWith("+"))) ||
    (sign === "/" && kinds.hasSlash);
  if (!isOption || (start.length < 2 && isLiteral)) return undefined;
  if (sign === "/") return longOption(start.toLowerCase().replace(":", "="), isLiteral, kinds);
  if (
    start.startsWith("--") ||
    rule.style === "words" ||
    kinds.code.has(start) ||
    kinds.value.has(start) ||
    kinds.pairs.has(start)
  )
    return longOption(start, isLiteral, kinds);
  return letterOptions(start, isLiteral, { kinds, rule });
}

function longOption(start: string, isLiteral: boolean, kinds: OptionKinds): Option {
  const equals = start.indexOf("=");
  const name = equals === -1 ? start : start.slice(0, equals);
  const isWhole = equals !== -1;
  const names = [name];
  if (!isWhole && !isLiteral) {
    // The value may finish the name.
    const code = [...kinds.code, ...kinds.gluedCode].find((known) => known.startsWith(name) || name.startsWith(known));
    return { names: [code ?? name], takes: code === undefined ? "nothing" : "code", isWhole: true };
  }
  const known = (set: ReadonlySet<string>): string | undefined => (set.has(name) ? name : undefined);
  const begun = (set: ReadonlySet<string>): string | undefined =>
    name.startsWith("--") && name.length > 2 ? [...set].find((whole) => whole.startsWith(name)) : undefined;
  if (known(kinds.plain) || known(kinds.glued)) return { names, takes: "nothing", isWhole: true };
  for (const find of [known, begun]) {
    const gluedCode = find(kinds.gluedCode);
    if (gluedCode !== undefined) return { names: [gluedCode], takes: isWhole ? "code" : "nothing", isWhole: true };
    const code = find(kinds.code);
    if (code !== undefined) return { names: [code], takes: "code", isWhole };
    const value = find(kinds.value);
    if (value !== undefined) return { names: [value], takes: "value", isWhole };
    const pair = find(kinds.pairs);
    if (pair !== undefined) return { names: [pair], takes: "value", isWhole, isPair: true };
  }
  return begun(kinds.plain) || begun(kinds.glued)
    ? { names, takes: "nothing", isWhole: true }
    : { names, takes: "unknown", isWhole };
}

/**
 * Reads an option that may be shortened: `-Comm`, `-Command:x`, `/c`, with a dash of any kind. Sources:
 * about_Command_Syntax, about_Pwsh and cmd.exe's own `/?`.
 */
function prefixOption(start: string, isLiteral: boolean, kinds: OptionKinds): Option | undefined {
  const [written, sign = "", letters = "", separator, rest = ""] =
    /^([-\u2013-\u2015]{1,2}|\/)([A-Za-z?]\w*)?([:=])?([^]*)$/.exec(start) ?? [];
  if (written === undefined || letters === "") return undefined;
  // cmd.exe looks only at the first letter and takes what follows as the command.
  const isLetter = sign === "/" && kinds.code.has("/c");
  const name = isLetter ? `/${letters[0]?.toLowerCase()}` : `-${letters.toLowerCase()}`;
  const isWhole = isLetter ? start.length > 2 || !isLiteral : (separator !== undefined && rest !== "") || !isLiteral;
  const find = (set: ReadonlySet<string>): string | undefined =>
    set.has(name) ? name : isLetter ? undefined : [...set].find((whole) => whole.startsWith(name));
  const exact = [kinds.plain, kinds.value, kinds.code].find((set) => set.has(name));
  const code = exact && exact !== kinds.code ? undefined : find(kinds.code);
  if (code !== undefined) return { names: [code], takes: "code", isWhole };
  const value = exact && exact !== kinds.value ? undefined : find(kinds.value);
  if (value !== undefined) return { names: [value], takes: "value", isWhole };
  const plain = find(kinds.plain);
  return { names: [plain ?? name], takes: plain === undefined ? "unknown" : "nothing", isWhole };
}

function letterOptions(
  start: string,
  isLiteral: boolean,
  { kinds, rule }: { readonly kinds: OptionKinds; readonly rule: ProgramRule },
): Option {
  const names: string[] = [];
  let takes: Option["takes"] = "nothing";
  let isKnown = true;
  for (let index = 1; index < start.length; index++) {
    const name = `${start[0]}${start[index]}`;
    const isLast = index === start.length - 1 && isLiteral;
    names.push(name);
    if (kinds.plain.has(name)) continue;
    if (kinds.glued.has(name)) return { names, takes: "nothing", isWhole: true };
    if (kinds.gluedCode.has(name)) return { names, takes: isLast ? "nothing" : "code", isWhole: true };
    const isCode = kinds.code.has(name);
    isKnown &&= isCode || kinds.value.has(name);
    // After an unknown letter, the rest may be the value of that letter.
    if (!isKnown && !isCode) continue;
    takes = isCode ? "code" : "value";
    if (rule.style !== "apart") return { names, takes, isWhole: !isLast };
  }
  if (!isKnown) return { names, takes: "unknown", isWhole: false };
  // In `-{p}`, the value decides which options these are.
  if (!isLiteral && !rule.trustsFlags) return { names, takes: "code", isWhole: true };
  return { names, takes, isWhole: takes === "nothing" };
}

function isOldStyle(rule: ProgramRule, args: readonly CommandWord[]): boolean {
  return rule.oldStyle === true && /^[A-Za-z]/.test(literalStart(args[0] ?? { pieces: [] }));
}

/**
 * Reads options in the old style, as in `tar cIf zstd FILE`: the values follow in the order of the letters. Returns the
 * number of words read.
 */
function readOldStyle(kinds: OptionKinds, args: readonly CommandWord[], reading: Reading): number {
  let at = 1;
  for (const letter of literalStart(args[0] ?? { pieces: [] })) {
    const name = `-${letter}`;
    reading.options.add(name);
    const word = args[at];
    if (!kinds.code.has(name) && !kinds.value.has(name)) continue;
    if (word && kinds.code.has(name)) reading.code.push({ word, option: name });
    at++;
  }
  return at;
}

/** Whether the word consists only of variables and substitutions, in quotes or not. */
function isVariable(word: CommandWord): boolean {
  return (
    word.pieces.some((piece) => piece.kind === "expansion") &&
    word.pieces.every((piece) => piece.kind === "expansion" || (piece.kind === "text" && piece.text === ""))
  );
}
