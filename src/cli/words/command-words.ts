// Reads the words of a command with cac, after making them safe for it.
import { cac } from "cac";
import { didYouMean } from "../../core/text/suggest.ts";
import type { CommandInput, WordsCommand } from "../command.ts";
import { helpOption, type OptionRow, readOption } from "./option-words.ts";

/** `help`: it is asked for, whatever else is wrong. */
export type CommandWords = { readonly input: CommandInput } | { readonly problem: string } | "help";

export function readCommandWords(name: string, command: WordsCommand, words: readonly string[]): CommandWords {
  const safe = protectedWords(name, command, words);
  if (safe === "help" || "problem" in safe) return safe;
  const program = cac("dottool");
  const declared = program.command(`${name} [...words]`, command.about);
  for (const option of command.options)
    declared.option(
      option.value === undefined ? `--${option.name}` : `--${option.name} <${option.value}>`,
      option.does,
    );
  const parsed = program.parse(["", "", name, ...safe.words], { run: false });
  const own = parsed.args.map(unmark);
  const [minimum, maximum] = command.words;
  if (own.length < minimum) return { problem: `missing argument; usage: \`dottool ${command.usage[0] ?? name}\`` };
  if (own.length > maximum)
    return { problem: `unexpected argument \`${own[maximum] ?? ""}\`; usage: \`dottool ${command.usage[0] ?? name}\`` };
  const given = (option: string): readonly string[] => {
    const value: unknown = parsed.options[camelCase(option)];
    return value === undefined ? [] : [value].flat().map((one) => unmark(String(one)));
  };
  return {
    input: {
      words: own,
      has: (option) => given(option).length > 0,
      value: (option) => given(option).at(-1),
      values: given,
    },
  };
}

// cac turns values that look like numbers into numbers, gives the word after a flag to the flag, and lets unknown
// options pass. So each word is marked, each value is tied to its option, each flag gets a value, and unknown options
// are refused before cac sees them.
const MARK = ":";

function protectedWords(
  name: string,
  { options, usage }: Pick<WordsCommand, "options" | "usage">,
  words: readonly string[],
): { readonly words: readonly string[] } | { readonly problem: string } | "help" {
  const safe: string[] = [];
  const rows = [...options, helpOption];
  let problem: string | undefined;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    if (word === "--") {
      safe.push(...words.slice(index + 1).map((rest) => MARK + rest));
      break;
    }
    if (!word.startsWith("-") || word === "-") {
      safe.push(MARK + word);
      continue;
    }
    const program = safe.find((one) => one.startsWith(MARK))?.slice(MARK.length);
    const read = readOption<OptionRow>(words, index, rows);
    if ("problem" in read) {
      problem ??= read.problem;
      continue;
    }
    const { bare, option, value, next } = read;
    if (option === helpOption) return "help";
    index = next - 1;
    if (program !== undefined && usage[0]?.includes(" -- "))
      problem ??= `\`${word}\` comes after \`${program}\`: put \`--\` before the command, as in \`dottool ${name} -- ${program} ${word}\``;
    else if (!option)
      problem ??= `\`${name}\` has no option \`${bare}\`${didYouMean(
        bare,
        options.map((known) => `--${known.name}`),
      )}`;
    else if (option.value !== undefined && value === undefined)
      problem ??= `\`${bare}\` needs a value: \`${bare} ${option.value}\``;
    else safe.push(`--${option.name}=${value === undefined ? "true" : MARK + value}`);
  }
  return problem === undefined ? { words: safe } : { problem };
}

function unmark(word: string): string {
  return word.startsWith(MARK) ? word.slice(MARK.length) : word;
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
