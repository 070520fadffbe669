// The plugin DSL: `defineTool` makes a tool of a function, `definePlugin` a plugin of tools.
import { type ArgumentsOf, type DeclaredParameters, toParameters } from "../../core/schema/declare.ts";
import { plainValue } from "../../core/run/check-result.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { baseTool } from "../../core/tool/base-tool.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import type { Effect } from "../../core/tool/definition.ts";
import type { BaseTool, ToolContext } from "../../core/tool/tool.ts";
import { parameterFault } from "./check-parameter.ts";
import type { Contribution, Plugin } from "./plugin.ts";

export interface ToolSpec<P extends DeclaredParameters> {
  readonly name: string;
  /** Default: from the name. */
  readonly title?: string;
  /** What the tool does, when to use it, and what it returns. */
  readonly description: string;
  readonly parameters?: P;
  /**
   * Its effects on the world. If they are missing or empty, they are unknown, which policy treats as the worst. A tool
   * that changes nothing has at least `read`.
   */
  readonly effects?: readonly Effect[];
  readonly examples?: readonly JsonObject[];
  /** What clients of MCP are shown, for JSON Schema that `parameters` cannot say. These check the arguments. */
  readonly inputSchema?: JsonObject;
  /** Default: 60,000. */
  readonly timeoutMs?: number;
  /** Whether it ends an agent's turn when it succeeds; its text is the answer then. */
  readonly isLoopBreaking?: boolean;
  /** Text, JSON, or an outcome made by `failed`. What it throws is reported as a bug in the tool. */
  run(args: ArgumentsOf<P>, context: ToolContext): Returned | Promise<Returned>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a `return` is of type void
export type Returned = Json | Outcome | undefined | void;

export interface PluginSpec extends Omit<Contribution, "baseTools"> {
  readonly name: string;
  readonly tools?: readonly BaseTool[];
}

export function defineTool<const P extends DeclaredParameters = Record<never, never>>(spec: ToolSpec<P>): BaseTool {
  const { name, title, description, parameters, effects, examples, timeoutMs, isLoopBreaking, inputSchema } = spec;
  if (typeof spec.run !== "function") throw new TypeError(`the tool \`${name}\` has no \`run\` function`);
  // Thrown here, a mistake has its place in the plugin's own source.
  const fault = toParameters(parameters ?? {})
    .map((parameter) => parameterFault(parameter))
    .find((found) => found !== undefined);
  if (fault !== undefined) throw new TypeError(`its tool \`${name}\`: ${fault}`);
  return baseTool<P>({
    name,
    title: title ?? titleFrom(name),
    description,
    parameters: parameters ?? ({} as P),
    effects: effects ?? [],
    ...(examples ? { examples } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(isLoopBreaking ? { isLoopBreaking } : {}),
    ...(inputSchema ? { inputSchema } : {}),
    execute: async (args, context) => toOutcome(await spec.run(args, context)),
  });
}

export function definePlugin(spec: PluginSpec): Plugin {
  const { name, tools = [], ...others } = spec;
  return { name, api: 1, contribute: () => ({ ...(others as Contribution), baseTools: tools }) };
}

/** A failure that the tool foresaw: what is true of the world, then what the caller can do. */
export function failed(reason: string, help: readonly string[] = []): Outcome {
  return { status: "failed", content: [], failure: { kind: "rejected", reason, help } };
}

/** Returns several pieces of content, such as text and an image. */
export function content(...pieces: readonly Content[]): Outcome {
  return { status: "ok", content: pieces };
}

function titleFrom(name: string): string {
  const words = name.replaceAll(/[_-]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toOutcome(returned: Returned): Outcome {
  if (returned === undefined || returned === null) return { status: "ok", content: [] };
  if (typeof returned === "string") return { status: "ok", content: [{ type: "text", text: returned }] };
  return isOutcome(returned) ? returned : { status: "ok", content: [{ type: "json", value: plainValue(returned) }] };
}

/** `content` tells an outcome from JSON that happens to have a `status`. */
function isOutcome(returned: Json | Outcome): returned is Outcome {
  return (
    isJsonObject(returned) &&
    (returned["status"] === "ok" || returned["status"] === "failed") &&
    Array.isArray(returned["content"])
  );
}
