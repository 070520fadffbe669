// The files that a process gets to know: from its words, its variables, its input, and its working folder.
import { folderPrograms } from "../../generated/folder-programs.ts";
import type { FolderProgram } from "./files-rows.ts";
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

let lazyRows: ReadonlyMap<string, Partial<FolderProgram>> | undefined;

function rowOf(program: string): Partial<FolderProgram> {
  lazyRows ??= folderPrograms.reduce((rows, row) => {
    for (const name of row.names.split(" ")) rows.set(name, { ...rows.get(name), ...row });
    return rows;
  }, new Map<string, FolderProgram>());
  return lazyRows.get(nameOf(program)) ?? {};
}

/** `argv` includes the program. An unknown program counts as reading everything. */
function readsBelow([program = "", ...words]: readonly string[]): boolean {
  const { shallow, deep } = rowOf(program);
  return !shallow || (deep !== undefined && words.some((word) => new RegExp(deep).test(word)));
}

/** Returns whether it reads everything below the working folder, because its words name nothing else to read. */
function readsFromHere(argv: readonly string[], isThere: (word: string) => boolean): boolean {
  const { here, pattern } = rowOf(argv[0] ?? "");
  if (!here || !readsBelow(argv)) return false;
  const words = argv.slice(1).filter((word) => !word.startsWith("-"));
  return !words.slice(pattern ? 1 : 0).some((word) => !/^\.?[\\/]*$/.test(word) && isThere(word));
}

/** Returns whether it follows the links below a folder. */
function followsLinks([program = "", ...words]: readonly string[]): boolean {
  const { follows } = rowOf(program);
  return follows !== undefined && words.some((word) => new RegExp(follows).test(word));
}

function nameOf(program: string): string {
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1).toLowerCase();
  return name.endsWith(".exe") ? name.slice(0, -4) : name;
}
