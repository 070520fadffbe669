// What is said where a value could become an option although a call guards it, or becomes several words.
import type { Parameter } from "../schema/parameter.ts";
import type { Diagnostic, Edit, Fix } from "../text/diagnostic.ts";
import type { OptionReader } from "../tool/command.ts";
import { spanWithin } from "./ast.ts";
import { vanishingIn } from "./command-absence.ts";
import { optionFlow, type OptionCut, type OptionFlow, type ValueSplit } from "./command-options.ts";
import type { PlaceholderPiece, ReadScript } from "./command-pieces.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "./command-problems.ts";
import type { OptionUse } from "./command-readers.ts";
import { mayBecomeWords, mayHoldDash } from "./command-tame.ts";

export interface CheckedOptions extends OptionFlow {
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
    isWild: (piece) => {
      const parameter = parameterOf(piece);
      return parameter !== undefined && mayBecomeWords(parameter.schema);
    },
  });
  const cuts = new Map(flow.cuts.flatMap((cut) => cut.use.word.pieces.map((piece) => [piece, cut] as const)));
  // A word that is told for its quotes gets them and the `--` at once.
  const unquoted = new Set(flow.splits.map(({ expansion }) => cuts.get(expansion)));
  const splits = flow.splits.map((split) => splitProblem(source, split, cuts.get(split.expansion)));
  const guards = new Map([...flow.guards].filter(([piece]) => mayBeginWithDash(parameterOf(piece))));
  return {
    ...flow,
    guards,
    diagnostics: [...splits, ...flow.cuts.filter((cut) => !unquoted.has(cut)).map((cut) => cutProblem(source, cut))],
  };
}

/** Without a reason of its own: a path gets `./`, and numbers, choices and `flags` may. */
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

/** `flag="--depth={value}"` has a dash of its own. */
function beginsWord(parameter: Parameter | undefined): boolean {
  return parameter?.flag === undefined || /(?:^|\s)["']?\{value\}/.test(parameter.flag);
}

/** For the message of a call that is refused. */
export function readerOf({ program, instead, isValue }: OptionUse): OptionReader {
  const other = isValue ? "in one word with the option before it" : instead;
  return { program, ...(other === undefined ? {} : { instead: other }) };
}

function cutProblem(source: CommandSource, cut: OptionCut): Diagnostic {
  const { use, piece, fedTo, isOuter } = cut;
  const message = `a part of \`{${piece.name}}\` could become an option of ${use.program}`;
  const fix = dashesFix(source, cut);
  const place = isOuter ? "" : " there";
  const help = [
    ...(fix ? [] : [dashesHelp(use, place)]),
    ...(fedTo ? [] : [`put \`./\` before it${place} where it is a file`]),
    "let no dash through: `pattern=/[\\w.]+/`",
  ];
  const [start, end] = isOuter ? (fedTo ? [fedTo[0]?.start, fedTo.at(-1)?.end] : [use.word.start, use.word.end]) : [];
  if (start === undefined || end === undefined) {
    return commandProblem(source, "parameter-as-option", {
      message,
      ...piece,
      note: `${use.program} reads it in a script that is a word here`,
      related: declaredHere(source, piece.name),
      help,
    });
  }
  const note = fedTo ? "`xargs` adds words of the value here" : "this may begin with `-`, though the value does not";
  return commandProblem(source, "parameter-as-option", {
    message,
    start,
    end,
    note,
    related: relatedTo(source, piece, { start, end }),
    help,
    ...(fix ? { fix } : {}),
  });
}

function dashesHelp({ name, program, instead }: OptionUse, place: string): string {
  if (instead !== undefined) return `${program} takes options behind \`--\` too`;
  if (name.startsWith("git ")) return `put \`--\` before it${place} where it is a path, or \`--end-of-options\``;
  return `put \`--\` before it${place}${isOwn({ name, program }) ? `, if ${program} knows that` : ""}`;
}

/** A program that the author may have written. */
function isOwn({ name, program }: Pick<OptionUse, "name" | "program">): boolean {
  return name === "" || program.includes("/");
}

/** Behind the command, where xargs adds its words. Not for git, where `--` is for paths alone. */
function dashesFix(source: CommandSource, { use, fedTo, isOuter }: OptionCut): Fix | undefined {
  const end = fedTo?.at(-1)?.end;
  if (!isOuter || use.instead !== undefined || use.name.startsWith("git ") || isOwn(use)) return undefined;
  if (use.dashesAt !== undefined)
    return { title: "put `--` before it", edits: [insertion(source, use.dashesAt, "-- ")] };
  return end === undefined ? undefined : { title: "end the command with `--`", edits: [insertion(source, end, " --")] };
}

function splitProblem(
  source: CommandSource,
  { expansion, piece, isOuter, holdsOptions }: ValueSplit,
  cut: OptionCut | undefined,
): Diagnostic {
  const shown = `\`${expansion.text.length <= 30 ? expansion.text : `${expansion.text.slice(0, 29)}…`}\``;
  const message = `without quotes, a shell makes several words of ${shown}`;
  const help = [
    holdsOptions
      ? 'write an option and its value as `${x:+--name "$x"}`, or with `flag="--name {value}"` of the parameter'
      : "declare a list, `array<string>`, for several values",
  ];
  if (!isOuter)
    return commandProblem(source, "unquoted-value", {
      message,
      ...piece,
      note: "in a script that is a word here",
      related: declaredHere(source, piece.name),
      help: ['put `"…"` around it there', ...help],
    });
  const [start, end] = [expansion.start, expansion.start + expansion.text.length];
  const problem = {
    message,
    start,
    end,
    note: `it holds the value of \`{${piece.name}}\``,
    related: relatedTo(source, piece, { start, end }),
    help,
  };
  if (holdsOptions) return commandProblem(source, "unquoted-value", problem);
  const dashes = cut && dashesFix(source, cut)?.edits[0];
  const isSamePlace = dashes?.span.start === spanWithin(source.text, start, start).start;
  const opening = insertion(source, start, isSamePlace ? `${dashes.text}"` : '"');
  const edits = [...(dashes && !isSamePlace ? [dashes] : []), opening, insertion(source, end, '"')];
  const fix = { title: `put it in double quotes${dashes ? ", behind `--`" : ""}`, edits };
  return commandProblem(source, "unquoted-value", { ...problem, fix });
}

/** Where the value stands, if that is not in the place itself, and where it is declared. */
function relatedTo(
  source: CommandSource,
  piece: PlaceholderPiece,
  place: { readonly start: number; readonly end: number },
): Diagnostic["related"] {
  const isInside = piece.start >= place.start && piece.end <= place.end;
  return [
    ...(isInside ? [] : [{ span: spanWithin(source.text, piece.start, piece.end), text: "comes from here" }]),
    ...declaredHere(source, piece.name),
  ];
}

function insertion(source: CommandSource, at: number, text: string): Edit {
  return { span: spanWithin(source.text, at, at), text };
}
