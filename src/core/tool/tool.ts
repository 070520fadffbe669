// A tool that can run, and what it gets for a call.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { Content, Expansion, Outcome, OutputStream, ToolCall, ToolResult } from "./call.ts";
import type { CommandTemplate } from "./command.ts";
import type { Confinement } from "./confinement.ts";
import type { Effect, Surroundings, ToolDefinition } from "./definition.ts";
import type { ArgumentIssue, Failure } from "./failure.ts";
import type { Host } from "./host.ts";
import { filledParts } from "./json-places.ts";
import type { TraceSpan } from "./span.ts";
import type { StepOutline } from "./step-outline.ts";
import type { Template } from "./template.ts";

/** A tool, made only by `builder/` and by `base/`. It is frozen. */
export interface Tool {
  readonly definition: ToolDefinition;
  /** Its effects: inferred from what it is made of, and raised by `@tags`. Empty if unknown. */
  readonly effects: readonly Effect[];
  /** The parameters that callers may pass. An alias has its base tool's. */
  readonly parameters: readonly Parameter[];
  /** The JSON Schema that clients of MCP are shown in place of one of the parameters, by which arguments are checked. */
  readonly inputSchema?: JsonObject;
  /** Set if it ends in a process, whose memory and processor time can be limited. */
  readonly runsProcess?: true;
  /**
   * Set if its text quotes files. An edit has to find that text again, so hidden characters are spelled out for models
   * instead of being removed.
   */
  readonly quotesFiles?: true;
  /**
   * The length of arguments, as JSON, from which they are checked under a time limit, because a pattern of the tool or
   * of a dependency could take very long.
   */
  readonly safeTextLength: number;
  /** Set if its parameters are not known yet, so that it cannot be called. */
  readonly obstacle?: { readonly reason: string; readonly help: string };
  /**
   * Checks what the schema cannot express, such as a word that starts with `-`. It is pure and is called before
   * anything runs.
   */
  check?(args: JsonObject): readonly ArgumentIssue[];
  /**
   * Returns the time that this call asks for. It replaces the default, and may only shorten what the definition allows.
   * Pure.
   */
  askedTimeoutMs?(args: JsonObject): number | undefined;
  /**
   * Returns how long a call with `@retry` and `@fallback` may take if each attempt may take `timeoutMs`. If absent,
   * that long.
   */
  longestMs?(timeoutMs: number): number;
  /**
   * The time that it may take to end after an abort, because it cleans up. If absent, the time that a process takes to
   * end.
   */
  readonly endingMs?: number;
  /** The tools that it wraps, aliases or calls, whose definitions decide what it does, too. */
  readonly underlying?: readonly Tool[];
  /** Returns the call of the base tool that a call of this one becomes. Pure. */
  expand?(args: JsonObject): Expansion;
  /**
   * Returns the arguments that its single dependency may get for these: from the tool itself, and from its fallback.
   * Pure.
   */
  below?(args: JsonObject): readonly JsonObject[];
  /** Returns the steps of a call in `cwd`, for a tool that has some. Pure. */
  outline?(args: JsonObject, cwd: string): readonly StepOutline[];
  /**
   * `args` already fit `parameters`. Settles soon after `context.signal` aborts.
   * Expected failures are returned. A throw is a bug in the tool and is reported as `crashed`.
   */
  execute(args: JsonObject, context: ToolContext): Promise<Outcome>;
}

/** Proof that the tool exists and the arguments fit. Made only by `core/run/prepare.ts`. */
export interface PreparedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  /** The transformed arguments with defaults, as own properties only. */
  readonly arguments: JsonObject;
}

export interface BaseTool extends Tool {
  /** Present if `@command` and `@script` may wrap it. */
  readonly wrap?: Wrap;
}

/** The two halves of a wrap over commands: both pure. */
export interface Wrap {
  /** Parameters of the base tool whose text is run: `@with` may set them, but not with placeholders. */
  readonly programParameters: readonly string[];
  check(binding: CommandBinding, args: JsonObject): readonly ArgumentIssue[];
  /** Turns the wrapper's checked arguments into the base tool's own. */
  bind(binding: CommandBinding, args: JsonObject): JsonObject;
}

export interface CommandBinding {
  readonly command: CommandTemplate;
  readonly parameters: readonly Parameter[];
  readonly surroundings: Surroundings;
}

export interface OutputEvent {
  readonly kind: "output";
  readonly stream: OutputStream;
  /** The bytes as they come, undecoded. */
  readonly bytes: Uint8Array;
}

export type ToolEvent =
  | OutputEvent
  /** `done` of `all`, if these are known. */
  | { readonly kind: "progress"; readonly text: string; readonly done?: number; readonly all?: number }
  /** A message for the operator of the program, which is not part of the result. */
  | { readonly kind: "log"; readonly level: LogLevel; readonly text: string }
  /** The resource of a plugin at this address has changed. */
  | { readonly kind: "resource-changed"; readonly uri: string }
  | StepEvent;

type LogLevel = "debug" | "info" | "warning" | "error";

/**
 * An event of a tool with several steps. At its start all steps are waiting, in the order written, with the cleanups at
 * the end.
 */
export interface StepEvent {
  readonly kind: "step";
  readonly step: string;
  readonly state: StepState;
  /** Monotonic. */
  readonly atMs: number;
  /** The steps that it is a part of, outermost first: for a tool of several steps that is a step itself. */
  readonly within: readonly string[];
  /** Set if the step runs after the others, whatever happened. */
  readonly isCleanup?: true;
  /** The progress of a running step that runs once for each item. */
  readonly items?: { readonly done: number; readonly all: number };
}

/** `stopped`: by a failure elsewhere or a cancel. A step that is waiting when its tool ends never ran. */
export type StepState = "waiting" | "running" | "done" | "failed" | "skipped" | "stopped";

interface Person {
  ask(question: string, suggestions: readonly string[]): Promise<string>;
  /**
   * Passes on typed text as it comes until the signal aborts, and undefined at its end. Absent if a question cannot be
   * answered so.
   */
  type?(signal: AbortSignal, onText: (text: string | undefined) => void): void;
}

/** The program that calls, where it answers requests itself: a client of MCP. */
export interface AskableClient {
  canAnswer(method: ClientRequest["method"]): boolean;
  /**
   * Returns the client's result, unchecked. `key` names the request among those of the call. Rejects if the client
   * cannot or will not answer.
   */
  ask(key: string, request: ClientRequest): Promise<JsonObject>;
}

/** A request in the words of MCP. */
export interface ClientRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
}

export interface InvokeOptions {
  /** Another signal, besides that of the context. */
  readonly signal?: AbortSignal;
  /** Output and progress of the call, which otherwise go nowhere. */
  readonly onEvent?: (event: ToolEvent) => void | Promise<void>;
  /** The tool that is called, if the registry of the session does not have it under this name. */
  readonly tool?: Tool;
  /** Answers the prompts in it, whatever they say. A provider chosen further up wins. */
  readonly provider?: string;
  /** The call is a part of this work. Absent: of the call that makes it. */
  readonly span?: TraceSpan | undefined;
  /** See the context. If absent, the caller needs all of the output. */
  readonly keepOutput?: ToolContext["keepOutput"];
}

/** What makes two runs of sandboxed code the same. */
export interface Repeatable {
  /** Milliseconds since 1970, UTC. */
  readonly nowMs: number;
  /** An integer of 32 bits. */
  readonly seed: number;
}

/** What is read of the files in a folder. */
export type GuardedReading = "names" | "contents";

export interface ToolContext {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly host: Host;
  /** The tools above this call and the tool itself, outermost first. */
  readonly path: readonly string[];
  /** Set if the definition is in YAML, whose author knows no annotations. */
  readonly isInYaml?: true;
  readonly limits: CallLimits;
  /** What its processes may reach. Absent: everything that this program may. */
  readonly confinement?: Confinement;
  /**
   * Set if a person calls what somebody reviewed: its processes get the caller's environment without secrets. `plain`:
   * also without variables from which programs take commands or options, since the tool promises to run nothing.
   */
  readonly givesEnvironment?: "whole" | "plain";
  /** Reads a setting of the user: from the environment, then from `config.yaml`. Undefined: not set. */
  readonly setting: (name: SettingName) => Promise<string | undefined>;
  /** Lives as long as the session: task lists and the like. */
  readonly memory: Map<string, Json>;
  /** A person at a terminal, where there is one. */
  readonly person?: Person;
  readonly client?: AskableClient;
  /** The caller's choice of provider: it answers prompts, whatever they say. */
  readonly provider?: string;
  /** The span of this call, if the session is traced. */
  readonly span?: TraceSpan | undefined;
  /** The fixed clock and the seed of sandboxed code. Absent: the real time, and real chance. */
  readonly repeatable?: Repeatable;
  /** Is told how each command ended, and so what it ran in. */
  ranIn?(outcome: Outcome): void;
  /** Calls another tool through the same gate as every caller: validation, policy, limits, log. */
  invoke(tool: string, args: JsonObject, options?: InvokeOptions): Promise<ToolResult>;
  /**
   * Asks the gate whether a call of a base tool may run whose work the tool does itself, without `invoke`. A failure
   * says why not.
   */
  permit?(call: Expansion): Promise<Failure | undefined>;
  /**
   * For a model's call, returns which paths below a folder may only be read after a person approves that very call.
   * Undefined if there are none.
   */
  guardedBelow?(folder: string, reads: GuardedReading): Promise<((path: string) => boolean) | undefined>;
  /**
   * Set for the outermost call if a person watches: the output of its steps is emitted, each below a heading.
   * `with-answer`: that person sees standard output as well.
   */
  readonly showsSteps?: "without-answer" | "with-answer";
  /** Present for the outermost call of a run that can be resumed. */
  readonly journal?: StepJournal;
  /** Present for an item of a step that workers make: returns this tool with calls that go to the queue. */
  queued?(tool: Tool): Tool;
  /** Masks these values from now on in all that leaves this call: for secrets that are not arguments. */
  hide(values: readonly string[]): Promise<void>;
  /** Present if only the ends of a long output are shown. Absent: the caller needs all of it. */
  keepOutput?(): Promise<OutputKeeper>;
  /**
   * Lends the person's terminal to a process, so that an editor, a pager or a question works; returns what takes it
   * back. Absent or undefined: all output is taken here, because a secret has to be masked in it or somebody needs it.
   */
  lendTerminal?(): Promise<(isForced: boolean) => void> | undefined;
  /** Holds output that may never be shown and is too long for memory. */
  holdOutput?(): Promise<HeldOutput>;
  /**
   * Takes an event. A returned promise says that the reader is slow; a sender that awaits it does not pile up output.
   */
  emit(event: ToolEvent): void | Promise<void>;
}

/** `google_search.key` is GOOGLE_SEARCH_KEY in the environment. */
export type SettingName =
  | "google_search.key"
  | "google_search.engine"
  | "google_search.url"
  | "web_search.engine"
  | "web_search.url"
  | "web_search.key"
  | "web.allow_hosts"
  | "mcp.approval"
  | "mcp.background_after"
  | "mcp.tasks_only"
  | "forge.allow"
  | "queue.address";

/** Takes output that is too long for memory, as it comes. */
export interface OutputKeeper {
  /** Writes a part. A returned promise says that it is slow. */
  write(stream: OutputStream, bytes: Uint8Array): void | Promise<void>;
  /** Returns the result's content for each stream that was written to. */
  end(): Promise<ReadonlyMap<OutputStream, Content>>;
}

/** Output of an attempt that may be made again. */
export interface HeldOutput {
  /** Writes a part, when the promise of the part before it has settled. */
  write(stream: OutputStream, bytes: Uint8Array): void | Promise<void>;
  /** Gives what was added to `emit`, where there is one, and then holds nothing more. */
  end(emit?: (event: OutputEvent) => void | Promise<void>): Promise<void>;
}

export interface CallLimits {
  /** Infinity: none. */
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
  readonly memoryBytesMax?: number;
  readonly cpuMsMax?: number;
  readonly processesMax?: number;
}

/** Fills a text template; absent values leave nothing. */
export function fillTemplate(template: Template, valueOf: (name: string) => string | undefined): string {
  return filledParts(template.parts, ({ placeholder }) => valueOf(placeholder) ?? "");
}

export function progressText({ text, done, all }: Extract<ToolEvent, { kind: "progress" }>): string {
  const amount = done === undefined ? "" : all === undefined ? String(done) : `${done}/${all}`;
  return [text, amount].filter((part) => part !== "").join(" ");
}

/** Whether it is such a tool, or stands directly for one. The steps of a tool are calls of their own. */
export function isUnapproved({ definition: { kind, origin }, underlying = [] }: Tool): boolean {
  if (origin.kind === "file" && origin.isUnapproved) return true;
  return (kind === "alias" || kind === "wrapped") && underlying.some(isUnapproved);
}

export interface StepJournal {
  /** The id of the run, which is that of the earlier process, too. */
  readonly run: string;
  /** Whether an earlier process began the run. */
  readonly isResumed: boolean;
  /** Whether a step that must not run twice began in an earlier process, which stored no end of it. */
  mayHaveRun(place: string): boolean;
  /** Returns how the step ended in an earlier process. Undefined if it has to run. */
  outcomeOf(place: string): Outcome | undefined;
  /** Stores that a step begins which must not run twice. Returns why it may not begin. */
  begin(place: string): Promise<Failure | undefined>;
  /** Stores how a step ended. Settles when it is on the disk. It never throws: a call does not fail for it. */
  end(place: string, outcome: Outcome): Promise<void>;
  /** Takes what a step writes as it comes, for people who look at the run. It never throws. */
  write(place: string, stream: OutputStream, bytes: Uint8Array): void;
  /** Says that the step writes no more; `output` is what one returned that wrote nothing as it ran. */
  written(place: string, output: () => string): void;
  /** Stores that cleanup begins, after which what the steps made may be gone. It never throws. */
  cleanUp(): Promise<void>;
}

/** Whether calls of it may run beside others. Undefined: there is no such tool, so nothing runs. */
export function mayRunTogether(tool: Tool | undefined): boolean {
  return tool === undefined || (onlyReads(tool) && !changesTools(tool));
}

/** A tool whose effects are unknown may do anything. */
function onlyReads({ effects }: Tool): boolean {
  return effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network");
}

/** Whether the tool, or one below it, changes which tools there are: a later call may be meant for one of these. */
export function changesTools({ definition, underlying = [] }: Tool): boolean {
  return (definition.kind === "base" && definition.changesTools === true) || underlying.some(changesTools);
}

/** Returns the tool in TypeScript that ends the turn; undefined if the turn goes on after a call. */
export function loopBreakerOf({ definition, underlying }: Tool): Tool["definition"] | undefined {
  if (definition.kind === "base") return definition.isLoopBreaking ? definition : undefined;
  const [base] = underlying ?? [];
  return base && (definition.kind === "alias" || definition.kind === "wrapped") ? loopBreakerOf(base) : undefined;
}
