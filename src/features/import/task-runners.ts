// Tasks of deno.json and pyproject.toml (poe, taskipy, pdm). They are called by their runner, which knows their
// environment.
import { parse } from "smol-toml";
import type { Parameter } from "../../core/schema/parameter.ts";
import {
  endWordsText,
  type ImportedSource,
  type ImportedTool,
  parameterNameOf,
  type Part,
  questionOf,
  runText,
  type SourceText,
  type ToolCandidates,
  Unreadable,
  wordsParameter,
} from "./imported-tool.ts";
import { plainWords } from "./runner-tools.ts";
import { isMap, listOf, mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";

export interface TaskRunner {
  /** As in "the task `x` of deno.json". */
  readonly file: string;
  readonly words: readonly string[];
  readonly tasks: SourceMap;
  /** Keys of a task that have its description, and what it runs. */
  readonly says: readonly string[];
  readonly runs: readonly string[];
  /** The words for the end of a task. deno and mise quote them; of the others that is not known. */
  readonly free: Parameter;
  /** The question before a task, and the word by which the runner does not ask it again: nobody would answer. */
  asks?(settings: SourceMap): { readonly question: string; readonly yes: string } | undefined;
  /** Set if a task is a script, which gets such words. */
  readonly isScript?: true;
  isPrivate(name: string, task: unknown): boolean;
  /** Whether a task takes such words. */
  takesWords(task: unknown): boolean;
  /** What a task declares to take; undefined if it takes any words. */
  declared?(settings: SourceMap): Declared | undefined;
}

export interface Declared {
  readonly parameters: readonly Parameter[];
  readonly notes: readonly string[];
}

export const ARGS = wordsParameter("args", "Words for the end of the task");

export function readDeno({ text, fileName }: SourceText): ImportedSource {
  // JSON with comments, and with a comma behind the last item, which YAML takes.
  const plain = text.replaceAll(/("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g, (_all, kept?: string) => kept ?? "");
  const { tasks } = mapOf(parsedYaml(plain));
  return sourceOf("deno", [
    {
      file: fileName,
      words: ["deno", "task", "-q"],
      tasks: mapOf(tasks),
      says: ["description"],
      runs: ["command"],
      free: ARGS,
      isPrivate: () => false,
      takesWords: () => true,
    },
  ]);
}

/** Also `poe_tasks.toml`, in which the tables of poe may stand without `tool.poe` before them. */
export function readPyproject({ text, fileName, neighbours }: SourceText): ImportedSource {
  const root = parsedToml(text);
  const { poe = fileName === "poe_tasks.toml" ? root : undefined, taskipy, pdm } = mapOf(root["tool"]);
  const start = neighbours.has("uv.lock") ? ["uv", "run"] : neighbours.has("poetry.lock") ? ["poetry", "run"] : [];
  const row = (runner: readonly string[], tasks: unknown, takesWords: TaskRunner["takesWords"]): TaskRunner => ({
    file: fileName,
    words: runner,
    tasks: mapOf(tasks),
    says: ["help"],
    runs: ["cmd", "shell", "script", "composite", "sequence"],
    free: plainWords(ARGS, "argument"),
    // A name with `_` is private to poe, and `_` alone has settings of pdm.
    isPrivate: (name) => name.startsWith("_"),
    takesWords,
    declared: ({ args }) => declaredArguments(args),
  });
  return sourceOf("pyproject.toml", [
    // Other kinds of its tasks take only the arguments that they declare.
    row([...start, "poe"], mapOf(poe)["tasks"], (task) => typeof task === "string" || mapOf(task)["cmd"] !== undefined),
    row([...start, "task"], mapOf(taskipy)["tasks"], () => true),
    row(["pdm", "run"], mapOf(pdm)["scripts"], () => true),
  ]);
}

export function sourceOf(format: string, runners: readonly TaskRunner[]): ImportedSource {
  return { format, tools: runners.flatMap(toolsOf), notes: [] };
}

function toolsOf(runner: TaskRunner): readonly ToolCandidates[] {
  return Object.entries(runner.tasks).flatMap(([name, task]) =>
    runner.isPrivate(name, task) ? [] : [{ name, candidates: [toolOf(name, task, runner)] }],
  );
}

function toolOf(name: string, task: unknown, runner: TaskRunner): ImportedTool {
  const { file, words, says, runs, free, isScript } = runner;
  const settings = mapOf(task);
  const first = (keys: readonly string[]): unknown => keys.map((key) => settings[key]).find((one) => one !== undefined);
  const body = isMap(task) ? first(runs) : task;
  const lines = [body].flat().flatMap((one) => scalarOf(one) ?? []);
  const line = runText(lines.flatMap((text) => text.split("\n")));
  const what =
    line === undefined
      ? listOf(settings["depends"])
          .flatMap((one) => scalarOf(one) ?? [])
          .join("`, `")
      : line;
  const declared = runner.declared?.(settings);
  const asked = runner.asks?.(settings);
  const parameters =
    declared?.parameters ??
    (runner.takesWords(task)
      ? [{ ...free, description: isScript ? "Words for the script" : endWordsText("task", lines) }]
      : []);
  return {
    name,
    description: scalarOf(first(says)) ?? `Run the task \`${name}\` of ${file}${what === "" ? "" : `: \`${what}\``}.`,
    parameters,
    ...(asked === undefined ? {} : { confirm: questionOf(asked.question) }),
    runs: {
      kind: "command",
      words: [
        ...words,
        ...(asked === undefined ? [] : [asked.yes]),
        name,
        ...parameters.map((one): Part => ({ parameter: one.name })),
      ],
    },
    requires: words.slice(0, 1),
    notes: declared?.notes ?? [],
  };
}

/** The `args` of a task of poe; undefined if it has none, and so takes any words. Their defaults are left to poe. */
function declaredArguments(args: unknown): Declared | undefined {
  const rows = isMap(args) ? Object.entries(args).map(([name, row]) => ({ name, ...mapOf(row) })) : listOf(args);
  if (rows.length === 0) return undefined;
  const notes: string[] = [];
  const parameters = rows.flatMap((row): readonly Parameter[] => {
    const { name, options, help, type, positional, required, choices, multiple }: SourceMap = isMap(row)
      ? row
      : { name: row };
    const written = scalarOf(name);
    if (written === undefined) return [];
    const named = listOf(options).map(String);
    const option = named.find((one) => one.startsWith("--")) ?? named[0] ?? `--${written.replace(/^_+/, "")}`;
    const isOption = positional === undefined || positional === false;
    if (multiple !== undefined && multiple !== false)
      notes.push(`\`${written}\` takes one value here, and several in poe`);
    const about = { name: parameterNameOf(written), description: scalarOf(help) ?? "", required: required === true };
    if (type === "boolean") return [{ ...about, required: false, schema: { type: "boolean" }, flag: option }];
    const listed = listOf(choices).map(String);
    const parameter: Parameter =
      type === "integer" || type === "float"
        ? { ...about, schema: { type: type === "float" ? "number" : "integer" } }
        : listed.length > 0
          ? { ...about, schema: { type: "string", choices: listed } }
          : plainWords({ ...about, schema: { type: "string" } }, "argument");
    return [isOption ? { ...parameter, flag: `${option}={value}` } : parameter];
  });
  return { parameters, notes };
}

export function parsedToml(text: string): SourceMap {
  try {
    return parse(text);
  } catch (error) {
    throw new Unreadable(error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "it is not TOML");
  }
}
