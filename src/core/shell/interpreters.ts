// Programs with program text among their arguments. Finds the values in that text, and the values that it may run.
import { applies, type CodeWord, operandsIn, readArguments, type ReadArguments } from "./arguments.ts";
import { absenceHelp, type Danger, type HazardContext } from "./danger.ts";
import { programText, reachedBy, runsWhatItIsGiven } from "./inner.ts";
import { languages } from "../../generated/program-data.ts";
import { type CommandPiece, type CommandWord, literalStart, literalText, type PlaceholderPiece } from "./pieces.ts";
import { isShell, programName, rulesFor, rulesOf, shells } from "./programs.ts";
import type { ProgramRule } from "./rule.ts";
import { isAboutTables, isTextOfQuery, withoutStrings } from "./queries.ts";
import { isHarmlessScript } from "./sed.ts";
import type { AlsoPlain } from "./shell-safe.ts";
import { mayBeKey } from "./resolve.ts";

export interface ProgramWords {
  readonly name: string;
  /** The name as written, for messages. */
  readonly literal: string;
  readonly args: readonly CommandWord[];
}

export function interpreterDangers(program: ProgramWords, context: HazardContext): readonly Danger[] {
  return [
    ...rulesFor(program.name, program.args, context.shell).flatMap((rule) => ruleDangers(rule, program, context)),
    ...reachedDangers(program, context),
  ];
}

function ruleDangers(rule: ProgramRule, program: ProgramWords, context: HazardContext): readonly Danger[] {
  const read = readArguments(rule, program.args, context);
  const code = codeWords(rule, read, context);
  return [
    ...code.flatMap((one, index) => {
      const { word, option } = one;
      const shown = option === undefined ? program.literal : `${program.literal} ${option}`;
      const note = rule.note ?? `\`${shown}\` reads this as a program`;
      const before = option === undefined ? code.slice(0, index).map((other) => other.word) : [];
      const isArgument = rule.shellSafe === "arguments" && word.pieces.length + before.length > 1;
      return carriedInto(one, { program, rule, read, before, code }, context).map(
        (carried): Danger => ({
          ...carried,
          note,
          help: [helpFor(rule, carried.piece)],
          ...(isArgument || rule.shellSafe === "anywhere" ? { isPlain: true } : {}),
          ...(rule.takesWhole === true && rule.pairs !== undefined ? { takesArg: true } : {}),
        }),
      );
    }),
    ...scriptDangers(rule, { program, read, code }, context),
    ...(mayBeWhole(rule, read) ? [] : shiftedDangers(read.shifted, program, context)),
    ...inputDangers(rule, { program, read, code }, context),
  ];
}

function codeWords(rule: ProgramRule, read: ReadArguments, { isFlags }: HazardContext): readonly CodeWord[] {
  const { operands, options } = read;
  const condition = rule.text?.with?.split(" ").find((name) => options.has(name));
  const text = operandsIn(rule.text, read).map(({ word }) => ({
    word,
    ...(condition === undefined ? {} : { option: condition }),
  }));
  const signed =
    rule.sign === undefined
      ? []
      : operands.filter(
          ({ word, isAfterDashes }) => /^$|^[+!]/.test(literalStart(word)) && !(isAfterDashes && rule.sign === "+"),
        );
  const settings = settingWords(rule, read).map((word) => ({ word }));
  const hasCode = rule.code !== undefined || rule.gluedCode !== undefined || rule.text !== undefined;
  const flags =
    rule.trustsFlags || !hasCode
      ? []
      : operands.filter(
          ({ word, mayBeOption }) =>
            mayBeOption &&
            literalStart(word) === "" &&
            word.pieces.some((piece) => piece.kind === "placeholder" && isFlags(piece)),
        );
  const words = new Set(read.code.map(({ word }) => word));
  return [
    ...read.code,
    ...[...text, ...settings, ...signed.map(({ word }) => ({ word })), ...flags.map(({ word }) => ({ word }))].filter(
      ({ word }) => !words.has(word),
    ),
  ];
}

/** Returns the words that may be a setting: `git config alias.x {p}`, `git config {p} x`. */
function settingWords({ keys }: ProgramRule, { operands, options }: ReadArguments): readonly CommandWord[] {
  const [key, ...values] = operands;
  if (!keys || !key || values.length === 0 || !applies(keys, options) || !mayBeKey(keys.names, key.word)) return [];
  return operands.map(({ word }) => word);
}

interface CodeSpot {
  readonly program: ProgramWords;
  readonly rule: ProgramRule;
  readonly read: ReadArguments;
  /** The words of program text before it. */
  readonly before: readonly CommandWord[];
  readonly code: readonly CodeWord[];
}

/** Returns the values that have a meaning within the program text. */
function carriedInto(
  code: CodeWord,
  { program, rule, read, before, code: all }: CodeSpot,
  context: HazardContext,
): ReturnType<HazardContext["flow"]["carriedBy"]> {
  const { flow, wild } = context;
  const { word } = code;
  if (mayBeWhole(rule, read) && isWhole(code, flow)) return [];
  if (rule.shellSafe === "anywhere") return wild().carriedBy([word], "deep");
  const carried = flow.carriedBy([word], "deep");
  if (carried.length > 0 && isPlainHere({ ...code, before, program }, rule, context)) return [];
  if (rule.shellSafe !== "slashes") return [...carried, ...flow.unknownIn([word])];
  const mayBeAny = (piece: CommandPiece): boolean => flow.carriedBy([{ pieces: [piece] }], "deep").length > 0;
  const isData = read.files.length === 0 && all.every((one) => isHarmlessScript(one.word, mayBeAny));
  return isData ? wild(" ").carriedBy([word], "deep") : carried;
}

function mayBeWhole({ takesWhole }: ProgramRule, { options }: ReadArguments): boolean {
  return takesWhole === true || (takesWhole !== undefined && applies(takesWhole, options));
}

/** Whether the program text is one value and nothing else: `{x}`, `--jq={x}`. */
function isWhole({ word, option = "" }: CodeWord, flow: HazardContext["flow"]): boolean {
  const pieces = word.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
  const [first] = pieces;
  const isGlued = first?.kind === "text" && (first.text === option || first.text === `${option}=`);
  const rest = isGlued ? pieces.slice(1) : pieces;
  return rest.length === 1 && rest[0]?.kind !== "text" && flow.isWhole({ pieces: rest });
}

/** The help of a filter has the name of the value in place of `name`. */
function helpFor({ help, takesWhole }: ProgramRule, { name }: PlaceholderPiece): string {
  if (takesWhole !== true) return help;
  return help.replaceAll("{name}", `{${name}}`).replaceAll(/\bname\b(?!\})/g, name.replaceAll("-", "_"));
}

/** What makes a statement load, run or call something that a plain word could name. */
const LOADS =
  /\b(?:import|require|use|using|include|load|eval|exec|system|open|popen|source|do|run|spawn|fork|attach|shell|call|read|execute|prepare|passthru|proc_|pcntl_|dlopen|binding|getattr|getBuiltin|constructor|globals|locals|vars|send|public_send|__send__|method|instance_|edit|install|autoload|breakpoint)\w*|\b(?:from|to)\s+program\s*(?:[A-Za-z]&?)?['"$]|\b__|\bq[xq]\b|%x|`|\\|^\s*\.|&\s*[${(]|->\s*[({[]|\$\w+\s*\(|[\])}]\s*\(/im;

/** Stands for a value in the text of a statement. */
const VALUE = "\u0000";

/** Matches what is before a value that is a name or an operand of a query. */
const QUERIED =
  /(?:\b(?:from|join|into|update|table|select|distinct|where|and|or|on|by|limit|as|set)\s+|[=<>,+*-]\s*|\w\.)$/i;

/** Whether the value is within a string that is not called. */
function isInText(before: string, after: string): boolean {
  return /["'][^"'{[@$#]*$/.test(withoutStrings(before)) && /^[^"']*["']\s*(?![\]("'.\0\w]|\)\s*\(|->|=>)/.test(after);
}

/**
 * What gives a plain word another meaning than that of an argument: it could end a here-document, name a variable, or
 * be a command, as after `-` and `]]` in zsh.
 */
const READ_AGAIN = /<<|\$\{|(?:^|[\s;&|(])-\s|(?:\]\]|\)\))\s+\{/;

interface PlainSpot extends CodeWord {
  readonly program: ProgramWords;
  /** The words before it that the same shell reads. */
  readonly before: readonly CommandWord[];
}

/** Whether every value in the program text is a plain word in a place where such a word can only be data. */
function isPlainHere({ word, option, before, program }: PlainSpot, rule: ProgramRule, context: HazardContext): boolean {
  const { pieces } = word;
  const isPlain = (piece: CommandPiece, also: AlsoPlain): boolean =>
    piece.kind === "text" || (piece.kind === "placeholder" && isPlainOf(piece, { word, rule, also }, context));
  if (rule.shellSafe === "arguments") {
    if (!pieces.every((piece) => isPlain(piece, "/:@"))) return false;
    const text = [...before, word].map(templateText).join(" ");
    // The shell on another machine may be zsh.
    const readers = isShell(program.name) ? [program.name === "zsh"] : [false, true];
    return (
      pieces.length + before.length > 1 &&
      !READ_AGAIN.test(text) &&
      readers.every((isZsh) => context.isDataIn(text, isZsh))
    );
  }
  if (!rule.statements?.split(" ").includes(option ?? "text")) return false;
  const text = pieces.map((piece) => (piece.kind === "text" ? piece.text : VALUE)).join("");
  if (text === VALUE) return (option === "-p" || option === "--print") && pieces.every((piece) => isPlain(piece, ""));
  const isWild = (one: CommandPiece): boolean => context.wild("/:@").carriedBy([{ pieces: [one] }], "deep").length > 0;
  const parts = text.split(VALUE);
  const values = pieces.filter((piece) => piece.kind !== "text");
  return (
    !LOADS.test(text) &&
    values.every((value, index) => {
      const [from, behind] = [parts.slice(0, index + 1).join("_"), parts.slice(index + 1)];
      const isText = isInText(from, behind.join("_"));
      if (rule.script !== undefined) return isText && isPlain(value, "");
      // In a string of SQL, a path and an address are data, and so is a dash.
      if (isText && isTextOfQuery(from, parts.join("_"))) return value.kind === "placeholder" && !isWild(value);
      if (isText) return /^\s*(?:\w+\()?db\./.test(text) && isPlain(value, "");
      return isAboutTables(from) && QUERIED.test(from) && !/^["']?\s*\(/.test(behind[0] ?? "") && isPlain(value, "");
    })
  );
}

/**
 * A call refuses a word that begins with `-`, also one of a script for a shell (readers.ts); within any other
 * word, the value must not be able to hold one.
 */
function isPlainOf(
  piece: PlaceholderPiece,
  { word, rule, also }: { readonly word: CommandWord; readonly rule: ProgramRule; readonly also: AlsoPlain },
  context: HazardContext,
): boolean {
  const isGuarded = word.pieces.length === 1 || (rule.shellSafe === "arguments" && rule.script === "shell");
  return (
    context.isPlainWord(piece, also) ||
    (isGuarded && context.wild(also).carriedBy([{ pieces: [piece] }], "deep").length === 0)
  );
}

function templateText({ pieces }: CommandWord): string {
  return pieces.map((piece) => (piece.kind === "placeholder" ? `{${piece.name}}` : piece.text)).join("");
}

interface Spot {
  readonly program: ProgramWords;
  readonly read: ReadArguments;
  readonly code: readonly CodeWord[];
}

/** Checks program text that is the same in every call and may run its arguments: `sh -c 'eval "$1"' sh {p}`. */
function scriptDangers(rule: ProgramRule, { program, read, code }: Spot, context: HazardContext): readonly Danger[] {
  if (rule.script === undefined || code.length === 0) return [];
  const words = code.map(({ word }) => word);
  const known = new Set(words);
  const others = program.args.filter((word) => !known.has(word));
  const texts = read.code.length > 0 ? words.map(programText) : [words.map(programText).join(" ")];
  return texts.flatMap((text) => {
    const reached = reachedBy(text, others, context);
    if (rule.script === "shell")
      return context
        .inner(text, reached, { isZsh: program.name === "zsh", isFed: context.fed !== undefined })
        .map(({ through: _inside, ...danger }) => danger);
    if (rule.script === undefined || !runsWhatItIsGiven(text, rule.script)) return [];
    const flow = rule.shellSafe === undefined ? context.flow : context.wild();
    return flow.carriedBy(reached, "deep").map((carried) => ({
      ...carried,
      note: `the program text of \`${program.literal}\` may run its arguments`,
      help: ["remove commands from the program text, or declare the parameter as `{integer}` or with choices"],
    }));
  });
}

/** Checks arguments after one that may be missing, as each of them may then be the program text. */
function shiftedDangers(
  words: readonly CommandWord[],
  { literal }: ProgramWords,
  context: HazardContext,
): readonly Danger[] {
  const note = `\`${literal}\` reads this as a program if the argument before it is missing`;
  return context.flow.carriedBy(words, "deep").map((carried) => ({ ...carried, note, help: [absenceHelp] }));
}

/** Checks `… | sh` and `sh <<< {p}`, which run their input, wherever it comes from. */
function inputDangers(rule: ProgramRule, { program, read, code }: Spot, context: HazardContext): readonly Danger[] {
  const { fed } = context;
  const reason = { note: `the value may reach \`${program.literal}\`, which runs what it reads`, help: [rule.help] };
  const written = read.files.filter((word) =>
    word.pieces.some((piece) => piece.kind === "expansion" && piece.text.startsWith("<(")),
  );
  if (written.length > 0) return context.flow.carriedBy(written, "deep").map((carried) => ({ ...carried, ...reason }));
  if (!fed) return [];
  if (read.files.some(isInput)) return [{ piece: fed, ...reason }];
  if (rule.readsInput === undefined || (rule.readsInput !== "always" && !applies(rule.readsInput, read.options)))
    return [];
  const present = read.operands.filter(({ word }) => !context.mayVanish(word));
  const isSafe = rule.text?.without?.split(" ").some((name) => read.options.has(name)) ?? false;
  const isFile =
    rule.readsInput !== "always" &&
    (code.length > 0 || present.length > rule.readsInput.operands) &&
    !(present[0] && isInput(present[0].word));
  const readsAnyway = isShell(program.name) && (read.options.has("-s") || read.options.has("+s"));
  if (isSafe || (isFile && !readsAnyway)) return [];
  return [{ piece: fed, ...reason }];
}

/** Whether the word names a file that stands for the input. */
export function isInput(word: CommandWord): boolean {
  return /^(?:--?[a-z]+=?)?(?:-|\/dev\/stdin|\/(?:dev|proc\/self)\/fd\/\d+)$/.test(literalText(word) ?? "");
}

/** The limit of words of a command that are read as programs. */
const REACHED_MAX = 16;

/** Checks a shell among the words of any program, and any program that runs text among those of `docker exec box …`. */
function reachedDangers({ name, literal, args }: ProgramWords, context: HazardContext): readonly Danger[] {
  const reaches = rulesOf(name).some((rule) => rule.reaches);
  const found = args.flatMap((word, index): readonly ReachedProgram[] => {
    const inner = literalText(word);
    if (inner === undefined) return [];
    const rules = reaches
      ? rulesOf(programName(inner)).filter(runsText)
      : isShell(programName(inner)) && /^[-+]/.test(literalText(args[index + 1]) ?? "")
        ? [shells]
        : [];
    return rules.map((rule) => ({ rule, literal: inner, index }));
  });
  if (found.length > REACHED_MAX) {
    const reason = {
      note: `the arguments of \`${literal}\` contain too many programs`,
      help: ["split it into several commands"],
    };
    return context.flow.carriedBy(args, "deep").map((carried) => ({ ...carried, ...reason }));
  }
  return found.flatMap(({ rule, literal: inner, index }) => {
    const behind = args.slice(index + 1);
    // The image of `docker run --entrypoint sh IMAGE -c …` is before the options of the shell.
    const image =
      reaches && rule === shells && literalText(behind[0])?.startsWith("-") === false ? [behind.slice(1)] : [];
    return [behind, ...image].flatMap((words) =>
      ruleDangers(
        rule,
        { name: programName(inner), literal: inner, args: words },
        reaches ? context : { ...context, fed: undefined },
      ),
    );
  });
}

interface ReachedProgram {
  readonly rule: ProgramRule;
  readonly literal: string;
  /** The index among the words. */
  readonly index: number;
}

function runsText(rule: ProgramRule): boolean {
  return languages.has(rule) || rule.readsInput !== undefined;
}
