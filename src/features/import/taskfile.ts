// Tasks of a Taskfile (https://taskfile.dev, version 3) as tools. A task becomes a script, in which `{{.X}}` is a value;
// one that uses more of task is called by `task`.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Platform } from "../../core/tool/command.ts";
import {
  type ImportedSource,
  type ImportedTool,
  type SourceText,
  questionOf,
  runText,
  stringParameter,
  Unreadable,
  type Part,
} from "./imported-tool.ts";
import { readEach } from "./expansions.ts";
import { asAssignment, plainWords, runnerCall, scriptNotes, valuesOf } from "./runner-tools.ts";
import { isMap, listOf, mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";
import { TaskExpander } from "./task-expander.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";

export function readTaskfile({ text, fileName }: SourceText): ImportedSource {
  const root = parsedYaml(text);
  if (!isMap(root) || !isMap(root["tasks"])) throw new Unreadable(`it has no \`tasks:\`${includedIn(root)}`);
  const tasks = new Map(Object.entries(root["tasks"]).map(([name, task]) => [name, asTask(task)]));
  const file: Taskfile = {
    variables: mapOf(root["vars"]),
    environment: mapOf(root["env"]),
    isPartlyRead:
      ["dotenv", "shopt", "run"].some((key) => root[key] !== undefined) ||
      listOf(root["set"]).some((option) => option !== "errexit"),
  };
  const shown = [...tasks].filter(([name, task]) => task["internal"] !== true && !name.includes("*"));
  return {
    format: "Taskfile",
    tools: readEach(shown, (task, name) => {
      const translated = translatedTool(name, task, file);
      return { name, candidates: [...(translated ? [translated] : []), calledTool(name, task, { file, fileName })] };
    }),
    notes: root["includes"] === undefined ? [] : ["`includes:` is not followed: import those files by themselves"],
  };
}

/** Returns which files to import in place of one that only includes others. */
function includedIn(root: unknown): string {
  const included = Object.values(mapOf(isMap(root) ? root["includes"] : undefined)).flatMap((one) => {
    const path = scalarOf(isMap(one) ? one["taskfile"] : one);
    return path === undefined || path.includes("{{") ? [] : [`\`${path}\``];
  });
  return included.length === 0 ? "" : ` of its own; import what it includes: ${included.join(", ")}`;
}

/** A task may be one command, or a list of them. */
function asTask(task: unknown): SourceMap {
  if (isMap(task)) return task;
  return { cmds: Array.isArray(task) ? task : [task] };
}

function translatedTool(name: string, task: SourceMap, file: Taskfile): ImportedTool | undefined {
  const expander = new TaskExpander({ ...file.variables, ...mapOf(task["vars"]) });
  const script = taskScript(task, file, expander);
  if (!script) return undefined;
  const asked = withRequired(expander.parameters(), task);
  const { environment, defaults } = callersFirst(script.environment, new Set(asked.map((parameter) => parameter.name)));
  return {
    ...headOf(name, task),
    parameters: [...asked, ...defaults],
    runs: { kind: "script", shell: "bash", parts: script.parts },
    environment,
    ...(script.folder === undefined ? {} : { folder: script.folder }),
    requires: [],
    notes: scriptNotes("task", script.parts),
  };
}

/** Variables that the caller has set win over those of the file. */
function callersFirst(
  environment: NonNullable<ImportedTool["environment"]>,
  taken: ReadonlySet<string>,
): { readonly environment: NonNullable<ImportedTool["environment"]>; readonly defaults: readonly Parameter[] } {
  const isDefault = ({ name, value }: (typeof environment)[number]): boolean =>
    !taken.has(name) && value.every((part) => typeof part === "string");
  return {
    environment: environment.map((variable) =>
      isDefault(variable) ? { name: variable.name, value: [{ parameter: variable.name }] } : variable,
    ),
    defaults: environment
      .filter(isDefault)
      .map(({ name, value }) =>
        stringParameter(name, "", { environment: name, default: value.join(""), hidden: true }),
      ),
  };
}

function headOf(name: string, task: SourceMap): Pick<ImportedTool, "name" | "description" | "platforms" | "confirm"> {
  const texts = [scalarOf(task["desc"]), scalarOf(task["summary"])].filter((text) => text !== undefined);
  const commands = [task["cmd"], ...listOf(task["cmds"])];
  const first = runText(commands.flatMap((one) => scalarOf(one)?.split("\n") ?? []));
  const others = [...listOf(task["deps"]), ...commands].flatMap(
    (one) => scalarOf(mapOf(one)["task"]) ?? (listOf(task["deps"]).includes(one) ? (scalarOf(one) ?? []) : []),
  );
  const what = first ?? others.join("`, `");
  const platforms = platformsOf(task["platforms"]);
  const prompt = scalarOf(Array.isArray(task["prompt"]) ? task["prompt"].join(" ") : task["prompt"]);
  return {
    name,
    description: texts.join("\n\n") || `Run the task \`${name}\`${what === "" ? "" : `: \`${what}\``}.`,
    ...(platforms.length === 0 ? {} : { platforms }),
    ...(prompt === undefined ? {} : { confirm: questionOf(prompt) }),
  };
}

/** `linux/amd64` is more than a definition can say, and counts as `linux`. */
function platformsOf(written: unknown): readonly Platform[] {
  const names: Readonly<Record<string, Platform>> = { linux: "linux", darwin: "macos", windows: "windows" };
  return [...new Set(listOf(written).flatMap((one) => names[String(one).split("/")[0] ?? ""] ?? []))];
}

function withRequired(parameters: readonly Parameter[], task: SourceMap): readonly Parameter[] {
  const required = listOf(mapOf(task["requires"])["vars"]);
  return parameters.map((parameter) => {
    const found = required.find((one) => one === parameter.name || mapOf(one)["name"] === parameter.name);
    if (found === undefined) return parameter;
    const choices = listOf(mapOf(found)["enum"]).map(String);
    return {
      ...parameter,
      required: true,
      ...(choices.length > 0 && parameter.schema.type === "string"
        ? { schema: { type: "string", choices } as const }
        : {}),
    };
  });
}

function calledTool(
  name: string,
  task: SourceMap,
  { file, fileName }: { readonly file: Taskfile; readonly fileName: string },
): ImportedTool {
  const expander = new TaskExpander({ ...file.variables, ...mapOf(task["vars"]) });
  const text = JSON.stringify(task);
  expander.expand(text.replaceAll(/\\"/g, '"'));
  const asked = withRequired(expander.parameters(), task);
  const isRest = (parameter: Parameter): boolean => parameter.name === "CLI_ARGS";
  const parameters = asked.map((one) => (isRest(one) ? plainWords(one, "variable") : asAssignment(one)));
  const isUsual = /^taskfile(?:\.dist)?\.ya?ml$/i.test(fileName);
  const named = isUsual ? [] : ["--taskfile", fileName];
  const rest = valuesOf(parameters.filter(isRest)).flatMap((value) => ["--", value]);
  const call = runnerCall("task", {
    noun: "task",
    // `@confirm` has asked, and task would ask where nobody answers.
    words: [
      "--silent",
      ...(task["prompt"] === undefined ? [] : ["--yes"]),
      ...named,
      name,
      ...valuesOf(parameters.filter((one) => !isRest(one))),
      ...rest,
    ],
    parameters,
    place: "variable",
    shellText: text,
  });
  return { ...headOf(name, task), ...call };
}

// The commands of a task as one script.

interface Taskfile {
  readonly variables: SourceMap;
  readonly environment: SourceMap;
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

/** Returns undefined if the task uses more of task. */
function taskScript(task: SourceMap, file: Taskfile, expander: TaskExpander): TaskScript | undefined {
  if (file.isPartlyRead) return undefined;
  const lines = linesOf(task, expander);
  const environment = environmentOf({ ...file.environment, ...mapOf(task["env"]) }, expander);
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

function linesOf(task: SourceMap, expander: TaskExpander): readonly ScriptLine[] | undefined {
  if (Object.keys(task).some((key) => !known.has(key))) return undefined;
  if (listOf(task["set"]).some((option) => option !== "errexit")) return undefined;
  const commands = task["cmd"] === undefined ? listOf(task["cmds"]) : [task["cmd"]];
  const lines: ScriptLine[] = [];
  for (const command of commands) {
    const text = scalarOf(command) ?? scalarOf(mapOf(command)["cmd"]);
    const others = Object.keys(mapOf(command)).filter((key) => !["cmd", "silent", "ignore_error"].includes(key));
    const parts = text === undefined || others.length > 0 ? undefined : expander.expand(text.trimEnd());
    if (!parts) return undefined;
    lines.push({ parts, ignoresFailure: task["ignore_error"] === true || mapOf(command)["ignore_error"] === true });
  }
  return lines;
}
