// A warm thread that runs one program after the other. It can be ended at any moment, in the middle of a computation.
import { Worker } from "node:worker_threads";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { SandboxEnd, SandboxRun } from "../../../core/tool/host-sandbox.ts";
import { limitThread } from "../../../core/host/processor-time.ts";
import type { SandboxParts } from "./sandbox-parts.ts";
import type { FromWorker, ToWorker } from "./sandbox-worker.ts";

/** The machine's memory is outside of these heaps; its calls are on this stack. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 };
/** The longest timer. A longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** The limit of a start, which takes long on a busy machine. */
const STARTING_MS_MAX = 120_000;
const CUT = "… (more was logged)";

type Ended = SandboxEnd extends infer End ? (End extends unknown ? Omit<End, "log"> : never) : never;

export class SandboxThread {
  readonly #worker: Worker;
  /** False after it was ended or broke. */
  isAlive = true;
  #onMessage: (message: FromWorker) => void = () => {};
  #onBroken: (error: Error) => void = () => {};

  constructor({ wasm, worker }: SandboxParts) {
    this.#worker = new Worker(worker, {
      eval: typeof worker === "string",
      workerData: { wasm },
      env: {},
      execArgv: [],
      // Its own output is dropped.
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on("message", (message: FromWorker) => this.#onMessage(message));
    this.#worker.on("error", (error: Error) => this.#break(error));
    this.#worker.on("exit", () => this.#break(new Error("the sandbox's thread ended by itself")));
    this.#worker.unref();
  }

  /** Runs one program at a time. When it resolves, nothing of the run is left. */
  run(run: SandboxRun): Promise<SandboxEnd> {
    const over = new AbortController();
    const log = new BoundedLog(run.limits.logCharactersMax);
    return new Promise((resolve) => {
      const finish = (end: Ended): void => {
        clearTimeout(timer);
        unlimit();
        run.signal.removeEventListener("abort", cancel);
        this.#onMessage = () => {};
        this.#onBroken = () => {};
        if (this.isAlive) this.#worker.unref();
        over.abort();
        resolve({ ...end, log: log.text() } as SandboxEnd);
      };
      const stop = (end: Ended): void => {
        finish(end);
        this.end();
      };
      const cancel = (): void => stop({ kind: "cancelled" });
      let timer = setTimeout(
        () => stop({ kind: "crashed", error: new Error(`the sandbox did not start within ${STARTING_MS_MAX} ms`) }),
        STARTING_MS_MAX,
      );
      run.signal.addEventListener("abort", cancel);
      let unlimit = (): void => {};
      let told = 0;
      const limit = (): void => {
        unlimit();
        unlimit = limitThread(this.#worker, unheardMsMax(run.limits.cpuMsMax), () =>
          stop({ kind: "limit", limit: "cpuMsMax" }),
        );
      };
      const ready = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => stop({ kind: "timeout" }), Math.min(run.limits.wallMsMax, TIMER_MS_MAX));
        limit();
      };
      const tell = (message: ToWorker): void => {
        told++;
        // A run is limited from when its machine is there.
        if (message.kind !== "run") limit();
        this.#worker.postMessage(message);
      };
      this.#onBroken = (error) =>
        finish(
          codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY"
            ? { kind: "limit", limit: "memoryBytesMax" }
            : { kind: "crashed", error },
        );
      this.#onMessage = (message) => {
        if (message.kind === "ready") ready();
        else if (message.kind === "log") log.add(message.line);
        else if (message.kind === "call")
          void answer(message, run, over.signal)
            .then((settled) => over.signal.aborted || tell(settled))
            .catch((error: unknown) => this.#break(error instanceof Error ? error : new Error(String(error))));
        else if (message.kind === "waits") message.taken === told && unlimit();
        else finish(message.end);
      };
      // While nothing runs, the thread does not keep the program alive.
      this.#worker.ref();
      const { driver, program, input, limits, isOnlyRead } = run;
      tell({ kind: "run", order: { driver, program, input, limits, ...(isOnlyRead ? { isOnlyRead } : {}) } });
    });
  }

  end(): void {
    this.isAlive = false;
    void this.#worker.terminate().catch(() => undefined);
  }

  #break(error: Error): void {
    this.isAlive = false;
    this.#onBroken(error);
  }
}

/**
 * Returns the processor time after which the thread is ended: a machine stops itself, but not in the middle of a
 * built-in function. It is longer than the limit, because it may be that of the whole process.
 */
function unheardMsMax(cpuMsMax: number): number {
  return 5 * cpuMsMax + 500;
}

async function answer(
  { callId, name, text }: FromWorker & { kind: "call" },
  run: SandboxRun,
  signal: AbortSignal,
): Promise<ToWorker> {
  try {
    return { kind: "settle", callId, isOk: true, text: await run.call(name, text, signal) };
  } catch (error) {
    return { kind: "settle", callId, isOk: false, text: error instanceof Error ? error.message : String(error) };
  }
}

class BoundedLog {
  #text = "";
  #isCut = false;
  readonly #charactersMax: number;

  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  add(line: string): void {
    if (this.#isCut) return;
    const room = this.#charactersMax - this.#text.length;
    this.#isCut = line.length + 1 > room;
    this.#text += this.#isCut ? `${line.slice(0, room)}\n` : `${line}\n`;
  }

  text(): string {
    return this.#isCut ? `${this.#text}${CUT}\n` : this.#text;
  }
}
