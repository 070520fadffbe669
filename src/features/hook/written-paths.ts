// The paths that a line for a shell writes or deletes, as far as its words say so: for rules with `outside`.
import type { WrittenPath } from "../../core/policy/outside.ts";
import { pathWords } from "../../core/policy/path-words.ts";
import { rulesOf } from "../../core/shell/programs.ts";
import { type RanCommand, ranCommands, type RanOptions } from "./ran-commands.ts";
import type { RanWord } from "./ran-words.ts";

/** Programs that write no file that their words name, and built-ins of shells. */
const READERS = new Set(
  (
    "alias awk basename bat break cat cd cksum cmp column comm command continue cut date declare df diff dirname du echo egrep " +
    "env eval eza exec exit export false fd fdfind fgrep file find fmt fold gawk getent getopts grep hash head hostname id jq join kill " +
    "let local ls lsd mapfile mawk md5sum nice nl nohup od paste pgrep ping popd printenv printf ps pushd pwd read readlink " +
    "readonly realpath return rev rg sed seq set sha1sum sha224sum sha256sum sha384sum sha512sum shasum shift sleep source stat " +
    "strings tac tail test time timeout tr trap tree true type typeset ulimit umask uname unset wait wc whatis which whoami [ [[ : ."
  ).split(" "),
);
/** Options with which such a program writes after all. */
const WRITING: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    find: /^-(?:delete|exec(?:dir)?|ok(?:dir)?|fprint\w*|fls)$/,
    fd: /^(?:-[xX]|--exec(?:-batch)?)$/,
    fdfind: /^(?:-[xX]|--exec(?:-batch)?)$/,
    sed: /^(?:-[a-zA-Z]*i|--in-place)/,
    tree: /^-o/,
    env: /^(?:-C|--chdir)/,
    sudo: /^(?:-D|--chdir)/,
  }),
);
/** Programs that write at their last word, or below the folder of `-t`. A link may lead the rest of a line elsewhere. */
const COPIERS = new Set(["cp", "install", "rsync"]);
/** Programs that write whatever they are given, so that an unknown word is an unknown place. */
const WRITERS =
  /^(?:rm|srm|rmdir|unlink|shred|trash|mv|cp|ln|install|tee|truncate|touch|mkdir|mkfifo|chmod|chown|chgrp|dd)$/;
const STREAM = /^(?:&?\d*-?|\/dev\/(?:null|std\w+|tty|fd\/\d+))$/;
const ADDRESS = /\b(?!file:)[a-z][a-z0-9+.-]+:\/\/[^\s"']*/gi;
/** Where an unknown program finds what it reads: headers, libraries, modules. */
const OF_SYSTEM = /^\/(?:usr(?!\/local\b)|lib\w*|s?bin|proc|sys)(?:\/|$)/;
/** Languages in whose texts `/` begins something else than a path. */
const WITH_SLASHES = /^(?:[gmn]?awk|g?sed|jq|yq|vim?|ed)$/;

/** Returns no path where a program certainly writes, and nobody can tell where. */
export function writtenPaths(line: string, options: RanOptions): readonly WrittenPath[] {
  const { commands, code } = ranCommands(line, options);
  const inCode = code.filter(({ name }) => !WITH_SLASHES.test(name)).flatMap(({ text }) => pathsIn(text, true));
  return [
    ...commands.flatMap(writtenBy),
    ...inCode.filter(isForeign).map((path) => ({ path, folder: options.cwd, isSure: false })),
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

function writtenBy(command: RanCommand): readonly WrittenPath[] {
  const { name, args, redirections, wrappers, isInFile, folders } = command;
  const isSure = WRITERS.test(name);
  const operands = args.filter(({ text }) => !text.startsWith("-"));
  const isFilled = operands.every(({ text }) => text === "{}") && /^(?:g?xargs|parallel)$/.test(wrappers.at(-1) ?? "");
  const words = wordsWrittenBy(command, operands);
  const unknown = isFilled || words.some(({ isKnown }) => !isKnown);
  const texts = [
    ...words.flatMap(({ text, isKnown }) => (isKnown ? pathsIn(text) : [])),
    // A program that is not known works in its folder, too.
    ...(name === "" || isReader(command) || isSure ? [] : ["."]),
  ];
  const redirected = redirections.filter(({ operator, path }) => operator.includes(">") && !STREAM.test(path ?? ""));
  const all: readonly Omit<WrittenPath, "folder">[] = [
    ...texts.filter(isSure ? (text) => !STREAM.test(text) : isForeign).map((path) => ({ path, isSure })),
    ...redirected.map(({ path }) => ({ path, isSure: true })),
    ...(isSure && unknown ? [{ path: undefined, isSure }] : []),
  ];
  return all
    .filter(({ path }) => path !== undefined || !isInFile)
    .flatMap((one) => folders.map((folder) => ({ ...one, folder })));
}

function wordsWrittenBy(command: RanCommand, operands: readonly RanWord[]): readonly RanWord[] {
  const { name, args } = command;
  if (isReader(command)) return [];
  if (name === "sed" || name === "gsed") return operands.slice(1);
  if (!COPIERS.has(name)) return args;
  const at = args.findIndex(({ text }) => /^(?:-\w*t|--target-directory)$/.test(text));
  return at === -1
    ? [...args.filter((word) => !operands.includes(word)), ...operands.slice(-1)]
    : args.slice(at + 1, at + 2);
}

/** What a wrapper runs, and the commands of a shell, are commands of their own. */
function isReader({ name, args }: RanCommand): boolean {
  const option = WRITING.get(name);
  if (option) return !args.some(({ text }) => option.test(text));
  return READERS.has(name) || rulesOf(name).some(({ runs, script }) => runs !== undefined || script === "shell");
}
