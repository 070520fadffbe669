// Turns forge's `tool.yaml` into a wrap of `run_command`: the entry point is the program, and each argument the word
// `--name=value`. Format: github.com/entrhq/forge, docs on custom tools (`tool.yaml` beside the program, in a folder
// with the tool's name).
import { basename, dirname, join } from "node:path";
import type { Parameter } from "../../../core/schema/parameter.ts";
import { hasErrors } from "../../../core/text/diagnostic.ts";
import type { Word } from "../../../core/tool/command.ts";
import { nothingDeclared, type ToolDefinition, type WrappedDefinition } from "../../../core/tool/definition.ts";
import type { AnalyzeOptions } from "../../../core/language/analyze.ts";
import { titleOf } from "../../../core/language/fields/names.ts";
import { readName, warnUndescribed } from "../custom-tools/head.ts";
import type { Findings } from "../../../core/language/findings.ts";
import { Fields } from "../fields.ts";
import { NamedTypes } from "../../../core/language/fields/named-types.ts";
import { readNamedParameters } from "../custom-tools/parameters.ts";
import { entryOf, mapOf, type YamlEntry, type YamlMap } from "../node.ts";
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
  const written = text.text.replace(/^\.\//, "");
  const words = written.split("/");
  // No shell reads it, so blanks would be part of the file's name.
  const isPath = words.every((word) => /^[A-Za-z0-9_.-]+$/.test(word) && !/^\.\.?$/.test(word));
  if (isPath && !written.endsWith(".go")) return join(folder, ...words);
  const built = basename(written, ".go");
  return void fields.findings.error(
    "wrong-value",
    isPath
      ? `\`${written}\` is source code, not a program`
      : "`entrypoint` must be the path of a program below the folder of the definition",
    {
      at: text.span,
      help: isPath
        ? [`build it with \`go build -o ${built} ${written}\` and write \`entrypoint: ${written.slice(0, -3)}\``]
        : ["put it there, and write its name alone: the arguments of a call become `--name=value`"],
    },
  );
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
  const entries = tool.maps("parameters").flatMap((fields): YamlEntry[] => {
    const name = fields.text("name");
    if (!name && !fields.has("name"))
      fields.findings.error("missing-name", "this parameter has no name", { at: fields.start, help: ["add `name:`"] });
    const said = fields.map.entries.filter(({ key }) => key !== "name" && parameterKeys.keys.includes(key));
    return name ? [{ key: name.text, keySpan: name.span, value: mapOf(said, fields.map.span) }] : [];
  });
  const { parameters } = readNamedParameters(entries, tool, new NamedTypes([], tool.findings));
  return parameters.map(({ parameter }) => ({ ...parameter, flag: `--${parameter.name}={value}` }));
}
