// `dottool schema`: tools as declarations for a model API.
import { unofferedNames } from "../base/base-tool-names.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Tool } from "../tool/tool.ts";
import { type CommandContext, type CommandInput, reportUsage, type WordsCommand, writeJson } from "./command.ts";
import { findTools } from "./find-tools.ts";
import { openSession } from "./open-session.ts";

const dialects: Readonly<Record<string, () => Promise<(tools: readonly Tool[]) => JsonObject>>> = {
  "json-schema": async () => (await import("../dialects/json-schema.ts")).toJsonSchema,
  mcp: async () => (await import("../dialects/mcp.ts")).toMcpTools,
};
const DIALECT_DEFAULT = "json-schema";
/** Of definitions, and of no tool. */
const YAML = "yaml";
const choices: readonly string[] = [...Object.keys(dialects), YAML];

export const schemaCommand: WordsCommand = {
  kind: "words",
  usage: ["schema [NAME…] [--for DIALECT]", "schema --for yaml"],
  about:
    "Prints tools as declarations for a model API. `json-schema`: one JSON Schema document (draft 2020-12) of the arguments of the tool named; of several tools, each under `$defs`. " +
    "`mcp`: what an MCP server answers to `tools/list`. A tool `owner/name` is called `owner__name` there. " +
    "`ask_model` is printed where it is named: a model has no need to ask another. " +
    "`yaml`: the JSON Schema of definitions in YAML, for editors.",
  options: [{ name: "for", value: "DIALECT", choices, does: `${choices.slice(0, -1).join(", ")} or ${YAML}; default ${DIALECT_DEFAULT}` }],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [
    ["dottool schema glob", "the arguments of one tool"],
    ["dottool schema --for mcp", "all tools, as MCP lists them"],
    ["dottool schema --for yaml", "for editors of YAML definitions"],
  ],
  run: async (input, context) => {
    if (input.value("for") === YAML) return printYamlSchema(input, context);
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const found = await findTools(input.words, opened, context);
    if (typeof found === "number") return found;
    const load = dialects[input.value("for") ?? DIALECT_DEFAULT];
    if (load) writeJson(context.terminal, (await load())(found.filter(({ name }) => input.words.length > 0 || !unofferedNames.includes(name)).map(({ tool }) => tool)));
    return exitCodes.done;
  },
};

async function printYamlSchema({ words }: CommandInput, { terminal }: CommandContext): Promise<number> {
  if (words.length > 0) return reportUsage(terminal, `\`--for yaml\` is about definitions in YAML, and \`${words[0] ?? ""}\` is a tool`, "schema");
  writeJson(terminal, (await import("../language/yaml/tools-schema.ts")).toolsSchema());
  return exitCodes.done;
}
