// One running process, from its first byte of output until nothing of it is left.
import type { OutputStream } from "../../tool/call.ts";
import type { ProcessRequest, SpawnResult } from "../../tool/host.ts";
import type { ProcessTree } from "./process-members.ts";
import { limitReportOf, notStarted, type ProcessOutput, type RunningProcess } from "./process-start.ts";
import { endTree } from "./process-tree.ts";

const STOP_GRACE_MS = 2_000;
/** The time that children may hold the pipes open after the process itself has exited. */
const PIPES_MS_MAX = 250;
const LEFTOVERS_GRACE_MS = 100;
const LIMIT_REPORT_CHARACTERS_MAX = 1_000;

interface Exit {
  readonly exitCode?: number;
  readonly signalName?: string;
}

export async function followProcess(
  child: RunningProcess,
  tree: ProcessTree,
  request: ProcessRequest,
): Promise<SpawnResult> {
  const run = new Following(child, tree, request);
  return await run.toEnd();
}

class Following {
  readonly #child: RunningProcess;
  readonly #tree: ProcessTree;
  readonly #request: ProcessRequest;
  readonly #streams: readonly ProcessOutput[];
  #keptBytes = 0;
  #cutBytes = 0;
  #heldBy = 0;
  /** The number of times that the sink has accepted everything: then there may be more in the pipe at once. */
  #releases = 0;
  #limitReport = "";
  #stopped: "aborted" | "output-limit" | undefined;
  #stopping: Promise<void> | undefined;
  #sinkError: { readonly error: unknown } | undefined;

  constructor(child: RunningProcess, tree: ProcessTree, request: ProcessRequest) {
    this.#child = child;
    this.#tree = tree;
    this.#request = request;
    this.#streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  }

  async toEnd(): Promise<SpawnResult> {
    const exited = new Promise<Exit>((resolve) => {
      this.#child.once("exit", (code, signal) =>
        resolve({ ...(code === null ? {} : { exitCode: code }), ...(signal === null ? {} : { signalName: signal }) }),
      );
    });
    const closed = new Promise<void>((resolve) => this.#child.once("close", () => resolve()));
    this.#collect();
    this.#feed();
    const onAbort = (): void => this.#stop("aborted");
    this.#request.signal.addEventListener("abort", onAbort);
    if (this.#request.signal.aborted) onAbort();
    const exit = await exited;
    this.#request.signal.removeEventListener("abort", onAbort);
    await this.#finish(closed);
    if (this.#sinkError !== undefined) throw this.#sinkError.error;
    if (this.#limitReport !== "") return notStarted("system", `the limits cannot be set: ${this.#limitReport.trim()}`);
    return {
      kind: "exited",
      ...exit,
      cutBytes: this.#cutBytes,
      ...(this.#stopped === undefined ? {} : { stopped: this.#stopped }),
    };
  }

  async #finish(closed: Promise<void>): Promise<void> {
    if (this.#stopping === undefined) await settledWithin(closed, PIPES_MS_MAX);
    await (this.#stopping ?? (this.#child.leavesNothing ? undefined : endTree(this.#tree, LEFTOVERS_GRACE_MS)));
    // Reads what is still in the pipes, as fast as the sink accepts it. Another process that holds them is not waited
    // for, nor a sink after a stop.
    let before: number;
    do before = this.#releases;
    while (
      !(await settledWithin(closed, PIPES_MS_MAX)) &&
      (this.#heldBy > 0 || this.#releases > before) &&
      this.#stopped === undefined
    );
    for (const stream of this.#streams) stream.destroy();
  }

  #collect(): void {
    // A read error is not the end of the output.
    for (const stream of this.#streams) stream.on("error", (error) => this.#refuse(error));
    this.#child.stdout?.on("data", (bytes: Buffer) => this.#take("stdout", bytes));
    this.#child.stderr?.on("data", (bytes: Buffer) => this.#take("stderr", bytes));
    const limitReport = limitReportOf(this.#child);
    limitReport?.on("error", (error) => this.#refuse(error));
    limitReport?.on("data", (bytes: Buffer) => {
      if (this.#limitReport.length < LIMIT_REPORT_CHARACTERS_MAX) this.#limitReport += bytes.toString("utf8");
    });
  }

  #take(stream: OutputStream, bytes: Buffer): void {
    const room = this.#request.outputBytesMax - this.#keptBytes;
    const kept = bytes.length > room ? bytes.subarray(0, room) : bytes;
    this.#keptBytes += kept.length;
    this.#cutBytes += bytes.length - kept.length;
    if (kept.length < bytes.length) this.#stop("output-limit");
    if (kept.length === 0 || this.#sinkError !== undefined) return;
    try {
      const taken = this.#request.onOutput(stream, kept);
      if (taken !== undefined) this.#hold(taken);
    } catch (error) {
      this.#refuse(error);
    }
  }

  #hold(taken: Promise<void>): void {
    this.#heldBy++;
    for (const stream of this.#streams) stream.pause();
    taken
      .catch((error: unknown) => this.#refuse(error))
      .finally(() => {
        this.#heldBy--;
        if (this.#heldBy > 0) return;
        this.#releases++;
        for (const stream of this.#streams) stream.resume();
      });
  }

  #refuse(error: unknown): void {
    this.#sinkError ??= { error };
    this.#stop("aborted");
  }

  #feed(): void {
    const stdin = this.#child.stdin;
    // A process need not read all of its input: `head` closes it early.
    stdin?.on("error", () => undefined);
    if (!stdin || !this.#request.onStart) return void stdin?.end(this.#request.stdin);
    // Pipes are sockets, although their types do not say so.
    const handles = [this.#child, stdin, ...this.#streams] as readonly Partial<
      Pick<NodeJS.RefCounted, "ref" | "unref">
    >[];
    const hold = (isHeld: boolean): void => {
      for (const handle of handles) isHeld ? handle.ref?.() : handle.unref?.();
    };
    this.#request.onStart({
      write: (text) => void (stdin.writable && stdin.write(text)),
      end: () => void stdin.end(),
      hold,
    });
  }

  #stop(why: "aborted" | "output-limit"): void {
    if (this.#stopping !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#stopped = why;
    this.#stopping = endTree(this.#tree, STOP_GRACE_MS);
  }
}

async function settledWithin(promise: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    // Runs after pending reads: in a busy program the timer fires first.
    timer = setTimeout(() => setImmediate(resolve, false), limitMs);
  });
  const isSettled = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return isSettled;
}
