// The files that a process gets to know: from its words, its variables, its input, and its working folder.
import { resolve } from "node:path";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import { commandFolder } from "../base/command-folder.ts";
import type { Host } from "../tool/host.ts";
import type { Access } from "./guarded-places.ts";
import type { NamedPath } from "./named-paths.ts";
import { commandsInLine } from "./path-words.ts";
import { followsLinks, readsBelow, readsFromHere } from "./recursive-programs.ts";

export interface CommandOptions {
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
