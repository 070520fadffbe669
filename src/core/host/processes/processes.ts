// Processes: how many run at once, which requests wait, and that all of them end with this program.
import type { Platform } from "../../tool/command.ts";
import type { HostProcesses, ProcessRequest, SpawnRequest, SpawnResult } from "../../tool/host.ts";
import { needPart } from "../../tool/feature.ts";
import type { PlainRun } from "./plain-run.ts";
import type { CountLimit } from "./process-count.ts";
import { guard } from "./process-guard.ts";
import { returnMark, takeMark } from "./process-mark.ts";
import type { ProcessTree } from "./process-members.ts";
import { findProgram } from "./process-program.ts";
import { followProcess } from "./process-run.ts";
import { notStarted, type Start, type StartOptions, type StartedProcess, startProcess } from "./process-start.ts";
import { continueTree, killTreeNow, stopTree } from "./process-tree.ts";
import { watchTree } from "./process-watcher.ts";
import { RUN_ID_VARIABLE } from "../../tool/run-id.ts";
import { Turns } from "../../tool/turns.ts";
import { nowMs } from "../monotonic-clock.ts";

export { continueTree, endTree, stopTree } from "./process-tree.ts";

export interface ProcessesOptions {
  readonly platform: Platform;
  /** Returns 32 hexadecimal digits, as `Host.randomId` does. */
  readonly randomId: () => string;
  /** The runs that contain this program: its own `DOTTOOL_RUN_ID`. */
  readonly outerRunIds: string | undefined;
  /** Where it is stored that the sandbox works on this machine. Absent: nowhere. */
  readonly stateFolder?: string;
  /** Starts the processes in place of `startProcess`, and ends them if this program is killed. */
  readonly start?: (request: ProcessRequest, options: RunStartOptions) => Promise<Start>;
  /** Opens what starts processes in less time, once there have been many. Undefined: there is none here. */
  readonly openStarter?: () => Promise<Starter | undefined>;
}

export type RunStartOptions = StartOptions & { readonly runId: string };

export interface Starter {
  /** Returns undefined if `startProcess` is to start it. If this program is killed, it ends what it has started. */
  start(request: ProcessRequest, options: RunStartOptions): Promise<Start | undefined>;
}

/** A starter costs as much as some ten processes without it. */
const STARTER_AFTER = 16;
const RUNNING_MAX = 16;
/** Further places for clients that have none of the others. */
const BESIDE_MAX = 16;
const WAITING_MAX = 1_000;
/** The limit for a tool whose command calls dottool with the same tool. */
const NESTED_RUNS_MAX = 16;

export function createProcesses(options: ProcessesOptions): HostProcesses {
  return new NodeProcesses(options);
}

class NodeProcesses implements HostProcesses {
  readonly #options: ProcessesOptions;
  readonly #trees = new Set<ProcessTree>();
  readonly #turns = new Turns(RUNNING_MAX, BESIDE_MAX);
  readonly #runs = new Map<AbortController, Promise<SpawnResult>>();
  #isEnded = false;
  #startedCount = 0;
  #starter: Promise<Starter | undefined> | undefined;

  constructor(options: ProcessesOptions) {
    this.#options = options;
  }

  async run(request: SpawnRequest): Promise<SpawnResult> {
    if (request.signal.aborted || this.#isEnded) return neverRan;
    // Not `AbortSignal.any`, whose first use takes longer than everything else here.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    request.signal.addEventListener("abort", end);
    const run = this.#runInTurn({ ...request, signal: ending.signal });
    this.#runs.set(ending, run);
    try {
      return await run;
    } finally {
      this.#runs.delete(ending);
      request.signal.removeEventListener("abort", end);
    }
  }

  async #runInTurn(request: SpawnRequest): Promise<SpawnResult> {
    if (request.isLasting) return this.#runNow(request);
    if (this.#turns.waiting >= WAITING_MAX) return { kind: "busy", waiting: this.#turns.waiting };
    if (!(await this.#turns.enter(request.signal, request.client))) return neverRan;
    try {
      return await this.#runNow(request);
    } finally {
      this.#turns.leave(request.client);
    }
  }

  find(program: string, pathVariable: string): string | undefined {
    const answer = findProgram(program, { platform: this.#options.platform, pathVariable });
    return answer.kind === "found" ? answer.path : undefined;
  }

  async endAll(): Promise<void> {
    this.#abortAll();
    await Promise.allSettled(this.#runs.values());
  }

  killAll(): void {
    this.#abortAll();
    for (const tree of this.#trees) killTreeNow(tree);
  }

  #abortAll(): void {
    this.#isEnded = true;
    for (const ending of this.#runs.keys()) ending.abort();
  }

  async #runNow(request: SpawnRequest): Promise<SpawnResult> {
    const { platform, outerRunIds, randomId, stateFolder } = this.#options;
    const outer = outerRunIds === undefined || outerRunIds === "" ? [] : outerRunIds.split(":");
    if (outer.length >= NESTED_RUNS_MAX)
      return notStarted("system", `dottool runs inside itself, ${outer.length} deep`);
    const runId = randomId();
    const environment = { ...request.environment, [RUN_ID_VARIABLE]: [...outer, runId].join(":") };
    const { confinement, ...plain } = request;
    if ("unconfined" in confinement) return this.#runOne({ request: plain, environment }, runId);
    const runConfined = await needPart("runConfined");
    return runConfined({ request: { ...plain, confinement }, environment, platform, stateFolder }, (run) =>
      this.#runOne(run, runId),
    );
  }

  async #runOne(run: PlainRun, runId: string): Promise<SpawnResult> {
    const { processesMax } = run.request;
    if (processesMax === undefined) return this.#start(run, runId);
    const { runCounted } = await import("./process-count.ts");
    return runCounted(processesMax, this.#options.platform, (count) => this.#start(run, runId, count));
  }

  async #start(
    { request, environment, descriptors, isContained, onStarted }: PlainRun,
    runId: string,
    count?: CountLimit,
  ): Promise<SpawnResult> {
    const { platform } = this.#options;
    const startedAtMs = nowMs();
    const mark = takeMark();
    let tree: ProcessTree | undefined;
    const kill = (): void => {
      if (tree) killTreeNow(tree);
      returnMark(mark);
    };
    // The terminal stops a process that has it, which may want to tidy the screen first.
    const stop = (): void => void (tree && !tree.hasTerminal && stopTree(tree));
    // Installed before the process starts: a signal that comes with its first output must find a listener.
    const release = guard({ kill, stop, goOn: () => tree && continueTree(tree) });
    try {
      const started = await this.#begin(request, { environment, platform, mark, count, descriptors, runId });
      if (started.kind === "not-started") return started;
      onStarted?.(started.child);
      tree = {
        platform,
        pid: started.pid,
        runId,
        startedAtMs,
        mark,
        hasTerminal: request.hasTerminal,
        isContained,
      };
      return await this.#follow(started, tree, request);
    } finally {
      release();
      returnMark(mark);
    }
  }

  async startMany(): Promise<void> {
    await (this.#starter ??= this.#options.openStarter?.().catch(() => undefined));
  }

  async #begin(request: ProcessRequest, options: RunStartOptions): Promise<Start> {
    if (this.#options.start) return this.#options.start(request, options);
    if (++this.#startedCount >= STARTER_AFTER) await this.startMany();
    return (await (await this.#starter)?.start(request, options)) ?? startProcess(request, options);
  }

  async #follow(
    { child, isWatched }: StartedProcess,
    tree: ProcessTree,
    request: ProcessRequest,
  ): Promise<SpawnResult> {
    this.#trees.add(tree);
    const unwatch = isWatched || this.#options.start ? undefined : watchLater(tree);
    try {
      return await followProcess(child, tree, request);
    } finally {
      unwatch?.();
      this.#trees.delete(tree);
    }
  }
}

/**
 * Most calls end sooner, and need no watcher. Its module is loaded in any case, so that what a call loads does not
 * depend on how long it takes.
 */
const SHORT_RUN_MS = 25;
/** A program that runs more than one process, such as a server, pays once and has its runs watched from their start. */
let hasRun = false;

/** Watches until the returned function is called. Windows has no shell for it, and no way to end leftover processes. */
function watchLater(tree: ProcessTree): () => void {
  if (tree.platform === "windows") return () => undefined;
  let unwatch: (() => void) | undefined;
  let isOver = false;
  const watch = (): void => {
    if (!isOver) unwatch = watchTree(tree);
  };
  const timer = hasRun ? undefined : setTimeout(watch, SHORT_RUN_MS);
  if (hasRun) watch();
  hasRun = true;
  timer?.unref();
  return () => {
    isOver = true;
    clearTimeout(timer);
    unwatch?.();
  };
}

const neverRan: SpawnResult = { kind: "exited", cutBytes: 0, stopped: "aborted" };
