// Reads the words of a command.
import { didYouMean } from "../../core/text/suggest.ts";
import type { CommandInput, WordsCommand } from "../command.ts";
import { globalOption } from "./global-options.ts";
import { helpOption, type OptionRow, readOption } from "./option-words.ts";
import { meantByOption } from "./other-options.ts";

/** `help`: it is asked for, whatever else is wrong. */
export type CommandWords = { readonly input: CommandInput } | { readonly problem: string } | "help";

export function readCommandWords(name: string, command: WordsCommand, words: readonly string[]): CommandWords {
  const own: string[] = [];
  const given = new Map<string, string[]>();
  const rows: readonly OptionRow[] = [...command.options, helpOption];
  let problem: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      own.push(...words.slice(index + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      own.push(word);
      continue;
    }
    const read = readOption<OptionRow>(words, index, rows);
    if ("problem" in read) {
      problem ??= read.problem;
      continue;
    }
    const { option, value, next } = read;
    if (option === helpOption) return "help";
    index = next - 1;
    const [program] = own;
    if (program !== undefined && command.usage[0]?.includes(" -- "))
      problem ??= `\`${word}\` comes after \`${program}\`: put \`--\` before the command, as in \`dottool ${name} -- ${program} ${word}\``;
    else if (!option) problem ??= unknownText(read.bare, name, command);
    else if (option.value !== undefined && value === undefined)
      problem ??= `\`${read.bare}\` needs a value: \`${read.bare} ${option.value}\``;
    else given.set(option.name, [...(given.get(option.name) ?? []), value ?? "true"]);
  }
  const [minimum, maximum] = command.words;
  const usage = `usage: \`dottool ${command.usage[0] ?? name}\``;
  if (own.length < minimum) problem ??= `missing argument; ${usage}`;
  if (own.length > maximum) problem ??= `unexpected argument \`${own[maximum] ?? ""}\`; ${usage}`;
  if (problem !== undefined) return { problem };
  return {
    input: {
      words: own,
      has: (option) => given.has(option),
      value: (option) => given.get(option)?.at(-1),
      values: (option) => given.get(option) ?? [],
    },
  };
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
