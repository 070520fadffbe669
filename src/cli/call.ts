// `dottool NAME …` and `dottool call NAME …`: words are read, a call is prepared and made, its result is printed. This path
// must start fast: it imports nothing that a successful call does not need.
import { callTool } from "../run/call-tool.ts";
import { exitCodes } from "../run/exit-code.ts";
import type { Session } from "../run/session.ts";
import type { ToolCall } from "../tool/call.ts";
import type { Confinement } from "../tool/confinement.ts";
import type { Tool } from "../tool/tool.ts";
import type { CommandContext } from "./command.ts";
import type { OpenedSession } from "../api/assemble.ts";
import { openSession, openTraced } from "./open-session.ts";
import { openPrinter, type ResultPrinter } from "./print-result.ts";
import { argumentsOf, type ReadWords, stepFlagsOf } from "./read-call.ts";
import type { ResultFile } from "./result-file.ts";
import { asksForHelp, type CallForm } from "./tool-words.ts";
import type { WaitingLine } from "./waiting-line.ts";

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

/** Calls a tool and returns the exit code. A step that returns an exit code has reported why the call ends there. */
export async function runTool(wanted: string, options: RunToolOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const waiting = terminal.errors.isTerminal
    ? new (await import("./waiting-line.ts")).WaitingLine(terminal)
    : undefined;
  const found = await findTool(wanted, options, { context, waiting });
  if (typeof found === "number") return found;
  const traced = await openTraced(found.opened, context);
  if (typeof traced === "number") return traced;
  const { name, tool } = found;
  if (!tool) return traced.end(await reportMissing(found, options, { context, session: traced.session }));

  const read = await readCall({ ...found, tool }, options, context);
  if (typeof read === "number") return read;
  const view = await openView(name, read, { context, waiting, session: traced.session });
  const session = await sessionFor(read, view, { ...options, context, session: traced.session });
  const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
  const result =
    read.issues.length > 0
      ? await (await import("./refused-words.ts")).refused(call, read, session)
      : await callTool(call, session, terminal.signal);
  const exitCode = await view.printer.print(result, tool);
  return traced.end(view.file ? await view.file.end(exitCode, session.host) : exitCode);
}

interface FoundTool {
  /** With its owner, which the words may leave out. */
  readonly name: string;
  readonly tool: Tool | undefined;
  readonly opened: OpenedSession;
}

interface View {
  readonly context: CommandContext;
  /** Absent where nobody watches. */
  readonly waiting: WaitingLine | undefined;
}

/** Opens a session in which the tool may run, as far as a person at the terminal can say so. */
async function findTool(name: string, options: RunToolOptions, view: View): Promise<FoundTool | number> {
  const { context, waiting } = view;
  const { terminal } = context;
  const opened = await openSession(
    { ...context, terminal: waiting?.terminal ?? terminal },
    { forging: /^(?:forge_tool|run_forged)$/.test(name) ? "if-set" : undefined },
  );
  if (typeof opened === "number") return opened;
  const unasked = await opened.unaskedBelow(name);
  const cannotAsk =
    unasked.length > 0
      ? await (await import("./ask-servers.ts")).askServers({ name, unasked }, opened, context)
      : undefined;
  if (cannotAsk !== undefined) return cannotAsk;
  const tool = await opened.session.registry.resolve(name);
  // Found anew, so that trust, rules, approvals and logs are about the tool's own name.
  const owned = tool ? undefined : await (await import("./owned-tool.ts")).ownedTool(name, opened);
  if (owned !== undefined) return findTool(owned, options, view);
  const { words, form } = options;
  const isAsked =
    terminal.errors.isTerminal && terminal.input.isTerminal && !(tool && asksForHelp(words, tool.parameters, form));
  if (
    isAsked &&
    (!tool || (await opened.session.distrust?.(name))) &&
    (await (await import("./trust-prompt.ts")).offerTrust(name, opened, terminal))
  )
    return findTool(name, options, view);
  return { name, tool, opened };
}

async function reportMissing(
  { name, opened }: FoundTool,
  called: RunToolOptions,
  { context, session }: { readonly context: CommandContext; readonly session: Session },
): Promise<number> {
  session.span
    ?.begin({ kind: "call", name })
    .end({ status: "failed", content: [], failure: { kind: "unknown-tool", name, nearest: [] } });
  return (await import("./no-such-tool.ts")).reportMissingTool(name, opened, { ...context, called });
}

/** Reads the words, or does what they ask for in place of the call. */
async function readCall(
  found: FoundTool & { readonly tool: Tool },
  { words, form }: RunToolOptions,
  context: CommandContext,
): Promise<ReadWords | number> {
  const { name, tool, opened } = found;
  const { session } = opened;
  const { errors, output } = context.terminal;
  if (asksForHelp(words, tool.parameters, form)) {
    await (await import("./tool-help.ts")).writeToolHelp(output, { name, tool, registry: session.registry });
    return exitCodes.done;
  }
  const flags = await stepFlagsOf(words, { ...found, form, context });
  if (typeof flags === "number") return flags;
  if (flags?.isDryRun)
    return (await import("./explain.ts")).explain(name, words, {
      form,
      isJson: context.options.result === "json",
      context,
    });
  const read = await argumentsOf(words, { name, tool, form, context, flags });
  if (typeof read === "number") return read;
  if (errors.isTerminal && tool.definition.deprecated !== undefined)
    (await import("./deprecation.ts")).warnOfDeprecation(name, tool.definition.deprecated, errors);
  if (flags?.showsPrompts && read.issues.length === 0)
    return (await import("./show-prompts.ts")).showPrompts(
      { id: session.host.randomId(), tool: name, arguments: read.arguments },
      { session: withProvider(session, read), context, tool },
    );
  return read;
}

interface OpenView {
  readonly waiting: WaitingLine | undefined;
  readonly printer: ResultPrinter;
  readonly file: ResultFile | undefined;
}

/** Opens what shows the call: the output, to the terminal or to a file, and around it the line that waits. */
async function openView(
  name: string,
  { flags }: ReadWords,
  { context: { terminal, options }, waiting, session }: View & { readonly session: Session },
): Promise<OpenView> {
  const file =
    flags?.outputFile === undefined
      ? undefined
      : new (await import("./result-file.ts")).ResultFile(flags.outputFile, terminal);
  const printer = openPrinter(file?.terminal ?? terminal, options.result);
  return { waiting, printer: waiting?.around(printer, name, session.host) ?? printer, file };
}

/** Returns the session of this call. */
async function sessionFor(
  read: ReadWords,
  { waiting, printer, file }: OpenView,
  { context, session, confinement }: Pick<RunToolOptions, "confinement"> & Pick<View, "context"> & { session: Session },
): Promise<Session> {
  return {
    ...withProvider(session, read),
    onEvent: printer.onEvent,
    hasShownOutput: context.options.result === "text",
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(confinement ? { confinement } : {}),
    ...(waiting && !file && context.terminal.input.isTerminal
      ? (await import("./lent-terminal.ts")).lentTo(context, waiting)
      : {}),
  };
}

function withProvider(session: Session, { flags }: ReadWords): Session {
  return flags?.provider === undefined ? session : { ...session, provider: flags.provider };
}
