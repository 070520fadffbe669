// Commands that print only a number, whatever their arguments.
import { rowOf } from "../text/row-of.ts";
import { type CommandWord, literalText, type SimpleCommand } from "./pieces.ts";

const COUNTS: Readonly<Record<string, RegExp>> = {
  // With a file name, it prints the name too.
  wc: /^-(?:[lcmwL]|-lines|-bytes|-chars|-words)$/,
  nproc: /^--all$/,
  id: /^-[ugG]?[ug]$/,
};

const DATE_FORMAT = /^\+(?:%[-_0^]?[sYmdHMSjNuwVUWgGyCk])+$/;
const STAT_FORMAT = /^(?:--(?:format|printf)=)?%[saXYZWugihbB]$/;

export function printsNumber({ words }: SimpleCommand): boolean {
  const [program = "", ...args] = words.map((word) => literalText(word));
  const counting = rowOf(COUNTS, program);
  if (counting) return (program !== "wc" || args.length === 1) && args.every((arg) => counting.test(arg ?? ""));
  switch (program) {
    case "date":
      return isDate(args);
    case "stat":
      return (
        (args[0] === "-c"
          ? STAT_FORMAT.test(args[1] ?? "")
          : /^--/.test(args[0] ?? "") && STAT_FORMAT.test(args[0] ?? "")) &&
        !args.slice(1).some((arg) => arg?.startsWith("-") && arg !== "--")
      );
    case "git":
      return args[0] === "rev-list" && args[1] === "--count" && !args.slice(2).some((arg) => arg?.startsWith("-"));
    case "grep":
      return countsLines(args, words.slice(1));
    default:
      return false;
  }
}

/** Whether the arguments are those of `date -d {p} +%s`, where each one that is not a format belongs to its option. */
function isDate(args: readonly (string | undefined)[]): boolean {
  let formats = 0;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === "-d" || arg === "-r" || arg === "--date") at++;
    else if (arg !== undefined && DATE_FORMAT.test(arg)) formats++;
    else if (arg !== "-u" && arg !== "--utc") return false;
  }
  return formats === 1;
}

/** Whether the arguments only count lines of the input. With two files, grep would print their names. */
function countsLines(args: readonly (string | undefined)[], words: readonly CommandWord[]): boolean {
  const options = args.findIndex((arg) => arg === undefined || !/^-[cEFGivwxqs]+$/.test(arg));
  const isCount = args.slice(0, options === -1 ? args.length : options).some((arg) => arg?.includes("c"));
  const rest = words.slice(options).filter((word) => !/^-[-e]$/.test(literalText(word) ?? ""));
  return options !== -1 && isCount && rest.length === 1 && literalText(rest[0]) !== undefined;
}
