// Places where a program would read a value as program text although nothing is wrong with the quotes: `sh -c "… {p}"`.
// Numbers, booleans and choices are the author's or harmless, and `{code}` is a program on purpose; they may go there,
// and everything else is refused.
import type { ParameterSchema } from "../schema/parameter.ts";
import { isCode } from "../schema/program-text.ts";
import { vanishingIn } from "./absence.ts";
import { assignmentOf } from "./assignments.ts";
import { builtinDangers } from "./builtins.ts";
import { type Danger, type HazardContext, isWindowsShell } from "./danger.ts";
import { globDangers } from "./globbing.ts";
import { innerScript, namesIn, reachedBy } from "./inner.ts";
import { type CommandWord, literalText, type PlaceholderPiece, type ReadScript, type SimpleCommand } from "./pieces.ts";
import { placeholderParameter, type Placeholders } from "./placeholders.ts";
import { programDangers } from "./program-dangers.ts";
import { programName } from "./programs.ts";
import { regionDangers } from "./region-dangers.ts";
import { aliasesOf, resolvedCommands, unknownProgramDangers } from "./resolve.ts";
import { scanScript } from "./scan.ts";
import { type AlsoPlain, holdsDigits, isShellSafe, mayHoldDash } from "./shell-safe.ts";
import { assignmentDangers, settingDangers } from "./special.ts";
import { type Flow, flowOf } from "./taint.ts";
import { USED, type ValueKind } from "./variables.ts";
import { fedTo, ownScripts, runsWritten, type ScriptSurroundings, surroundingsOf } from "./written.ts";

/** A script, which may be a word of another one: `sh -c '…'`. */
interface ScriptWithText extends ReadScript {
  readonly text: string;
  /** The nesting depth of scripts in scripts. */
  readonly depth: number;
}

const DEPTH_MAX = 4;

export function scriptDangers(source: Placeholders, script: ScriptWithText): readonly Danger[] {
  const isKnown = (piece: PlaceholderPiece): boolean => placeholderParameter(source, piece.name) !== undefined;
  const isRisky = (piece: PlaceholderPiece): boolean => {
    const parameter = placeholderParameter(source, piece.name);
    return parameter !== undefined && !isHarmless(parameter.schema);
  };
  const isOuter = script.depth === 0;
  const kindOf = (piece: PlaceholderPiece): ValueKind => kindOfValue(placeholderParameter(source, piece.name)?.schema);
  const declared = isOuter ? freeValue(source.declarations, script.text.length) : undefined;
  const flowWith = (counts: (piece: PlaceholderPiece) => boolean): Flow =>
    flowOf(script, { isRisky: counts, kindOf, isOuter, ...(declared ? { free: declared } : {}) });
  const flow = flowWith(isRisky);
  let everything: Flow | undefined;
  const wild = new Map<AlsoPlain, Flow>();
  const isFlags = (piece: PlaceholderPiece): boolean => placeholderParameter(source, piece.name)?.flags === true;
  const mayVanish = vanishingIn(source);
  const isList = ({ pieces }: CommandWord): boolean =>
    pieces.some(
      (piece) =>
        piece.kind === "placeholder" &&
        piece.quoting === "bare" &&
        placeholderParameter(source, piece.name)?.schema.type === "array",
    );
  const spreads = (word: CommandWord): boolean => {
    const { pieces } = word;
    if (isList(word) || pieces.some((piece) => piece.kind === "expansion" && piece.text.includes("@"))) return true;
    return script.shell !== "zsh" && pieces.every((piece) => piece.kind === "expansion");
  };
  const isPlainWord = (piece: PlaceholderPiece, also: AlsoPlain): boolean => {
    const schema = placeholderParameter(source, piece.name)?.schema;
    return schema?.type === "string" && isShellSafe(schema, also) && !mayHoldDash(schema);
  };
  const isDataIn: HazardContext["isDataIn"] = (text, isZsh) => {
    if (script.depth >= DEPTH_MAX) return false;
    const scanned = scanScript(text, { knowsTests: true, knowsSubscripts: isZsh });
    if (scanned.trouble) return false;
    const shell = isZsh ? "zsh" : "bash";
    return scriptDangers(source, { ...scanned, shell, text, depth: script.depth + 1 }).length === 0;
  };
  const inner: HazardContext["inner"] = (text, words, { isZsh, isFed }) => {
    if (script.depth >= DEPTH_MAX) return [];
    const read = innerScript(text, words, isZsh);
    return scriptDangers(source, { ...read, feedsInput: read.feedsInput || isFed, text, depth: script.depth + 1 });
  };
  const context: HazardContext = {
    flow,
    everything: () =>
      (everything ??= flowWith((piece) => isKnown(piece) && !isCode(placeholderParameter(source, piece.name)?.schema))),
    wild: (also = "") => {
      const made =
        wild.get(also) ??
        flowWith((piece) => isRisky(piece) && !isShellSafe(placeholderParameter(source, piece.name)?.schema, also));
      wild.set(also, made);
      return made;
    },
    shell: script.shell ?? "bash",
    aliases: aliasesOf(script),
    mayVanish,
    isList,
    spreads,
    isFlags,
    isPlainWord,
    isDataIn,
    inner,
  };
  const feedsInput = script.feedsInput || /\bcoproc\b/.test(script.text);
  const surroundings = surroundingsOf({ ...script, feedsInput }, flow, flow.valueOf("@") ?? declared);
  return [
    ...script.commands.flatMap((command, index) => commandDangers(command, { index, surroundings, context })),
    ...settingDangers(script, surroundings.free, context),
    ...integerDangers(flow),
    ...referenceDangers(flow),
    ...script.regions.flatMap((region) => regionDangers(region, script.text.slice(region.start, region.end), context)),
  ];
}

/** Returns a parameter that takes any text, for values whose place in the script is not known. */
function freeValue(declarations: Placeholders["declarations"], end: number): PlaceholderPiece | undefined {
  const free = declarations.find(({ parameter }) => !isHarmless(parameter.schema));
  return free && { kind: "placeholder", name: free.parameter.name, start: 0, end, quoting: "bare" };
}

function kindOfValue(schema: ParameterSchema | undefined): ValueKind {
  if (schema?.type === "array") return kindOfValue(schema.items);
  if (schema?.type === "integer" || schema?.type === "number" || (schema && holdsDigits(schema))) return "number";
  if (schema?.type === "string" && schema.choices?.every((choice) => /^\d+$/.test(choice))) return "number";
  return schema === undefined || isHarmless(schema) ? "choice" : "text";
}

export function isHarmless(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return true;
    case "string":
      return schema.choices !== undefined || isCode(schema) || holdsDigits(schema);
    case "array":
      return isHarmless(schema.items);
    case "object":
      return false;
  }
}

function commandDangers(
  command: SimpleCommand,
  {
    index,
    surroundings,
    context,
  }: { readonly index: number; readonly surroundings: ScriptSurroundings; readonly context: HazardContext },
): readonly Danger[] {
  const subscripts = isWindowsShell(context.shell)
    ? []
    : command.words.flatMap((word) => subscriptDangers(word, context));
  const patterns = globDangers(command, surroundings.free, context);
  if (command.isList) return [...subscripts, ...patterns];
  let at = 0;
  const assignments: Danger[] = [];
  for (; at < command.words.length; at++) {
    const word = command.words[at];
    if (!word || !assignmentOf(word)) break;
    assignments.push(...assignmentDangers(word, context));
  }
  const words = command.words.slice(at);
  const fed = fedTo(command, surroundings);
  const around: HazardContext = { ...context, ...(fed ? { fed } : {}) };
  // `[[ a && -v x ]]` is two commands for a shell to which `[[` is a command, but `sh` may be a shell that knows tests.
  const isTestEnd = literalText(words.at(-1)) === "]]" && literalText(words[0]) !== "[[";
  const tests = isTestEnd ? builtinDangers("[[", words, context) : [];
  const dangers = resolvedCommands(words, index, context).flatMap((made) => [
    ...programDangers(made, around, 0),
    ...unknownProgramDangers(made, context),
  ]);
  const scripts = surroundings.free
    ? ownScripts(command, surroundings).flatMap((text) =>
        context
          .inner(text, reachedBy(text, words, context), {
            isZsh: words.some((word) => programName(literalText(word) ?? "") === "zsh"),
            isFed: false,
          })
          .map(({ through: _inside, ...danger }) => danger),
      )
    : [];
  const file = surroundings.free && runsWritten(words, surroundings);
  const run =
    file && surroundings.free
      ? [
          {
            piece: flowPiece(context, file) ?? surroundings.free,
            note: "the file that is run here may contain its value",
            help: ["write out the program text, and pass the value as an argument after it"],
          },
        ]
      : [];
  return [
    ...subscripts,
    ...duplicateDangers(command, context),
    ...assignments,
    ...tests,
    ...dangers,
    ...patterns,
    ...scripts,
    ...run,
  ];
}

/** Checks `>&{p}`: if the value is not a number, bash reads it as a file name and expands it again. */
function duplicateDangers({ redirections }: SimpleCommand, { flow }: HazardContext): readonly Danger[] {
  const words = redirections.filter(({ operator }) => operator === ">&").map(({ word }) => word);
  const names = words.flatMap(({ pieces }) =>
    pieces.flatMap((piece) =>
      piece.kind === "expansion" ? [...piece.text.matchAll(USED)].map((match) => match[1] ?? "") : [],
    ),
  );
  const held = names.flatMap((name) => flow.mayHold(name) ?? []).map((piece) => ({ piece }));
  return [...flow.carriedBy(words, "deep"), ...held].map((carried) => ({
    ...carried,
    note: "bash expands what follows `>&` twice",
    help: ["write `> {name} 2>&1`"],
  }));
}

function flowPiece({ flow }: HazardContext, word: CommandWord): PlaceholderPiece | undefined {
  return flow.carriedBy([word], "deep")[0]?.piece;
}

/** Checks `declare -i x`: everything assigned to `x` is computed. */
function integerDangers({ variables, computedBy }: Flow): readonly Danger[] {
  return [...variables.integers].flatMap((name) =>
    variables.givenTo(name).flatMap(({ value }) =>
      computedBy([value ?? { pieces: [{ kind: "text", text: "REPLY" }] }]).map((carried) => ({
        ...carried,
        note: `\`${name}\` is declared as a number, so bash and zsh evaluate its value`,
        help: ["declare the parameter as `{integer}`, or remove the `-i`"],
      })),
    ),
  );
}

/** Checks `declare -n x`: the first value of `x` is the name that it refers to. */
function referenceDangers({ variables, carriedBy, unknownIn, computedBy }: Flow): readonly Danger[] {
  return [...variables.references].flatMap((name) =>
    variables.givenTo(name).flatMap(({ value }) =>
      (value
        ? [...carriedBy([value], "deep"), ...unknownIn([value])]
        : computedBy([{ pieces: [{ kind: "text", text: "REPLY" }] }])
      ).map((carried) => ({
        ...carried,
        note: `\`${name}\` is declared as a reference, so bash reads its value as a name, and evaluates it`,
        help: [`write out the name: \`declare -n ${name}=NAME\``],
      })),
    ),
  );
}

/** Checks `a[{p}]=1`: a subscript is arithmetic. */
function subscriptDangers(word: CommandWord, context: HazardContext): readonly Danger[] {
  const [first] = word.pieces;
  const opening = first?.kind === "text" ? /^(?:[A-Za-z_]\w*)?\[/.exec(first.text)?.[0] : undefined;
  if (opening === undefined || first?.kind !== "text") return [];
  const end = word.pieces.findIndex((piece) => piece.kind === "text" && /\]\+?=/.test(piece.text));
  const last = word.pieces[end];
  if (last?.kind !== "text") return [];
  const inside = end === 0 ? [] : word.pieces.slice(1, end);
  const texts = [first.text.slice(opening.length), ...(end === 0 ? [] : [last.text])].map((text) => ({
    kind: "text" as const,
    text: namesIn(text.replace(/\]\+?=.*/s, "")),
  }));
  const subscript = { pieces: [...texts, ...inside] };
  const { flow } = context;
  if (flow.variables.isMap(/^\w+/.exec(opening)?.[0] ?? "")) return [];
  return flow.computedBy([subscript]).map((carried) => ({
    ...carried,
    note: "in the subscript of an array, which bash and zsh evaluate",
    help: ["use an `{integer}` parameter"],
  }));
}
