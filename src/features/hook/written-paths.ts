// The paths that a line for a shell writes or deletes, as far as its words say so: for rules with `outside`.
import type { WrittenPath } from "../../core/policy/outside.ts";
import { pathWords } from "../../core/policy/path-words.ts";
import { rulesOf } from "../../core/shell/programs.ts";
import { readers } from "../../generated/hook-policy.ts";
import { type RanCommand, ranCommands, type RanOptions } from "./ran-commands.ts";
import type { RanWord } from "./ran-words.ts";
import { STREAM, writtenWords } from "./written-words.ts";

const GIT_READERS = /^git (?:blame|check-ignore|diff|grep|log|ls-files|rev-parse|show|status)$/;
const CONTAINER = /^(?:docker|podman|nerdctl|kubectl)(?: compose)? (?:run|exec)$/;
/** Programs that print names of files, some with an option only, and programs that pass lines on. */
const LISTERS = /^(?:find|fd|fdfind|ls|git ls-files)$/;
const NAME_LISTERS = /^(?:grep|rg|git grep|git diff)$/;
const NAMES_ONLY = /^(?:-\w*[lL]\w*|--files(?:-with(?:out)?-match(?:es)?)?|--name-only)$/;
const FILTERS = /^(?:e?grep|head|sort|tac|tail|uniq)$/;
const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]+:\/\/[^\s"']*/gi;
/** What program text reads: headers, libraries, modules. */
const OF_SYSTEM = /^\/(?:usr(?!\/local\b)|lib\w*|s?bin|proc|sys)(?:\/|$)/;
/** Languages in whose texts `/` begins something else than a path. */
const WITH_SLASHES = /^(?:[gmn]?awk|g?sed|jq|yq|vim?|ed)$/;
const UNKNOWN: RanWord = { text: "", isKnown: false };

/** Returns no path where a program certainly writes, and nobody can tell where. */
export function writtenPaths(line: string, options: RanOptions): readonly WrittenPath[] {
  const { commands, code } = ranCommands(line, options);
  const inCode = code
    .filter(({ name }) => !WITH_SLASHES.test(name) && !CONTAINER.test(name))
    .flatMap(({ text }) => pathsIn(text, true));
  return [
    ...commands.flatMap((command, at) => writtenBy(command, at, commands)),
    ...inCode
      .filter((path) => !STREAM.test(path) && !OF_SYSTEM.test(path) && path !== "/")
      .map((path) => ({ path, folder: options.cwd, isSure: false })),
  ];
}

/** A part of a word with blanks is prose, but for program text. */
function pathsIn(word: string, isCode = false): readonly string[] {
  const text = word.replaceAll(ADDRESS, "");
  return (pathWords(text) ?? []).flatMap((part) =>
    (isCode ? !part.isWhole : part.isWhole && (part.text === text || !/\s/.test(part.text))) ? [part.text] : [],
  );
}

function writtenBy(whole: RanCommand, at: number, all: readonly RanCommand[]): readonly WrittenPath[] {
  if (whole.wrappers.some((one) => CONTAINER.test(one))) return [];
  // A subcommand is a command of its own: `git -C x`, and `git commit`.
  const next = whole.name !== "" && all[at + 1]?.name.startsWith(`${whole.name} `) ? all[at + 1] : undefined;
  if (next && GIT_READERS.test(next.name)) return [];
  const command = next ? { ...whole, args: whole.args.slice(0, whole.args.length - next.args.length) } : whole;
  const { name, args, redirections, isInFile, folders } = command;
  const { words, rest } = writtenWords(command);
  const named = [...words, ...linkedBy(command, all)];
  const isFilled = named.some(({ text }) => text === "{}") || (rest !== undefined && isForInput(command));
  const isDeleting = name === "find" && args.some(({ text }) => text === "-delete");
  const sure: readonly (RanWord & { readonly role?: string })[] = [
    ...named.filter(({ text }) => text !== "{}"),
    ...(isFilled ? filledIn(command, all) : []),
    ...(isDeleting ? rootsOf(args) : []),
  ];
  // A program works in its folder, too.
  const isAtWork = name !== "" && !next && !rest && !isReader(name);
  const found: readonly Omit<WrittenPath, "folder">[] = [
    ...sure.flatMap(({ text, isKnown, role }) =>
      (isKnown ? pathsIn(text).filter((path) => !STREAM.test(path)) : [undefined]).map((path) => ({
        path,
        isSure: true,
        isRemoved: role === "remove",
      })),
    ),
    ...(isAtWork ? [{ path: ".", isSure: false }] : []),
    ...redirections
      .filter(({ operator, path }) => operator.includes(">") && !STREAM.test(path ?? "?"))
      .map(({ path }) => ({ path, isSure: true })),
  ];
  return found
    .filter(({ path }) => path !== undefined || !isInFile)
    .flatMap((one) => folders.map((folder) => ({ ...one, folder })));
}

/** A link may lead the rest of the line elsewhere. */
function linkedBy({ name, args }: RanCommand, all: readonly RanCommand[]): readonly RanWord[] {
  const isAlone = all.every((one) => one.name === "ln" || (isReader(one.name) && one.redirections.length === 0));
  return name === "ln" && !isAlone ? args : [];
}

const FILLS = /^(?:g?xargs|parallel)$/;

/** Whether `xargs` adds words behind its own. */
function isForInput({ wrappers, args }: RanCommand): boolean {
  return FILLS.test(wrappers.at(-1) ?? "") && !args.some(({ text }) => text === "{}");
}

function rootsOf(args: readonly RanWord[]): readonly RanWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  return args.slice(0, end === -1 ? args.length : end);
}

/** Returns what the input fills in: below the words of a program that lists files, or unknown. */
function filledIn({ wrappers, fedBy }: RanCommand, all: readonly RanCommand[]): readonly RanWord[] {
  const wrapper = wrappers.findLast((one) => FILLS.test(one) || /^(?:g?find|fd|fdfind)$/.test(one));
  if (wrapper === undefined) return [];
  if (!FILLS.test(wrapper)) return all.filter(({ name }) => name === wrapper).flatMap(({ args }) => rootsOf(args));
  const source = fedBy.at(-1);
  const sources = all.filter(({ name }) => name === source || (source === "git" && name.startsWith("git ")));
  const isKnown = sources.every(
    ({ name, args }) =>
      name === "git" ||
      LISTERS.test(name) ||
      (NAME_LISTERS.test(name) && args.some(({ text }) => NAMES_ONLY.test(text))),
  );
  if (sources.length === 0 || !isKnown || !fedBy.slice(0, -1).every((one) => FILTERS.test(one))) return [UNKNOWN];
  return sources.flatMap(({ args }) => args);
}

/** What a wrapper runs, and the commands of a shell, are commands of their own. */
function isReader(name: string): boolean {
  return (
    readers.has(name) ||
    GIT_READERS.test(name) ||
    rulesOf(name).some(({ runs, script }) => runs !== undefined || script === "shell")
  );
}
