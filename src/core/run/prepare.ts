// Turns what a caller sent into a call that can run: the tool exists and is available, the arguments fit, or one
// failure reports all that is wrong. `withSuggestion` in core/run/suggest.ts adds the call that was meant.
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { type Giver, secretSourceOf } from "../schema/given-parameters.ts";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { validateArguments } from "../schema/validate.ts";
import type { Host } from "../tool/host.ts";
import { needPart } from "../tool/feature.ts";
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import { codeOf } from "../tool/error-code.ts";
import { obstaclesTo } from "./availability.ts";
import { secretMasks } from "./secret-masks.ts";
import type { Session } from "./session.ts";

type Prepared = { readonly prepared: PreparedCall } | { readonly failure: Failure };

interface PrepareOptions {
  /** Ends the transforms of arguments. */
  readonly signal?: AbortSignal | undefined;
  /** Default: the caller of the session. */
  readonly giver?: Giver;
}

export async function prepareCall(
  call: ToolCall,
  session: Session,
  { signal = new AbortController().signal, giver = giverIn(session) }: PrepareOptions = {},
): Promise<Prepared> {
  const tool = await session.registry.resolve(call.tool);
  if (!tool) return { failure: { kind: "unknown-tool", name: call.tool, nearest: [] } };
  const untrusted = await session.distrust?.(call.tool);
  if (untrusted) return { failure: untrusted };
  const obstacles = [...(tool.obstacle ? [tool.obstacle] : []), ...(await obstaclesTo(tool.definition, session))];
  if (obstacles.length > 0)
    return {
      failure: {
        kind: "unavailable",
        tool: call.tool,
        reasons: obstacles.map(({ reason }) => reason),
        help: obstacles.flatMap(({ help }) => help ?? []),
      },
    };
  const given = await givenArguments(tool, call, { host: session.host, signal });
  if ("failure" in given) return given;
  const isSafe = tool.safeTextLength === Infinity || textLengthOf(given.arguments) <= tool.safeTextLength;
  // A backtracking pattern could block everything, including the caller's abort signal.
  const inTime = <T>(check: () => T): T => (isSafe ? check() : session.host.runBounded(check, CHECK_MS_MAX));
  try {
    const checked = given.issue
      ? { issues: [given.issue] }
      : inTime(() => checkArguments(tool, { ...call, arguments: given.arguments }, { session, giver }));
    if ("unavailable" in checked) return { failure: checked.unavailable };
    if ("arguments" in checked) return { prepared: { call, tool, arguments: checked.arguments } };
    const failure: Failure = { kind: "invalid-arguments", tool: call.tool, issues: checked.issues };
    const masks = await secretMasks(tool, [call.arguments], session.host);
    return { failure: masks ? masks.failure(failure) : failure };
  } catch (error) {
    if (codeOf(error) !== "ETIMEDOUT") throw error;
    return {
      failure: {
        kind: "limit",
        limit: CHECK_MS_MAX,
        unit: "ms to check the arguments",
        help: ["a pattern of its definition takes too long with this text; send less"],
      },
    };
  }
}

const CHECK_MS_MAX = 1_000;

type Given = { readonly arguments: unknown; readonly issue?: ArgumentIssue } | { readonly failure: Failure };

export type TransformedArguments =
  | { readonly arguments: unknown }
  /** The expression fails for one of the values. */
  | { readonly issue: ArgumentIssue }
  | { readonly failure: Failure };

export interface TransformOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Changes arguments as `transform` says. */
    transformedArguments: (tool: Tool, sent: unknown, options: TransformOptions) => Promise<TransformedArguments>;
  }
}

/** Returns what the caller sent, with the changes that the definition makes. */
async function givenArguments(
  tool: Tool,
  call: ToolCall,
  options: { readonly host: Session["host"]; readonly signal: AbortSignal },
): Promise<Given> {
  const { arguments: sent } = call;
  const isChanged = ({ name, transform, default: fallback }: Parameter): boolean =>
    transform !== undefined && (fallback !== undefined || (isJsonObject(sent) && Object.hasOwn(sent, name)));
  if (!tool.parameters.some(isChanged)) return { arguments: sent };
  const transformedArguments = await needPart("transformedArguments");
  const changed = await transformedArguments(tool, call.arguments, options);
  if ("failure" in changed) return changed;
  return "issue" in changed ? { arguments: call.arguments, issue: changed.issue } : changed;
}

/** Returns the length of arguments. A program may send what is not JSON, which the check then reports. */
function textLengthOf(args: unknown): number {
  try {
    return JSON.stringify(args)?.length ?? 0;
  } catch {
    return Infinity;
  }
}

/** A model writes the calls of these; a person, or a program, those of all others. */
export function giverIn({ frontEnd }: Pick<Session, "frontEnd">): Giver {
  return frontEnd === "mcp" || frontEnd === "exec" || frontEnd === "agent" ? "model" : "person";
}

type Checked =
  | { readonly arguments: JsonObject }
  | { readonly issues: readonly ArgumentIssue[] }
  | { readonly unavailable: Failure };

function checkArguments(
  tool: Tool,
  call: ToolCall,
  { session, giver }: { readonly session: Session; readonly giver: Giver },
): Checked {
  const validated = validateArguments(tool.parameters, call.arguments, {
    owner: call.tool,
    environment: (name) => session.host.environment(name),
    giver,
  });
  // Another call does not help a model, so this is no issue of its arguments.
  const unset = giver === "person" ? undefined : validated.issues.map(({ path }) => unsetSource(path, tool, call));
  if (unset && unset.length > 0 && unset.every((one) => one !== undefined))
    return { unavailable: withoutSources(call.tool, unset, session) };
  const issues = validated.arguments
    ? (tool.check?.(validated.arguments) ?? [])
    : [...validated.issues, ...issuesOfTheRest(tool, call, validated.issues)];
  return validated.arguments && issues.length === 0 ? { arguments: validated.arguments } : { issues };
}

interface UnsetSource {
  readonly name: string;
  readonly variable: string;
}

function unsetSource(path: string, { parameters }: Tool, { arguments: args }: ToolCall): UnsetSource | undefined {
  const parameter = parameters.find(({ name }) => name === path.split(/[.[]/, 1)[0]);
  const variable = parameter && secretSourceOf(parameter);
  const isGiven = isJsonObject(args) && Object.hasOwn(args, parameter?.name ?? "");
  return parameter && variable !== undefined && !isGiven ? { name: parameter.name, variable } : undefined;
}

function withoutSources(tool: string, unset: readonly UnsetSource[], { host }: Session): Failure {
  return {
    kind: "unavailable",
    tool,
    reasons: unset.map(
      ({ name, variable }) =>
        `\`${name}\` comes from the environment variable \`${variable}\`, ${host.environment(variable) === undefined ? "which is not set" : "whose value is not accepted"}`,
    ),
    help: unset.map(({ variable }) => `the person who runs dottool sets \`${variable}\``),
  };
}

/** Returns what the tool would refuse in the valid arguments, so that the caller learns of all issues at once. */
function issuesOfTheRest(tool: Tool, call: ToolCall, known: readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  if (!tool.check || typeof call.arguments !== "object" || call.arguments === null) return [];
  const faulty = new Set(known.map((issue) => issue.path.split(/[.[]/, 1)[0]));
  const sound = Object.fromEntries(Object.entries(call.arguments).filter(([name]) => !faulty.has(name)));
  // `check` may rely on required arguments. If one is missing, only the schema is checked.
  const validated = validateArguments(tool.parameters, sound, { owner: call.tool, environment: () => undefined });
  return validated.arguments ? tool.check(validated.arguments).filter((issue) => !faulty.has(issue.path)) : [];
}
