// The commands of a task, and of those that it depends on, as one script.
import type { Part } from "./imported-tool.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";
import { isMap, listOf, mapOf, scalarOf, type SourceMap } from "./source-data.ts";
import type { TaskExpander } from "./task-expander.ts";

export interface Taskfile {
  readonly variables: SourceMap;
  readonly environment: SourceMap;
  readonly tasks: ReadonlyMap<string, SourceMap>;
  /** Whether it has settings for all tasks that only task can follow. */
  readonly isPartlyRead: boolean;
}

interface TaskScript {
  readonly parts: readonly Part[];
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
  readonly folder?: string;
}

/** Keys that change nothing of what the commands do, or that the definition says in another way. */
const known = new Set([
  "desc",
  "summary",
  "cmd",
  "cmds",
  "deps",
  "vars",
  "env",
  "dir",
  "silent",
  "aliases",
  "label",
  "internal",
  "interactive",
  "requires",
  "prompt",
  "platforms",
  "ignore_error",
  "set",
]);
const DEPTH_MAX = 20;

interface Gathering {
  readonly file: Taskfile;
  readonly expander: TaskExpander;
}

/** Returns undefined if the task uses more of task. */
export function taskScript(name: string, task: SourceMap, { file, expander }: Gathering): TaskScript | undefined {
  if (file.isPartlyRead) return undefined;
  const own = expander.within(mapOf(task["vars"]), new Map());
  const lines = linesOf({ name, task, depth: 0 }, { file, expander: own });
  const environment = environmentOf({ ...file.environment, ...mapOf(task["env"]) }, own);
  const folder = scalarOf(task["dir"]);
  if (!lines || lines.length === 0 || !environment || (folder !== undefined && !/^[\w./-]+$/.test(folder)))
    return undefined;
  return {
    parts: scriptOf(lines, "-e"),
    environment,
    ...(folder === undefined || folder === "." ? {} : { folder: folder.replace(/^\.\//, "") }),
  };
}

function environmentOf(variables: SourceMap, expander: TaskExpander): TaskScript["environment"] | undefined {
  const read = Object.entries(variables).map(([name, value]) => {
    const text = scalarOf(value);
    const parts = text === undefined ? undefined : expander.expand(text);
    return parts && { name, value: parts };
  });
  return read.includes(undefined) ? undefined : read.flatMap((variable) => variable ?? []);
}

interface Visit {
  readonly name: string;
  readonly task: SourceMap;
  readonly depth: number;
}

function linesOf({ name, task, depth }: Visit, { file, expander }: Gathering): readonly ScriptLine[] | undefined {
  if (depth > DEPTH_MAX || Object.keys(task).some((key) => !known.has(key))) return undefined;
  // Tasks of other folders, and those with an environment of their own, are not part of this script.
  const isOther = depth > 0 && ["dir", "env", "platforms", "prompt", "requires"].some((key) => task[key] !== undefined);
  if (isOther || listOf(task["set"]).some((option) => option !== "errexit")) return undefined;
  const commands = task["cmd"] === undefined ? listOf(task["cmds"]) : [task["cmd"]];
  const calls = [...listOf(task["deps"]).map((call) => (isMap(call) ? call : { task: call })), ...commands];
  const ignores = task["ignore_error"] === true;
  const lines: ScriptLine[] = [];
  for (const call of calls) {
    const read = commandLines(call, { name, depth, file, expander });
    if (!read) return undefined;
    lines.push(...read.map((line) => (ignores ? { ...line, ignoresFailure: true } : line)));
  }
  return lines;
}

function commandLines(
  command: unknown,
  { depth, file, expander }: Gathering & Omit<Visit, "task">,
): readonly ScriptLine[] | undefined {
  const text = scalarOf(command) ?? scalarOf(mapOf(command)["cmd"]);
  const keys = Object.keys(mapOf(command));
  if (text !== undefined) {
    if (keys.some((key) => !["cmd", "silent", "ignore_error"].includes(key))) return undefined;
    const parts = expander.expand(text.trimEnd());
    return parts && [{ parts, ignoresFailure: mapOf(command)["ignore_error"] === true }];
  }
  const called = scalarOf(mapOf(command)["task"]);
  const task = called === undefined ? undefined : file.tasks.get(called.replace(/^:/, ""));
  if (called === undefined || !task || keys.some((key) => !["task", "vars", "silent"].includes(key))) return undefined;
  const bound = new Map<string, readonly Part[]>();
  for (const [variable, value] of Object.entries(mapOf(mapOf(command)["vars"]))) {
    const written = scalarOf(value);
    const parts = written === undefined ? undefined : expander.expand(written);
    if (!parts) return undefined;
    bound.set(variable, parts);
  }
  const inner = expander.within(mapOf(task["vars"]), bound);
  return linesOf({ name: called, task, depth: depth + 1 }, { file, expander: inner });
}
