// The files that a process gets to know: from its words, its variables, its input, and its working folder.
import { resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import { commandFolder } from "../base/command-folder.ts";
import type { Host } from "../tool/host.ts";
import type { Access } from "./guarded-places.ts";
import { commandsInLine } from "./path-words.ts";

export interface NamedPath {
  readonly text: string;
  /** The folder in which it is resolved, absolute. */
  readonly from: string;
  readonly access: Access;
  /** Whether everything below it is read as well. */
  readonly isDeep: boolean;
  /** Whether links in it are followed. */
  readonly isFollowing: boolean;
  /** Whether it is certainly a path, not any word. */
  readonly isPath: boolean;
  /** Whether it is a line for a shell, whose parts are paths. */
  readonly isLine?: true;
}

interface CommandOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly host: Host;
  readonly access: Access;
  /** Whether the caller wrote all of it. */
  readonly isMade: boolean;
  /** Returns whether no value is a part of the text. */
  isAuthors(text: string): boolean;
}

/** `args` are the arguments of `run_command`. */
export function commandPaths(args: JsonObject, options: CommandOptions): readonly NamedPath[] {
  const { cwd, host, access, isMade, isAuthors } = options;
  const { argv, command, stdin, env, working_dir: folder } = args;
  const from = typeof folder === "string" ? commandFolder(folder, { cwd, host }) : cwd;
  const words = textsIn(argv);
  const commands = typeof command === "string" ? commandsInLine(command) : [words];
  const script = scriptOf(words);
  const inScript = script === undefined ? [] : commandsInLine(script);
  const ran = [...commands, ...inScript];
  const isDeep = script === undefined ? readsBelow(words) : inScript.some(readsBelow);
  const isFollowing = ran.some(followsLinks);
  const word = (text: string, isBelowRead: boolean): NamedPath => ({
    text,
    from,
    access,
    isDeep: isBelowRead,
    isFollowing,
    isPath: false,
  });
  const isNamed = (text: string, index: number): boolean => index > 0 || /[\\/]/.test(text);
  const wordsOfLine = (one: readonly string[]): readonly NamedPath[] =>
    one.filter(isNamed).map((text) => word(text, readsBelow(one)));
  return [
    ...(typeof folder === "string" && !isAuthors(folder)
      ? [{ text: folder, from: cwd, access: "read" as const, isDeep: false, isFollowing: false, isPath: true }]
      : []),
    ...words.filter((text, index) => !isAuthors(text) && isNamed(text, index)).map((text) => word(text, isDeep)),
    // All paths that a line may name: its words, and the whole line for paths that quotes and signs hide.
    ...(typeof command === "string" && !isAuthors(command)
      ? [{ ...word(command, false), isLine: true as const }, ...commands.flatMap(wordsOfLine)]
      : []),
    ...(script === undefined || isAuthors(script) ? [] : inScript.flatMap(wordsOfLine)),
    ...variablesIn(env)
      .filter((text) => !isAuthors(text))
      .map((text) => word(text, isDeep)),
    ...(isMade && typeof stdin === "string" && !isAuthors(stdin)
      ? stdin.split("\n").map((line) => word(line, false))
      : []),
    ...ran
      .filter((one) => readsFromHere(one, (text) => host.instant.stat(resolve(from, text)) !== undefined))
      .map((): NamedPath => ({ text: ".", from, access: "read", isDeep: true, isFollowing, isPath: true })),
  ];
}

/** Returns all texts of the command that are known before it runs. */
export function commandTexts({ argv, command, stdin, env, working_dir: folder }: JsonObject): readonly string[] {
  return [
    ...textsIn(argv),
    ...variablesIn(env),
    ...[command, stdin, folder].filter((text) => typeof text === "string"),
  ];
}

function scriptOf(words: readonly string[]): string | undefined {
  if (!/^(?:ba|da|z|k)?sh$/.test(words[0]?.split(/[\\/]/).at(-1) ?? "")) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at === -1 ? undefined : words[at + 1];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function variablesIn(env: JsonObject[string] | undefined): readonly string[] {
  return isJsonObject(env ?? null) ? Object.values(env as JsonObject).map(String) : [];
}

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
function readsBelow([program = "", ...words]: readonly string[]): boolean {
  const name = nameOf(program);
  return !SHALLOW.has(name) || words.some((word) => DEEP_OPTION.get(name)?.test(word));
}

/** Returns whether it reads everything below the working folder, because its words name nothing else to read. */
function readsFromHere(argv: readonly string[], isThere: (word: string) => boolean): boolean {
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
function followsLinks([program = "", ...words]: readonly string[]): boolean {
  return words.some((word) => FOLLOW_OPTION.get(nameOf(program))?.test(word));
}

function nameOf(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}

function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
