// Runs the calls of a reply through the gate and answers each exactly once, in order. Calls that only read run
// together; one that may change something waits for those before it, and those after it wait for it.
import { callTool } from "../../core/run/call-tool.ts";
import { modelText } from "../../core/run/model-text.ts";
import type { Session } from "../../core/run/session.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { isAny, type Parameter } from "../../core/schema/parameter.ts";
import { Turns } from "../../core/tool/turns.ts";
import { toolOfApiName, toolOfRemoteApiName, inApiNames } from "../../core/tool/api-name.ts";
import type { DialectName } from "./dialect.ts";
import type { ModelAnswer, ModelCall, SoundCall } from "./model-call.ts";
import { idOf } from "./read-call.ts";
import { typedArguments } from "./text-arguments.ts";
import { mayRunTogether } from "../../core/tool/tool.ts";

/** The limit of one reply. Further calls are answered, but not run. */
export const CALLS_MAX = 1_000;
export const PARALLEL_DEFAULT = 4;

interface AnswerOptions {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly dialect: DialectName;
  /** The number of calls that run at once. With 1, they run in sequence. */
  readonly parallel?: number;
}

export async function answerCalls(
  calls: readonly ModelCall[],
  options: AnswerOptions,
): Promise<readonly ModelAnswer[]> {
  const ready: Ready[] = [];
  const ids = new Set<string>();
  for (const [index, call] of calls.entries()) {
    const isTaken = call.id !== undefined && ids.has(call.id);
    if (call.id !== undefined) ids.add(call.id);
    if (index >= CALLS_MAX)
      ready.push({
        call,
        problem: `a reply may have ${CALLS_MAX.toLocaleString("en")} calls, and this is call ${(index + 1).toLocaleString("en")}; send it in the next one`,
      });
    else if (isTaken)
      ready.push({
        call,
        problem: `an earlier call has the same id \`${call.id}\`, so this one was not run; give each call its own id`,
      });
    else
      ready.push(
        call.kind === "faulty" ? { call, problem: call.problem } : await readyCall(call, idOf(call, index), options),
      );
  }
  const answers: ModelAnswer[] = [];
  const turns = new Turns(options.parallel ?? PARALLEL_DEFAULT);
  // The gate answers calls that a signal cancels, also those that still wait for their turn.
  const unending = new AbortController().signal;
  const answered = async (one: Ready): Promise<ModelAnswer> => {
    await turns.enter(unending);
    return answer(one, options).finally(() => turns.leave());
  };
  for (let start = 0; start < ready.length; ) {
    const end = endOfBatch(ready, start);
    answers.push(...(await Promise.all(ready.slice(start, end).map(answered))));
    start = end;
  }
  return answers;
}

interface Ready {
  readonly call: ModelCall;
  readonly problem?: string;
  /** A call for the gate. */
  readonly id?: string;
  readonly tool?: string;
  readonly arguments?: JsonObject;
  readonly mayRunTogether?: boolean;
}

function endOfBatch(ready: readonly Ready[], start: number): number {
  let end = start + 1;
  while (end < ready.length && isHarmless(ready[end]) && isHarmless(ready[start])) end++;
  return end;
}

function isHarmless(one: Ready | undefined): boolean {
  return one?.problem !== undefined || one?.mayRunTogether === true;
}

async function readyCall(call: SoundCall, id: string, { session, dialect }: AnswerOptions): Promise<Ready> {
  const { registry } = session;
  let name = toolOfApiName(call.name, registry.names(), dialect === "text");
  if (name === undefined) {
    // Only now are the tools of plugins known.
    await registry.complete();
    name = toolOfApiName(call.name, registry.names(), dialect === "text");
  }
  if (name === undefined) {
    // Tools of MCP servers are not listed; a name that a model made up does not show that a server is meant.
    const remote = toolOfRemoteApiName(call.name);
    const found = remote === undefined ? undefined : await registry.resolve(remote);
    if (found && !found.obstacle) name = remote;
  }
  const tool = name === undefined ? undefined : await registry.resolve(name);
  const parameters = tool?.parameters ?? [];
  const typed = call.elements
    ? typedArguments(call.elements, parameters)
    : { arguments: isOpenai(dialect) ? withoutNulls(call.arguments, parameters) : call.arguments };
  if ("problem" in typed) return { call, problem: typed.problem };
  return {
    call,
    id,
    tool: name ?? call.name,
    arguments: typed.arguments,
    mayRunTogether: tool !== undefined && mayRunTogether(tool),
  };
}

async function answer(one: Ready, options: AnswerOptions): Promise<ModelAnswer> {
  if (one.problem !== undefined) return { call: one.call, text: `failed[call]: ${one.problem}\n`, isError: true };
  const isInText = options.dialect === "text";
  const result = await callTool(
    { id: one.id ?? "", tool: one.tool ?? "", arguments: one.arguments ?? {} },
    options.session,
    options.signal,
  );
  return {
    call: one.call,
    result,
    text: await modelText(isInText ? result : inApiNames(result), { isInText }),
    isError: result.status === "failed",
  };
}

function isOpenai(dialect: DialectName): boolean {
  return dialect === "openai" || dialect === "openai-responses";
}

/** Removes `null`: strict schemas have no optional properties, so a model writes `null` to leave one out. */
function withoutNulls(given: JsonObject, parameters: readonly Parameter[]): JsonObject {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, Json][] => {
      const parameter = parameters.find((one) => one.name === name);
      return value === null && parameter && !parameter.required && !isAny(parameter.schema)
        ? []
        : [[name, parameter ? nullsLeftOut(value, parameter.schema) : value]];
    }),
  );
}

function nullsLeftOut(value: Json, schema: Parameter["schema"]): Json {
  if (schema.type === "array" && Array.isArray(value))
    return (value as readonly Json[]).map((item) => nullsLeftOut(item, schema.items));
  return schema.type === "object" && isJsonObject(value) ? withoutNulls(value, schema.properties) : value;
}
