// The parameters of a tool that decide which file runs, as `script` does in `sh {script}`. An approval must name their
// values. They are found by trial: the commands of a call are read with one value after another, and nothing runs.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { BaseTool, PreparedCall, Tool } from "../tool/tool.ts";
import { callViews } from "./call-views.ts";
import { type Executed, executedBy, type ExecutedOptions } from "./command-files.ts";

/** Returns undefined if the call makes more calls than can be checked. */
export function executedByCall(call: PreparedCall, options: ExecutedOptions): Executed | undefined {
  const commands = callViews(call, options.cwd)?.filter(({ name }) => name === "run_command");
  return (
    commands &&
    executedBy(
      commands.map(({ arguments: args }) => args),
      options,
    )
  );
}

const decidingOfTool = new WeakMap<Tool, readonly string[]>();

/** Returns names, in the order of the definition. */
export function decidingParameters(tool: Tool, options: ExecutedOptions): readonly string[] {
  const known = decidingOfTool.get(tool) ?? findDeciding(tool, options);
  decidingOfTool.set(tool, known);
  return known;
}

function findDeciding(tool: Tool, options: ExecutedOptions): readonly string[] {
  const { parameters } = tool;
  const bases = [parameters, parameters.filter(({ required }) => required)].map((given) => {
    const args = Object.fromEntries(given.map(({ name, schema }) => [name, trial(schema, name, 0)] as const));
    return { args, outcome: outcome(tool, args, options) };
  });
  const decides = (parameter: Parameter): boolean =>
    bases.some(({ args, outcome: before }) =>
      changesOf(parameter, args).some((changed) => outcome(tool, changed, options) !== before),
    );
  return parameters.filter(decides).map(({ name }) => name);
}

function changesOf({ name, schema }: Parameter, args: JsonObject): readonly JsonObject[] {
  const { [name]: _left, ...without } = args;
  const choices = "choices" in schema ? schema.choices : undefined;
  const values = choices ?? [1, 2].map((number) => trial(schema, name, number));
  return [...values.map((value) => ({ ...args, [name]: value })), without];
}

/** Returns values that differ by `number`. Patterns and ranges do not matter, because nothing checks the values. */
function trial(schema: ParameterSchema, name: string, number: number): Json {
  switch (schema.type) {
    case "string":
      return schema.choices ? (schema.choices[number] ?? schema.choices[0] ?? "") : `trial-${number}-of-${name}`;
    case "integer":
    case "number":
      return schema.choices?.[number] ?? schema.choices?.[0] ?? (schema.minimum ?? 1) + number;
    case "boolean":
      return number % 2 === 0;
    case "array":
      return [trial(schema.items, name, number)];
    case "object":
      return Object.fromEntries([
        ...schema.properties.map((one) => [one.name, trial(one.schema, `${name}.${one.name}`, number)] as const),
        ...(schema.open ? [["trial", number] as const] : []),
      ]);
  }
}

/** Returns a text for what runs; it differs for every value if that cannot be checked. */
function outcome(tool: Tool, args: JsonObject, options: ExecutedOptions): string {
  try {
    const call = { id: "trial", tool: tool.definition.name.value, arguments: args };
    const executed = executedByCall({ call, tool, arguments: args }, options);
    return executed ? JSON.stringify([[...executed.files], [...executed.unknown]]) : JSON.stringify(args);
  } catch {
    return JSON.stringify(args);
  }
}

export function decidingAmong(names: readonly string[], args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}

/**
 * Whether the arguments of a call are the program: true for a base tool with `wrap` and an alias of it, false for a
 * wrap with a command of its own.
 */
export function runsItsArguments(tool: Tool): boolean {
  return (
    (tool as BaseTool).wrap !== undefined ||
    (tool.definition.kind === "wrapped" &&
      tool.definition.commands.length === 0 &&
      (tool.underlying ?? []).some(runsItsArguments))
  );
}
