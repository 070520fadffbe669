// The plugins that run in this process, so that the report of an uncaught error can name one.
import { dirname, sep } from "node:path";
import { pathToFileURL } from "node:url";

const running = new Set<string>();

/** `path` is absolute. */
export function noteRunning(path: string): void {
  running.add(path);
}

export function isAnyRunning(): boolean {
  return running.size > 0;
}

/** The plugin whose file, or a file in whose folder, a stack goes through. */
export function pluginIn(stack: string): string | undefined {
  const holds = (path: string): boolean => stack.includes(path) || stack.includes(pathToFileURL(path).href);
  return [...running].find(holds) ?? [...running].find((path) => holds(dirname(path) + sep));
}
