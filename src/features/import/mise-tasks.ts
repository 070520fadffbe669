// Tasks of mise: those of mise.toml, and scripts in folders such as mise-tasks. They are called by mise. What a task
// declares in its `usage`, or in `#USAGE` and `#MISE` comments of a script, becomes its parameters.
import type { Parameter } from "../../core/schema/parameter.ts";
import { type ImportedSource, MISE_FILE, type SourceText, Unreadable } from "./imported-tool.ts";
import { limited, plainWords } from "./runner-tools.ts";
import { isMap, mapOf, scalarOf, type SourceMap } from "./source-data.ts";
import { ARGS, type Declared, parsedToml, sourceOf, type TaskRunner } from "./task-runners.ts";
import { usageComments } from "./usage-spec.ts";
import { kdlRoot, usageWords } from "./usage-words.ts";

export function readMise({ text }: SourceText): ImportedSource {
  return sourceOf("mise", [runner("mise.toml", mapOf(parsedToml(text)["tasks"]))]);
}

/** `.mise/tasks/db/reset` is the task `db:reset`. */
export function readMiseFile({ text, path = "", fileName }: SourceText): ImportedSource {
  const [, below = fileName] = MISE_FILE.exec(path) ?? [];
  const name = below
    .replaceAll(":", "_")
    .replaceAll("/", ":")
    .replace(/:_default(?:\.\w+)?$/, "");
  const [settings, directives] = headerOf(text);
  const [, line = ""] = /^(?!\s*(?:#|\/\/|::|set |$))(.*)$/m.exec(text) ?? [];
  const task = { ...settings, run: line, usage: `${usageComments(text)}\n${directives}` };
  return sourceOf("mise", [{ ...runner(`\`${below}\``, { [name]: task }), isScript: true }]);
}

/** Returns what the `#MISE` comments of a script set, and the directives of usage among them. */
function headerOf(text: string): readonly [SourceMap, string] {
  const lines = [...text.matchAll(/^(?:#|\/\/|::)(?:MISE| ?\[MISE\]) (.*)$/gm)].map(([, line = ""]) => line);
  const isDirective = (line: string): boolean => /^(?:arg|flag|cmd|complete|long_about|about)\s+["{]/.test(line);
  const settings = lines.filter((line) => !isDirective(line)).join("\n");
  try {
    return [parsedToml(settings), lines.filter(isDirective).join("\n")];
  } catch {
    return [{}, ""];
  }
}

/** `:::` begins another task. */
const NO_COLON = { source: "[^:].*", flags: "" } as const;

function runner(file: string, tasks: SourceMap): TaskRunner {
  return {
    file,
    words: ["mise", "run", "-q"],
    tasks,
    says: ["description"],
    runs: ["run"],
    free: operand(ARGS),
    isPrivate: (_name, task) => mapOf(task)["hide"] === true,
    takesWords: () => true,
    asks: ({ confirm }) => {
      const question = scalarOf(isMap(confirm) ? confirm["message"] : confirm);
      return question === undefined ? undefined : { question, yes: "--yes" };
    },
    declared: declaredUsage,
  };
}

function operand(parameter: Parameter): Parameter {
  return parameter.flag === undefined && !("choices" in parameter.schema)
    ? { ...parameter, schema: limited(parameter.schema, NO_COLON) }
    : parameter;
}

function declaredUsage({ usage, run }: SourceMap): Declared | undefined {
  const text = scalarOf(usage)?.trim() ?? "";
  if (text === "") return undefined;
  try {
    const { parameters, notes } = usageWords(kdlRoot(text), { hasSeparator: false });
    if (parameters.length === 0) return undefined;
    // A template puts the value into the text of a shell.
    const isTemplate = [run].flat().some((line) => /\{[{%]/.test(scalarOf(line) ?? ""));
    return { parameters: parameters.map((one) => (isTemplate ? plainWords(one, "argument") : operand(one))), notes };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { parameters: [operand(ARGS)], notes: [`its \`usage\` is not read: ${error.message}`] };
  }
}
