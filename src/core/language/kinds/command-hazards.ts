// Reports what src/shell finds: a value where a program would read it as program text, with the ways out that an author
// has.
import { addedKey, addedOption, parameterLine } from "./parameter-edit.ts";
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import { writtenOut } from "../../shell/choices.ts";
import type { Danger } from "../../shell/danger.ts";
import { scriptDangers } from "../../shell/hazards.ts";
import type { CommandWord, PlaceholderPiece, ReadScript, SimpleCommand } from "../../shell/pieces.ts";
import { type Declaration, type MappedText, spanWithin } from "../syntax/ast.ts";
import {
  type CommandSource,
  codeHelp,
  declarationOf,
  parameterAsProgram,
  unsafePlaceholder,
} from "./command-problems.ts";
import { wordedFor } from "../yaml-words.ts";
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";

export function commandHazards(source: CommandSource, script: ReadScript): readonly Diagnostic[] {
  const commands = script.commands.map((command) => withoutForeign(source, command));
  const dangers = dangersIn(source, { ...script, commands });
  // One message for each placeholder. The first reason is the nearest.
  const byPlace = new Map(dangers.toReversed().map((danger) => [danger.piece.start, danger]));
  const names = new Set([...byPlace.values()].map(({ piece }) => piece.name));
  return [...byPlace.values()].map((danger) => {
    const offers = acceptedOffers(source, { ...script, commands }, { danger, names });
    const declared = declarationOf(source, danger.piece.name)?.span.start;
    // A part of a value, `{a.b}`, is declared where it stands.
    const isNamed =
      declared !== undefined && declared !== spanWithin(source.text, danger.piece.start + 1, danger.piece.end).start;
    const fix = danger.takesArg && isNamed ? argFix(source.text, danger.piece) : undefined;
    return {
      ...toDiagnostic(source, danger, offers),
      ...(fix ? { fix } : {}),
      ...(offers.length > 0 ? { offers } : {}),
    };
  });
}

function dangersIn(source: CommandSource, script: ReadScript): readonly Danger[] {
  return writtenOut(source, script).flatMap((written) =>
    scriptDangers(source, { ...written, text: source.text.text, depth: 0 }),
  );
}

/** Returns the changes of the parameter after which its value is accepted here. `names` are those of all such values. */
function acceptedOffers(
  source: CommandSource,
  script: ReadScript,
  { danger, names }: { readonly danger: Danger; readonly names: ReadonlySet<string> },
): readonly Fix[] {
  const { piece, isPlain } = danger;
  const declaration = declarationOf(source, piece.name);
  if (!declaration) return [];
  const { text } = source.text;
  const isWhole = /(?:^|\s)["']?$/.test(text.slice(0, piece.start)) && /^["']?(?:\s|$)/.test(text.slice(piece.end));
  const accepted = offersFor(declaration, { isWhole, isPlain: isPlain === true }).filter(({ parameter, pattern }) => {
    // Each of several values in a text is offered the same.
    const declarations = source.declarations.map((one) =>
      one === declaration
        ? { ...one, parameter }
        : pattern !== undefined && names.has(one.parameter.name)
          ? { ...one, parameter: withPattern(one.parameter, pattern) ?? one.parameter }
          : one,
    );
    return !dangersIn({ ...source, declarations }, script).some((other) => other.piece.name === piece.name);
  });
  const first = accepted.findIndex(({ pattern }) => pattern !== undefined);
  return accepted.flatMap(({ pattern, fix }, at) => (pattern === undefined || at === first ? [fix] : []));
}

function withPattern(parameter: Parameter, pattern: string): Parameter | undefined {
  const { schema } = parameter;
  const item = schema.type === "array" ? schema.items : schema;
  if (item.type !== "string" || item.choices || item.pattern) return undefined;
  const made: ParameterSchema = { ...item, pattern: { source: pattern, flags: "" } };
  return { ...parameter, schema: schema.type === "array" ? { ...schema, items: made } : made };
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

function toDiagnostic(source: CommandSource, danger: Danger, offers: readonly Fix[]): Diagnostic {
  const { name } = danger.piece;
  const titles = offers.flatMap(({ title }) => (title.startsWith("let ") ? [`or ${title}`] : []));
  const schema = declarationOf(source, name)?.parameter.schema;
  // The name of a file is hardly a program.
  const isFile = schema?.type === "string" && schema.format === "path";
  const found = danger.isProgram
    ? parameterAsProgram(source, danger.piece, danger.help)
    : unsafePlaceholder(source, danger.piece, {
        ...danger,
        help: [...danger.help, ...titles, ...(isFile && titles.length > 0 ? [] : [codeHelp(source, name)])],
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

// What a person may choose where a value would become program text: the value is a program on purpose, or it is only
// ever a plain word. Each offer is tried before it is made.
interface Offer {
  /** Absent if the value is a program. */
  readonly pattern?: string;
  readonly fix: Fix;
  /** The parameter as it would be. */
  readonly parameter: Parameter;
}

/** Plain words, the widest first. */
const PATTERNS = ["[\\w .-]+", "[\\w.:/@-]+", "[\\w.:/@]+", "[\\w.-]+", "[\\w.]+"];

/** Where the value stands. */
interface OfferPlace {
  /** Whether the value is a whole word, so that it can be the program itself. */
  readonly isWhole: boolean;
  /** Whether a plain word is what an author most likely means. */
  readonly isPlain: boolean;
}

function offersFor(declaration: Declaration, { isWhole, isPlain }: OfferPlace): readonly Offer[] {
  const { parameter, span } = declaration;
  const { schema, default: usual } = parameter;
  const item = schema.type === "array" ? schema.items : schema;
  if (item.type !== "string" || item.choices) return [];
  const line = parameterLine(declaration);
  const asCode: Offer[] = [];
  if (line && item.format === undefined && isWhole) {
    const type = schema.type === "array" ? "array<code>" : "code";
    const code: ParameterSchema = { type: "string", format: "code" };
    const edit = { span: { ...span, start: line.at - line.type.length, end: line.at }, text: ` {${type}}` };
    asCode.push({
      fix: { title: `declare \`${line.name}\` as \`{${type}}\``, edits: [edit] },
      parameter: { ...parameter, schema: schema.type === "array" ? { ...schema, items: code } : code },
    });
  }
  const patterns = PATTERNS.flatMap((pattern): readonly Offer[] => {
    const narrowed = withPattern(parameter, pattern);
    const edit = line
      ? addedOption(declaration, line, `pattern=/${pattern}/`)
      : addedKey(declaration, `pattern: ^${pattern}$`);
    if (!narrowed || !edit || (typeof usual === "string" && !new RegExp(`^${pattern}$`).test(usual))) return [];
    const title = wordedFor(span.source, `let only plain words through: \`pattern=/${pattern}/\``);
    return [{ pattern, fix: { title, edits: [edit] }, parameter: narrowed }];
  });
  return isPlain || !isWhole ? [...patterns, ...asCode] : [...asCode, ...patterns];
}

/**
 * Writes `… == "{name}"` in a filter of jq as `--arg name {name} '… == $name'`, which is what the author meant. Returns
 * undefined where the text in double quotes is more than the value, or a key.
 */
function argFix(text: MappedText, { name, start, end }: PlaceholderPiece): Fix | undefined {
  const [before, after] = [text.text.slice(0, start - 1), text.text.slice(end + 1)];
  const quote = before.lastIndexOf("'");
  const isLiteral = text.text[start - 1] === '"' && text.text[end] === '"' && !/[\\.]$/.test(before);
  const isWithin = before.split("'").length % 2 === 0 && /(?:^|\s)$/.test(before.slice(0, quote));
  const isFree = /^[A-Za-z_]\w*$/.test(name) && !new RegExp(`\\bas\\s+\\$${name}\\b`).test(text.text);
  if (!isLiteral || !isWithin || !isFree || /^\s*:/.test(after)) return undefined;
  const argument = `--arg ${name} {${name}} `;
  const replaced = { span: spanWithin(text, start - 1, end + 1), text: `$${name}` };
  const inserted = { span: spanWithin(text, quote, quote), text: argument };
  return {
    title: `pass it beside the filter, with \`${argument.trim()}\``,
    edits: text.text.includes(argument) ? [replaced] : [inserted, replaced],
  };
}
