// The one call with which TypeScript makes a tool: its name, texts, parameters, effects and function.
import { safeTextLength } from "../schema/backtracking.ts";
import { type ArgumentsOf, type DeclaredParameters, toParameters } from "../schema/declare.ts";
import type { JsonObject } from "../schema/json.ts";
import { nothingDeclared, type Returns } from "./definition.ts";
import type { Outcome } from "./call.ts";
import type { BaseDefinition, Effect, Origin, SchemaPart } from "./definition.ts";
import type { ArgumentIssue, Failure } from "./failure.ts";
import type { BaseTool, ToolContext, Wrap } from "./tool.ts";

interface BaseToolSpec<P extends DeclaredParameters> {
  readonly name: string;
  readonly title: string;
  /** The text for people and models: what the tool does, when to use it, and what it returns. */
  readonly description: string;
  readonly parameters: P;
  readonly effects: readonly Effect[];
  readonly returns?: Returns;
  readonly examples?: readonly JsonObject[];
  readonly schemaOmits?: readonly SchemaPart[];
  readonly isLoopBreaking?: true;
  readonly changesTools?: true;
  readonly quotesFiles?: true;
  readonly timeoutMs?: number;
  readonly wrap?: Wrap;
  readonly inputSchema?: JsonObject;
  readonly origin?: Origin;
  check?(args: ArgumentsOf<P>): readonly ArgumentIssue[];
  askedTimeoutMs?(args: ArgumentsOf<P>): number | undefined;
  execute(args: ArgumentsOf<P>, context: ToolContext): Promise<Outcome>;
}

const baseSource = { path: "(base tool)", text: "" };

export function baseTool<const P extends DeclaredParameters>(spec: BaseToolSpec<P>): BaseTool {
  const parameters = toParameters(spec.parameters);
  const definition: BaseDefinition = {
    kind: "base",
    name: { value: spec.name, span: { source: baseSource, start: 0, end: 0 } },
    title: spec.title,
    description: spec.description,
    parameters,
    ...nothingDeclared,
    declaredEffects: spec.effects,
    ...(spec.schemaOmits ? { schemaOmits: spec.schemaOmits } : {}),
    ...(spec.examples ? { examples: spec.examples } : {}),
    ...(spec.timeoutMs === undefined ? {} : { limits: { timeoutMs: spec.timeoutMs } }),
    origin: spec.origin ?? { kind: "base" },
    ...(spec.returns ? { returns: spec.returns } : {}),
    ...(spec.isLoopBreaking ? { isLoopBreaking: true } : {}),
    ...(spec.changesTools ? { changesTools: true } : {}),
  };
  // The gate has checked the arguments against the very parameters that `ArgumentsOf` is inferred from.
  const { check, askedTimeoutMs } = spec;
  return Object.freeze<BaseTool>({
    definition,
    effects: spec.effects,
    parameters,
    safeTextLength: safeTextLength(parameters),
    ...(spec.wrap ? { wrap: spec.wrap, runsProcess: true } : {}),
    ...(spec.inputSchema ? { inputSchema: spec.inputSchema } : {}),
    ...(spec.quotesFiles ? { quotesFiles: true } : {}),
    ...(check ? { check: (args: JsonObject) => check(args as ArgumentsOf<P>) } : {}),
    ...(askedTimeoutMs ? { askedTimeoutMs: (args: JsonObject) => askedTimeoutMs(args as ArgumentsOf<P>) } : {}),
    execute: (args, context) => spec.execute(args as ArgumentsOf<P>, context),
  });
}

export function okText(text: string): Outcome {
  return { status: "ok", content: [{ type: "text", text }] };
}

export function failed(failure: Failure): Outcome {
  return { status: "failed", content: [], failure };
}

/** The outcome of a tool that stopped because `context.signal` aborted. The gate knows whether that was a deadline. */
export const cancelled: Outcome = failed({ kind: "cancelled" });
