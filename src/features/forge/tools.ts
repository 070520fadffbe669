// `forge_tool` makes a tool, and `run_forged` calls one. They are there only where forging is allowed, and both go
// through the gate for everything that a forged tool does.
import type { Session } from "../../core/run/session.ts";
import { anyObject, anyValue, array, choice, string } from "../../core/schema/declare.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import type { Outcome, ToolResult } from "../../core/tool/call.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { BaseTool, Tool } from "../../core/tool/tool.ts";
import { forge, type ForgeResult } from "./pipeline.ts";
import { forgedTools, type ForgedTools } from "./registry.ts";
import type { Judges } from "./second-judges.ts";
import { countsAgainst } from "./uses.ts";
import { FORGE_TOOL, RUN_FORGED } from "../../core/tool/forge-judge.ts";

export interface ForgeToolsOptions {
  readonly host: Host;
  /** Returns the session that the tools belong to. */
  session(): Session;
  build(definition: ToolDefinition): Checked<Tool>;
  judges(): Judges;
}

/** The time for all test cases of a tool. */
const FORGE_MS_MAX = 10 * 60 * 1000;
const RUN_MS_MAX = 60 * 60 * 1000;

export function forgeTools(options: ForgeToolsOptions): readonly BaseTool[] {
  const tools = forgedTools(options);
  return [forgeTool(options, tools), runForged(options, tools)];
}

const EXAMPLE = {
  name: "add_numbers",
  description: "Add two numbers together.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
  implementation: {
    mode: "sandbox",
    code: "function execute(input) { return { sum: input.a + input.b }; }",
    allowlist: [],
  },
  testCases: [
    { input: { a: 2, b: 3 }, expectedOutput: { sum: 5 } },
    { input: { a: -1, b: 1 }, expectedOutput: { sum: 0 } },
  ],
} satisfies JsonObject;

function forgeTool({ session, build, judges }: ForgeToolsOptions, tools: ForgedTools): BaseTool {
  return baseTool({
    name: FORGE_TOOL,
    title: "Make a tool",
    // What a declaration leaves out, a refusal says: each model pays for it in each request.
    description:
      "Make a tool for what you will do several times. It is tested and judged; `run_forged` calls it. A refusal says what to change.",
    schemaOmits: ["examples"],
    parameters: {
      name: string("", { required: true, example: EXAMPLE.name }),
      description: string("", { required: true, example: EXAMPLE.description }),
      title: string("A short name for people", { hidden: true }),
      inputSchema: anyValue("JSON Schema; default: from the test cases", { example: EXAMPLE.inputSchema }),
      outputSchema: anyValue("", { hidden: true, example: EXAMPLE.outputSchema }),
      implementation: anyValue(
        "{mode: 'sandbox', code: 'function execute(input) {…}', allowlist: ['crypto', 'fs.readFile', 'fetch HOST', 'tools.call TOOL']}, " +
          "or {mode: 'compose', steps: [{name: 'a', tool: 'read_file', inputMapping: {file_path: '$input.path'}}]}; values: $input.X, $prev, $steps.a.X",
        { required: true, example: EXAMPLE.implementation },
      ),
      testCases: anyValue("Two or more: [{input: {…}, expectedOutput: …}]", {
        required: true,
        example: EXAMPLE.testCases,
      }),
      effects: array(choice(["read", "write", "run", "network"], ""), ""),
    },
    effects: ["read"],
    changesTools: true,
    timeoutMs: FORGE_MS_MAX,
    execute: async (args, { signal, path }) =>
      outcomeOf(
        await forge(withoutAbsent(args), { session: session(), signal, path, register: tools, build, judges }),
        args.name,
      ),
  });
}

function withoutAbsent(args: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(args).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** A refusal is a failed call, whose content is the whole result. */
function outcomeOf(result: ForgeResult, name: string): Outcome {
  const content: Outcome["content"] = [{ type: "json", value: JSON.parse(JSON.stringify(result)) as Json }];
  if (!result.error) return { status: "ok", content };
  const { class: refusalClass, message, help } = result.error;
  return {
    status: "failed",
    content,
    failure: { kind: "rejected", reason: `\`${name}\` is not forged [${refusalClass}]: ${message}`, help },
  };
}

function runForged({ session }: ForgeToolsOptions, tools: ForgedTools): BaseTool {
  return baseTool({
    name: RUN_FORGED,
    title: "Call a forged tool",
    description: "Call a tool that `forge_tool` made, in this session or, if it has proved itself, in an earlier one.",
    parameters: {
      name: string("The name of the forged tool", { required: true, example: EXAMPLE.name }),
      arguments: anyObject("Its arguments", { default: {}, example: { a: 2, b: 3 } }),
    },
    effects: ["read"],
    timeoutMs: RUN_MS_MAX,
    execute: async ({ name, arguments: args }, context) => {
      // The tools that it calls are loaded.
      await session().registry.complete();
      const found = tools.find(name);
      if (!found && session().registry.find(name))
        return refused(`\`${name}\` is not a forged tool`, [`call \`${name}\` itself`]);
      if (!found && (session().frontEnd ?? "person") === "person" && tools.isElsewhere(name))
        return refused(`the forged tool \`${name}\` belongs to the session that made it, and each command is its own`, [
          `keep it with \`dottool forge keep ${name}\`, then call \`dottool ${name}\``,
        ]);
      if (!found) return refused(`there is no forged tool \`${name}\`${didYouMean(name, tools.names())}`, known(tools));
      if ("obstacle" in found)
        return refused(`the forged tool \`${name}\` does not run: ${found.obstacle}`, [
          "forge it again with what was learned, or do without it",
        ]);
      const result = await context.invoke(name, args, {
        tool: found.tool,
        onEvent: (event) => context.emit(event),
        span: context.span,
        keepOutput: context.keepOutput,
      });
      if (result.status === "ok" || countsAgainst(result.failure))
        await tools.used(found.record, result.status === "ok" ? "succeeded" : "failed");
      return passedOn(result, name);
    },
  });
}

function known(tools: ForgedTools): readonly string[] {
  const names = tools.names();
  return names.length === 0
    ? ["make one with `forge_tool`"]
    : [`the forged tools are ${names.map((name) => `\`${name}\``).join(", ")}`];
}

function refused(reason: string, help: readonly string[]): Outcome {
  return { status: "failed", content: [], failure: { kind: "rejected", reason, help } };
}

function passedOn({ call: _call, durationMs: _ms, ...outcome }: ToolResult, name: string): Outcome {
  return outcome.status === "ok" ? outcome : { ...outcome, failure: inOwnWords(outcome.failure, name) };
}

/** The caller's arguments are within those of `run_forged`, and no command allows a tool that is in no file. */
function inOwnWords(failure: Failure, name: string): Failure {
  if (failure.kind === "denied" && failure.verdict.question) {
    const { allowWith: _none, ...question } = failure.verdict.question;
    return { ...failure, verdict: { ...failure.verdict, question } };
  }
  if (failure.kind !== "invalid-arguments" || failure.tool !== name) return failure;
  const { example, placeholders, losses: _losses, ...rest } = failure;
  return {
    ...rest,
    tool: RUN_FORGED,
    issues: failure.issues.map(({ path, message }) => ({
      path: path === "" ? "arguments" : `arguments.${path}`,
      message,
    })),
    ...(example ? { example: { name, arguments: example } } : {}),
    ...(placeholders ? { placeholders: placeholders.map((path) => `arguments.${path}`) } : {}),
  };
}
