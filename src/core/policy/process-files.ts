// The files in which Linux shows processes: environment, memory, open files and arguments, which may contain secrets.

import { harmlessProcessFiles } from "../../generated/folder-programs.ts";

/** Standard input, output and error: those of the process that opens them. */
const STANDARD_FILES = 3;

/** Returns whether `names`, from the root, are a file that shows the content of a process. */
export function isOfProcess(names: readonly string[]): boolean {
  if (names[0] === "dev" && names[1] === "fd") return isOpenFile(names.slice(2));
  const inner = withinProcess(names);
  const [first] = inner ?? [];
  if (inner === undefined || first === undefined) return false;
  if (first === "fd" || first === "fdinfo") return !isSelf(names[1] ?? "") || isOpenFile(inner.slice(1));
  return !harmlessProcessFiles.has(first);
}

/** Returns whether `names` are a folder with files that show the content of a process. */
export function holdsProcesses(names: readonly string[]): boolean {
  if (names.length === 0) return true;
  return names[0] === "proc" && (names.length === 1 || withinProcess(names)?.length === 0 || names.at(-1) === "task");
}

/**
 * Returns the path without a process's links to the root and to its working folder, because the process that opens
 * `/proc/self/cwd/x` is not the one that judges it. `cwd` is absolute.
 */
export function withoutProcessLinks(path: string, cwd: string): string {
  // Compiling an expression takes longer than all other work on most paths.
  if (!path.startsWith("/proc/")) return path;
  const [, link, rest = ""] = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(root|cwd)((?:\/.*)?)$/s.exec(path) ?? [];
  if (link === undefined) return path;
  return link === "cwd" ? `${cwd}${rest}` : rest === "" ? "/" : rest;
}

/** Returns the names after the process and its thread; undefined if the path is not that of a process. */
function withinProcess([top, process = "", ...inner]: readonly string[]): readonly string[] | undefined {
  if (top !== "proc" || !(/^\d+$/.test(process) || isSelf(process))) return undefined;
  return inner[0] === "task" && inner.length > 1 ? inner.slice(2) : inner;
}

function isSelf(process: string): boolean {
  return process === "self" || process === "thread-self";
}

function isOpenFile([number]: readonly string[]): boolean {
  return number !== undefined && !(/^\d$/.test(number) && Number(number) < STANDARD_FILES);
}
