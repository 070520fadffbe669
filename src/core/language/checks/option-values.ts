// What a program would get and nobody means: the word `true` of a boolean, alone, `{verbose}`, or behind an option,
// `--grid {grid}`; and the empty text that `--title "{title}"` is without a value. No call would show it.
import { booleanRows } from "../../../generated/program-data.ts";
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import { directWords } from "../../shell/direct-words.ts";
import { type OptionTakes, optionTakes } from "../../shell/option-takes.ts";
import type { Parameter } from "../../schema/parameter.ts";
import { type CommandWord, literalText, type PlaceholderPiece } from "../../shell/pieces.ts";
import { programName } from "../../shell/programs.ts";
import { scanScript } from "../../shell/scan.ts";
import { toCommandWord } from "../kinds/command-direct.ts";
import { usuallyTakes } from "../kinds/command-own-option.ts";
import { replaced } from "./plain-text.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import { addedKey, addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { isYamlPath } from "../../text/source-language.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { wordedFor } from "../yaml-words.ts";

export function optionValues(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const isMeant = source.declarations.some(({ parameter }) => isBoolean(parameter) || mayBeEmpty(parameter));
  if (!isMeant || shell === "pwsh" || shell === "cmd") return [];
  const { text } = source.text;
  const commands =
    shell === "none"
      ? [{ words: directWords(text).map(toCommandWord) }]
      : scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" }).commands;
  return commands.flatMap(({ words }) =>
    words.flatMap((_word, index) => {
      const value = valueAt(source, words, index);
      return (value && problemOf(source, value, shell === "none")) ?? [];
    }),
  );
}

function isBoolean({ schema, flag }: Parameter): boolean {
  return schema.type === "boolean" && flag === undefined;
}

function mayBeEmpty({ schema, flag, required, default: usual }: Parameter): boolean {
  return schema.type !== "array" && schema.type !== "boolean" && !flag && !required && usual === undefined;
}

interface OptionValue {
  readonly declared: Declaration;
  readonly piece: PlaceholderPiece;
  readonly option?: string;
  /** Whether they are one word: `--grid={grid}`. */
  readonly isTied: boolean;
  /** What the option takes, if a row says so. */
  readonly takes: OptionTakes | undefined;
  readonly program: readonly string[];
  /** The place of the option, if there is one, and its value. */
  readonly start: number;
  readonly end: number;
}

/** Reads a word that is a value, with the option before it or in it. */
function valueAt(source: CommandSource, words: readonly CommandWord[], index: number): OptionValue | undefined {
  const [word, previous] = [words[index], words[index - 1]];
  const [first, second, ...others] = word?.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "") ?? [];
  const isTied = first?.kind === "text";
  const piece = isTied ? second : first;
  const declared = piece?.kind === "placeholder" ? declarationOf(source, piece.name) : undefined;
  if (!declared || piece?.kind !== "placeholder" || others.length > 0 || (second && !isTied)) return undefined;
  const written = isTied ? first.text : `${literalText(previous) ?? ""}=`;
  const option = /^(--?[A-Za-z][\w-]*)=$/.exec(written)?.[1];
  const start = isTied || option === undefined ? word?.start : previous?.start;
  if ((isTied && option === undefined) || start === undefined || word?.end === undefined) return undefined;
  const program = words.slice(0, index).flatMap((one) => literalText(one) ?? []);
  const takes = isTied ? undefined : optionTakes(programName(program[0] ?? ""), words.slice(1), index - 1)?.takes;
  return { declared, piece, ...(option ? { option } : {}), isTied, takes, program, start, end: word.end };
}

function problemOf(source: CommandSource, value: OptionValue, isDirect: boolean): Diagnostic | undefined {
  const { declared, option, isTied, takes, piece, program } = value;
  const { parameter } = declared;
  if (mayBeEmpty(parameter)) {
    const isQuoted = piece.quoting === "double" && (isDirect ? !isTied : true);
    const goesAlong = isTied || (option && (takes ?? usuallyTakes(option, parameter)) === "value");
    return option !== undefined && isQuoted && goesAlong ? emptyText(source, { ...value, option }) : undefined;
  }
  if (!isBoolean(parameter)) return undefined;
  // In a script, a boolean alone may be compared, or run: `if {debug}; then`.
  if (option === undefined) return isDirect && !parameter.required ? booleanWord(source, value) : undefined;
  const rows = booleanRows.filter((row) => row.takes === (isTied ? "tied" : "word"));
  const isOwn = option.startsWith("--") || parameter.name.startsWith(option.slice(1));
  const isMeant = takes === "value" || program.some((word) => isNamed(rows, programName(word)));
  return isOwn && !isMeant ? booleanWord(source, value) : undefined;
}

function isNamed(rows: typeof booleanRows, name: string): boolean {
  return rows.some(({ names }) => names.split(" ").includes(name));
}

/** Quotes keep the word, which nobody means behind an option of its own. */
function emptyText(source: CommandSource, { declared, option, piece }: OptionValue & { readonly option: string }) {
  const { name } = declared.parameter;
  const place = { start: piece.start - 1, end: piece.end + 1 };
  const { text } = source.text;
  if (saysEmpty(declared) || text[place.start] !== '"' || text[place.end - 1] !== '"') return undefined;
  return commandProblem(source, "unclear-option", {
    message: `without a value for \`{${name}}\`, \`${option}\` would get an empty text`,
    ...place,
    related: declaredHere(source, name),
    help: [`for the empty text, write \`{${name}}\`, and \`[default=""]\` in its \`@param\``],
    fix: replaced(source, place, `{${name}}`),
  });
}

/** Whether a YAML definition says the default that a quoted place has anyway. */
function saysEmpty({ span }: Declaration): boolean {
  const { text } = span.source;
  const column = span.start - (text.lastIndexOf("\n", span.start - 1) + 1);
  const end = text.slice(span.start).search(new RegExp(`\\n[ \\t]{0,${column}}[\\w-]`));
  const written = text.slice(span.start, end === -1 ? undefined : span.start + end);
  return isYamlPath(span.source.path) && /\bdefault:[ \t]*(?:""|'')/.test(written);
}

function booleanWord(source: CommandSource, value: OptionValue): Diagnostic {
  const { declared, option, isTied } = value;
  const { name } = declared.parameter;
  const shape = option === undefined ? "{value}" : `${option}${isTied ? "=" : " "}{value}`;
  const flags = [option ?? optionOf(name), shape].map((flag) => `flag="${flag}"`);
  const write = option === undefined ? "write" : `write \`{${name}}\` alone, and`;
  const [forSwitch = "", forWord = ""] = flags.map((flag) => `${write} \`[${flag}]\` in its \`@param\``);
  return {
    ...commandProblem(source, "boolean-as-word", {
      message: `\`{${name}}\` becomes the word \`true\` or \`false\``,
      start: value.start,
      end: value.end,
      related: declaredHere(source, name),
      help: [`for an option that is there or not, ${forSwitch}`, `if the program takes the word, ${forWord}`],
    }),
    offers: flags.flatMap((flag) => offerOf(source, value, flag)),
  };
}

/** An option is what is nearly always meant; a person chooses. */
function offerOf(source: CommandSource, { declared, start, end }: OptionValue, flag: string): readonly Fix[] {
  const line = parameterLine(declared);
  const edit = line ? addedOption(declared, line, flag) : addedKey(declared, flag.replace(/^flag=/, "format: "));
  if (!edit) return [];
  const written = { span: spanWithin(source.text, start, end), text: `{${declared.parameter.name}}` };
  return [{ title: wordedFor(source.text.span.source, `write \`${flag}\``), edits: [written, edit] }];
}

export function optionOf(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name.replaceAll("_", "-")}`;
}
