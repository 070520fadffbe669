// `dottool schema`: tools as declarations for a model API.
import { unofferedNames } from "../base/base-tool-names.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { JsonObject } from "../schema/json.ts";
import type { Tool } from "../tool/tool.ts";
import { type WordsCommand, writeJson } from "./command.ts";
import { findTools } from "./find-tools.ts";
import { openSession } from "./open-session.ts";

const dialects: Readonly<Record<string, () => Promise<(tools: readonly Tool[]) => JsonObject>>> = {
  "json-schema": async () => (await import("../dialects/json-schema.ts")).toJsonSchema,
  mcp: async () => (await import("../dialects/mcp.ts")).toMcpTools,
};
const DIALECT_DEFAULT = "json-schema";

export const schemaCommand: WordsCommand = {
  kind: "words",
  usage: ["schema [NAME…] [--for DIALECT]"],
  about:
    "Prints tools as declarations for a model API. `json-schema`: one JSON Schema document (draft 2020-12) of the arguments of the tool named; of several tools, each under `$defs`. " +
    "`mcp`: what an MCP server answers to `tools/list`. A tool `owner/name` is called `owner__name` there. " +
    "`ask_model` is printed where it is named: a model has no need to ask another.",
  options: [{ name: "for", value: "DIALECT", choices: Object.keys(dialects), does: `${Object.keys(dialects).join(" or ")}; default ${DIALECT_DEFAULT}` }],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [
    ["dottool schema glob", "the arguments of one tool"],
    ["dottool schema --for mcp", "all tools, as MCP lists them"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const found = await findTools(input.words, opened, context);
    if (typeof found === "number") return found;
    const load = dialects[input.value("for") ?? DIALECT_DEFAULT];
    if (load) writeJson(context.terminal, (await load())(found.filter(({ name }) => input.words.length > 0 || !unofferedNames.includes(name)).map(({ tool }) => tool)));
    return exitCodes.done;
  },
};
