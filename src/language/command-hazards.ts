// Places where a program would read a value as program text although nothing is wrong with the quotes: `sh -c "… {p}"`.
// Numbers, booleans and choices are the author's or harmless, and may go there; everything else is refused.
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { spanWithin } from "./ast.ts";
import { builtinDangers } from "./command-builtins.ts";
import { interpreterDangers } from "./command-interpreters.ts";
import { type CommandWord, literalStart, literalText, type PlaceholderPiece, placeholdersIn, type ReadScript, type SimpleCommand } from "./command-pieces.ts";
import { type CommandSource, declarationOf, parameterAsProgram, unsafePlaceholder } from "./command-problems.ts";
import { programName, specialVariable, wrappers } from "./command-programs.ts";
import { regionDangers } from "./command-region-dangers.ts";
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
  readonly fed?: PlaceholderPiece;
  /** A word that is not there when a value is absent or a variable empty, or becomes several. */
  mayVanish(word: CommandWord): boolean;
  /** `[flags]`: the value may be any option. */
  isFlags(piece: PlaceholderPiece): boolean;
}

export const absenceHelp = "make the parameter before it required, give it a default, or tie its option to it with `flag=\"--option {value}\"`; put `\"…\"` around variables";

/** Wrappers in wrappers, such as `sudo env nice sh`. */
const WRAPPERS_MAX = 8;

export function commandHazards(source: CommandSource, script: ReadScript): readonly Diagnostic[] {
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
  const context: HazardContext = { flow, everything, wild, ...(fed ? { fed } : {}), mayVanish, isFlags };
  const dangers = [
    ...script.commands.flatMap((command) => commandDangers(command, context)),
    ...script.regions.flatMap((region) => regionDangers(region, source.text.text.slice(region.start, region.end), flow)),
  ];
  // One message for each placeholder: the first reason is the nearest.
  const byPlace = new Map(dangers.toReversed().map((danger) => [danger.piece.start, danger]));
  return [...byPlace.values()].map((danger) => toDiagnostic(source, danger));
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

const TAME_ITEM = /^(?:\\[wd]|\\[.-]|[A-Za-z0-9_]|\[(?:a-z|A-Z|0-9|\\[wd.-]|[A-Za-z0-9_.](?!-)|-(?=\]))+\]|\(\?:|[()|+*?]|\{\d+(?:,\d*)?\})+$/;

/** The pattern lets only letters, digits and `_ . -` through, which mean little in awk, sed and make. */
function isTame(schema: ParameterSchema | undefined): boolean {
  if (schema?.type === "array") return isTame(schema.items);
  return schema?.type === "string" && schema.pattern !== undefined && !schema.pattern.flags.includes("i") && TAME_ITEM.test(schema.pattern.source);
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

/** What the words make of the program that stands first. */
function programDangers(words: readonly CommandWord[], context: HazardContext, depth: number): readonly Danger[] {
  const [program, ...args] = words;
  if (!program) return [];
  const literal = literalText(program);
  // Where `$sudo` is empty, the next word is the program.
  if (literal === undefined) return [...asProgram(program, context), ...(context.mayVanish(program) && depth < WRAPPERS_MAX ? programDangers(args, context, depth + 1) : [])];
  const name = programName(literal);
  const known = [...builtinDangers(literal, args, context), ...interpreterDangers({ name, literal }, args, context)];
  const wrapped = depth < WRAPPERS_MAX ? wrappedProgram(name, args, context) : undefined;
  if (!wrapped) return known;
  const assignments = wrapped.assignments.flatMap((word) => assignmentDangers(word, context));
  const note = `\`${literal}\` runs this when a word before it is missing`;
  const shifted = wrapped.shifted ? context.flow.carriedBy(wrapped.words.slice(1), "deep").map((carried) => ({ ...carried, note, help: [absenceHelp] })) : [];
  return [...known, ...assignments, ...programDangers(wrapped.words, context, depth + 1), ...shifted];
}

function asProgram(program: CommandWord, context: HazardContext): readonly Danger[] {
  // Written in full view, even a choice would say what runs; a variable may have been given anything else by then.
  const { flow, everything } = context;
  const carried = placeholdersIn([program]).length > 0 ? everything.carriedBy([program], "deep") : flow.carriedBy([program], "deep");
  return carried.map((one) => ({ ...one, note: "", help: [], isProgram: true }));
}

interface Wrapped {
  readonly assignments: readonly CommandWord[];
  readonly words: readonly CommandWord[];
  /** A word before them may be missing, and then they stand elsewhere. */
  readonly shifted: boolean;
}

function wrappedProgram(name: string, args: readonly CommandWord[], context: HazardContext): Wrapped | undefined {
  if (name === "find") {
    const at = args.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(literalText(word) ?? ""));
    return at === -1 ? undefined : { assignments: [], words: args.slice(at + 1), shifted: false };
  }
  const wrapper = wrappers.find((candidate) => candidate.names.includes(name));
  if (!wrapper) return undefined;
  const assignments: CommandWord[] = [];
  let operands = wrapper.operands;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    const start = literalStart(word);
    if (start === "--") continue;
    // `command -v NAME` only looks.
    if (name === "command" && /^-p?[vV]$/.test(literalText(word) ?? "")) return undefined;
    if (wrapper.valueOptions?.test(literalText(word) ?? "")) at++;
    else if (name === "env" && ASSIGNMENT.test(start)) assignments.push(word);
    else if (start.startsWith("-") && start !== "-") continue;
    else if (operands > 0) operands--;
    else break;
  }
  return { assignments, words: args.slice(at), shifted: args.slice(0, at).some(context.mayVanish) };
}
