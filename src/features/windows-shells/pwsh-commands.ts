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
import { environmentName, isCmdlet } from "./names.ts";
import type { PwshState, Target } from "./pwsh-state.ts";
import { type Argument, piped, type Receiver, variableIn } from "./state.ts";

interface Invocation {
  readonly name: CommandWord;
  readonly args: readonly Argument[];
  readonly redirections: readonly Redirection[];
}

const READS_FILES = /^(?:get-content|gc|cat|type|import-\w+|ip\w{2,4}|read-host)$/i;
const WRITES_FILES = /^(?:set-content|add-content|out-file|ac|tee-object|tee)$/i;
/** Cmdlets that change what later names mean. */
const NAMES = /^(?:(?:set|new|clear|import)-(?:alias|variable)|[sn]al|ipal|[sn]v|clv)$/i;
const CHANGES_ITEMS = /^(?:(?:set|new|copy|move|rename|add)-(?:item|content)|[sn]i|cpi?|copy|mi?|move|mv|rni|ren|ac)$/i;
/** Drives whose items are variables, functions and aliases. */
const DRIVE = /^(?:env|function|alias|variable):/i;
/** Parameters whose variable gets the output of the command. Sources: about_CommonParameters, `Tee-Object`. */
const OUTPUT_VARIABLE = /^-(?:out|pipeline|error|information|warning)v/i;
const OF_CMDLETS = /^-(?:[opeiw]v|variable)(?=$|:)/i;

const RUNS_BLOCKS = /^(?:invoke-command|icm)$/i;
/**
 * Matches parameters that run a block elsewhere, where it does not see the environment of this process. Source:
 * about_Remote_Variables.
 */
const ELSEWHERE = /^-(?:cn|comp\w*|conn\w*|conta\w*|host\w*|session|sshc\w*|vm(?:name|id)):?$/i;

/** Adds the command as written, and once more with the values of its variables. */
export function addPwshCommand(state: PwshState, { name, args, redirections }: Invocation): SimpleCommand {
  state.tokens.push("$(");
  const program = literalText(name) ?? "";
  const receiver: Receiver = { isCmdlet: program !== "" && isCmdlet(program), program };
  if (READS_FILES.test(program)) state.tokens.push("cat");
  const given = receiver.isCmdlet ? args.flatMap(split) : args;
  const made = readings(state, given, receiver.isCmdlet).map((words) => {
    state.placeArguments(words, receiver);
    return {
      words: [...programWords(name, program), ...words.flatMap((word) => toWords(word, receiver))],
      redirections,
      isSure: true as const,
    };
  });
  state.commands.push(...made);
  noteEffects(state, given, receiver);
  return made[0] ?? { words: [], redirections };
}

/** The name of a program is never missing, as it could be in other shells. */
function programWords(word: CommandWord, program: string): readonly CommandWord[] {
  if (program === "") return [{ pieces: [{ kind: "text", text: "" }, ...word.pieces] }];
  // cmd.exe runs a batch file and reads its words again. Source: about_Experimental_Features,
  // PSNativeCommandArgumentPassing.
  return /\.(?:bat|cmd)$/i.test(program) ? [...["cmd", "/c"].map(textWord), word] : [word];
}

/** Returns the words of an argument. For a program, a list is several words. */
function toWords({ word, form, items }: Argument, { isCmdlet }: Receiver): readonly CommandWord[] {
  if (!isCmdlet) return items ?? [word];
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
  const rest = textWord(start.slice(name.length)).pieces;
  return [
    { word: textWord(name), form: "bare" },
    { word: { pieces: [...(start === name ? [] : rest), ...others] }, form: "value" },
  ];
}

const SPLAT = /^\$\{(\w+)\[@\]\}$/;

/**
 * Returns the arguments as written, and once more with the values of their variables: a list becomes several words of a
 * program. A splat is replaced by its items.
 */
function readings(state: PwshState, args: readonly Argument[], isOfCmdlet: boolean): readonly (readonly Argument[])[] {
  const splatted = ({ word, items }: Argument): string | undefined => (items ? undefined : variableIn(word, SPLAT));
  const made = state.values.variants(
    args,
    (one) => splatted(one) ?? (isOfCmdlet || one.items ? undefined : variableIn(one.word)),
    (word) => (isParameter(word) ? "bare" : "value"),
  );
  return made.length > 0 && args.some((one) => splatted(one) !== undefined) ? made : [args, ...made];
}

/** Records what a cmdlet changes for the commands after it: files, or names, which are not followed. */
function noteEffects(state: PwshState, args: readonly Argument[], { isCmdlet, program }: Receiver): void {
  const words = args.map(({ word }) => word);
  const found = (pattern: RegExp): string | undefined => words.map(literalStart).find((word) => pattern.test(word));
  const what = NAMES.test(program)
    ? ""
    : (found(OUTPUT_VARIABLE) ??
      (isCmdlet ? found(OF_CMDLETS) : undefined) ??
      (CHANGES_ITEMS.test(program) ? found(DRIVE) : undefined) ??
      (RUNS_BLOCKS.test(program) ? found(ELSEWHERE) : undefined));
  if (what !== undefined) state.unread ??= `${program} ${what}`.trim();
  // Any of its words may be the file, and it may write its input.
  const files = words.filter((word) => !isParameter(word)).map((word) => ({ operator: ">", word }));
  if (WRITES_FILES.test(program)) addOutput(state, [...words, { pieces: [piped] }], files);
}

/** Adds `$x = …`. What is assigned to an element or a member of `$x` counts as a part of the value of `$x`. */
export function addAssignment(
  state: PwshState,
  { name, member }: Target,
  { operator, value }: { readonly operator: string; readonly value: readonly CommandPiece[] },
): void {
  const appends = operator === "+=" || member !== undefined;
  const [only, ...others] = value;
  const items = only?.kind === "expansion" && others.length === 0 ? only.items : undefined;
  state.values.give(
    name,
    [...(member === undefined ? [] : [textWord(`-${member}`)]), ...(items ?? [{ pieces: value }])],
    appends,
  );
  const isText = value.length > 0 && value.every(({ kind }) => kind === "text");
  // PowerShell does not split text into words, so a text is a list of one.
  const held: readonly CommandPiece[] =
    isText && !appends
      ? [{ kind: "expansion", text: "(", start: 0, placeholders: [], items: [{ pieces: value }] }]
      : value;
  state.addSetting(`${name}${appends ? "+" : ""}`, held, true);
  if (member !== undefined) addMethod(state, `::${member}=`, [{ pieces: value }]);
  // `$function:name = …` defines a function from text.
  if (/^(?:function|alias)__/.test(name)) addMethod(state, "$function:", [{ pieces: value }]);
}

/** Adds a variable that may hold anything, such as a parameter of a function. */
export function addUnknown(state: PwshState, name: string): void {
  state.addSetting(name, [piped], false);
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
  state.commands.push({ words: [textWord(name), ...words], redirections: [] });
  const variable = name === "[environment]::setenvironmentvariable" ? literalText(args[0]) : undefined;
  if (variable !== undefined) state.addSetting(environmentName(variable), args[1]?.pieces ?? [], false);
}
