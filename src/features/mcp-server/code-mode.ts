// A tool that runs a program in the JavaScript sandbox, with every other tool as a function. Each call of the program
// goes through the gate, so it is checked, judged and asked about separately.
import { unofferedNames } from "../../core/tool/base-tool-names.ts";
import { functionDeclaration, functionName, toTypeScript } from "../dialects/typescript.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { contentText } from "../../core/run/model-text.ts";
import { runSandboxed, type SandboxFunction } from "../javascript/run-sandboxed.ts";
import { string } from "../../core/schema/declare.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import type { Outcome, ToolResult } from "../../core/tool/call.ts";
import type { BaseTool, Tool, ToolContext } from "../../core/tool/tool.ts";
import type { ModeTools } from "./modes.ts";

/** The limit of declarations, about 3,000 tokens for any number of tools. The others are left to `tools.describe`. */
const DECLARATIONS_CHARACTERS_MAX = 12_000;
/** The limit of the names of the other tools. */
const NAMES_CHARACTERS_MAX = 12_000;
const RUN_MS_MAX = 10 * 60 * 1000;
/** The full name of the tool. No definition can have it, because no folder has this owner. */
const RUN_CODE = "dottool/run_code";
const NAME = "run_code";

export function codeModeTools(tool: BaseTool): ModeTools {
  const shown = { ...toMcpTool(tool), name: NAME };
  return new Map([[NAME, { shown, answer: (args) => ({ call: { tool: RUN_CODE, arguments: args } }) }]]);
}

export function codeTool(tools: readonly Tool[]): BaseTool {
  const offered = tools.filter(({ definition }) => !unofferedNames.includes(definition.name.value));
  return baseTool({
    name: RUN_CODE,
    title: "Run a program",
    description: `Run a JavaScript or TypeScript program that calls tools: \`await tools.NAME({…})\`. A call returns the tool's text, or its value if a type is declared, and throws if the tool fails. The program is the body of an async function and returns its result as JSON; \`console.log\` output is returned too. There are no modules, files or network except through the tools. \`tools.describe(name)\` returns a tool's declaration.\n\n${declarationsOf(offered)}`,
    parameters: {
      code: string(
        'The program, such as: const text = await tools.read_file({ file_path: "a.txt" }); return text.length;',
        { required: true, minimumLength: 1, example: 'return await tools.list_dir({ path: "." });' },
      ),
    },
    effects: ["read"],
    timeoutMs: RUN_MS_MAX,
    execute: ({ code }, context) => run(code, offered, context),
  });
}

/**
 * Returns the declarations: in full if they fit, else in brief, else as many as fit in brief and the names of the
 * others. More tools never get less. The user's own come first.
 */
export function declarationsOf(tools: readonly Tool[]): string {
  const whole = toTypeScript(tools);
  if (whole.length <= DECLARATIONS_CHARACTERS_MAX) return whole;
  const inOrder = [...tools.filter((tool) => !comesWithDottool(tool)), ...tools.filter(comesWithDottool)];
  let characters = 0;
  const shown = new Set(
    inOrder.filter((tool) => (characters += functionDeclaration(tool, true).length + 1) <= DECLARATIONS_CHARACTERS_MAX),
  );
  const declared = toTypeScript(
    tools.filter((tool) => shown.has(tool)),
    { brief: true },
  );
  const others = tools.filter((tool) => !shown.has(tool)).map(({ definition }) => functionName(definition.name.value));
  if (others.length === 0) return declared;
  const names = others.join(", ");
  const rest = names.length <= NAMES_CHARACTERS_MAX ? `The others: ${names}` : `There are ${others.length} others`;
  return `${declared}\n${rest}. \`tools.search("words")\` returns the declarations of those that match.`;
}

function comesWithDottool({ definition: { origin } }: Tool): boolean {
  return origin.kind === "base" || (origin.kind === "file" && origin.scope === "builtin");
}

async function run(code: string, tools: readonly Tool[], context: ToolContext): Promise<Outcome> {
  const byFunction = new Map(tools.map((tool) => [functionName(tool.definition.name.value), tool]));
  const call =
    (tool: Tool): SandboxFunction =>
    async ([args = {}], signal) => {
      const { name } = tool.definition;
      if (!isJsonObject(args)) throw new Error(`\`tools.${functionName(name.value)}\` expects one object of arguments`);
      return valueOf(
        await context.invoke(name.value, args, {
          signal,
          onEvent: (event) => (event.kind === "output" ? undefined : context.emit(event)),
        }),
        tool,
      );
    };
  const allowed: Record<string, SandboxFunction> = {
    ...Object.fromEntries([...byFunction].map(([name, tool]) => [`tools.${name}`, call(tool)])),
    "tools.describe": async ([name]) => describe(String(name ?? ""), byFunction),
    "tools.search": async ([words]) => search(String(words ?? ""), tools),
  };
  const outcome = await runSandboxed({ code, input: null, allowed, limits: { wallMsMax: RUN_MS_MAX } }, context);
  const log = outcome.log === "" ? [] : [{ type: "text" as const, text: outcome.log }];
  if (outcome.status === "failed") return { status: "failed", content: log, failure: outcome.failure };
  const { value } = outcome;
  if (value === null) return { status: "ok", content: log };
  return {
    status: "ok",
    content: [...log, typeof value === "string" ? { type: "text", text: value } : { type: "json", value }],
  };
}

/** Returns the value that the tool's declaration promises. */
function valueOf(result: ToolResult, { definition }: Tool): Json {
  if (result.status === "failed")
    throw new Error(failureText(result.failure, { audience: "model", tool: definition.name.value }));
  const json = result.content.find((item) => item.type === "json");
  return definition.returns && json ? json.value : contentText(result.content);
}

function describe(name: string, byFunction: ReadonlyMap<string, Tool>): string {
  const tool = byFunction.get(name);
  if (!tool) throw new Error(`there is no tool \`${name}\`${didYouMean(name, byFunction.keys())}`);
  return functionDeclaration(tool);
}

const FOUND_MAX = 20;

function search(words: string, tools: readonly Tool[]): string {
  const wanted = words
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== "");
  const fits = ({ definition: { name, title, description } }: Tool): number =>
    wanted.filter((word) => `${name.value} ${title} ${description}`.toLowerCase().includes(word)).length;
  return tools
    .map((tool) => ({ tool, score: fits(tool) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, FOUND_MAX)
    .map(({ tool }) => functionDeclaration(tool, true))
    .join("\n");
}
