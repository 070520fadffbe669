// What the variables of a script can hold, from every assignment in it: only numbers, only the author's own text, or
// anything. A name without an assignment can hold anything.
import { assignmentOf } from "./assignments.ts";
import {
  literalStart,
  literalText,
  type CommandPiece,
  type CommandWord,
  type ExpansionPiece,
  type PlaceholderPiece,
  type ReadScript,
  type SimpleCommand,
} from "./pieces.ts";
import { hasEvaluator } from "./programs.ts";
import { printsNumber } from "./numbers.ts";
import { settingsOf, withoutPrefixes } from "./settings.ts";

/** Matches `$name` in every form. */
export const USED = /\$(?:\{(?:\([^)]*\))?)?[#!~=^+]*([A-Za-z_][A-Za-z0-9_]*|[0-9@*])/g;

/** The values that a parameter accepts. */
export type ValueKind = "number" | "choice" | "text";

export interface Variables {
  /** Whether the word is a number or empty in every call. */
  isNumeric(word: CommandWord): boolean;
  isNumber(name: string): boolean;
  /** Whether values of the tool occur in the piece only as numbers or choices. */
  isOwn(piece: CommandPiece): boolean;
  isOwnText(name: string): boolean;
  /** Returns its values as words, one list for each assignment. */
  literalsOf(name: string): Literals | undefined;
  /** Variables whose values are computed at each assignment. */
  readonly integers: ReadonlySet<string>;
  /** References that do not have the name of a variable yet. */
  readonly references: ReadonlySet<string>;
  givenTo(name: string): readonly Assignment[];
  /** Whether the script may assign the variable. */
  isGiven(name: string): boolean;
  isMap(name: string): boolean;
}

interface Literals {
  readonly choices: readonly (readonly CommandWord[])[];
  /** Whether one of the assignments always runs before the command with this index. */
  isSureAt(index: number): boolean;
}

/** An assignment. Without `value`, anything may be assigned. */
export interface Assignment {
  readonly value?: CommandWord;
  readonly appends: boolean;
  /** The index of the assigning command, if it always runs. */
  readonly sureAt?: number;
}

/** Variables that the shell stores as numbers, whatever is assigned to them. */
const COUNTER = /^(?:RANDOM|SRANDOM|SECONDS|LINENO|UID|EUID|GID|EGID|PPID|BASHPID|EPOCHSECONDS)$/;
/** Variables that exist around a call and that no value can change there. The shell itself sets the last ones. */
const SURROUNDING =
  /^(?:0|HOME|PATH|LANG|LC_[A-Z]+|TERM|TMPDIR|USER|LOGNAME|SHELL|TZ|PWD|OLDPWD|HOSTNAME|OSTYPE|MACHTYPE|HOSTTYPE|BASH|BASH_SOURCE|BASH_VERSION|ZSH_VERSION|PIPESTATUS)$/;
/** The person's own programs. `@env` cannot give them a value of a call: see environment.ts. */
const PERSONAL = /^(?:EDITOR|VISUAL|PAGER|BROWSER|GIT_EDITOR|KUBE_EDITOR)$/;

export function isPersonal(name: string): boolean {
  return PERSONAL.test(name);
}

/** Variables of PowerShell and of Windows. Sources: about_Automatic_Variables, "Recognized environment variables". */
const WINDOWS_SURROUNDING =
  /^(?:home|pwd|pshome|psscriptroot|pscommandpath|psversiontable|psedition|profile|pid|host|true|false|null|lastexitcode|is(?:windows|linux|macos|coreclr)|executioncontext|myinvocation|shellid|CD|DATE|TIME|OS|COMSPEC|ERRORLEVEL|RANDOM|NUMBER_OF_PROCESSORS|PROCESSOR_\w+|SYSTEM(?:ROOT|DRIVE)|WINDIR|PROGRAM(?:FILES(?:_X86_)?|W6432|DATA)|COMMONPROGRAM\w+|ALLUSERSPROFILE|(?:LOCAL)?APPDATA|USER(?:PROFILE|NAME|DOMAIN)|COMPUTERNAME|LOGONSERVER|SESSIONNAME|PUBLIC|HOMEDRIVE|HOMEPATH|TEMP|TMP)$/;
/** Variables that the shell sets, or that only exist while it does something. */
const OF_SHELL =
  /^(?:_|IFS|REPLY|OPT(?:ARG|IND|ERR)|COLUMNS|LINES|SHLVL|FUNCNAME|BASH_\w+|DIRSTACK|GROUPS|MAPFILE|COPROC|PS[0-4]|DOTTOOL_\w+|dottool_\w+)$/;

/** Whether a variable exists around every call. */
export function isAlwaysSet(name: string): boolean {
  return SURROUNDING.test(name) || COUNTER.test(name) || OF_SHELL.test(name);
}

const NUMBER = /^(?:[-+]?[\d.\s]*|0[xX][\da-fA-F]+|\{-?\d+\.\.-?\d+(?:\.\.-?\d+)?\})$/;
const READS_NOTHING =
  /^(?:get-(?:command|location|date|host)|(?:join|split|resolve|convert)-path|new-guid|mktemp|pwd|dirname|basename|date|uname|hostname|id|whoami|nproc|command|which)$/i;
/** Shell built-ins that assign to the variables that they name. */
const SETTER =
  /^(?:read|mapfile|readarray|getopts|printf|print|getln|vared|zparseopts|unset|wait|coproc|exec|strftime|sysread|stat|zstat|zformat|set)$/;

export function variablesOf(script: ReadScript, kindOf: (piece: PlaceholderPiece) => ValueKind): Variables {
  const given = new Map<string, Assignment[]>();
  const flags = {
    integers: new Set<string>(),
    references: new Set<string>(),
    maps: new Set<string>(),
    anything: false,
  };
  const give = (name: string, one: Assignment): void => {
    const before = given.get(name);
    if (before) before.push(one);
    else given.set(name, [one]);
  };
  for (const [index, command] of script.commands.entries()) readCommand(command, index, { give, flags });
  for (const { kind, inside } of script.regions) {
    const text = inside?.pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join(" ") ?? "";
    if (kind === "arithmetic")
      for (const name of computedTargets(text)) give(name, { value: { pieces: [] }, appends: false });
    const assigned =
      kind === "parameter expansion" ? /^([A-Za-z_]\w*)(?:\[[^\]]*\])?:{0,2}=/.exec(text)?.[1] : undefined;
    if (assigned !== undefined) give(assigned, { appends: false });
  }
  const isWindows = script.shell === "pwsh" || script.shell === "cmd";
  return judged(given, flags, {
    kindOf,
    isWindows,
    readsElsewhere:
      script.feedsInput ||
      script.commands.some(({ redirections }) => redirections.some(({ operator }) => operator.includes(">"))),
  });
}

/** Returns the variables that arithmetic assigns: `x = …`. */
export function computedTargets(text: string): readonly string[] {
  return [...text.matchAll(/(?<![\w$])([A-Za-z_]\w*)\s*=(?!=)/g)].map((match) => match[1] ?? "");
}

interface Reading {
  readonly give: (name: string, one: Assignment) => void;
  readonly flags: {
    readonly integers: Set<string>;
    readonly references: Set<string>;
    readonly maps: Set<string>;
    anything: boolean;
  };
}

function readCommand(command: SimpleCommand, index: number, { give, flags }: Reading): void {
  const { words } = command;
  const assigned = words.map(assignmentOf);
  const isSure = command.isSure && assigned.every((one) => one !== undefined);
  for (const one of assigned)
    if (one) give(one.name, { value: one.value, appends: one.appends, ...(isSure ? { sureAt: index } : {}) });
  if (command.isList) return;
  const rest = withoutPrefixes(words);
  const [program = "", ...args] = rest.map((word) => literalText(word) ?? "");
  if (program === "eval") flags.anything = true;
  if (program === "let")
    for (const arg of args)
      for (const name of computedTargets(arg)) give(name, { value: { pieces: [] }, appends: false });
  for (const { name, value } of settingsOf(rest)) give(name, { ...(value ? { value } : {}), appends: false });
  if (SETTER.test(program))
    for (const name of args) if (/^[A-Za-z_]\w*/.test(name)) give(/^\w+/.exec(name)?.[0] ?? "", { appends: false });
  const isDeclaration = /^(?:declare|typeset|local|readonly|export|integer|float)$/.test(program);
  const named =
    /^(?:read|mapfile|readarray|getopts)$/.test(program) || isDeclaration
      ? rest.slice(1)
      : args[0] === "-v"
        ? rest.slice(2, 3)
        : [];
  // The named variable is the one that is assigned.
  if (named.some((word) => literalStart(word) === "" && word.pieces.length > 0 && literalText(word) === undefined))
    flags.anything = true;
  if (!isDeclaration) return;
  const options = args.filter((arg) => /^[-+]/.test(arg)).join("");
  const names = rest.slice(1).flatMap((word) => /^[A-Za-z_]\w*/.exec(literalStart(word))?.[0] ?? []);
  // An assignment to a reference goes to another variable.
  if (options.includes("n")) {
    flags.anything = true;
    for (const word of rest.slice(1))
      if (/^\w+$/.test(literalText(word) ?? "")) flags.references.add(literalText(word) ?? "");
  }
  if (/[iEF]/.test(options) || program === "integer" || program === "float")
    for (const name of names) flags.integers.add(name);
  if (options.includes("A")) for (const name of names) flags.maps.add(name);
}

function judged(
  given: ReadonlyMap<string, readonly Assignment[]>,
  flags: Reading["flags"],
  options: {
    readonly kindOf: (piece: PlaceholderPiece) => ValueKind;
    readonly isWindows: boolean;
    readonly readsElsewhere: boolean;
  },
): Variables {
  const givenTo: Variables["givenTo"] = (name) => given.get(name) ?? [];
  const isNumeric: Variables["isNumeric"] = ({ pieces }) =>
    pieces.every((piece) =>
      piece.kind === "text"
        ? NUMBER.test(piece.text)
        : piece.kind === "placeholder"
          ? options.kindOf(piece) === "number"
          : isNumericExpansion(piece, { isNumber, isNumeric }),
    );
  const unfit = flags.anything ? [...given.keys()] : inherited(given);
  const [notNumbers, notOwn] = [new Set(unfit), new Set(unfit)];
  const isNumber: Variables["isNumber"] = (name) =>
    flags.integers.has(name) || (given.has(name) ? !notNumbers.has(name) : COUNTER.test(name));
  const isOwn: Variables["isOwn"] = (piece) => {
    if (piece.kind === "text") return true;
    if (piece.kind === "placeholder") return options.kindOf(piece) !== "text";
    return isNumericExpansion(piece, { isNumber, isNumeric }) || isOwnExpansion(piece, { isOwnText, ...options });
  };
  const isOwnText: Variables["isOwnText"] = (name) =>
    isNumber(name) ||
    (given.has(name)
      ? !notOwn.has(name)
      : SURROUNDING.test(name) || PERSONAL.test(name) || (options.isWindows && WINDOWS_SURROUNDING.test(name)));
  spread(given, notNumbers, isNumeric);
  spread(given, notOwn, ({ pieces }) => pieces.every(isOwn));
  const literalsOf: Variables["literalsOf"] = (name) => (flags.anything ? undefined : literalsIn(givenTo(name)));
  return {
    isNumeric,
    isNumber,
    isOwn,
    isOwnText,
    literalsOf,
    integers: flags.integers,
    references: flags.references,
    givenTo,
    isGiven: (name) => flags.anything || given.has(name),
    isMap: (name) => flags.maps.has(name),
  };
}

/**
 * Returns variables that hold only what they held before the script, as in `n=${n:-5}`. The tool's own `@env` may have
 * set that.
 */
function inherited(given: ReadonlyMap<string, readonly Assignment[]>): readonly string[] {
  return [...given].flatMap(([name, all]) =>
    all.every(({ value }) =>
      value?.pieces.some((piece) => piece.kind === "expansion" && piece.text.match(/\w+/g)?.includes(name)),
    )
      ? [name]
      : [],
  );
}

/**
 * The number of rounds in which variables that are assigned from each other are examined. A variable that is open after
 * them can hold anything.
 */
const ROUNDS_MAX = 16;

function spread(
  given: ReadonlyMap<string, readonly Assignment[]>,
  unfit: Set<string>,
  isFit: (value: CommandWord) => boolean,
): void {
  for (let round = 0; round <= ROUNDS_MAX; round++) {
    const found = [...given].filter(
      ([name, all]) => !unfit.has(name) && !all.every(({ value }) => value !== undefined && isFit(value)),
    );
    if (found.length === 0) return;
    for (const [name] of round < ROUNDS_MAX ? found : given) unfit.add(name);
  }
}

function isNumericExpansion(
  piece: ExpansionPiece,
  { isNumber, isNumeric }: Pick<Variables, "isNumber" | "isNumeric">,
): boolean {
  const { text, items, printer } = piece;
  if (/^\$[#?!$]$|^\$\{[#?!$]\}$|^\$\{#[A-Za-z_0-9@*[\]]+\}$|^\$(?:\[|\(\(.*\)\)$)/s.test(text)) return true;
  if (items) return items.every(isNumeric);
  if (printer && /^[$`]/.test(text)) return printsNumber(printer);
  const [, name = "", rest = ""] = /^\$\{?([A-Za-z_]\w*)(.*?)\}?$/s.exec(text) ?? [];
  // The parts of a number are numbers, and so are its defaults.
  return isNumber(name) && /^(?:\[.*\]|[%#][^$`]*|:?[-=]-?\d*|:?\?[^$`]*|:\s*\d.*)?$/s.test(rest);
}

/** Whether the output of a substitution is the author's own: it uses no variable, no written file and no input. */
function isOwnExpansion(
  piece: ExpansionPiece,
  options: {
    readonly isOwnText: (name: string) => boolean;
    readonly kindOf: (piece: PlaceholderPiece) => ValueKind;
    readonly readsElsewhere: boolean;
  },
): boolean {
  if (/^[<>=]\(/.test(piece.text) || piece.placeholders.some((one) => options.kindOf(one) === "text")) return false;
  const printer = literalText(piece.printer?.words[0]) ?? "";
  if (
    /\$\(|`/.test(piece.text) &&
    !READS_NOTHING.test(printer) &&
    (options.readsElsewhere || /\b(?:cat|read|tee|head|tail|sed|awk|tr|cut|sort)\b/.test(piece.text))
  )
    return false;
  if (/^\$\{!(?!\w+(?:\[[@*]\]|[@*])\})|^\$\{\([^)]*P/.test(piece.text)) return false;
  return [...piece.text.matchAll(USED)].every((match) => options.isOwnText(match[1] ?? ""));
}

function literalsIn(all: readonly Assignment[]): Literals | undefined {
  const values = all.map(({ value }) => (value ? literalWords(value) : undefined));
  if (values.length === 0 || values.some((value) => value === undefined)) return undefined;
  const known = values.flatMap((value) => (value ? [value] : []));
  const appends = all.map((one) => one.appends);
  // In `x=(a); x+=(b)`, the added items follow the others, if they are added at all.
  if (
    appends.some(Boolean) &&
    all.some(({ value }) => !value?.pieces.some((piece) => piece.kind === "expansion" && piece.items))
  )
    return undefined;
  if (appends.slice(1).every(Boolean) && all.length > 1)
    return !isPlainCommand(known.flat()) || literalText(known.flat()[0]) === undefined
      ? undefined
      : { choices: [known.flat()], isSureAt: sureness(all) };
  return appends.some(Boolean) ? undefined : { choices: known, isSureAt: sureness(all) };
}

function sureness(all: readonly Assignment[]): (index: number) => boolean {
  return (index) => all.some(({ sureAt }) => sureAt !== undefined && sureAt < index);
}

function literalWords({ pieces }: CommandWord): readonly CommandWord[] | undefined {
  const [only, ...others] = pieces;
  if (only?.kind === "expansion" && only.items && others.length === 0)
    return isPlainCommand(only.items) ? only.items : undefined;
  const text = literalText({ pieces });
  return text
    ?.split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => ({ pieces: [{ kind: "text", text: word }] }));
}

/**
 * Whether the command runs no other: with a program that does, a value could move to another place if a word is
 * missing.
 */
function isPlainCommand(items: readonly CommandWord[]): boolean {
  const texts = items.map(literalText);
  return texts.every((text) => text !== undefined) || !hasEvaluator(` ${texts.join(" ")} `);
}
