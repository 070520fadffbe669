// Places where a program would read a value as program text although nothing is wrong with the quotes: `sh -c "… {p}"`.
// Numbers, booleans and choices are the author's or harmless, and may go there; everything else is refused.
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { spanWithin } from "./ast.ts";
import { innerScript } from "./command-inner.ts";
import { type CommandWord, literalStart, type PlaceholderPiece, type ReadScript, type SimpleCommand } from "./command-pieces.ts";
import { type CommandSource, declarationOf, parameterAsProgram, unsafePlaceholder } from "./command-problems.ts";
import { programDangers } from "./command-program-dangers.ts";
import { specialVariable } from "./command-programs.ts";
import { regionDangers } from "./command-region-dangers.ts";
import { isTame } from "./command-tame.ts";
import { ASSIGNMENT, type Carried, type Flow, flowOf } from "./command-taint.ts";

/** A value where it must not be, and why. */
export interface Danger extends Carried {
  readonly note: string;
  readonly help: readonly string[];
  readonly isProgram?: true;
}

export interface HazardContext {
  readonly flow: Flow;
  /** Also numbers and choices. */
  readonly everything: Flow;
  /** Without those whose pattern lets only letters, digits and `_ . -` through. */
  readonly wild: Flow;
  /** A value that a program may read from its input. */
  readonly fed?: PlaceholderPiece | undefined;
  /** A word that is not there when a value is absent or a variable empty, or becomes several. */
  mayVanish(word: CommandWord): boolean;
  /** `[flags]`: the value may be any option. */
  isFlags(piece: PlaceholderPiece): boolean;
  /** What the values in `words` do in a script that gets them: its `$1`, the variables of its surroundings and, where it is fed, its input. */
  inner(text: string, words: readonly CommandWord[], isFed: boolean): readonly Danger[];
}

export const absenceHelp = "make the parameter before it required, give it a default, or tie its option to it with `flag=\"--option {value}\"`; put `\"…\"` around variables";

export function commandHazards(source: CommandSource, script: ReadScript): readonly Diagnostic[] {
  const dangers = scriptDangers(source, { ...script, text: source.text.text, depth: 0 });
  // One message for each placeholder: the first reason is the nearest.
  const byPlace = new Map(dangers.toReversed().map((danger) => [danger.piece.start, danger]));
  return [...byPlace.values()].map((danger) => toDiagnostic(source, danger));
}

/** A script, or one that is a word of another: `sh -c '…'`. */
interface ScriptWithText extends ReadScript {
  readonly text: string;
  /** Of scripts in scripts. */
  readonly depth: number;
}

const DEPTH_MAX = 4;

export function scriptDangers(source: Pick<CommandSource, "declarations">, script: ScriptWithText): readonly Danger[] {
  const isKnown = (piece: PlaceholderPiece): boolean => declarationOf(source, piece.name) !== undefined;
  const isRisky = (piece: PlaceholderPiece): boolean => {
    const declaration = declarationOf(source, piece.name);
    return declaration !== undefined && !isHarmless(declaration.parameter.schema);
  };
  const flow = flowOf(script.commands, isRisky);
  const everything = flowOf(script.commands, isKnown);
  const wild = flowOf(script.commands, (piece) => isRisky(piece) && !isTame(declarationOf(source, piece.name)?.parameter.schema));
  const isFlags = (piece: PlaceholderPiece): boolean => declarationOf(source, piece.name)?.parameter.flags === true;
  const mayVanish = ({ pieces }: CommandWord): boolean => {
    // Even in quotes, `"$@"` is no word or many. Other quotes leave an empty text.
    if (pieces.some((piece) => piece.kind === "expansion" && piece.text.includes("@"))) return true;
    const [only, ...others] = pieces;
    if (only?.kind === "placeholder" && others.length === 0) return only.quoting === "bare" && mayBeAbsent(declarationOf(source, only.name)?.parameter);
    return pieces.every((piece) => piece.kind === "expansion");
  };
  const fed = script.feedsInput ? flow.valueOf("@") : undefined;
  const inner: HazardContext["inner"] = (text, words, isFed) => {
    if (script.depth >= DEPTH_MAX) return [];
    const read = innerScript(text, words);
    return scriptDangers(source, { ...read, feedsInput: read.feedsInput || isFed, text, depth: script.depth + 1 });
  };
  const context: HazardContext = { flow, everything, wild, fed, mayVanish, isFlags, inner };
  return [
    ...script.commands.flatMap((command) => commandDangers(command, context)),
    ...script.regions.flatMap((region) => regionDangers(region, script.text.slice(region.start, region.end), flow)),
  ];
}

function mayBeAbsent(parameter: Parameter | undefined): boolean {
  return parameter !== undefined && (parameter.schema.type === "array" || parameter.flag !== undefined || (!parameter.required && parameter.default === undefined));
}

export function isHarmless(schema: ParameterSchema): boolean {
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return true;
    case "string":
      return schema.choices !== undefined;
    case "array":
      return isHarmless(schema.items);
    case "object":
      return false;
  }
}

function toDiagnostic(source: CommandSource, danger: Danger): Diagnostic {
  const found = danger.isProgram ? parameterAsProgram(source, danger.piece) : unsafePlaceholder(source, danger.piece, danger);
  const { through } = danger;
  if (!through) return found;
  return { ...found, related: [...found.related, { span: spanWithin(source.text, through.start, through.start + through.text.length), text: "comes here" }] };
}

function commandDangers(command: SimpleCommand, context: HazardContext): readonly Danger[] {
  const subscripts = command.words.flatMap((word) => subscriptDangers(word, context));
  if (command.isList) return subscripts;
  let at = 0;
  const assignments: Danger[] = [];
  for (; at < command.words.length; at++) {
    const word = command.words[at];
    if (!word || !ASSIGNMENT.test(literalStart(word))) break;
    assignments.push(...assignmentDangers(word, context));
  }
  return [...subscripts, ...assignments, ...programDangers(command.words.slice(at), context, 0)];
}

/** `a[{p}]=1`: a subscript is arithmetic. */
function subscriptDangers(word: CommandWord, context: HazardContext): readonly Danger[] {
  const [first] = word.pieces;
  const opening = first?.kind === "text" ? /^(?:[A-Za-z_]\w*)?\[/.exec(first.text)?.[0] : undefined;
  if (opening === undefined || first?.kind !== "text") return [];
  const end = word.pieces.findIndex((piece) => piece.kind === "text" && /\]\+?=/.test(piece.text));
  const last = word.pieces[end];
  if (last?.kind !== "text") return [];
  const inside = end === 0 ? [] : word.pieces.slice(1, end);
  const texts = [first.text.slice(opening.length), ...(end === 0 ? [] : [last.text])].map((text) => ({ kind: "text" as const, text: text.replace(/\]\+?=.*/s, "") }));
  const subscript = { pieces: [...texts, ...inside] };
  const { flow } = context;
  return [...flow.carriedBy([subscript], "deep"), ...flow.computedBy([subscript])].map((carried) => ({ ...carried, note: "in the subscript of an array, which bash and zsh compute", help: ["use an `{integer}` parameter"] }));
}

export function assignmentDangers(word: CommandWord, context: HazardContext): readonly Danger[] {
  const name = ASSIGNMENT.exec(literalStart(word))?.[1] ?? "";
  if (!specialVariable.test(name)) return [];
  const help = ["use a variable of another name, or choices of the parameter"];
  return context.flow.carriedBy([word], "deep").map((carried) => ({ ...carried, note: `\`${name}\` decides what runs, or is computed`, help }));
}
