// Commands that read everything below the given folders, or below the working folder if none is given.

/** Programs that read a folder or its names, and nothing below it. */
const SHALLOW = namesIn(`
  alias basename bat cat cd cksum cmp comm cut date df dirname echo expand false file fmt fold head id jq less ln ls dir
  vdir md5sum mkdir mktemp more nl od paste popd printenv printf ps pushd pwd readlink realpath rev rmdir sed seq
  sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum shuf sleep sort split sqlite3 stat strings tac tail
  tee test [ touch tr true tsort uname uniq unzip wc which whoami xxd yq grep egrep fgrep zgrep diff awk gawk mawk
`);
/** An option that makes them read everything below. */
const LIST_OPTION = /^(?:-[A-Za-z1]*R|--recursive)/;
const SEARCH_OPTION = /^(?:-[A-Za-z]*[rRd]|--(?:dereference-)?rec|--dir)/;
const DEEP_OPTION: ReadonlyMap<string, RegExp> = new Map([
  ...["ls", "dir", "vdir"].map((name) => [name, LIST_OPTION] as const),
  ...["grep", "egrep", "fgrep", "zgrep", "diff"].map((name) => [name, SEARCH_OPTION] as const),
]);
/** Programs that start in the working folder if no other is named. */
const FROM_HERE = namesIn(
  "ls dir vdir grep egrep fgrep rg ripgrep find fd fdfind tree du ag ack ncdu dust eza exa lsd",
);
const PATTERN_FIRST = namesIn("grep egrep fgrep rg ripgrep fd fdfind ag ack");

/** `argv` includes the program. An unknown program counts as reading everything. */
export function readsBelow([program = "", ...words]: readonly string[]): boolean {
  const name = nameOf(program);
  return !SHALLOW.has(name) || words.some((word) => DEEP_OPTION.get(name)?.test(word));
}

/** Returns whether it reads everything below the working folder, because its words name nothing else to read. */
export function readsFromHere(argv: readonly string[], isThere: (word: string) => boolean): boolean {
  const name = nameOf(argv[0] ?? "");
  if (!FROM_HERE.has(name) || !readsBelow(argv)) return false;
  const words = argv.slice(1).filter((word) => !word.startsWith("-"));
  return !words.slice(PATTERN_FIRST.has(name) ? 1 : 0).some((word) => !/^\.?[\\/]*$/.test(word) && isThere(word));
}

const FOLLOW_OPTION: ReadonlyMap<string, RegExp> = new Map([
  ...["grep", "egrep", "fgrep", "zgrep"].map((name) => [name, /^(?:-[A-Za-z]*R|--deref)/] as const),
  ...["rg", "ripgrep", "fd", "fdfind"].map((name) => [name, /^(?:-[A-Za-z]*L|--follow)/] as const),
  ...["du", "ls", "cp", "rsync"].map((name) => [name, /^(?:-[A-Za-z]*L|--deref|--copy-links)/] as const),
  ["find", /^(?:-L|-follow)$/],
  ["tree", /^-[A-Za-z]*l/],
  ["tar", /^(?:-?[A-Za-z]*h|--deref)/],
  ["ag", /^(?:-f|--follow)$/],
  // Links are followed without an option.
  ["diff", /^(?:-[A-Za-z]*r|--rec)/],
  ["zip", /^(?:-[A-Za-z]*r|--rec)/],
]);

/** Returns whether it follows the links below a folder. */
export function followsLinks([program = "", ...words]: readonly string[]): boolean {
  return words.some((word) => FOLLOW_OPTION.get(nameOf(program))?.test(word));
}

function nameOf(program: string): string {
  return (program.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.exe$/, "");
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
