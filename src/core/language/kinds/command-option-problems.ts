// Diagnostics for a value that could become an option despite the guard of a call, or that becomes several words.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { OptionReader } from "../../tool/command.ts";
import { spanWithin } from "../syntax/ast.ts";
import { vanishingIn } from "../../shell/absence.ts";
import {
  optionFlow,
  type OptionChoice,
  type OptionCut,
  type OptionFlow,
  type ValueSplit,
} from "../../shell/options.ts";
import type { PlaceholderPiece, ReadScript } from "../../shell/pieces.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "./command-problems.ts";
import type { OptionUse } from "../../shell/readers.ts";
import { holdsDigits, isShellSafe, mayBecomeWords, mayHoldDash } from "../../shell/shell-safe.ts";

interface CheckedOptions extends OptionFlow {
  readonly diagnostics: readonly Diagnostic[];
}

export function checkOptions(source: CommandSource, script: ReadScript): CheckedOptions {
  const parameterOf = (piece: PlaceholderPiece): Parameter | undefined => declarationOf(source, piece.name)?.parameter;
  const flow = optionFlow(script, {
    isValue: (piece) => parameterOf(piece) !== undefined,
    beginsWord: (piece) => beginsWord(parameterOf(piece)),
    mayVanish: vanishingIn(source),
    mayHoldDash: (piece) => {
      const parameter = parameterOf(piece);
      return parameter !== undefined && !parameter.flags && mayHoldDash(parameter.schema);
    },
    mayName: (piece, place) => {
      const parameter = parameterOf(piece);
      return parameter !== undefined && !parameter.flags && mayName(parameter.schema, place);
    },
    flagOf: (piece) => parameterOf(piece)?.flag,
    isWild: (piece) => {
      const parameter = parameterOf(piece);
      return parameter !== undefined && mayBecomeWords(parameter.schema);
    },
  });
  const cuts = new Map(flow.cuts.flatMap((cut) => cut.use.word.pieces.map((piece) => [piece, cut] as const)));
  // A word that lacks quotes gets the quotes and the `--` in one fix.
  const unquoted = new Set(flow.splits.map(({ expansion }) => cuts.get(expansion)));
  const splits = flow.splits.map((split) => splitProblem(source, split, cuts.get(split.expansion)));
  const guards = new Map([...flow.guards].filter(([piece]) => mayBeginWithDash(parameterOf(piece))));
  return {
    ...flow,
    guards,
    diagnostics: [
      ...splits,
      ...[...new Map(flow.choices.map((choice) => [choice.piece, choice])).values()].map((choice) =>
        choiceProblem(source, choice),
      ),
      ...flow.cuts.filter((cut) => !unquoted.has(cut)).map((cut) => cutProblem(source, cut)),
    ],
  };
}

/** Whether a value may begin with a dash. Numbers, choices and `flags` are allowed to, and a path gets `./`. */
export function mayBeginWithDash(parameter: Parameter | undefined): boolean {
  const schema = parameter?.schema.type === "array" ? parameter.schema.items : parameter?.schema;
  return (
    parameter?.flags !== true &&
    schema !== undefined &&
    beginsWord(parameter) &&
    mayHoldDash(schema) &&
    !(schema.type === "string" && schema.format === "path")
  );
}

/** Whether the value begins its word: `flag="--depth={value}"` begins with its own dash. */
function beginsWord(parameter: Parameter | undefined): boolean {
  return parameter?.flag === undefined || /(?:^|\s)["']?\{value\}/.test(parameter.flag);
}

/** Returns what the message of a refused call says about the program. */
export function readerOf({ program, instead, isValue }: OptionUse): OptionReader {
  const other = isValue ? "in one word with the option before it" : instead;
  return { program, ...(other === undefined ? {} : { instead: other }) };
}

/**
 * Whether a value may name an option that the author did not mean. A plain word is the author's own after a dash that
 * the author wrote; tar's first word has none. A list of whole words may hold options (`optionLists`).
 */
function mayName(schema: ParameterSchema, place: "letters" | "name"): boolean {
  if (schema.type !== "string" || schema.choices || holdsDigits(schema)) return false;
  return place === "letters" || !isShellSafe(schema);
}

function choiceProblem(source: CommandSource, { use, piece, isOuter }: OptionChoice): Diagnostic {
  return commandProblem(source, "parameter-as-option", {
    message: `the value of \`{${piece.name}}\` would choose the options of ${use.program}`,
    ...(isOuter && use.word.start !== undefined && use.word.end !== undefined
      ? { start: use.word.start, end: use.word.end }
      : piece),
    note: use.isLetters
      ? `${use.program} reads its first word as options, even without a dash`
      : "it is what follows the dash",
    related: declaredHere(source, piece.name),
    help: [
      ...(use.isLetters
        ? ["write an option before it: `-cf` to create, `-xf` to extract, `-tf` to list"]
        : ['declare choices, as in `{"name"|"size"}`, or write out the option and pass only its value']),
      `or say that \`${piece.name}\` may be any option, with \`[flags]\``,
    ],
  });
}

function cutProblem(source: CommandSource, { use, piece, fedTo, isOuter }: OptionCut): Diagnostic {
  const place = isOuter ? "" : " there";
  const [start, end] = isOuter ? (fedTo ? [fedTo[0]?.start, fedTo.at(-1)?.end] : [use.word.start, use.word.end]) : [];
  const isShown = start !== undefined && end !== undefined;
  return commandProblem(source, "parameter-as-option", {
    message: `a part of \`{${piece.name}}\` could become an option of ${use.program}`,
    ...(isShown ? { start, end } : piece),
    note: !isShown
      ? `${use.program} reads it in a script inside this argument`
      : fedTo
        ? "`xargs` adds arguments from the value here"
        : "this may begin with `-`, even if the value does not",
    related: isShown ? relatedTo(source, piece, { start, end }) : declaredHere(source, piece.name),
    help: [
      dashesHelp(use, fedTo ? " at the end" : place),
      ...(fedTo ? [] : [`put \`./\` before it${place} if it is a file`]),
      "disallow dashes: `pattern=/[\\w.]+/`",
    ],
  });
}

function dashesHelp({ name, program, instead }: OptionUse, place: string): string {
  if (instead !== undefined) return `${program} accepts options even after \`--\``;
  if (name.startsWith("git ")) return `put \`--\` before it${place} if it is a path, or use \`--end-of-options\``;
  // The program may be the author's own.
  const isOwn = name === "" || program.includes("/");
  return `put \`--\` ${place === " at the end" ? "at the end of the command" : `before it${place}`}${isOwn ? `, if ${program} supports that` : ""}`;
}

function splitProblem(
  source: CommandSource,
  { expansion: { text, start }, piece, isOuter, holdsOptions }: ValueSplit,
  cut: OptionCut | undefined,
): Diagnostic {
  const end = start + text.length;
  return commandProblem(source, "unquoted-value", {
    message: `without quotes, a shell splits \`${text.length <= 30 ? text : `${text.slice(0, 29)}…`}\` into several words`,
    ...(isOuter ? { start, end } : piece),
    note: isOuter ? `it contains the value of \`{${piece.name}}\`` : "in a script inside this argument",
    related: isOuter ? relatedTo(source, piece, { start, end }) : declaredHere(source, piece.name),
    help: [
      ...(holdsOptions
        ? []
        : [`put it in double quotes${isOuter ? "" : " there"}${cut && !cut.use.instead ? ", after `--`" : ""}`]),
      holdsOptions
        ? 'write an option and its value as `${x:+--name "$x"}`, or use `flag="--name {value}"` on the parameter'
        : "declare a list, `array<string>`, for several values",
    ],
  });
}

/** Labels the declaration, and the placeholder if it is outside of the place itself. */
function relatedTo(
  source: CommandSource,
  piece: PlaceholderPiece,
  place: { readonly start: number; readonly end: number },
): Diagnostic["related"] {
  const isInside = piece.start >= place.start && piece.end <= place.end;
  return [
    ...(isInside ? [] : [{ span: spanWithin(source.text, piece.start, piece.end), text: "the value comes from here" }]),
    ...declaredHere(source, piece.name),
  ];
}
