// Reads the words of a command with cac, which they reach as texts: it would make 7 of `007`, and let options pass that
// the command does not have.
import { cac } from "cac";
import { didYouMean } from "../../core/text/suggest.ts";
import type { CommandInput, WordsCommand } from "../command.ts";
import { globalOption } from "./global-options.ts";
import { helpOption, type OptionRow, readOption } from "./option-words.ts";
import { meantByOption } from "./other-options.ts";

/** `help`: it is asked for, whatever else is wrong. */
export type CommandWords = { readonly input: CommandInput } | { readonly problem: string } | "help";

/** Stands before each text that cac reads. */
const TEXT = ":";

export function readCommandWords(name: string, command: WordsCommand, words: readonly string[]): CommandWords {
  const texts: string[] = [];
  const rows: readonly OptionRow[] = [...command.options, helpOption];
  let problem: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      texts.push(...words.slice(index + 1).map((rest) => TEXT + rest));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      texts.push(TEXT + word);
      continue;
    }
    const read = readOption<OptionRow>(words, index, rows);
    if (read.problem !== undefined) {
      problem ??= `\`${read.bare}\` ${read.problem}`;
      continue;
    }
    const { option, value, next } = read;
    if (option === helpOption) return "help";
    index = next - 1;
    const program = texts.find((text) => text.startsWith(TEXT))?.slice(TEXT.length);
    if (program !== undefined && command.usage[0]?.includes(" -- "))
      problem ??= `\`${word}\` comes after \`${program}\`: put \`--\` before the command, as in \`dottool ${name} -- ${program} ${word}\``;
    else if (!option) problem ??= unknownText(read.bare, name, command);
    else if (option.value !== undefined && value === undefined)
      problem ??= `\`${read.bare}\` needs a value: \`${read.bare} ${option.value}\``;
    else texts.push(`--${option.name}=${TEXT}${value ?? "true"}`);
  }
  const input = inputOf(name, command, texts);
  const [minimum, maximum] = command.words;
  const usage = `usage: \`dottool ${command.usage[0] ?? name}\``;
  if (input.words.length < minimum) problem ??= `missing argument; ${usage}`;
  if (input.words.length > maximum) problem ??= `unexpected argument \`${input.words[maximum] ?? ""}\`; ${usage}`;
  return problem === undefined ? { input } : { problem };
}

function inputOf(name: string, { about, options }: WordsCommand, texts: readonly string[]): CommandInput {
  const program = cac("dottool");
  const declared = program.command(`${name} [...words]`, about);
  for (const option of options) declared.option(`--${option.name} <${option.value ?? "flag"}>`, option.does);
  const { args, options: given } = program.parse(["", "", name, ...texts], { run: false });
  const values = (option: string): readonly string[] =>
    [given[camelCase(option)] ?? []].flat().map((text) => String(text).slice(TEXT.length));
  return {
    words: args.map((text) => text.slice(TEXT.length)),
    has: (option) => values(option).length > 0,
    value: (option) => values(option).at(-1),
    values,
  };
}

/** The name under which cac has the values of an option. */
function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function unknownText(bare: string, name: string, { options }: WordsCommand): string {
  const row = globalOption(bare);
  if (row)
    return `\`${bare}\` goes before the command: \`dottool ${bare}${row.value === undefined ? "" : ` ${row.value}`} ${name}\``;
  const near = didYouMean(
    bare,
    options.map((known) => `--${known.name}`),
  );
  const meant = near === "" ? meantByOption(bare) : undefined;
  return `\`${name}\` has no option \`${bare}\`${meant === undefined ? near : `; ${meant}`}`;
}
