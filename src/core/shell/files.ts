// Values that a program reads as the name of a file because of how they begin: `curl -d @FILE`. The rows are in
// grammar/programs.yaml.
import { type FileRow, fileRows } from "../../generated/program-data.ts";
import type { FileReader } from "../tool/command.ts";
import { type CommandWord, literalStart, literalText } from "./pieces.ts";

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
    const { from, isStart, holds, option } = found;
    const program = `\`${option === "" ? name : `${name} ${option}`}\``;
    const starts = isStart ? row.starts.split(" ") : [];
    const held = holds === undefined ? {} : { holds: holds.split(" ") };
    return { reader: { program, starts, ...held, instead: row.instead }, from };
  }
  return undefined;
}

interface Place {
  readonly from: number;
  /** Whether the value begins what may be the name of a file. */
  readonly isStart: boolean;
  /** What makes it one anywhere in the value. */
  readonly holds: string | undefined;
  readonly option: string;
}

function placeIn(row: FileRow, start: string, before: string): Place | undefined {
  const options = row.options?.split(" ") ?? [];
  const option = options.find((one) => one === before || isCluster(one, before) || isShortened(one, before));
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

/** Programs take the beginning of a long option: `--data-bin`. */
function isShortened(option: string, word: string): boolean {
  return /^--\w\w/.test(word) && option.startsWith(word);
}

/** Finds an option in the same word: `--data=`, `-d`, `-sd`. */
function ownOption(
  options: readonly string[],
  start: string,
): { readonly option: string; readonly from: number } | undefined {
  for (const option of options) {
    if (option.startsWith("--") && start.startsWith(`${option}=`)) return { option, from: option.length + 1 };
    if (/^-\w$/.test(option) && start.startsWith(option)) return { option, from: option.length };
    if (isCluster(option, start)) return { option, from: start.length };
  }
  return undefined;
}

function valueIn(
  { field, prefixes = "", holds, within }: FileRow,
  written: string,
  { option, from }: { readonly option: string; readonly from: number },
): Place | undefined {
  if (written === "") return { from, isStart: true, holds, option };
  const at = from + written.length;
  // The value goes on after the author's text, in which no sign has come yet.
  if (!field && holds !== undefined && !written.includes("=")) return { from: at, isStart: true, holds, option };
  const isField = field === true && /^[^=]*:?=$|;headers=$/.test(written);
  const isPrefixed = prefixes !== "" && prefixes.split(" ").includes(written);
  return isField || isPrefixed || (within !== undefined && written.includes("="))
    ? { from: at, isStart: isField || isPrefixed, holds: within, option }
    : undefined;
}
