// A warm thread that erases types. It is ended if a text takes too long, or has broken its compiler.
import process from "node:process";
import { Worker } from "node:worker_threads";
import { codeOf } from "../../tool/error-code.ts";
import type { ErasedTypes } from "../../tool/host-sandbox.ts";
import { amaroPlace } from "./amaro-place.ts";
import type { FromTypeScriptWorker } from "./typescript-worker.ts";

/** The compiler's memory is outside of these heaps, and is limited in the thread; its calls are on this stack. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8, stackSizeMb: 8 };
/** The limit of one text; 250 KiB take some 250 ms. */
const ERASING_MS_MAX = 3_000;
/** The limit of a start, which takes long on a busy computer. */
const STARTING_MS_MAX = 30_000;

type Unerased = ErasedTypes & { readonly kind: "unerased" };

export class TypeScriptThread {
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
      let timer: ReturnType<typeof setTimeout> | undefined;
      const settle = (): void => {
        clearTimeout(timer);
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
      const allow = (limitMs: number): void => {
        clearTimeout(timer);
        timer = setTimeout(() => stop("too-long"), limitMs);
      };
      if (signal.aborted) return cancel();
      signal.addEventListener("abort", cancel);
      allow(this.#isReady ? ERASING_MS_MAX : STARTING_MS_MAX);
      this.#onBroken = (error) => {
        if (codeOf(error) === "ERR_WORKER_OUT_OF_MEMORY") return finish({ kind: "unerased", because: "broken" });
        settle();
        reject(error);
      };
      this.#onMessage = (message) => {
        if (message.kind === "ready") allow(ERASING_MS_MAX);
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
