// Turns forge's `tool.yaml` into a wrap of `run_command`: the entry point is the program, and each argument the word
// `--name=value`. Format: github.com/entrhq/forge, docs on custom tools (`tool.yaml` beside the program, in a folder
// with the tool's name).
import { basename, dirname, join } from "node:path";
import type { Parameter } from "../../../core/schema/parameter.ts";
import { hasErrors } from "../../../core/text/diagnostic.ts";
import type { Span } from "../../../core/text/source.ts";
import type { Word } from "../../../core/tool/command.ts";
import { nothingDeclared, type ToolDefinition, type WrappedDefinition } from "../../../core/tool/definition.ts";
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { titleOf } from "../../../core/language/fields/names.ts";
import { readName, warnUndescribed } from "../custom-tools/head.ts";
import type { Findings } from "../../../core/language/findings.ts";
import { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { entryOf, type YamlMap, type YamlNode } from "../node.ts";
import { readTypedParameter } from "../parameter-fields.ts";
import { parameterKeys, toolKeys } from "./keys.ts";

export function isForgeTool(root: YamlMap): boolean {
  return entryOf(root, "entrypoint") !== undefined;
}

/** Returns undefined if there is no definition; `findings` says why. */
export function analyzeForgeTool(
  root: YamlMap,
  options: AnalyzeOptions,
  findings: Findings,
): ToolDefinition | undefined {
  const fields = new Fields(root, toolKeys, findings);
  const name = readName(fields, options);
  const said = toolKeys.read(fields);
  warnUndescribed(fields, fields.place("name"));
  const program = readEntrypoint(fields, options.folder ?? dirname(findings.source.path));
  const parameters = readParameters(fields);
  if (!name || program === undefined || hasErrors(findings.diagnostics())) return undefined;
  const definition: WrappedDefinition = {
    kind: "wrapped",
    name,
    title: titleOf(name.value),
    description: "",
    ...nothingDeclared,
    ...said,
    parameters,
    origin: { kind: "file", source: findings.source, scope: options.scope ?? "given" },
    base: { value: "run_command", span: fields.place("entrypoint") },
    commands: [{ command: { kind: "direct", words: [{ parts: [program] }, ...parameters.map(optionWord)] } }],
    presets: [],
    defaults: [],
    surroundings: { environment: [], inheritsEnvironment: false },
    ignoreErrors: false,
  };
  return definition;
}

/** Reads the entry point, a path within the folder of the definition. It is looked for nowhere else. */
function readEntrypoint(fields: Fields, folder: string): string | undefined {
  const text = fields.text("entrypoint");
  if (!text) return undefined;
  const wrong = (message: string, help: string): undefined =>
    void fields.findings.error("wrong-value", message, { at: text.span, help: [help] });
  const written = text.text.replace(/^\.\//, "");
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(written))
    return wrong(
      "`entrypoint` must be a path below the folder of the definition",
      "put the program, or a script that runs it, in the folder of the definition",
    );
  if (written.split(/[/\\]/).includes(".."))
    return wrong(
      "`entrypoint` leads out of the folder of the definition",
      "put the program, or a script that runs it, in the folder of the definition",
    );
  if (written.split("/").includes("."))
    return wrong("`entrypoint` must be the name of a file", "remove the `.` folder from the path");
  // No shell reads it, so blanks would be part of the file's name.
  if (!/^[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_.-]+)*$/.test(written))
    return wrong(
      "`entrypoint` must be the name of a file",
      /\s/.test(written)
        ? "remove the arguments: those of a call become `--name=value`"
        : "use letters, digits, `.`, `_` and `-`, and `/` after a folder",
    );
  if (written.endsWith(".go"))
    return wrong(
      `\`${written}\` is source code, not a program`,
      `build it with \`go build -o ${basename(written, ".go")} ${written}\` and write \`entrypoint: ${written.slice(0, -".go".length)}\``,
    );
  return join(folder, ...written.split("/"));
}

/** Returns `--name=value`, or nothing without a value. Lists and objects are JSON. */
function optionWord({ name, schema }: Parameter): Word {
  return {
    parts: [
      {
        placeholder: name,
        ...(schema.type === "array" ? { isWhole: true as const } : {}),
        flag: [{ parts: [`--${name}=`, { placeholder: "value" }] }],
      },
    ],
  };
}

function readParameters(tool: Fields): readonly Parameter[] {
  const value = tool.entry("parameters")?.value;
  if (value && value.kind !== "list") {
    if (value.kind !== "scalar" || value.value !== null)
      tool.wrong(value, "parameters", "a list of entries, each with `name`");
    return [];
  }
  const seen = new Map<string, Span>();
  return (value?.items ?? []).flatMap((item) => readParameter(item, tool, seen) ?? []);
}

function readParameter(item: YamlNode, tool: Fields, seen: Map<string, Span>): Parameter | undefined {
  const { findings } = tool;
  if (item.kind !== "map") return void tool.wrong(item, "parameters", "a list of maps, each with `name`");
  const fields = new Fields(item, parameterKeys, findings);
  const named = fields.text("name");
  if (!named) {
    if (!fields.has("name"))
      findings.error("missing-name", "this parameter has no name", {
        at: { ...item.span, end: Math.min(item.span.end, item.span.start + 1) },
        help: ["add `name:`"],
      });
    return undefined;
  }
  const { text: name, span } = named;
  const known = seen.get(name);
  seen.set(name, span);
  if (!isName("parameter name", named, findings)) return undefined;
  if (known)
    return void findings.error("duplicate-parameter", `duplicate parameter \`${name}\``, {
      at: span,
      related: [{ span: known, text: "first declared here" }],
    });
  const parameter = readTypedParameter(fields, { name, span, noun: "parameter" });
  return parameter && { ...parameter, flag: `--${name}={value}` };
}
