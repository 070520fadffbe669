// `dottool NAME …` and `dottool call NAME …`: words become arguments, the tool runs, the result is printed. This path
// must start fast: it imports nothing that a successful call does not need.
import { callTool, shownCall } from "../run/call-tool.ts";
import { exitCodeOf, exitCodes } from "../run/exit-code.ts";
import { prepareCall } from "../run/prepare.ts";
import { secretMasks } from "../run/secret-masks.ts";
import type { Session } from "../run/session.ts";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import { MASK } from "../schema/describe.ts";
import { hasSecrets } from "../schema/secrets.ts";
import type { JsonObject } from "../schema/json.ts";
import type { ToolCall, ToolResult } from "../tool/call.ts";
import type { Confinement } from "../tool/confinement.ts";
import type { Failure } from "../tool/failure.ts";
import { isMadeOfSteps } from "../tool/made-of-steps.ts";
import type { Tool } from "../tool/tool.ts";
import type { CommandContext } from "./command.ts";
import { isGlobalOption } from "./global-options.ts";
import type { OpenedSession } from "../api/assemble.ts";
import { openSession } from "./open-session.ts";
import { openPrinter } from "./print-result.ts";
import type { ReadyStepFlags } from "./step-flag-run.ts";
import { asksForHelp, type CallForm, readsInput, readToolWords, type ToolWords } from "./tool-words.ts";

/** The limit of arguments on standard input. */
const INPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface RunToolOptions {
  readonly words: readonly string[];
  readonly form: CallForm;
  /** What its processes may reach at most. */
  readonly confinement?: Confinement;
}

/** Calls a tool and returns the exit code. `words` are the tool's name and the words after it. */
export function callByName(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...own] = words;
  return runTool(name, { words: own, form: "short" }, context);
}

export async function runTool(
  name: string,
  { words, form, confinement }: RunToolOptions,
  context: CommandContext,
): Promise<number> {
  const file = words.some((word) => /^(?:-o|--output-file)(?:=|$)/.test(word))
    ? new (await import("./result-file.ts")).ResultFile(context.terminal)
    : undefined;
  const printer = openPrinter(file?.terminal ?? context.terminal, context.options.result);
  const { terminal } = context;
  const waiting = terminal.errors.isTerminal
    ? new (await import("./waiting-line.ts")).WaitingLine(name, terminal, printer.onEvent)
    : undefined;
  const opened = await openSession(
    { ...context, terminal: waiting?.terminal ?? terminal },
    {
      onEvent: waiting ? (event) => waiting.take(event) : printer.onEvent,
      forging: /^(?:forge_tool|run_forged)$/.test(name) ? "if-set" : undefined,
    },
  );
  if (typeof opened === "number") return opened;
  const unasked = await opened.unaskedBelow(name);
  const cannotAsk =
    unasked.length > 0
      ? await (await import("./ask-servers.ts")).askServers({ name, unasked }, opened, context)
      : undefined;
  if (cannotAsk !== undefined) return cannotAsk;
  const tool = await opened.session.registry.resolve(name);
  // Called anew, so that trust, rules, approvals and logs are about the tool's own name.
  const owned = tool ? undefined : await (await import("./owned-tool.ts")).ownedTool(name, opened);
  if (owned !== undefined) return runTool(owned, { words, form }, context);
  const isAsked =
    terminal.errors.isTerminal && terminal.input.isTerminal && !(tool && asksForHelp(words, tool.parameters, form));
  if (
    isAsked &&
    (!tool || (await opened.session.distrust?.(name))) &&
    (await (await import("./trust-prompt.ts")).offerTrust(name, opened, terminal))
  )
    return runTool(name, { words, form }, context);
  const trace =
    context.options.trace === undefined
      ? undefined
      : await (await import("./trace-file.ts")).openTraceFile(context.options.trace, opened.host, terminal);
  if (typeof trace === "number") return trace;
  if (!tool) {
    trace?.span
      .begin({ kind: "call", name })
      .end({ status: "failed", content: [], failure: { kind: "unknown-tool", name, nearest: [] } });
    const exitCode = await (await import("./no-such-tool.ts")).reportMissingTool(name, opened, {
      ...context,
      called: { words, form },
    });
    return trace ? trace.write(exitCode) : exitCode;
  }
  if (asksForHelp(words, tool.parameters, form)) {
    await (await import("./tool-help.ts")).writeToolHelp(context.terminal.output, {
      name,
      tool,
      registry: opened.session.registry,
    });
    return exitCodes.done;
  }
  const flags = await stepFlagsOf(words, { name, tool, form, context, opened });
  if (typeof flags === "number") return flags;
  if (trace && flags?.outputFile !== undefined && (await trace.refuses(flags.outputFile))) return exitCodes.usage;
  if (flags?.isDryRun)
    return (await import("./explain.ts")).explain(name, words, {
      form,
      isJson: context.options.result === "json",
      context,
    });
  const read = await argumentsOf(words, { name, tool, form, context, flags });
  if (typeof read === "number") return read;
  const session: Session = {
    ...opened.session,
    hasShownOutput: context.options.result === "text",
    ...(confinement ? { confinement } : {}),
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(waiting && !file && terminal.input.isTerminal
      ? (await import("./lent-terminal.ts")).lentTo(context, waiting)
      : {}),
    ...(trace ? { span: trace.span } : {}),
    ...(flags?.provider === undefined ? {} : { provider: flags.provider }),
  };
  const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
  const { signal } = terminal;
  if (terminal.errors.isTerminal && tool.definition.deprecated !== undefined)
    (await import("./deprecation.ts")).warnOfDeprecation(name, tool.definition.deprecated, terminal.errors);
  if (flags?.showsPrompts && read.issues.length === 0)
    return (await import("./show-prompts.ts")).showPrompts(call, { session, context, tool });
  if (flags?.outputFile !== undefined) file?.begin(flags.outputFile);
  waiting?.start(session.host);
  const result = read.issues.length > 0 ? await refused(call, read, session) : await callTool(call, session, signal);
  const closing = waiting?.end(result) ?? "";
  const printed = await printer.print(result, tool);
  terminal.errors.write(closing);
  const exitCode = file ? await file.end(exitCodeOf(printed), session.host) : exitCodeOf(printed);
  return trace ? trace.write(exitCode) : exitCode;
}

async function refused(call: ToolCall, read: ToolWords, session: Session): Promise<ToolResult> {
  const span = session.span?.begin({ kind: "call", name: call.tool });
  const result: ToolResult = {
    status: "failed",
    content: [],
    failure: await refusal(call, read, session),
    call: await shownCall(call, session),
    durationMs: 0,
  };
  span?.end(result);
  return result;
}

export interface StepFlagsOptions extends Omit<ReadOptions, "flags"> {
  readonly opened: OpenedSession;
}

/** Returns undefined if the tool has no such flags; a number as in `readyStepFlags`. */
export async function stepFlagsOf(
  words: readonly string[],
  { opened, ...options }: StepFlagsOptions,
): Promise<ReadyStepFlags | number | undefined> {
  const { registry, host } = opened.session;
  return isMadeOfSteps(options.tool, registry)
    ? (await import("./step-flag-run.ts")).readyStepFlags(words, { ...options, registry, host })
    : undefined;
}

interface ReadOptions {
  readonly name: string;
  readonly tool: Tool;
  readonly form: CallForm;
  readonly context: CommandContext;
  /** The flags of a tool of steps, taken out of its words. */
  readonly flags?: ReadyStepFlags | undefined;
}

/** Returns an exit code if standard input cannot be used; the reason has been printed. */
export async function argumentsOf(
  all: readonly string[],
  { flags, ...options }: ReadOptions,
): Promise<ToolWords | number> {
  const words = flags?.words ?? all;
  const read = await argumentsIn(words, { ...options, ...(flags ? { given: flags.given } : {}) });
  return typeof read === "number" || !flags
    ? read
    : { arguments: { ...read.arguments, ...flags.given }, issues: [...flags.issues, ...read.issues] };
}

async function argumentsIn(
  words: readonly string[],
  { name: called, tool, form, context, given = {} }: Omit<ReadOptions, "flags"> & { readonly given?: JsonObject },
): Promise<ToolWords | number> {
  const { parameters } = tool;
  const { input } = context.terminal;
  const isWhole = readsInput(words, parameters, form);
  const read = isWhole ? undefined : readToolWords(words, { parameters, form, tool: called });
  // Piped input, for a tool that uses it.
  const piped =
    read && !input.isTerminal
      ? parameters.find(
          ({ name, fromStdin }) => fromStdin && !Object.hasOwn(read.arguments, name) && !Object.hasOwn(given, name),
        )
      : undefined;
  if (read && !piped) return read;
  const { readInputText, withoutMark } = await import("./input-text.ts");
  const text = await readInputText(input, INPUT_BYTES_MAX);
  if (typeof text === "string")
    return read && piped
      ? { ...read, arguments: { ...read.arguments, [piped.name]: text } }
      : readToolWords(words, { parameters, form, input: withoutMark(text), tool: called });
  context.terminal.errors.write(`failed[usage]: ${text.problem}\n`);
  return exitCodes.usage;
}

/**
 * The problems of the command line together with those that the gate finds, so that the caller learns of everything at
 * once.
 */
export async function refusal(call: ToolCall, read: ToolWords, session: Session): Promise<Failure> {
  const isWhole = read.whole !== undefined && !hasSecrets(session.registry.find(call.tool)?.parameters ?? []);
  const step = await prepareCall(isWhole ? { ...call, arguments: read.whole } : call, session);
  const failure: Failure =
    "prepared" in step
      ? { kind: "invalid-arguments", tool: call.tool, issues: [], example: read.arguments }
      : step.failure;
  if (failure.kind !== "invalid-arguments") return failure;
  const tool = session.registry.find(call.tool);
  const masks = tool && (await secretMasks(tool, [call.arguments], session.host));
  const told = tool && masks ? read.issues.map((issue) => withoutWords(issue, tool)) : read.issues;
  const known = new Set(told.map((issue) => issue.path));
  const whole: Failure = {
    ...failure,
    issues: [...told, ...failure.issues.filter((issue) => !known.has(issue.path) && !(isWhole && issue.path === ""))],
  };
  return masks ? masks.failure(whole) : whole;
}

/** Hides the word: it may be the secret of a tool that has one, and JSON that does not parse may contain it. */
function withoutWords({ path, message }: ArgumentIssue, tool: Tool): ArgumentIssue {
  if (path.startsWith("--") && isGlobalOption(path)) return { path, message };
  if (path === "--json") return { path, message: message.replace(/^(is not JSON):.*$/s, "$1") };
  return { path: tool.parameters.some((parameter) => parameter.name === path) ? path : MASK, message };
}
