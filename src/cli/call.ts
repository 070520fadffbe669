// `dottool NAME …` and `dottool call NAME …`: words are read, a call is prepared and made, its result is printed. This
// path must start fast: it imports nothing that a successful call does not need.
import type { RunToolOptions } from "./parts.ts";
import { loadPart, needPart } from "../core/tool/feature.ts";
import type { ShownFlags } from "./parts.ts";
import { callTool } from "../core/run/call-tool.ts";
import { exitCodes } from "../core/run/exit-code.ts";
import type { Session } from "../core/run/session.ts";
import type { ToolCall } from "../core/tool/call.ts";
import type { Terminal } from "../core/tool/terminal.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { CommandContext } from "./command.ts";
import type { OpenedSession } from "../core/session/assemble.ts";
import { openSession, openTraced } from "./session/open-session.ts";
import { openPrinter, type ResultPrinter } from "./view/print-result.ts";
import { argumentsOf, type ReadWords, stepFlagsOf } from "./words/read-call.ts";
import { asksForHelp } from "./words/tool-words.ts";
import type { WaitingLine } from "./view/waiting-line.ts";

/** Calls a tool and returns the exit code. `words` are the tool's name and the words after it. */
export function callByName(words: readonly string[], context: CommandContext): Promise<number> {
  const [name = "", ...own] = words;
  return runTool(name, { words: own, form: "short" }, context);
}

/** Calls a tool and returns the exit code. A step that returns an exit code has reported why the call ends there. */
export async function runTool(wanted: string, options: RunToolOptions, given: CommandContext): Promise<number> {
  const { terminal } = given;
  const waiting = terminal.errors.isTerminal
    ? new (await import("./view/waiting-line.ts")).WaitingLine(terminal)
    : undefined;
  const found = await findTool(wanted, options, { context: given, waiting });
  if (typeof found === "number") return found;
  const { context } = found;
  const traced = await openTraced(found.opened, context);
  if (typeof traced === "number") return traced;
  const { name, tool } = found;
  const { opened } = traced;
  if (!tool) {
    const { reportMissingTool } = await import("./words/no-such-tool.ts");
    return traced.end(await reportMissingTool(name, opened, { ...context, called: options }));
  }

  context.admit?.(tool);
  const read = await readCall({ name, tool, opened, context }, options);
  if (typeof read === "number") return read;
  const { call, flags } = read;
  if (context.options.detaches && read.issues.length === 0)
    return (await needPart("detach"))(call, { tool, session: opened.session, context, flags });
  const { session, printer } = await shownRun(call, opened.session, { ...options, flags, context, waiting });
  if (read.issues.length > 0)
    return traced.end(
      await printer.print(await (await import("./words/refused-words.ts")).refused(call, read, session), tool),
    );
  const kept =
    tool.definition.kind === "steps"
      ? (await loadPart("keptIfResumable"))?.(tool, session, { context, flags })
      : undefined;
  const result = await callTool(call, kept?.session ?? session, terminal.signal);
  const exitCode = await printer.print(result, tool);
  await kept?.end(result, tool, exitCode);
  return traced.end(exitCode);
}

interface FoundTool {
  /** The name with its owner, which the words may leave out. */
  readonly name: string;
  readonly tool: Tool | undefined;
  readonly opened: OpenedSession;
  /** The options, with the file among the given tools if the tool is called by its path. */
  readonly context: CommandContext;
}

interface View {
  readonly context: CommandContext;
  /** Absent where nobody watches. */
  readonly waiting: WaitingLine | undefined;
}

/** Opens a session in which the tool may run, as far as a person at the terminal can say so. */
export async function findTool(name: string, options: RunToolOptions, view: View): Promise<FoundTool | number> {
  const { context, waiting } = view;
  const { terminal } = context;
  const opened = await openSession(
    { ...context, terminal: waiting?.terminal ?? terminal },
    { forging: /^(?:forge_tool|run_forged)$/.test(name) ? "if-set" : undefined },
  );
  if (typeof opened === "number") return opened;
  const unasked = await opened.unaskedBelow(name);
  const cannotAsk =
    unasked.length > 0 ? await (await needPart("askServers"))({ name, unasked }, opened, context) : undefined;
  if (cannotAsk !== undefined) return cannotAsk;
  const tool = await opened.session.registry.resolve(name);
  // Found anew, so that trust, rules, approvals and logs are about the tool's own name.
  const owned = tool ? undefined : await (await import("./words/find-tools.ts")).ownedTool(name, opened);
  if (owned !== undefined) return findTool(owned, options, view);
  const inFile = tool ? undefined : await (await import("./words/find-tools.ts")).toolInFile(name, opened, context);
  if (inFile) return findTool(inFile.name, options, { ...view, context: inFile.context });
  const { words, form } = options;
  const isAsked =
    terminal.errors.isTerminal && terminal.input.isTerminal && !(tool && asksForHelp(words, tool.parameters, form));
  if (
    isAsked &&
    (!tool || (await opened.session.distrust?.(name))) &&
    (await (await import("./session/trust-prompt.ts")).offerTrust(name, opened, terminal))
  )
    return findTool(name, options, view);
  return { name, tool, opened, context };
}

interface ReadCall extends ReadWords {
  readonly call: ToolCall;
}

/** Reads the words, or does what they ask for in place of the call. */
async function readCall(
  found: FoundTool & { readonly tool: Tool },
  { words, form }: RunToolOptions,
): Promise<ReadCall | number> {
  const { name, tool, opened, context } = found;
  const { session } = opened;
  const { errors, output } = context.terminal;
  if (asksForHelp(words, tool.parameters, form)) {
    await (await import("./view/tool-help.ts")).writeToolHelp(output, { name, tool, registry: session.registry });
    if (errors.isTerminal && opened.catalogue().contentOf(name)?.trustedSha256 !== undefined)
      errors.write("\nnote[trust]: these texts have changed; `dottool trust` shows the new ones\n");
    return exitCodes.done;
  }
  const flags = await stepFlagsOf(words, { ...found, form, context });
  if (typeof flags === "number") return flags;
  const isJson = context.options.result === "json";
  const dry = flags
    ? flags.isDryRun && words
    : words.includes("--dry-run") &&
      (await import("./words/step-flags.ts")).withoutDryRun(words, tool.parameters, form);
  if (dry)
    return (await needPart("explainFound"))(found, {
      words: dry,
      form,
      flags,
      isJson,
      context,
    });
  const typed = await argumentsOf(words, { name, tool, form, context, flags });
  if (typeof typed === "number") return typed;
  const mayLackSecrets = errors.isTerminal && typed.issues.length === 0 && tool.parameters.some(({ secret }) => secret);
  const askSecrets = mayLackSecrets ? await loadPart("askSecrets") : undefined;
  const args = askSecrets ? await askSecrets(found, typed.arguments, context.terminal) : typed.arguments;
  if (!args) return exitCodes.interrupted;
  const read = { ...typed, arguments: args };
  const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
  if (errors.isTerminal && tool.definition.deprecated !== undefined)
    errors.write(await deprecationText(name, tool.definition.deprecated));
  if (flags?.showsPrompts && read.issues.length === 0)
    return (await import("./view/show-prompts.ts")).showPrompts(call, {
      session: askedOf(read.flags, session),
      context,
      tool,
    });
  return { ...read, call };
}

/** The warning for a person. Models read it in the tool's declaration. */
async function deprecationText(name: string, reason: string): Promise<string> {
  const { printable } = await import("../core/text/display.ts");
  return `warning[deprecated]: \`${name}\` is deprecated: ${printable(reason.replaceAll(/\s+/g, " "))}\n`;
}

/** Returns the session with the provider of models that the words name. */
function askedOf(flags: ShownFlags, session: Session): Session {
  return flags?.provider === undefined ? session : { ...session, provider: flags.provider };
}

interface ShownRun {
  readonly session: Session;
  readonly printer: ResultPrinter;
}

interface ShownOptions extends Pick<RunToolOptions, "confinement"> {
  readonly context: CommandContext;
  readonly waiting?: WaitingLine | undefined;
  readonly flags: ShownFlags;
  /** Whether a person reads its errors who is not at this terminal. */
  readonly isFollowed?: boolean;
}

/** Puts around the call what shows it: the line that waits, the file that the output goes to, the lent terminal. */
export async function shownRun(
  call: ToolCall,
  opened: Session,
  { context, waiting, confinement, flags, isFollowed }: ShownOptions,
): Promise<ShownRun> {
  const { host } = opened;
  const { terminal } = context;
  const { result: form } = context.options;
  const shownOn = (to: Terminal): ResultPrinter => {
    const printer = openPrinter(to, form);
    return waiting?.around(printer, call.tool, host) ?? printer;
  };
  const outputFile = flags?.outputFile;
  const printer =
    outputFile === undefined
      ? shownOn(terminal)
      : (await import("./view/result-file.ts")).printInto(outputFile, { terminal, host, shownOn });
  const session: Session = {
    ...askedOf(flags, opened),
    onEvent: printer.onEvent,
    hasShownOutput: form === "text",
    ...(form === "text" && (isFollowed || terminal.errors.isTerminal) && !flags?.isQuiet
      ? { showsSteps: terminal.output.isTerminal && outputFile === undefined ? "with-answer" : "without-answer" }
      : {}),
    timeoutMs: Number.POSITIVE_INFINITY,
    ...(confinement ? { confinement } : {}),
    ...(waiting && outputFile === undefined && terminal.input.isTerminal
      ? (await import("./view/waiting-line.ts")).lentTo(context, waiting)
      : {}),
  };
  return { session, printer };
}
