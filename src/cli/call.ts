// `dottool NAME …` and `dottool call NAME …`: words become arguments, the tool runs, the result is printed. The path that must start fast:
// nothing is imported here that a call which works does not need.
import { callTool, shownCall } from "../run/call-tool.ts";
import { exitCodeOf, exitCodes } from "../run/exit-code.ts";
import { prepareCall } from "../run/prepare.ts";
import { secretMasks } from "../run/secret-masks.ts";
import type { Session } from "../run/session.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { MASK } from "../schema/describe.ts";
import type { ToolCall, ToolResult } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";
import type { CommandContext } from "./command.ts";
import { openSession } from "./open-session.ts";
import { openPrinter } from "./print-result.ts";
import { asksForHelp, type CallForm, readsInput, readToolWords, type ToolWords } from "./tool-words.ts";

/** Of arguments on standard input. */
const INPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface RunToolOptions {
  readonly words: readonly string[];
  readonly form: CallForm;
}

/** `words`: the tool's name, and what stands after it. Gives the exit code. */
export function callByName(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...own] = words;
  return runTool(name, { words: own, form: "short" }, context);
}

export async function runTool(name: string, { words, form }: RunToolOptions, context: CommandContext): Promise<number> {
  const printer = openPrinter(context.terminal, context.options.result);
  const { terminal } = context;
  const waiting = terminal.errors.isTerminal ? new (await import("./waiting-line.ts")).WaitingLine(name, terminal, printer.onEvent) : undefined;
  const opened = await openSession({ ...context, terminal: waiting?.terminal ?? terminal }, { onEvent: waiting ? (event) => waiting.take(event) : printer.onEvent });
  if (typeof opened === "number") return opened;
  const tool = await opened.session.registry.resolve(name);
  const trace = context.options.trace === undefined ? undefined : await (await import("./trace-file.ts")).openTraceFile(context.options.trace, opened.host, terminal);
  if (typeof trace === "number") return trace;
  if (!tool) {
    trace?.span.begin({ kind: "call", name }).end({ status: "failed", content: [], failure: { kind: "unknown-tool", name, nearest: [] } });
    const exitCode = await (await import("./no-such-tool.ts")).reportMissingTool(name, opened, context);
    return trace ? trace.write(exitCode) : exitCode;
  }
  if (asksForHelp(words, tool.parameters, form)) {
    await (await import("./tool-help.ts")).writeToolHelp(context.terminal.output, name, tool);
    return exitCodes.done;
  }
  const read = await argumentsOf(words, { tool, form, context });
  if (typeof read === "number") return read;
  const session: Session = trace ? { ...opened.session, span: trace.span } : opened.session;
  const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
  const { signal } = terminal;
  if (terminal.errors.isTerminal && tool.definition.deprecated !== undefined) (await import("./deprecation.ts")).warnOfDeprecation(name, tool.definition.deprecated, terminal.errors);
  waiting?.start(session.host);
  const result = read.issues.length > 0 ? await refused(call, read, session) : await callTool(call, session, signal);
  const closing = waiting?.end(result) ?? "";
  await printer.print(result, tool);
  terminal.errors.write(closing);
  return trace ? trace.write(exitCodeOf(result)) : exitCodeOf(result);
}

async function refused(call: ToolCall, read: ToolWords, session: Session): Promise<ToolResult> {
  const span = session.span?.begin({ kind: "call", name: call.tool });
  const result: ToolResult = { status: "failed", content: [], failure: await refusal(call, read, session), call: await shownCall(call, session), durationMs: 0 };
  span?.end(result);
  return result;
}

interface ReadOptions {
  readonly tool: Tool;
  readonly form: CallForm;
  readonly context: CommandContext;
}

/** An exit code where standard input cannot be used; it has been said why. */
export async function argumentsOf(words: readonly string[], { tool, form, context }: ReadOptions): Promise<ToolWords | number> {
  const { parameters } = tool;
  const { input } = context.terminal;
  const isWhole = readsInput(words, parameters, form);
  const read = isWhole ? undefined : readToolWords(words, { parameters, form });
  // What is piped in, for a tool that works on it.
  const piped = read && !input.isTerminal ? parameters.find(({ name, fromStdin }) => fromStdin && !Object.hasOwn(read.arguments, name)) : undefined;
  if (read && !piped) return read;
  const text = await input.readText(INPUT_BYTES_MAX);
  if (text !== undefined) return read && piped ? { ...read, arguments: { ...read.arguments, [piped.name]: text } } : readToolWords(words, { parameters, form, input: text });
  context.terminal.errors.write(`failed[usage]: standard input has more than ${INPUT_BYTES_MAX} bytes\n`);
  return exitCodes.usage;
}

/** The problems of the command line together with those that the gate finds, so that the caller learns of everything at once. */
export async function refusal(call: ToolCall, read: ToolWords, session: Session): Promise<Failure> {
  const step = await prepareCall(call, session);
  const failure: Failure = "prepared" in step ? { kind: "invalid-arguments", tool: call.tool, issues: [], example: step.prepared.arguments } : step.failure;
  if (failure.kind !== "invalid-arguments") return failure;
  const tool = session.registry.find(call.tool);
  const masks = tool && (await secretMasks(tool, [call.arguments], session.host));
  const told = tool && masks ? read.issues.map((issue) => withoutWords(issue, tool)) : read.issues;
  const known = new Set(told.map((issue) => issue.path));
  const whole: Failure = { ...failure, issues: [...told, ...failure.issues.filter((issue) => !known.has(issue.path))] };
  return masks ? masks.failure(whole) : whole;
}

/** A word that has no place may be the secret of a tool that takes one, and JSON that does not parse may hold it. */
function withoutWords({ path, message }: ArgumentIssue, tool: Tool): ArgumentIssue {
  if (path === "--json") return { path, message: message.replace(/^(is not JSON):.*$/s, "$1") };
  return { path: tool.parameters.some((parameter) => parameter.name === path) ? path : MASK, message };
}
