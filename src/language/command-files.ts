// Values that a program reads as the name of a file because of how they begin: `curl -d @FILE`. The rows are in
// grammar/programs.yaml.
import { type FileRow, fileRows } from "../generated/program-data.ts";
import type { FileReader } from "../tool/command.ts";
import { type CommandWord, literalStart, literalText } from "./command-pieces.ts";

/** A word that a program may read as the name of a file, and where the value begins in it. */
export interface FileUse {
  readonly reader: FileReader;
  /** The length of the author's text before the value. */
  readonly from: number;
}

const lazyRows = new Map<string, readonly FileRow[]>();

function rowsOf(name: string): readonly FileRow[] {
  if (lazyRows.size === 0)
    for (const row of fileRows)
      for (const one of row.names.split(" ")) {
        const known = one.replaceAll(".", " ");
        lazyRows.set(known, [...(lazyRows.get(known) ?? []), row]);
      }
  const [program = ""] = name.split(" ");
  return [...(lazyRows.get(name) ?? []), ...(program === name ? [] : (lazyRows.get(program) ?? []))];
}

/** `before` is the word before it. */
export function fileUseOf(name: string, word: CommandWord, before: CommandWord | undefined): FileUse | undefined {
  if (literalText(word) !== undefined) return undefined;
  const start = literalStart(word);
  for (const row of rowsOf(name)) {
    const found = placeIn(row, start, literalText(before) ?? "");
    if (!found) continue;
    const { from, isWhole, option } = found;
    const holds = isWhole && row.holds !== undefined ? { holds: row.holds.split(" ") } : {};
    const program = `\`${option === "" ? name : `${name} ${option}`}\``;
    return { reader: { program, starts: row.starts.split(" "), ...holds, instead: row.instead }, from };
  }
  return undefined;
}

interface Place {
  readonly from: number;
  /** Whether the author wrote nothing of the value. */
  readonly isWhole: boolean;
  readonly option: string;
}

function placeIn(row: FileRow, start: string, before: string): Place | undefined {
  const options = row.options?.split(" ") ?? [];
  const option = options.find((one) => one === before || isCluster(one, before));
  const own = option !== undefined ? { option, from: 0 } : ownOption(options, start);
  if (own) return valueIn(row, start.slice(own.from), own);
  if (row.operands !== true || (start.startsWith("-") && !/^--?[\w-]+=$/.test(start))) return undefined;
  return valueIn(row, start.replace(/^--?[\w-]+=/, ""), {
    option: "",
    from: /^--?[\w-]+=/.exec(start)?.[0].length ?? 0,
  });
}

/** Whether the option ends letters: `-sd`. */
function isCluster(option: string, word: string): boolean {
  return /^-\w$/.test(option) && /^-[A-Za-z]+$/.test(word) && word.endsWith(option.slice(1));
}

/** Finds an option in the same word: `--data=`, `-d`. */
function ownOption(
  options: readonly string[],
  start: string,
): { readonly option: string; readonly from: number } | undefined {
  for (const option of options) {
    if (option.startsWith("--") && start.startsWith(`${option}=`)) return { option, from: option.length + 1 };
    if (/^-\w$/.test(option) && start.startsWith(option)) return { option, from: option.length };
  }
  return undefined;
}

function valueIn(
  { field, prefixes = "" }: FileRow,
  written: string,
  { option, from }: { readonly option: string; readonly from: number },
): Place | undefined {
  if (written === "") return { from, isWhole: true, option };
  const isField = field === true && /^[^=]*:?=$/.test(written);
  const isPrefixed = prefixes !== "" && prefixes.split(" ").includes(written);
  return isField || isPrefixed ? { from: from + written.length, isWhole: false, option } : undefined;
}
