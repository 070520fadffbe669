// Which values among the words of a command are not known to be data for its program, also after wrappers such as
// `timeout 5` and with a subcommand. Only what grammar/programs.yaml lists below `data` counts as data.
import type { PlatformChoice } from "../tool/command.ts";
import type { OpenValue } from "../tool/open-value.ts";
import { operandsIn, readArguments } from "./arguments.ts";
import type { CommandPiece, CommandWord } from "./pieces.ts";
import { rulesOf } from "./programs.ts";
import { dataRows } from "../../generated/data-rows.ts";
import {
  type DataRow,
  freeIn,
  isAuthors,
  literalOf,
  mayBeOption,
  readDataWords,
  type ReadWord,
  textStart,
} from "./data-words.ts";

interface ProcessReading {
  /** The program as written: `git`. */
  readonly program: string;
  /** The row of the program that is started in the end. */
  readonly row?: DataRow;
  /** Values that are not known to be data. */
  readonly open: readonly OpenValue[];
  /** Whether it may run files: any, those of its folder, or one that an option names, as `sed -f` does. */
  readonly runsFiles: boolean;
}

/** The limit of wrappers in wrappers, such as `nice timeout 5 grep`. */
const WRAPPERS_MAX = 8;

export interface Machine {
  /** Absent: any. */
  readonly platform: PlatformChoice | undefined;
  /** Whether a name stands for the program that usually has it. */
  readonly isKnown: boolean;
}

/** `words` are the program and the words after it. */
export function readProcess(words: readonly ReadWord[], machine: Machine, depth = 0): ProcessReading {
  const [first, ...args] = words;
  const program = literalOf(first) ?? "";
  const at = depth < WRAPPERS_MAX ? innerAt(plainName(program), args) : undefined;
  if (at !== undefined) {
    const inner = readProcess(args.slice(at), machine, depth + 1);
    return { ...inner, open: [...asOpen(freeIn(args.slice(0, at)), program), ...inner.open] };
  }
  return readNamed(plainName(program), args, { program, machine });
}

interface Place {
  readonly program: string;
  readonly machine: Machine;
}

/** `name` is that of a program, or of a program and a subcommand. */
function readNamed(name: string, args: readonly ReadWord[], { program, machine }: Place): ProcessReading {
  const row = rowOf(name, machine);
  if (!row) {
    const hasSubcommands = rulesOf(name).some((rule) => rule.hasSubcommands);
    return { program, open: allOpen(args, program, hasSubcommands ? args[0] : undefined), runsFiles: true };
  }
  const runsFiles = row.loads === true || namesProgramFile(name, args);
  const { open, isKnown, subcommandAt: at } = readDataWords(row, args);
  const subcommand = at === undefined ? undefined : literalOf(args[at]);
  if (at === undefined) return { program, row, open: asOpen(open, program), runsFiles };
  if (subcommand === undefined || !isKnown) return { program, row, open: allOpen(args, program, args[at]), runsFiles };
  const inner = readNamed(`${name} ${subcommand}`, args.slice(at + 1), { program, machine });
  return { ...inner, open: [...asOpen(open, program), ...inner.open] };
}

/** Whether an option names a file with program text: `-f s`, `-nf s`, `--file=s`. */
function namesProgramFile(name: string, args: readonly ReadWord[]): boolean {
  const options = rulesOf(name).flatMap(({ file }) => file?.split(/\s+/) ?? []);
  return args.some((word) => {
    const text = textStart(word);
    return options.some((option) =>
      option.startsWith("--") || option.length > 2
        ? text === option || text.startsWith(`${option}=`)
        : /^-[^-]/.test(text) && text.includes(option.slice(1)),
    );
  });
}

function asOpen(values: readonly string[], program: string): readonly OpenValue[] {
  return values.map((value) => ({ value, program, by: "word" }));
}

/** Returns every free value, and the value of the subcommand, even if it is a plain word. */
function allOpen(args: readonly ReadWord[], program: string, subcommand: ReadWord | undefined): readonly OpenValue[] {
  const parts = subcommand?.parts ?? [];
  const chosen = parts.flatMap((part) => (typeof part === "string" || isAuthors(part) ? [] : [part.value]));
  const others = freeIn(args).filter((value) => !chosen.includes(value));
  return [...chosen.map((value): OpenValue => ({ value, program, by: "subcommand" })), ...asOpen(others, program)];
}

/**
 * Returns the plain name of a system program, and any other path as it is: a program in another folder is the author's.
 */
function plainName(program: string): string {
  return /^(?:\/usr|\/usr\/local|\/opt\/homebrew)?\/s?bin\/([^/]+)$/.exec(program)?.[1] ?? program;
}

let lazyRows: ReadonlyMap<string, readonly DataRow[]> | undefined;

function rowOf(name: string, { platform, isKnown }: Machine): DataRow | undefined {
  if (!isKnown) return undefined;
  const rows = dataRowsOf(name);
  // On Windows, programs with the names of general rows may be different ones.
  const general = platform === "windows" ? undefined : rows.find((row) => row.platform === undefined);
  return rows.find((row) => row.platform !== undefined && row.platform === platform) ?? general;
}

export function dataRowsOf(name: string): readonly DataRow[] {
  lazyRows ??= byName();
  return lazyRows.get(name) ?? [];
}

function byName(): ReadonlyMap<string, readonly DataRow[]> {
  const known = new Map<string, DataRow[]>();
  for (const row of dataRows) {
    for (const name of row.names.split(/\s+/)) {
      const spaced = name.replaceAll(".", " ");
      known.set(spaced, [...(known.get(spaced) ?? []), row]);
    }
  }
  return known;
}

/** Wrappers that start the named program here as the same user. `uvx grep`, `chroot d grep` and `sudo grep` do not. */
const transparent: ReadonlySet<string> = new Set([
  "env",
  "genv",
  "nohup",
  "setsid",
  "time",
  "gtime",
  "stdbuf",
  "gstdbuf",
  "nice",
  "gnice",
  "ionice",
  "timeout",
  "gtimeout",
  "taskset",
  "chrt",
  "choom",
  "prlimit",
]);

/** Returns where the command of a wrapper begins, if that is the same in every call. */
function innerAt(name: string, args: readonly ReadWord[]): number | undefined {
  const [rule, ...others] = rulesOf(name);
  if (!rule || others.length > 0 || !transparent.has(name)) return undefined;
  const made = new Map(args.map((word): [CommandWord, ReadWord] => [commandWord(word), word]));
  const read = readArguments(rule, [...made.keys()], { mayVanish: (word) => made.get(word)?.mayBeAbsent === true });
  const begins = operandsIn(rule.runs, read);
  const [begin] = begins;
  if (begins.length !== 1 || !begin || read.code.length > 0) return undefined;
  const before = args.slice(0, begin.at);
  const isFixed = !before.some((word) => word.mayBeAbsent || word.isMany || mayBeOption(word));
  const isOwn = read.skipped.every((word) => !CHOOSES_PROGRAM.test(textStart(made.get(word))));
  return isFixed && isOwn && begin.least === begin.most ? begin.at : undefined;
}

/** Matches variables that decide which program a name is, or what is loaded into it. */
export const CHOOSES_PROGRAM = /^(?:PATH|LD_\w+|DYLD_\w+)(?:=|$)/;

function commandWord({ parts }: ReadWord): CommandWord {
  const place = { kind: "placeholder", start: 0, end: 0, quoting: "bare" } as const;
  const pieces = parts.map(
    (part): CommandPiece => (typeof part === "string" ? { kind: "text", text: part } : { ...place, name: part.value }),
  );
  return { pieces };
}
