// Tools of MCPShell (https://github.com/inercia/MCPShell) as tools: constraints are limits of parameters, runners say the
// level of the sandbox. A constraint that is no limit is a note, and each call is confirmed, because it protects the tool.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import type { Shell } from "../../core/tool/command.ts";
import { validateValue } from "../../core/schema/validate.ts";
import { programNote, readGoTemplate } from "./go-template.ts";
import {
  type ImportedSource,
  type ImportedTool,
  type SourceText,
  type ToolCandidates,
  Unreadable,
} from "./imported-tool.ts";
import { isMap, listOf, mapOf, parsedYaml, scalarOf, type SourceMap } from "./source-data.ts";

export function readMcpShell({ text }: SourceText): ImportedSource {
  const root = mapOf(mapOf(parsedYaml(text))["mcp"]);
  const tools = listOf(root["tools"]).filter(isMap);
  if (tools.length === 0) throw new Unreadable("it has no `tools:` below `mcp:`");
  const shell = scalarOf(mapOf(root["run"])["shell"]) ?? "bash";
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

/** MCPShell takes the user's shell where none is named, which is bash for most. */
function shellOf(path: string): Shell | undefined {
  return (["sh", "bash", "zsh"] as const).find((name) => path === name || path.endsWith(`/${name}`));
}

function toolOf(name: string, tool: SourceMap, path: string): ImportedTool | { readonly leftOut: string } {
  const shell = shellOf(path);
  if (!shell) return { leftOut: `its shell \`${path}\` is none of sh, bash and zsh` };
  const run = mapOf(tool["run"]);
  const declared = new Map(
    Object.entries(mapOf(tool["params"])).map(([key, value]) => [key, parameterOf(key, mapOf(value))]),
  );
  const command = scalarOf(run["command"]);
  if (command === undefined) return { leftOut: "it has no `command:`" };
  const script = readGoTemplate(command.trim(), { parameters: declared, shell });
  if ("unread" in script) return { leftOut: `\`${script.unread}\` has no counterpart in a definition` };
  const { parameters: limited, unchecked } = withLimits(declared, listOf(tool["constraints"]).map(String));
  const runners = sandboxOf(listOf(tool["runners"] ?? run["runners"]).filter(isMap));
  const { passes, environment } = environmentOf(listOf(run["env"]));
  const timeoutMs = durationMs(scalarOf(run["timeout"]));
  const parameters = [...limited.values()].map((parameter) => {
    const flag = script.flags.get(parameter.name);
    return {
      ...parameter,
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
    runs: { kind: "script", shell, parts: script.parts },
    environment,
    passes,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(unchecked.length === 0
      ? {}
      : { confirm: `MCPShell checks these values, and dottool does not: ${unchecked.join("; ")}` }),
    ...(runners.security ? { security: runners.security } : {}),
    requires: listOf(mapOf(tool["requirements"])["executables"])
      .map(String)
      .filter((one) => !/[/\\]/.test(one)),
    notes: [
      ...unchecked.map((text) => `not checked here: the constraint \`${text}\``),
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

interface Limited {
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** The constraints that no limit says. */
  readonly unchecked: readonly string[];
}

/** `x == '' || …`: a parameter that may be left out. */
const OPTIONAL = /^\s*(\w+)\s*==\s*(?:''|"")\s*\|\|\s*/;

/** Constraints about one parameter as limits of it, which a schema tells models. */
function withLimits(declared: ReadonlyMap<string, Parameter>, constraints: readonly string[]): Limited {
  const parameters = new Map(declared);
  const unchecked = constraints.filter((text) => {
    const optional = OPTIONAL.exec(text);
    const tried = new Map(parameters);
    const isSaid = text
      .slice(optional?.[0].length ?? 0)
      .trim()
      .replace(/^\((.*)\)$/s, "$1")
      .split(/\s&&\s/)
      .every((one) => {
        const limited = limitedBy(one.trim(), tried, optional !== null);
        if (limited) tried.set(limited.name, limited);
        return limited && (optional?.[1] ?? limited.name) === limited.name;
      });
    if (isSaid) for (const [name, parameter] of tried) parameters.set(name, parameter);
    return !isSaid && text.trim() !== "true";
  });
  return { parameters, unchecked };
}

type LimitOf = (schema: ParameterSchema, value: string) => ParameterSchema | undefined;

/** Forms of constraints, with the parameter as `name`; undefined if its schema cannot have the limit, too. */
const LIMITS: readonly (readonly [form: RegExp, limitOf: LimitOf])[] = [
  [/^(?<value>\[[^\]]*\])\.exists\((\w+),\s*\2\s*==\s*(?<name>\w+)\s*\)$/, withChoices],
  [/^(?<value>\[[^\]]*\])\.exists\((\w+),\s*(?<name>\w+)\s*==\s*\2\s*\)$/, withChoices],
  [/^(?<name>\w+)\.matches\(\s*'\^(?<value>(?:[^'\\]|\\.)*)\$'\s*\)$/, withPattern],
  [/^(?<name>\w+)\.matches\(\s*"\^(?<value>(?:[^"\\]|\\.)*)\$"\s*\)$/, withPattern],
  [/^!\s*(?<name>\w+)\.contains\(\s*(?<quote>["'])(?<value>[^"'\\]+)\k<quote>\s*\)$/, withoutText],
  [/^(?<name>\w+)\.size\(\)\s*(?<value>[<>]=?\s*\d+)$/, withLength],
  [/^(?<name>\w+)\s*(?<value>[<>]=\s*-?\d+(?:\.\d+)?)$/, withRange],
];

function limitedBy(
  text: string,
  parameters: ReadonlyMap<string, Parameter>,
  isOptional: boolean,
): Parameter | undefined {
  for (const [form, limitOf] of LIMITS) {
    const { name = "", value } = form.exec(text)?.groups ?? {};
    const parameter = parameters.get(name);
    const schema = parameter && value !== undefined ? limitOf(parameter.schema, value) : undefined;
    if (!parameter || !schema) continue;
    const { default: given, ...others } = parameter;
    if (isOptional && given === "") return { ...others, schema };
    // For MCPShell, a value that is not given is an empty text, or 0.
    const alone = limitOf(schema.type === "string" ? { type: "string" } : { type: "number" }, value ?? "");
    const isRefused = alone && validateValue(alone, schema.type === "string" ? "" : 0, name).issues.length > 0;
    return {
      ...parameter,
      schema,
      required: parameter.required || (!isOptional && given === undefined && isRefused === true),
    };
  }
  return undefined;
}

function withChoices(schema: ParameterSchema, list: string): ParameterSchema | undefined {
  if (schema.type !== "string" || schema.choices || !/^\[(?:\s*'[\w.:/-]+'\s*,?)+\]$/.test(list)) return undefined;
  return { ...schema, choices: [...list.matchAll(/'([^']+)'/g)].map(([, choice = ""]) => choice) };
}

function withPattern(schema: ParameterSchema, written: string): ParameterSchema | undefined {
  const source = written.replaceAll(/\\(["'\\])/g, "$1").replaceAll(/(?<!\\)\//g, String.raw`\/`);
  if (schema.type !== "string" || schema.pattern || !isPattern(source)) return undefined;
  return { ...schema, pattern: { source, flags: "" } };
}

function withoutText(schema: ParameterSchema, text: string): ParameterSchema | undefined {
  if (schema.type !== "string") return undefined;
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  return { ...schema, reject: { source: schema.reject ? `${schema.reject.source}|${escaped}` : escaped, flags: "" } };
}

function withLength(schema: ParameterSchema, bound: string): ParameterSchema | undefined {
  if (schema.type !== "string") return undefined;
  const [, sign = "", isEqual, digits] = /^([<>])(=?)\s*(\d+)$/.exec(bound) ?? [];
  const off = isEqual === "" ? 1 : 0;
  const { minimumLength = 0, maximumLength = Number.POSITIVE_INFINITY } = schema;
  return sign === "<"
    ? { ...schema, maximumLength: Math.min(maximumLength, Number(digits) - off) }
    : { ...schema, minimumLength: Math.max(minimumLength, Number(digits) + off) };
}

function withRange(schema: ParameterSchema, bound: string): ParameterSchema | undefined {
  if (schema.type !== "integer" && schema.type !== "number") return undefined;
  const limit = Number(bound.slice(2));
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
  return bound.startsWith("<")
    ? { ...schema, maximum: Math.min(maximum, limit) }
    : { ...schema, minimum: Math.max(minimum, limit) };
}

/** Whether it means the same here: Go knows some more, such as `(?i)`. */
function isPattern(source: string): boolean {
  try {
    return RegExp(source, "u").source !== "" && !/\(\?|\\[pPQE]|\[\[:/.test(source);
  } catch {
    return false;
  }
}
