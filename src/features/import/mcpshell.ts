// Tools of MCPShell (https://github.com/inercia/MCPShell) as tools: constraints are conditions, runners say the level of
// the sandbox. A tool with a constraint that cannot be said here is left out, because the constraint protects it.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import type { Shell } from "../../core/tool/command.ts";
import { conditionOfCel } from "./cel-condition.ts";
import { programNote, readGoTemplate } from "./go-template.ts";
import {
  type ImportedSource,
  type ImportedStep,
  type ImportedTool,
  type Runs,
  type SourceText,
  type ToolCandidates,
  Unreadable,
} from "./imported-tool.ts";
import { isMap, listOf, mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";

export function readMcpShell({ text }: SourceText): ImportedSource {
  const root = mapOf(mapOf(parsedYaml(text))["mcp"]);
  const tools = listOf(root["tools"]).filter(isMap);
  if (tools.length === 0) throw new Unreadable("it has no `tools:` below `mcp:`");
  const shell = shellOf(scalarOf(mapOf(root["run"])["shell"]));
  return {
    format: "MCPShell",
    tools: tools.map((tool): ToolCandidates => {
      const name = scalarOf(tool["name"]) ?? "tool";
      const read = toolOf(name, tool, shell);
      return "leftOut" in read
        ? { name, candidates: [], leftOut: read.leftOut }
        : { name, candidates: [read, ...withPrograms(read)] };
    }),
    notes: [],
  };
}

/** Without one, MCPShell takes the user's shell, which is bash for most. */
function shellOf(path: string | undefined): Shell {
  const [, name] = /(?:^|\/)(sh|bash|zsh)$/.exec(path ?? "bash") ?? [];
  return name === "sh" || name === "zsh" ? name : "bash";
}

function toolOf(name: string, tool: SourceMap, shell: Shell): ImportedTool | { readonly leftOut: string } {
  const run = mapOf(tool["run"]);
  const declared = new Map(
    Object.entries(mapOf(tool["params"])).map(([key, value]) => [key, parameterOf(key, mapOf(value))]),
  );
  const command = scalarOf(run["command"]);
  if (command === undefined) return { leftOut: "it has no `command:`" };
  const script = readGoTemplate(command.trim(), { parameters: declared, shell });
  if ("unread" in script) return { leftOut: `\`${script.unread}\` has no counterpart in a definition` };
  const { parameters: limited, constraints } = withLimits(declared, listOf(tool["constraints"]).map(String));
  const names = new Set(declared.keys());
  const checks = constraints.map((text) => ({ text, condition: conditionOfCel(text, names) }));
  const unread = checks.find(({ condition }) => condition === undefined);
  if (unread) return { leftOut: `the constraint \`${unread.text}\` has no counterpart in a definition` };
  const runners = sandboxOf(listOf(tool["runners"] ?? run["runners"]).filter(isMap));
  const { passes, environment } = environmentOf(listOf(run["env"]));
  const timeoutMs = durationMs(scalarOf(run["timeout"]));
  const parameters = [...limited.values()].map((parameter) => {
    const flag = script.flags.get(parameter.name);
    const given = script.defaults.get(parameter.name);
    return {
      ...parameter,
      ...(given === undefined || parameter.required ? {} : { default: valueFor(given, parameter.schema) }),
      ...(flag === undefined ? {} : { flag }),
      ...(script.programs.has(parameter.name) && parameter.schema.type === "string" && !parameter.schema.choices
        ? { schema: { ...parameter.schema, format: "code" as const } }
        : {}),
    };
  });
  return {
    name,
    description: scalarOf(tool["description"]) ?? "",
    parameters,
    runs: runsOf(
      { kind: "script", shell, parts: script.parts },
      checks.map(({ text, condition = "" }) => ({ text, condition })),
      names,
    ),
    environment,
    passes,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(runners.security ? { security: runners.security } : {}),
    requires: listOf(mapOf(tool["requirements"])["executables"])
      .map(String)
      .filter((one) => !/[/\\]/.test(one)),
    notes: [
      ...runners.notes,
      ...script.notes,
      ...(mapOf(tool["output"])["prefix"] === undefined ? [] : ["the `prefix:` of its output is not carried over"]),
    ],
  };
}

/** MCPShell puts values into the text of a script, and sometimes that is meant: `python3 -c "{{ .code }}"`. */
function withPrograms(tool: ImportedTool): readonly ImportedTool[] {
  return tool.parameters
    .filter(({ schema, flag }) => schema.type === "string" && !schema.choices && flag === undefined)
    .map(({ name }) => ({
      ...tool,
      parameters: tool.parameters.map((parameter) =>
        parameter.name === name && parameter.schema.type === "string"
          ? { ...parameter, schema: { ...parameter.schema, format: "code" } }
          : parameter,
      ),
      notes: [...tool.notes, programNote(name)],
    }));
}

function runsOf(
  script: Extract<Runs, { kind: "script" }>,
  checks: readonly { readonly text: string; readonly condition: string }[],
  taken: ReadonlySet<string>,
): Runs {
  if (checks.length === 0) return script;
  const refused = checks.map(
    ({ text, condition }, index): ImportedStep => ({
      name: `constraint-${index + 1}`,
      does: {
        kind: "script",
        shell: "sh",
        parts: [`printf '%s\\n' ${quoted(`these values break a constraint: ${text}`)} >&2\nexit 1`],
      },
      when: `!(${condition})`,
    }),
  );
  return {
    kind: "steps",
    steps: [
      ...refused,
      { name: ["command", "main", "main-command"].find((name) => !taken.has(name)) ?? "command", does: script },
    ],
  };
}

function quoted(text: string): string {
  return `'${text.replaceAll(/\s+/g, " ").replaceAll("'", String.raw`'\''`)}'`;
}

function parameterOf(name: string, declared: SourceMap): Parameter {
  const types: Readonly<Record<string, ParameterSchema>> = {
    number: { type: "number" },
    integer: { type: "integer" },
    boolean: { type: "boolean" },
  };
  const schema: ParameterSchema = types[scalarOf(declared["type"]) ?? ""] ?? { type: "string" };
  const given = declared["default"];
  const isFitting = typeof given === schema.type || (schema.type === "integer" && typeof given === "number");
  return {
    name,
    description: (scalarOf(declared["description"]) ?? "").replaceAll(/\s+/g, " ").trim(),
    schema,
    required: declared["required"] === true && given === undefined,
    ...(isFitting ? { default: given as string | number | boolean } : {}),
  };
}

function valueFor(text: string, { type }: ParameterSchema): string | number {
  return type === "number" || type === "integer" ? Number(text) : text;
}

/** `NAME` passes a variable on, `NAME=value` sets one. */
function environmentOf(written: readonly unknown[]): Required<Pick<ImportedTool, "environment" | "passes">> {
  const pairs = written.map((one) => String(one).split(/=(.*)/s));
  return {
    passes: pairs.flatMap(([name = "", value]) => (value === undefined && /^[A-Za-z_]\w*$/.test(name) ? [name] : [])),
    environment: pairs.flatMap(([name = "", value]) => {
      const [, parameter] = /^\{\{\s*\.(\w+)\s*\}\}$/.exec(value ?? "") ?? [];
      if (value === undefined) return [];
      return [{ name, value: [parameter === undefined ? value : { parameter }] }];
    }),
  };
}

/** A duration of Go, such as `1h30m` or `1.5s`. */
function durationMs(text: string | undefined): number | undefined {
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
  const pieces = [...(text ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const total = pieces.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0), 0);
  return total > 0 ? Math.round(total) : undefined;
}

interface Sandbox {
  readonly security?: NonNullable<ImportedTool["security"]>;
  readonly notes: readonly string[];
}

/** MCPShell takes the first runner that works; the first one is what the author prefers. */
function sandboxOf(runners: readonly SourceMap[]): Sandbox {
  const [runner] = runners;
  const name = scalarOf(runner?.["name"]) ?? "exec";
  const options = mapOf(runner?.["options"]);
  if (name === "exec" || !runner) return { notes: [] };
  if (name === "docker")
    return {
      security: { sandbox: "custom" },
      notes: [
        `its container \`${scalarOf(options["image"]) ?? ""}\` has to be named in \`sandbox:\` of your \`config.yaml\``,
      ],
    };
  const isOpen = options["allow_networking"] !== false && options["allow_user_folders"] !== false;
  const paths = ["allow_read_folders", "allow_read_files"].flatMap((key) => listOf(options[key]).map(String));
  const written = ["allow_write_folders", "allow_write_files"].flatMap((key) => listOf(options[key]).map(String));
  const writes = written
    .map((path) => path.replaceAll(/\{\{\s*\.(\w+)\s*\}\}/g, "{$1}"))
    .filter((path) => !path.includes("{{"));
  if (isOpen && paths.length + written.length === 0 && options["custom_profile"] === undefined) return { notes: [] };
  return {
    security: {
      sandbox: "strict",
      ...(options["allow_networking"] === false ? {} : { hosts: ["*"] }),
      ...(writes.length === 0 ? {} : { writes }),
    },
    notes: [
      ...(options["custom_profile"] === undefined
        ? []
        : [`the \`custom_profile:\` of ${name} is \`@sandbox strict\` here`]),
      ...(paths.some((path) => !/^\/(?:usr|bin|lib|etc|sbin)\b/.test(path))
        ? ["folders that it may read beside the working folder are named in `sandbox: reads:` of your `config.yaml`"]
        : []),
      ...(writes.length < written.length ? ["some of the paths that it may write are not carried over"] : []),
    ],
  };
}

// Constraints of MCPShell about one parameter as limits of it: a schema says them to models, and a value that can only be
// a plain word may stand where another could become program text.

interface Limited {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The constraints that no limit says. */
  readonly constraints: readonly string[];
}

/** `x == '' || …`: a parameter that may be left out. */
const OPTIONAL = /^\s*(\w+)\s*==\s*(?:''|"")\s*\|\|\s*/;
const CHOICES =
  /^\(?\s*\[((?:\s*'[\w.:/-]+'\s*,?)+)\]\.exists\((\w+),\s*(?:\2\s*==\s*(\w+)|(\w+)\s*==\s*\2)\s*\)\s*\)?$/;
const MATCHES = /^\(?\s*(\w+)\.matches\(\s*(?:'\^((?:[^'\\]|\\.)*)\$'|"\^((?:[^"\\]|\\.)*)\$")\s*\)\s*\)?$/;

function withLimits(declared: ReadonlyMap<string, Parameter>, constraints: readonly string[]): Limited {
  const parameters = new Map(declared);
  const left = constraints.filter((text) => {
    const optional = OPTIONAL.exec(text);
    const said = text.slice(optional?.[0].length ?? 0).trim();
    const limited = limitedBy(said, parameters);
    if (!limited || (optional && optional[1] !== limited.name)) return true;
    parameters.set(limited.name, limited);
    // Without a value, MCPShell compares an empty text.
    return !(limited.required || (optional && limited.default === undefined));
  });
  return { parameters, constraints: left };
}

function limitedBy(text: string, parameters: ReadonlyMap<string, Parameter>): Parameter | undefined {
  const [, list, , left, right] = CHOICES.exec(text) ?? [];
  const [, matched = "", single, double] = MATCHES.exec(text) ?? [];
  const parameter = parameters.get(left ?? right ?? matched);
  if (parameter?.schema.type !== "string") return undefined;
  const { schema } = parameter;
  if (list !== undefined) {
    const choices = [...list.matchAll(/'([^']+)'/g)].map(([, choice = ""]) => choice);
    return schema.choices || schema.pattern ? undefined : { ...parameter, schema: { ...schema, choices } };
  }
  const source = (single ?? double)?.replaceAll(/\\(["'\\])/g, "$1").replaceAll(/(?<!\\)\//g, String.raw`\/`);
  return source === undefined || schema.choices || schema.pattern || !isPattern(source)
    ? undefined
    : { ...parameter, schema: { ...schema, pattern: { source, flags: "" } } };
}

/** Whether it means the same here: Go knows some more, such as `(?i)`. */
function isPattern(source: string): boolean {
  try {
    return RegExp(source, "u").source !== "" && !/\(\?|\\[pPQE]|\[\[:/.test(source);
  } catch {
    return false;
  }
}
