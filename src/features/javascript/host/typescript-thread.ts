// A warm thread that erases types. It is ended if a text takes too long, or has broken its compiler.
import process from "node:process";
import { Worker } from "node:worker_threads";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { ErasedTypes } from "../../../core/tool/host-sandbox.ts";
import { limitThread } from "../../../core/host/processor-time.ts";
import { amaroPlace } from "./amaro-place.ts";
import type { FromTypeScriptWorker } from "./typescript-worker.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Turns } from "../../../core/tool/turns.ts";
import { keepMade, readIfWhole } from "./made-files.ts";

/** The compiler's memory is outside of these heaps, and is limited in the thread; its calls are on this stack. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 };
/** The limit of one text, in processor time; 250 KiB take some 250 ms. */
const ERASING_CPU_MS_MAX = 3_000;
/** The limit of a start, which takes long on a busy computer. */
const STARTING_MS_MAX = 120_000;

type Unerased = ErasedTypes & { readonly kind: "unerased" };

class TypeScriptThread {
  readonly #worker: Worker;
  /** False after it was ended or broke. */
  isAlive = true;
  #isReady = false;
  #onMessage: (message: FromTypeScriptWorker) => void = () => {};
  #onBroken: (error: Error) => void = () => {};

  constructor() {
    const worker = workerSource();
    this.#worker = new Worker(worker, {
      eval: typeof worker === "string",
      workerData: { amaro: amaroPlace() },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker.on("message", (message: FromTypeScriptWorker) => {
      if (message.kind === "ready") this.#isReady = true;
      this.#onMessage(message);
    });
    this.#worker.on("error", (error: Error) => this.#break(error));
    this.#worker.on("exit", () => this.#break(new Error("the thread that erases types ended by itself")));
    this.#worker.unref();
  }

  /** Erases one text at a time. Rejects if the thread does not start, which is not a fault of the text. */
  erase(code: string, signal: AbortSignal): Promise<ErasedTypes> {
    return new Promise((resolve, reject) => {
      let unlimit = (): void => {};
      const settle = (): void => {
        unlimit();
        signal.removeEventListener("abort", cancel);
        this.#onMessage = () => {};
        this.#onBroken = () => {};
        if (this.isAlive) this.#worker.unref();
      };
      const finish = (erased: ErasedTypes): void => {
        settle();
        resolve(erased);
      };
      const stop = (because: Unerased["because"]): void => {
        // Reported before the thread's own "exit" event.
        finish({ kind: "unerased", because });
        this.end();
      };
      const cancel = (): void => stop("cancelled");
      const ready = (): void => {
        unlimit();
        unlimit = limitThread(this.#worker, ERASING_CPU_MS_MAX, () => stop("too-long"));
      };
      const start = (): void => {
        const timer = setTimeout(() => {
          settle();
          this.end();
          reject(new Error(`the compiler that erases types did not start within ${STARTING_MS_MAX} ms`));
        }, STARTING_MS_MAX);
        unlimit = () => clearTimeout(timer);
      };
      if (signal.aborted) return cancel();
      signal.addEventListener("abort", cancel);
      if (this.#isReady) ready();
      else start();
      this.#onBroken = (error) => {
        if (codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY") return finish({ kind: "unerased", because: "broken" });
        settle();
        reject(error);
      };
      this.#onMessage = (message) => {
        if (message.kind === "ready") ready();
        else if (message.kind === "broken") stop("broken");
        else finish(message.erased);
      };
      // While nothing is erased, the thread does not keep the program alive.
      this.#worker.ref();
      this.#worker.postMessage(code);
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

/** Returns a file beside this one, or the program itself in the executable. */
function workerSource(): URL | string {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return Buffer.from(sea.getRawAsset("typescript-worker.cjs") as ArrayBuffer).toString("utf8");
  // In the npm package every file is JavaScript, and this file is a chunk beside the worker.
  return new URL(`./typescript-worker.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
}

/** The limit of threads; each takes some 60 MiB. */
const ERASING_AT_ONCE_MAX = 2;
const IDLE_MAX = 1;
const WAITING_MAX = 1_000;
/** Idle threads for the next text of any session of this process; a thread takes 150 ms to start. */
const idle: TypeScriptThread[] = [];

export class TypeEraser {
  readonly #folder: string;
  readonly #turns = new Turns(ERASING_AT_ONCE_MAX);

  constructor(cacheFolder: string) {
    this.#folder = join(cacheFolder, "erased-types");
  }

  /** Replaces types by spaces, so that everything else stays in its line and column. */
  async erase(code: string, signal: AbortSignal): Promise<ErasedTypes> {
    const key = createHash("sha256").update(`amaro strip 1\0${code}`).digest("hex").slice(0, 32);
    const file = { folder: this.#folder, name: `${key}.js`, key };
    const known = readIfWhole(file);
    if (known !== undefined) return { kind: "erased", code: known };
    if (this.#turns.waiting >= WAITING_MAX) return { kind: "busy", waiting: this.#turns.waiting };
    if (!(await this.#turns.enter(signal))) return { kind: "unerased", because: "cancelled" };
    try {
      const erased = await this.#erase(code, signal);
      if (erased.kind === "erased") keepMade(file, erased.code);
      return erased;
    } finally {
      this.#turns.leave();
    }
  }

  async #erase(code: string, signal: AbortSignal): Promise<ErasedTypes> {
    const thread = takeThread();
    const erased = await thread.erase(code, signal);
    if (thread.isAlive && idle.length < IDLE_MAX) idle.push(thread);
    else thread.end();
    return erased;
  }
}

function takeThread(): TypeScriptThread {
  for (let thread = idle.pop(); thread; thread = idle.pop()) if (thread.isAlive) return thread;
  return new TypeScriptThread();
}
