// The commands of a PowerShell script in the form that the judges of all shells read: words, and `name=…` for
// assignments.
import {
  type CommandPiece,
  type CommandWord,
  literalStart,
  literalText,
  type Redirection,
  type SimpleCommand,
  textWord,
} from "../../core/shell/pieces.ts";
import type { PwshState, Target } from "./pwsh-state.ts";
import { environmentName, isCmdlet, variableName } from "./pwsh-names.ts";
import { type Argument, type Receiver, placeArguments, placeRemoteBlocks } from "./pwsh-places.ts";

interface Invocation {
  readonly name: Argument;
  readonly args: readonly Argument[];
  readonly redirections: readonly Redirection[];
}

/** Adds the command as written, and once more with the values of its variables. */
export function addPwshCommand(state: PwshState, { name, args, redirections }: Invocation): SimpleCommand {
  state.tokens.push("$(");
  const literal = literalText(name.word);
  const receiver: Receiver = { isCmdlet: literal !== undefined && isCmdlet(literal), program: literal ?? "" };
  if (literal !== undefined && READS_FILES.test(literal)) state.tokens.push("cat");
  const given = receiver.isCmdlet ? args.flatMap(split) : args;
  const made = readings(state, given, receiver).map((words) => {
    placeArguments(state, words, receiver);
    return {
      words: [...programWords(name.word, literal), ...words.flatMap((word) => toWords(word, receiver))],
      redirections,
      isSure: true as const,
    };
  });
  placeRemoteBlocks(state, given, receiver.program);
  const [command = { words: [], redirections }] = made;
  state.commands.push(...made, ...effectsOf(command));
  return command;
}

const READS_FILES = /^(?:get-content|gc|cat|type|import-\w+|ip\w{2,4}|read-host)$/i;

/**
 * The words before a batch file, which cmd.exe runs and whose words it reads again. Source:
 * about_Experimental_Features, PSNativeCommandArgumentPassing.
 */
const forBatch: readonly CommandWord[] = ["cmd", "/c"].map(textWord);

function programWords(word: CommandWord, literal: string | undefined): readonly CommandWord[] {
  // The name of a program is never missing, as it could be in other shells.
  if (literal === undefined) return [{ pieces: [{ kind: "text", text: "" }, ...word.pieces] }];
  return /\.(?:bat|cmd)$/i.test(literal) ? [...forBatch, word] : [word];
}

/** Returns the words of an argument. For a program, a list is several words. */
function toWords({ word, form, items }: Argument, receiver: Receiver): readonly CommandWord[] {
  if (!receiver.isCmdlet) return items ?? [word];
  return [form === "bare" && isParameter(word) ? word : { ...word, isOperand: true }];
}

function isParameter(word: CommandWord): boolean {
  return /^[-\u2013-\u2015][A-Za-z?]/.test(literalStart(word));
}

/** Splits `-Name:{p}` into a parameter and its value. */
function split(argument: Argument): readonly Argument[] {
  const { word, form } = argument;
  const [first, ...others] = word.pieces;
  const start = form === "bare" && first?.kind === "text" ? first.text : "";
  const name = /^[-\u2013-\u2015][A-Za-z]\w*:/.exec(start)?.[0];
  if (name === undefined || (start === name && others.length === 0)) return [argument];
  const rest = start.slice(name.length);
  const value: readonly CommandPiece[] = rest === "" ? others : [{ kind: "text", text: rest }, ...others];
  return [
    { word: textWord(name), form: "bare" },
    { word: { pieces: value }, form: "value" },
  ];
}

const SPLAT = /^\$\{(\w+)\[@\]\}$/;
/** Matches a variable alone; a list in it becomes several words of a program. */
const VARIABLE = /^\$(\w+)$/;

/**
 * Returns the arguments as written, and once more with the values of their variables. A splat is replaced by its items.
 */
function readings(
  state: PwshState,
  args: readonly Argument[],
  { isCmdlet }: Receiver,
): readonly (readonly Argument[])[] {
  const onlyIn = ({ word, items }: Argument): string => {
    const [only, ...others] = word.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
    return items === undefined && only?.kind === "expansion" && others.length === 0 ? only.text : "";
  };
  const made = state.values.variants(args, {
    nameOf: (argument) => (SPLAT.exec(onlyIn(argument)) ?? (isCmdlet ? null : VARIABLE.exec(onlyIn(argument))))?.[1],
    toWord: (word): Argument => ({ word, form: isParameter(word) ? "bare" : "value" }),
  });
  const isSplatted = made.length > 0 && args.some((argument) => SPLAT.test(onlyIn(argument)));
  return isSplatted ? made : [args, ...made];
}

/** Adds `$x = …`. What is assigned to an element or a member of `$x` counts as a part of the value of `$x`. */
export function addAssignment(
  state: PwshState,
  target: Target,
  { operator, value }: { readonly operator: string; readonly value: CommandWord },
): void {
  const { name, isNumber, member } = target;
  const appends = operator === "+=" || member !== undefined;
  const pieces: readonly CommandPiece[] = isNumber ? [{ kind: "text", text: "1" }] : value.pieces;
  const [only, ...others] = pieces;
  const items = only?.kind === "expansion" && others.length === 0 ? only.items : undefined;
  state.values.give(
    name,
    [...(member === undefined ? [] : [textWord(`-${member}`)]), ...(items ?? [{ pieces }])],
    appends,
  );
  const isText = pieces.length > 0 && pieces.every(({ kind }) => kind === "text");
  // PowerShell does not split text into words, so a text is a list of one.
  const held: readonly CommandPiece[] =
    isText && !appends ? [{ kind: "expansion", text: "(", start: 0, placeholders: [], items: [{ pieces }] }] : pieces;
  state.commands.push({
    words: [{ pieces: [{ kind: "text", text: `${name}${appends ? "+" : ""}=` }, ...held] }],
    redirections: [],
    isSure: true,
  });
  if (member !== undefined) addMethod(state, `::${member}=`, [value]);
  // `$function:name = …` defines a function from text.
  if (/^(?:function|alias)__/.test(name)) addMethod(state, "$function:", [value]);
}

/** Adds a variable that may hold anything, such as a parameter of a function. */
export function addUnknown(state: PwshState, name: string): void {
  const value: CommandPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };
  state.commands.push({ words: [{ pieces: [{ kind: "text", text: `${name}=` }, value] }], redirections: [] });
}

/** Adds values that a script outputs. */
export function addOutput(state: PwshState, items: readonly CommandWord[], redirections: readonly Redirection[]): void {
  if (redirections.length === 0 && items.every((word) => literalText(word) !== undefined)) return;
  state.commands.push({ words: [textWord("write-output"), ...items], redirections });
}

/** Adds a place for the name of a program or a method. */
export function addProgram(state: PwshState, pieces: readonly CommandPiece[]): void {
  state.commands.push({ words: [{ pieces }], redirections: [] });
}

/**
 * Adds the call of a method, judged as a command of that name: `[scriptblock]::create`, or `::invokescript` of any
 * object.
 */
export function addMethod(state: PwshState, name: string, args: readonly CommandWord[]): void {
  const words = args.map((word) => ({ ...word, isOperand: true as const }));
  const command = { words: [textWord(name), ...words], redirections: [] };
  state.commands.push(command, ...effectsOf(command));
}

interface Effect {
  readonly kind: "variable" | "environment" | "alias" | "file";
  /** The parameters that name the target; the first positional argument may name it too. */
  readonly where: readonly string[];
}

const paths = ["-path", "-literalpath", "-filepath"];
const effects: readonly (readonly [cmdlets: string, effect: Effect])[] = [
  ["set-variable new-variable sv nv", { kind: "variable", where: ["-name"] }],
  ["set-alias new-alias sal nal", { kind: "alias", where: ["-name"] }],
  ["set-item set-content new-item si ni", { kind: "environment", where: [...paths, "-name"] }],
  ["[environment]::setenvironmentvariable", { kind: "environment", where: [] }],
  ["set-content add-content out-file ac", { kind: "file", where: paths }],
];

/** Parameters whose variable gets the output of the command. Sources: about_CommonParameters, `Tee-Object`. */
const OUTPUT_VARIABLE = /^-(?:[opeiw]v|(?:out|pipeline|error|information|warning)v\w*|variable)$/i;

function effectsOf({ words }: SimpleCommand): readonly SimpleCommand[] {
  const [program, ...args] = words;
  const name = (literalText(program) ?? "").toLowerCase();
  const named = effects
    .filter(([cmdlets]) => cmdlets.split(" ").includes(name))
    .flatMap(([, effect]) => madeBy(effect, args));
  const outputs = args.flatMap((word, index) => {
    const variable = OUTPUT_VARIABLE.test(literalStart(word)) ? literalText(args[index + 1]) : undefined;
    return variable === undefined ? [] : [assigning(variableName(variable.replace("+", "")), fromPipeline)];
  });
  return [...named, ...outputs];
}

const piped: CommandPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };
const fromPipeline: CommandWord = { pieces: [piped] };

function madeBy({ kind, where }: Effect, args: readonly CommandWord[]): readonly SimpleCommand[] {
  const { place, value = fromPipeline } = valuesOf(where, args);
  const name = literalText(place);
  if (kind === "file")
    return place ? [{ words: [textWord("write-output"), value], redirections: [{ operator: ">", word: place }] }] : [];
  if (name === undefined) return [];
  switch (kind) {
    case "variable":
      return [assigning(variableName(name), value)];
    case "alias":
      return literalText(value) === undefined
        ? []
        : [{ words: [textWord("alias"), textWord(`${name}=${literalText(value)}`)], redirections: [] }];
    case "environment": {
      const variable = where.length === 0 ? name : /^env:[\\/]?(.+)$/is.exec(name)?.[1];
      return variable === undefined ? [] : [assigning(environmentName(variable), value)];
    }
  }
}

/** Returns the values of the parameters, or else of the first and second positional argument. */
function valuesOf(
  where: readonly string[],
  args: readonly CommandWord[],
): { readonly place?: CommandWord | undefined; readonly value?: CommandWord | undefined } {
  const operands: CommandWord[] = [];
  let place: CommandWord | undefined;
  let value: CommandWord | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) continue;
    const parameter = word.isOperand ? undefined : literalStart(word).replace(/:$/, "").toLowerCase();
    if (parameter === undefined) operands.push(word);
    else if (where.some((known) => known.startsWith(parameter))) place = args[++at];
    else if ("-value".startsWith(parameter)) value = args[++at];
    // Whether other parameters take a value is not known here.
  }
  place ??= operands.shift();
  return { place, value: value ?? operands.shift() };
}

function assigning(name: string, value: CommandWord): SimpleCommand {
  return { words: [{ pieces: [{ kind: "text", text: `${name}=` }, ...value.pieces] }], redirections: [] };
}
