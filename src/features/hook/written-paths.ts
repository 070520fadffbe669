// The paths that a line for a shell writes or deletes, as far as its words say so: for rules with `outside`.
import type { WrittenPath } from "../../core/policy/outside.ts";
import { pathWords } from "../../core/policy/path-words.ts";
import { rulesOf } from "../../core/shell/programs.ts";
import { type RanCommand, ranCommands, type RanOptions } from "./ran-commands.ts";
import type { RanWord } from "./ran-words.ts";

/** Programs that write no file that their words name, and built-ins of shells. */
const READERS = new Set(
  (
    "alias awk basename bat break cat cd cksum cmp column comm command continue cut date declare df diff dirname do done du echo egrep " +
    "env esac eval eza exec exit export false fd fdfind fgrep fi file find fmt fold for gawk getent getopts grep hash head hostname id jq " +
    "join kill let local ls lsd mapfile mawk md5sum nice nl nohup od paste pgrep ping popd printenv printf ps pushd pwd read readlink " +
    "readonly realpath return rev rg sed select seq set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift sleep sort source " +
    "stat strings tac tail test time timeout tr trap tree true type typeset ulimit umask uname unset wait wc whatis which whoami [ [[ : ."
  ).split(" "),
);
const GIT_READERS = /^git (?:blame|check-ignore|diff|grep|log|ls-files|rev-parse|show|status)$/;
/** Options with which such a program writes after all. */
const WRITING = new Map([
  ["find", /^-(?:delete|exec(?:dir)?|ok(?:dir)?|fprint\w*|fls)$/],
  ["fd", /^(?:-[xX]|--exec(?:-batch)?)$/],
  ["fdfind", /^(?:-[xX]|--exec(?:-batch)?)$/],
  ["sed", /^(?:-[a-zA-Z]*i|--in-place)/],
  ["gawk", /^inplace$/],
  ["tree", /^-o/],
  ["env", /^(?:-C|--chdir)/],
  ["sudo", /^(?:-D|--chdir)/],
]);
/** Programs that write at their last word, or below the folder of `-t`. */
const COPIERS = /^(?:cp|install|ln|rsync|scp|(?:docker|podman|kubectl) cp)$/;
const COPIER_VALUES = /^(?:-[ef]|--(?:exclude|include|filter|rsh|(?:exclude|include|files)-from|port))$/;
/** Programs that write whatever they are given. */
const WRITERS =
  /^(?:rm|srm|rmdir|unlink|shred|trash|mv|tee|truncate|touch|mkdir|mkfifo|chmod|chown|chgrp|dd|split|script|git (?:clone|init|worktree))$/;
const REMOVERS = /^(?:rm|srm|rmdir|unlink|trash|mv)$/;
/** Programs that only write where these options say. */
const OUTPUTS: readonly (readonly [names: RegExp, options: RegExp])[] = [
  [/^curl$/, /^(?:-\w*o|-[Dc]|--output(?:-dir)?|--dump-header|--cookie-jar)$/],
  [/^wget$/, /^(?:-\w*[OP]|--output-document|--directory-prefix)$/],
  [/^(?:bsd|g)?tar$/, /^(?:-C|--directory)$/],
  [/^(?:bsd|g)?tar -c$/, /^(?:-?[A-Za-z]*f|--file)$/],
  [/^unzip$/, /^-d$/],
  [/^git$/, /^(?:-C|--git-dir|--work-tree)$/],
  [/^git config$/, /^(?:-f|--file)$/],
  [
    /^(?:sort|diff|git (?!(?:bundle|checkout|clean|mv|restore|rm|submodule)$).*)$/,
    /^(?:-o|--output(?:-directory)?|--directory|--separate-git-dir)$/,
  ],
  // In a container, paths are others; what is mounted is here.
  [/^(?:docker|podman|nerdctl|kubectl)(?: compose)? (?:run|exec|create)$/, /^(?:-v|--volume|--mount|--cidfile)$/],
];
const CONTAINER = /^(?:docker|podman|nerdctl|kubectl)(?: compose)? (?:run|exec)$/;
/** The outputs of any other program. */
const OUTPUT = /^(?:-o|--(?:output|prefix|target-dir))$/;
const TAR_CREATES = /^(?:-?[A-Za-z]*[cru][A-Za-z]*|--create|--append|--update)$/;
/** Programs that print names of files, some with an option only, and programs that pass lines on. */
const LISTERS = /^(?:find|fd|fdfind|ls|git ls-files)$/;
const NAME_LISTERS = /^(?:grep|rg|git grep|git diff)$/;
const NAMES_ONLY = /^(?:-\w*[lL]\w*|--files(?:-with(?:out)?-match(?:es)?)?|--name-only)$/;
const FILTERS = /^(?:e?grep|head|sort|tac|tail|uniq)$/;
const STREAM = /^(?:&?\d*-?|\/dev\/(?:null|std\w+|tty|fd\/\d+))$/;
const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]+:\/\/[^\s"']*/gi;
/** Where an unknown program finds what it reads: headers, libraries, modules. */
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
      .filter((path) => isForeign(path) && path !== "/")
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

function isForeign(path: string): boolean {
  return !STREAM.test(path) && !OF_SYSTEM.test(path);
}

function writtenBy(whole: RanCommand, at: number, all: readonly RanCommand[]): readonly WrittenPath[] {
  if (whole.wrappers.some((one) => CONTAINER.test(one))) return [];
  // A subcommand is a command of its own: `git -C x`, and `git commit`.
  const next = whole.name !== "" && all[at + 1]?.name.startsWith(`${whole.name} `) ? all[at + 1] : undefined;
  const command = next ? { ...whole, args: whole.args.slice(0, whole.args.length - next.args.length) } : whole;
  const { name, redirections, isInFile, folders } = command;
  const { sure, unsure = [] } = wordsWrittenBy(command, all);
  // The last word of `mv` is where the others go.
  const removed = REMOVERS.test(name) ? (name === "mv" ? command.args.slice(0, -1) : command.args) : [];
  const redirected = redirections.filter(({ operator, path }) => operator.includes(">") && !STREAM.test(path ?? "?"));
  // A program that is not known works in its folder, too.
  const isAtWork = name !== "" && !next && !isReader(command) && !WRITERS.test(name) && !COPIERS.test(name);
  const found: readonly Omit<WrittenPath, "folder">[] = [
    ...sure.flatMap((word) =>
      (word.isKnown ? pathsIn(word.text).filter((path) => !STREAM.test(path)) : [undefined]).map((path) => ({
        path,
        isSure: true,
        isRemoved: removed.includes(word),
      })),
    ),
    ...[...unsure.flatMap(({ text, isKnown }) => (isKnown ? pathsIn(text) : [])), ...(isAtWork ? ["."] : [])]
      .filter(isForeign)
      .map((path) => ({ path, isSure: false })),
    ...redirected.map(({ path }) => ({ path, isSure: true })),
  ];
  return found
    .filter(({ path }) => path !== undefined || !isInFile)
    .flatMap((one) => folders.map((folder) => ({ ...one, folder })));
}

interface WrittenWords {
  readonly sure: readonly RanWord[];
  /** Words of an unknown program. */
  readonly unsure?: readonly RanWord[];
}

function wordsWrittenBy(command: RanCommand, all: readonly RanCommand[]): WrittenWords {
  const { name, args } = command;
  const operands = args.filter(({ text }) => !text.startsWith("-"));
  const isInPlace = /^g?sed$|^gawk$/.test(name)
    ? !isReader(command)
    : name === "perl" && args.some(({ text }) => /^-[pnlaw0]*i/.test(text));
  if (isInPlace) return { sure: [...operands.slice(name === "gawk" ? 2 : 1), ...filledIn(command, all)] };
  if (name === "find" && !isReader(command)) return { sure: writtenByFind(args, all) };
  if (WRITERS.test(name))
    return { sure: [...(name === "split" ? operands.slice(1) : args), ...filledIn(command, all)] };
  if (COPIERS.test(name)) return { sure: copied(command, all) };
  const key = /tar$/.test(name) && args.some(({ text }) => TAR_CREATES.test(text)) ? `${name} -c` : name;
  const outputs = OUTPUTS.find(([names]) => names.test(key))?.[1];
  if (outputs) return { sure: valuesOf(args, outputs) };
  if (isReader(command)) return { sure: [] };
  const isBuilt = /^(?:configure|cmake|meson)\b/.test(name);
  return {
    sure: isBuilt ? [] : valuesOf(args, OUTPUT).filter(({ isKnown }) => isKnown),
    unsure: isBuilt ? args.filter(({ text }) => !/^(?:--prefix|-D\w*PREFIX\w*)=/.test(text)) : args,
  };
}

function copied(command: RanCommand, all: readonly RanCommand[]): readonly RanWord[] {
  const { name, args } = command;
  // A link may lead the rest of the line elsewhere.
  if (name === "ln" && !all.every((one) => one.name === "ln" || (isReader(one) && one.redirections.length === 0)))
    return args;
  const at = args.findIndex(({ text }) => /^(?:-\w*t|--target-directory)$/.test(text));
  if (at !== -1) return args.slice(at + 1, at + 2);
  const left = args.filter((_word, index) => name !== "rsync" || !COPIER_VALUES.test(args[index - 1]?.text ?? ""));
  const operands = left.filter(({ text }) => !text.startsWith("-"));
  if (name === "install" && args.some(({ text }) => /^-\w*d$/.test(text))) return operands;
  const to = operands.slice(-1);
  return [...left.filter((word) => !operands.includes(word)), ...(to[0]?.text === "{}" ? filledIn(command, all) : to)];
}

function writtenByFind(args: readonly RanWord[], all: readonly RanCommand[]): readonly RanWord[] {
  const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const isChanging =
    args.some(({ text }) => text === "-delete") || all.some((one) => one.wrappers.at(-1) === "find" && !isReader(one));
  return [...(isChanging ? args.slice(0, Math.max(end, 0)) : []), ...valuesOf(args, /^-(?:fprint\w*|fls)$/)];
}

/** Returns what `xargs` adds: below the words of a program that lists files, or unknown. */
function filledIn({ wrappers, fedBy }: RanCommand, all: readonly RanCommand[]): readonly RanWord[] {
  if (!/^(?:g?xargs|parallel)$/.test(wrappers.at(-1) ?? "")) return [];
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

/** Returns the values of options; of a mount, only its source. */
function valuesOf(args: readonly RanWord[], options: RegExp): readonly RanWord[] {
  return args.flatMap((word, index): readonly RanWord[] => {
    const { text, isKnown } = word;
    const before = args[index - 1]?.text ?? "";
    const [, name = "", value = ""] = /^(--[\w-]+)=(.*)$|^$/s.exec(text) ?? /^(-[A-Za-z])(.+)$/s.exec(text) ?? [];
    const given = options.test(before) ? text : options.test(name) && !options.test(text) ? value : undefined;
    if (given === undefined) return [];
    if (!/^(?:-v|--volume|--mount)$/.test(options.test(before) ? before : name)) return [{ text: given, isKnown }];
    return [{ text: /(?:^|,)(?:src|source)=([^,]*)/.exec(given)?.[1] ?? given.split(":")[0] ?? "", isKnown }];
  });
}

/** What a wrapper runs, and the commands of a shell, are commands of their own. */
function isReader({ name, args }: RanCommand): boolean {
  const option = WRITING.get(name === "gsed" ? "sed" : name);
  if (option) return !args.some(({ text }) => option.test(text));
  return (
    READERS.has(name) ||
    GIT_READERS.test(name) ||
    rulesOf(name).some(({ runs, script }) => runs !== undefined || script === "shell")
  );
}
