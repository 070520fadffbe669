// Reports what src/shell finds: a value where a program would read it as program text, with the ways out that an author
// has.
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import { writtenOut } from "../../shell/choices.ts";
import type { Danger } from "../../shell/danger.ts";
import { scriptDangers } from "../../shell/hazards.ts";
import type { CommandWord, ReadScript, SimpleCommand } from "../../shell/pieces.ts";
import { spanWithin } from "../syntax/ast.ts";
import { argFix, offersFor } from "./command-offers.ts";
import {
  codeHelp,
  type CommandSource,
  declarationOf,
  parameterAsProgram,
  unsafePlaceholder,
} from "./command-problems.ts";

export function commandHazards(source: CommandSource, script: ReadScript): readonly Diagnostic[] {
  const commands = script.commands.map((command) => withoutForeign(source, command));
  const dangers = dangersIn(source, { ...script, commands });
  // One message for each placeholder. The first reason is the nearest.
  const byPlace = new Map(dangers.toReversed().map((danger) => [danger.piece.start, danger]));
  return [...byPlace.values()].map((danger) => {
    const offers = acceptedOffers(source, { ...script, commands }, danger);
    const declared = declarationOf(source, danger.piece.name)?.span.start;
    // A part of a value, `{a.b}`, is declared where it stands.
    const isNamed =
      declared !== undefined && declared !== spanWithin(source.text, danger.piece.start + 1, danger.piece.end).start;
    const fix = danger.takesArg && isNamed ? argFix(source.text, danger.piece) : undefined;
    return { ...toDiagnostic(source, danger), ...(fix ? { fix } : {}), ...(offers.length > 0 ? { offers } : {}) };
  });
}

function dangersIn(source: CommandSource, script: ReadScript): readonly Danger[] {
  return writtenOut(source, script).flatMap((written) =>
    scriptDangers(source, { ...written, text: source.text.text, depth: 0 }),
  );
}

/** Returns the changes of the parameter after which its value is accepted here. */
function acceptedOffers(source: CommandSource, script: ReadScript, { piece, isPlain }: Danger): readonly Fix[] {
  const declaration = declarationOf(source, piece.name);
  if (!declaration) return [];
  const { text } = source.text;
  const isWhole = /(?:^|\s)["']?$/.test(text.slice(0, piece.start)) && /^["']?(?:\s|$)/.test(text.slice(piece.end));
  const accepted = offersFor(declaration, { isWhole, isPlain: isPlain === true }).filter(({ parameter }) => {
    const declarations = source.declarations.map((one) => (one === declaration ? { ...one, parameter } : one));
    return !dangersIn({ ...source, declarations }, script).some((danger) => danger.piece.name === piece.name);
  });
  return accepted.flatMap(({ kind, fix }, at) => (accepted.findIndex((one) => one.kind === kind) === at ? [fix] : []));
}

/** Leaves out placeholders that name no parameter, as in `'${x}'`: they are text. */
function withoutForeign(source: CommandSource, command: SimpleCommand): SimpleCommand {
  const withLiterals = ({ pieces, ...rest }: CommandWord): CommandWord => ({
    ...rest,
    pieces: pieces.map((piece) =>
      piece.kind === "placeholder" && !declarationOf(source, piece.name)
        ? { kind: "text", text: `{${piece.name}}` }
        : piece,
    ),
  });
  return {
    ...command,
    words: command.words.map(withLiterals),
    redirections: command.redirections.map(({ operator, word }) => ({ operator, word: withLiterals(word) })),
  };
}

function toDiagnostic(source: CommandSource, danger: Danger): Diagnostic {
  const found = danger.isProgram
    ? parameterAsProgram(source, danger.piece, danger.help)
    : unsafePlaceholder(source, danger.piece, {
        ...danger,
        help: [...danger.help, codeHelp(source, danger.piece.name)],
      });
  const { through } = danger;
  if (!through) return found;
  return {
    ...found,
    related: [
      ...found.related,
      {
        span: spanWithin(source.text, through.start, through.end ?? through.start + through.text.length),
        text: "the value may end up here",
      },
    ],
  };
}
