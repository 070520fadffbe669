// The gate: the one way to call a tool. Every front end, step, plugin and nested call comes through here, so each call
// is checked, judged, limited and traced in one place.
import type { Coverage, Moment } from "./ask-for-call.ts";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import type { Outcome, ToolCall, ToolResult } from "../tool/call.ts";
import type { Confinement } from "../tool/confinement.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import { type Failure, LONGER_LIMIT } from "../tool/failure.ts";
import { underDeadline } from "../tool/deadline.ts";
import { needPart } from "../tool/feature.ts";
import { valueWithoutCredentials } from "../text/without-credentials.ts";
import { codeOf } from "../tool/error-code.ts";
import type { TraceSpan } from "../tool/span.ts";
import { languageOf } from "../text/source-language.ts";
import { thrownError } from "../tool/thrown-error.ts";
import {
  type CallLimits,
  type GuardedReading,
  type HeldOutput,
  type InvokeOptions,
  isUnapproved,
  type OutputKeeper,
  type PreparedCall,
  type Tool,
  type ToolContext,
  type ToolEvent,
} from "../tool/tool.ts";
import { CALL_DEPTH_MAX, limitsOf } from "./limits.ts";
import { logCall } from "./log-call.ts";
import { guardedFilesBelow, guardsFiles, permit, permitOwn, type Ruling } from "./permit.ts";
import type { Masks } from "./mask.ts";
import { giverIn, prepareCall } from "./prepare.ts";
import { masksHiding, secretMasks } from "./secret-masks.ts";
import type { Session } from "./session.ts";

/** What a call may reach. */
export interface CallSandbox {
  /** Absent for the levels `none` and `limits`. */
  readonly confinement?: Confinement;
  readonly limits: CallLimits;
  readonly failure?: Failure;
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Decides the sandbox of a call. */
    confine: (
      prepared: PreparedCall,
      limits: CallLimits,
      around: { readonly session: Session; readonly parent: Confinement | undefined },
    ) => Promise<CallSandbox>;
  }
}

/** Calls a tool. Never throws: the result says what happened. */
export async function callTool(call: ToolCall, session: Session, signal: AbortSignal): Promise<ToolResult> {
  return callBelow([], call, { session, signal });
}

/** Calls a tool for other tools, perhaps of another session; `path` names these, outermost first. */
export async function callBelow(
  path: readonly string[],
  call: ToolCall,
  {
    session,
    signal,
    moment,
  }: { readonly session: Session; readonly signal: AbortSignal; readonly moment?: Moment | undefined },
): Promise<ToolResult> {
  const { span, provider, confinement } = session;
  return callWithin(call, session, { signal, path, span, provider, confinement, moment });
}

interface ParentCall {
  readonly signal: AbortSignal;
  /** The tools that led here, outermost first. */
  readonly path: readonly string[];
  /** Takes the events of a call that another one makes. */
  readonly onEvent?: InvokeOptions["onEvent"];
  readonly span?: TraceSpan | undefined;
  readonly provider?: string | undefined;
  readonly covered?: Coverage | undefined;
  /** Removes the secrets of the parent calls, which may have been passed on. */
  readonly masked?: ((text: string) => string) | undefined;
  readonly holdOutput?: ToolContext["holdOutput"];
  readonly keepOutput?: ToolContext["keepOutput"];
  readonly confinement?: Confinement | undefined;
  readonly moment?: Moment | undefined;
  /** Set if the author of a definition wrote the arguments, and not the caller of the session. */
  readonly isByAuthor?: boolean;
  onRuling?(ruling: Ruling, prepared: PreparedCall): void;
}

async function callWithin(call: ToolCall, session: Session, parent: ParentCall): Promise<ToolResult> {
  const startedMs = session.host.nowMs();
  const span = parent.span?.begin({ kind: "call", name: call.tool });
  let ruled: { readonly ruling: Ruling; readonly prepared: PreparedCall } | undefined;
  const outcome = await outcomeOf(call, session, {
    ...parent,
    ...(span ? { span } : {}),
    onRuling: (ruling, prepared) => void (ruled = { ruling, prepared }),
  });
  span?.end(outcome);
  const shown = await shownCall(call, session);
  const durationMs = Math.round((session.host.nowMs() - startedMs) * 1000) / 1000;
  if (session.guard) await logCall({ call: shown, ruled, outcome, durationMs, parent }, session);
  // A nested result feeds a tool, which needs the whole text; only results for a model are cut.
  if (session.audience === "person" || parent.path.length > 0) return { ...outcome, call: shown, durationMs };
  const { fitToBudget, modelBudget } = await import("../output/budget.ts");
  return {
    ...outcome,
    content: await fitToBudget(outcome.content, {
      budget: modelBudget,
      host: session.host,
      quotesFiles: ruled?.prepared.tool.quotesFiles,
    }),
    call: shown,
    durationMs,
  };
}

/** Logs a model's call of a tool that it was not offered. The name is not looked up. */
export async function logUncalled(call: ToolCall, failure: Failure, session: Session): Promise<void> {
  if (session.guard)
    await logCall(
      {
        call: await shownCall(call, session),
        ruled: undefined,
        outcome: failed(failure),
        durationMs: 0,
        parent: { path: [] },
      },
      session,
    );
}

/** Returns the call that a result names, for logs, output and stored runs: without secrets and logins. */
export async function shownCall(call: ToolCall, session: Session): Promise<ToolCall> {
  const tool = session.registry.find(call.tool);
  const masks = tool && (await secretMasks(tool, [call.arguments], session.host));
  const { arguments: args, ...masked } = masks ? masks.call(call) : call;
  return { ...masked, arguments: valueWithoutCredentials(args) };
}

async function outcomeOf(call: ToolCall, session: Session, parent: ParentCall): Promise<Outcome> {
  try {
    if (parent.signal.aborted) return failed({ kind: "cancelled" });
    if (parent.path.length > CALL_DEPTH_MAX)
      return failed({ kind: "too-deep", path: [...parent.path, call.tool], depthMax: CALL_DEPTH_MAX });
    const step = await prepareCall(call, session, {
      signal: parent.signal,
      giver: parent.isByAuthor ? "person" : giverIn(session),
    });
    if ("failure" in step)
      return failed(await (await import("./suggest.ts")).withSuggestion(step.failure, call, session));
    const ruling = await permit(step.prepared, session, parent);
    parent.onRuling?.(ruling, step.prepared);
    if (ruling.failure) return failed(ruling.failure);
    return await inOwnWords(
      await execute(step.prepared, session, { ...parent, covered: ruling.covered }),
      step.prepared.tool,
      session,
    );
  } catch (error) {
    return crashed(call, error, session);
  }
}

/** Most calls have no sandbox, and do not load what makes one. */
async function confinedTo(
  prepared: PreparedCall,
  session: Session,
  { confinement: parent }: ParentCall,
): Promise<CallSandbox> {
  const { tool, arguments: args } = prepared;
  const limits = limitsOf(tool.definition.limits, tool.askedTimeoutMs?.(args), session.timeoutMs);
  const isConfined =
    parent !== undefined ||
    tool.definition.security !== undefined ||
    isUnapproved(tool) ||
    (tool.runsProcess && (await session.sandboxSettings?.()) !== undefined);
  return isConfined ? (await needPart("confine"))(prepared, limits, { session, parent }) : { limits };
}

/** Help names annotations, which the author of a YAML file knows as keys. */
async function inOwnWords(outcome: Outcome, tool: Tool, { registry }: Session): Promise<Outcome> {
  if (outcome.status === "ok" || !isInYaml(tool)) return outcome;
  const { inYamlWords } = await import("./yaml-help.ts");
  return { ...outcome, failure: inYamlWords(outcome.failure, registry) };
}

function isInYaml({ definition: { origin } }: Tool): boolean {
  return origin.kind === "file" && languageOf(origin.source) === "yaml";
}

async function execute(prepared: PreparedCall, session: Session, parent: ParentCall): Promise<Outcome> {
  const sandbox = await confinedTo(prepared, session, parent);
  if (sandbox.failure) return failed(sandbox.failure);
  const { tool } = prepared;
  // Most definitions require no versions, and do not load what asks for them.
  if (!tool.definition.requires.some(({ range }) => range !== undefined))
    return executeIn(sandbox, prepared, { session, parent });
  const { versionsFor } = await import("./program-versions.ts");
  const { confinement } = sandbox;
  const versions = versionsFor(tool, { session, signal: parent.signal, confinement });
  const wrong = await versions.wrong();
  return wrong ? failed(wrong) : versions.noted(await executeIn(sandbox, prepared, { session, parent }));
}

interface Executing {
  readonly session: Session;
  readonly parent: ParentCall;
}

async function executeIn(sandbox: CallSandbox, prepared: PreparedCall, at: Executing): Promise<Outcome> {
  const { session, parent } = at;
  const { limits, confinement } = sandbox;
  const { call, tool, arguments: args } = prepared;
  const path = [...parent.path, call.tool];
  const used = [call.arguments, args];
  let masks = await secretMasks(tool, used, session.host);
  const hidden: string[] = [];
  const emitted = (event: ToolEvent): void | Promise<void> =>
    parent.path.length === 0 ? session.onEvent?.(event) : parent.onEvent?.(event);
  let events = masks?.events(emitted);
  const hide = async (values: readonly string[]): Promise<void> => {
    hidden.push(...values);
    await events?.flush();
    masks = await masksHiding(hidden, tool, { used, host: session.host });
    events = masks.events(emitted);
  };
  const { keepOutput, holdOutput } = outputStores(tool, () => masks, at);
  let nested = 0;
  const ran: RanSandboxes = new Set();
  const contextUnder = (signal: AbortSignal): ToolContext => ({
    cwd: session.cwd,
    signal,
    host: session.host,
    path,
    ...(isInYaml(tool) ? { isInYaml: true } : {}),
    limits,
    ...(confinement ? { confinement } : environmentGiven(session, tool)),
    ...settingsOf(session),
    ...(parent.span ? { span: parent.span } : {}),
    ...(parent.provider === undefined ? {} : { provider: parent.provider }),
    ...(session.repeatable ? { repeatable: session.repeatable } : {}),
    ranIn: (outcome) => void noteRan(ran, outcome),
    invoke: (name: string, given: JsonObject, options: InvokeOptions = {}) => {
      // No compiler checks plugins. A wrong call is their mistake, and not that of the named tool.
      if (typeof name !== "string" || !isJsonObject(given))
        throw new TypeError("`context.invoke` takes the name of a tool and an object of arguments");
      const under = options.signal ? AbortSignal.any([signal, options.signal]) : signal;
      const within: ParentCall = {
        signal: under,
        path,
        covered: parent.covered,
        masked: (text) => masks?.text(parent.masked?.(text) ?? text) ?? parent.masked?.(text) ?? text,
        span: options.span ?? parent.span,
        provider: parent.provider ?? options.provider,
        holdOutput,
        keepOutput: options.keepOutput,
        confinement,
        isByAuthor: parent.isByAuthor || hasAuthor(tool.definition),
        ...(options.onEvent ? { onEvent: options.onEvent } : {}),
      };
      const made: ToolCall = { id: `${call.id}.${++nested}`, tool: name, arguments: given };
      const { tool: own } = options;
      const called = own
        ? import("./with-tool.ts").then(({ withTool }) => callWithin(made, withTool(session, own), within))
        : callWithin(made, session, within);
      return called.then((result) => noteRan(ran, result));
    },
    permit: (made) =>
      permitOwn({ id: `${call.id}.${++nested}`, ...made }, session, { signal, covered: parent.covered }),
    ...(guardsFiles(session)
      ? { guardedBelow: (folder: string, reads: GuardedReading) => guardedFilesBelow(folder, reads, session) }
      : {}),
    ...journalOf(prepared, session, {
      parent,
      outcome: (plain) => masks?.outcome(plain) ?? plain,
      stored: (output) => masks?.stored(output) ?? output,
    }),
    ...(keepOutput ? { keepOutput } : {}),
    hide,
    holdOutput,
    ...(parent.path.length === 0 && session.showsSteps ? { showsSteps: session.showsSteps } : {}),
    ...(parent.path.length === 0 && session.lendTerminal
      ? { lendTerminal: () => (masks ? undefined : session.lendTerminal?.(tool)) }
      : {}),
    emit: (event) => (events?.emit ?? emitted)(event),
  });
  const failure: Failure = {
    kind: "timeout",
    limitMs: limits.timeoutMs,
    ...(tool.definition.origin.kind === "file" ? { help: [LONGER_LIMIT] } : {}),
  };
  let isLate = false;
  try {
    const outcome = await underDeadline(
      (signal) => tool.execute(args, contextUnder(signal)),
      { signal: parent.signal, host: session.host },
      { limitMs: tool.longestMs?.(limits.timeoutMs) ?? limits.timeoutMs, failure, endingMs: tool.endingMs },
    );
    isLate = outcome.status === "failed" && outcome.failure.kind === "timeout";
    const own = await finish(outcome, prepared);
    const finished = await withRan(own, ran);
    return masks ? masks.outcome(finished) : finished;
  } catch (error) {
    const crash = await crashed(call, error, session);
    return masks ? masks.outcome(crash) : crash;
  } finally {
    const flushed = events?.flush();
    // After the deadline, nothing waits for a slow reader.
    if (!isLate) await flushed;
  }
}

/** Returns what processes get of the caller's environment, where nothing else confines them. Tests get none. */
export function environmentGiven(
  { frontEnd = "person", audience, repeatable }: Session,
  { effects }: Tool,
): Pick<ToolContext, "givesEnvironment"> {
  if (frontEnd !== "person" || audience !== "person" || repeatable) return {};
  return { givesEnvironment: effects.length > 0 && !effects.includes("run") ? "plain" : "whole" };
}

/** Base tools and forged ones pass on what a model wrote. */
function hasAuthor({ origin }: ToolDefinition): boolean {
  return origin.kind === "file" || origin.kind === "plugin";
}

/** What commands ran in, each thing once, as JSON of an `InnerSandbox`. */
type RanSandboxes = Set<string>;

function noteRan<R extends Outcome>(ran: RanSandboxes, result: R): R {
  const report = result.sandbox ?? result.process;
  if (report) {
    const { level, sandbox, missing, withheld, blocked, allowedBy } = report;
    ran.add(JSON.stringify({ level, sandbox, missing, withheld, blocked, allowedBy }));
  }
  return result;
}

/** The result of one command says it itself. */
async function withRan(outcome: Outcome, ran: RanSandboxes): Promise<Outcome> {
  return ran.size === 0 || (ran.size === 1 && outcome.process)
    ? outcome
    : { ...outcome, sandbox: (await import("./sandbox-note.ts")).leastOf(ran, outcome.status) };
}

function settingsOf({
  setting,
  memory,
  person,
  client,
}: Session): Pick<ToolContext, "setting" | "memory" | "person" | "client"> {
  return { setting, memory, ...(person ? { person } : {}), ...(client ? { client } : {}) };
}

function journalOf(
  prepared: PreparedCall,
  { openJournal }: Session,
  { parent, ...masks }: Pick<Masks, "outcome" | "stored"> & { readonly parent: ParentCall },
): Pick<ToolContext, "journal"> {
  const journal = parent.path.length === 0 ? openJournal?.(prepared, masks) : undefined;
  return journal ? { journal } : {};
}

/** Returns where output goes that is too long for memory, without the secrets of this call and of those above it. */
function outputStores(
  tool: Tool,
  masks: () => Masks | undefined,
  { session, parent }: Executing,
): { keepOutput: (() => Promise<OutputKeeper>) | undefined; holdOutput(): Promise<HeldOutput> } {
  const keepOutput = async (): Promise<OutputKeeper> => {
    if (session.audience === "person") return shownAlready;
    const keeper =
      (await parent.keepOutput?.()) ??
      (await import("../output/output-keeper.ts")).openKeeper(session.host, tool.quotesFiles);
    return masks()?.stored(keeper) ?? keeper;
  };
  // A result with a promised form is checked as a whole, and one that feeds a tool is needed as a whole.
  const canBeKept =
    tool.definition.returns === undefined &&
    (parent.path.length > 0 ? parent.keepOutput : session.audience === "model" || session.hasShownOutput);
  return {
    keepOutput: canBeKept ? keepOutput : undefined,
    holdOutput: async () => {
      const held =
        (await parent.holdOutput?.()) ?? new (await import("../output/held-output.ts")).HeldFile(session.host);
      return masks()?.stored(held) ?? held;
    },
  };
}

const shownAlready: OutputKeeper = { write: () => undefined, end: () => Promise.resolve(new Map()) };

/** Checks a result: it has to be data, and match the definition. */
async function finish(outcome: Outcome, { call, tool }: PreparedCall): Promise<Outcome> {
  const { returns, origin } = tool.definition;
  if (returns === undefined && !outcome.content.some((item) => item.type === "json")) return outcome;
  const { asData, asPromised } = await import("./check-result.ts");
  const plain = asData(outcome);
  return returns === undefined
    ? plain
    : asPromised(plain, returns, { tool: call.tool, isFromFile: origin.kind === "file" });
}

async function crashed(call: ToolCall, error: unknown, { host }: Session): Promise<Outcome> {
  // The user's settings cannot be read, which is not the tool's fault.
  if (codeOf(error) === "ECONFIG" && error instanceof Error)
    return failed({
      kind: "unavailable",
      tool: call.tool,
      reasons: [error.message],
      help: ["fix it; `dottool doctor` checks the whole file"],
    });
  const refused =
    codeOf(error) === undefined ? undefined : (await import("./system-failure.ts")).systemFailure(error, host.folders);
  return failed(refused ?? { kind: "crashed", tool: call.tool, error: thrownError(error) });
}

function failed(failure: Failure): Outcome {
  return { status: "failed", content: [], failure };
}
