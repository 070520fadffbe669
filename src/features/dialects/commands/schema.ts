// `dottool schema`: tools as declarations for a model API.
import { readsOn, unofferedNames } from "../../../core/tool/base-tool-names.ts";
import { distinctNames } from "../../../core/tool/api-name.ts";
import type { ApiDialectName } from "../dialect.ts";
import { type DeclarationForm, declarationForms, declarationsIn, loadDialect } from "../dialects.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { effectsUntrusted } from "../../../core/builder/untrusted-effects.ts";
import type { Json } from "../../../core/schema/json.ts";
import { printable } from "../../../core/text/display.ts";
import type { Tool } from "../../../core/tool/tool.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { findTools } from "../../../cli/words/find-tools.ts";
import { openSession } from "../../../cli/session/open-session.ts";

/** The schema of definitions, not of a tool. */
const YAML = "yaml";
const DIALECT_DEFAULT = "json-schema";
const choices: readonly string[] = [...declarationForms, YAML];
/** The dialects whose APIs can make a model follow a schema. */
const STRICT = ["openai", "openai-responses", "anthropic"];

export const schemaCommand: WordsCommand = {
  kind: "words",
  usage: ["schema [NAME…] [--for DIALECT] [--strict]", "schema --for yaml", "schema --self"],
  about:
    "Prints tools as declarations for a model API. `json-schema`: one JSON Schema document (draft 2020-12) for the arguments of the named tool; for several tools, each under `$defs`. " +
    "`mcp`: the answer of an MCP server to `tools/list`. `openai` (Chat Completions and compatible servers), `openai-responses`, `anthropic`, `gemini`, `ollama`, `mistral`: the `tools` of a request. " +
    "`text`: a part of the prompt, for models without tool calling. A tool `owner/name` is called `owner__name` there, and the description says what an API has no keyword for. `dottool exec` runs the calls that come back. " +
    "`--strict`: declarations that the API enforces, for each tool where one can be made; a note names the others and the reason. If none can be made, nothing is printed, and the exit code is 65. " +
    "`ask_model` is printed only if it is named, because a model does not need to ask another; and so is `read_output`, which a model needs once a result was cut: `exec` then says so. " +
    "`yaml`: the JSON Schema of YAML definitions, for editors. `--self` prints the commands of dottool itself as JSON, with their options and the exit codes.",
  options: [
    {
      name: "for",
      value: "DIALECT",
      choices,
      does: `${choices.slice(0, -1).join(", ")} or ${YAML}; default ${DIALECT_DEFAULT}`,
    },
    {
      name: "strict",
      does: `for ${STRICT.slice(0, -1).join(", ")} and ${STRICT.at(-1) ?? ""}: the API enforces the schema`,
    },
    { name: "self", does: "print the commands of dottool itself, as JSON" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [
    ["dottool schema glob", "the arguments of one tool"],
    ["dottool schema --for mcp", "all tools, as MCP lists them"],
    ["dottool schema glob grep --for openai --strict", "two tools, with schemas that OpenAI enforces"],
    ["dottool schema --for yaml", "for editors of YAML definitions"],
  ],
  run: async (input, context) => {
    if (input.has("self")) {
      if (input.words.length > 0 || input.has("for") || input.has("strict"))
        return reportUsage(context.terminal, "`--self` is about dottool itself; leave out everything else", "schema");
      writeJson(context.terminal, await (await import("../own-commands.ts")).ownCommands());
      return exitCodes.done;
    }
    const dialect = input.value("for") ?? DIALECT_DEFAULT;
    if (input.has("strict") && !STRICT.includes(dialect))
      return reportUsage(
        context.terminal,
        `\`${dialect}\` does not support \`--strict\`; ${STRICT.map((name) => `\`${name}\``).join(", ")} do`,
        "schema",
      );
    if (dialect === YAML) return printYamlSchema(input, context);
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    const found = await findTools(input.words, opened, context);
    if (typeof found === "number") return found;
    const offered = new Set(
      dialect === "mcp" ? distinctNames(found.map(({ name }) => name)) : found.map(({ name }) => name),
    );
    const wanted = found.filter(
      ({ name, tool }) =>
        input.words.length > 0 || (offered.has(name) && !unofferedNames.includes(name) && !readsOn(tool)),
    );
    const untrusted = await opened.session.distrusted?.(wanted.map(({ name }) => name));
    const tools = wanted.map(({ name, tool }) =>
      untrusted?.has(name) ? { ...tool, effects: effectsUntrusted(tool) } : tool,
    );
    return input.has("strict")
      ? printStrict(tools, dialect as ApiDialectName, context)
      : print(tools, dialect as DeclarationForm, context);
  },
};

async function print(tools: readonly Tool[], form: DeclarationForm, { terminal }: CommandContext): Promise<number> {
  const { declarations, toolsMax = tools.length } = await declarationsIn(form, tools);
  if (tools.length > toolsMax)
    terminal.errors.write(
      `note: \`${form}\` accepts at most ${toolsMax} tools per request, and there are ${tools.length}; name the ones you need\n`,
    );
  if (typeof declarations === "string") terminal.output.write(declarations);
  else writeJson(terminal, declarations);
  return exitCodes.done;
}

/** Prints each tool as a strict declaration where that can be made; a note says why another one is not strict. */
async function printStrict(
  tools: readonly Tool[],
  name: ApiDialectName,
  { terminal }: CommandContext,
): Promise<number> {
  const { declarations, strictDeclarations } = await loadDialect[name]();
  const strict: Tool[] = [];
  const problems: string[] = [];
  const beyond: string[] = [];
  for (const tool of tools) {
    const alone = strictDeclarations?.([tool]) ?? { problems: [] };
    if ("problems" in alone) problems.push(...alone.problems);
    // Together, because a request has limits too.
    else if ("declarations" in (strictDeclarations?.([...strict, tool]) ?? {})) strict.push(tool);
    else beyond.push(`\`${tool.definition.name.value}\``);
  }
  const isNone = strict.length === 0 && tools.length > 0;
  for (const problem of problems)
    terminal.errors.write(`${isNone ? "failed[strict]" : "note: not strict"}: ${printable(problem)}\n`);
  if (beyond.length > 0)
    terminal.errors.write(`note: not strict, because one request takes no more: ${printable(beyond.join(", "))}\n`);
  if (isNone) return exitCodes.definitions;
  const made = strictDeclarations?.(strict);
  const ofStrict = made && "declarations" in made ? listed(made.declarations) : [];
  writeJson(
    terminal,
    tools.flatMap((tool) =>
      strict.includes(tool) ? (ofStrict[strict.indexOf(tool)] ?? []) : listed(declarations([tool])),
    ),
  );
  return exitCodes.done;
}

/** The APIs with strict declarations take a list of tools. */
function listed(declarations: Json): readonly Json[] {
  return Array.isArray(declarations) ? (declarations as readonly Json[]) : [declarations];
}

async function printYamlSchema({ words }: CommandInput, { terminal }: CommandContext): Promise<number> {
  if (words.length > 0)
    return reportUsage(
      terminal,
      `\`--for yaml\` prints the schema of YAML definitions; leave out \`${words[0] ?? ""}\``,
      "schema",
    );
  writeJson(terminal, (await import("../../yaml/tools-schema.ts")).toolsSchema());
  return exitCodes.done;
}
