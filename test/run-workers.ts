// Test files in several processes at once. A process takes the next file when it is done with one, and the output of a
// file is printed in one piece.
import { type ChildProcess, fork } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { failureOf, type FileOutcome, testFolder } from "./run-file.ts";

export interface WorkersOptions {
  readonly count: number;
  /** Files that begin once `isReady` has resolved, and not at all if that is to false. */
  readonly later?: readonly string[];
  readonly isReady?: Promise<boolean>;
  /** Called after each file. Returns false to start no further file. */
  readonly onOutcome: (outcome: FileOutcome, printed: string) => boolean;
}

export async function runInWorkers(
  files: readonly string[],
  { count, later = [], isReady = Promise.resolve(true), onOutcome }: WorkersOptions,
): Promise<void> {
  const waiting = [...files];
  let isEnded = false;
  const ready = isReady.then((isIt) => void (isIt && !isEnded && waiting.unshift(...later)));
  const logs = mkdtempSync(join(tmpdir(), "dottool-test-logs-"));
  const take = (outcome: FileOutcome, printed: string): void => {
    if (onOutcome(outcome, printed)) return;
    isEnded = true;
    waiting.length = 0;
  };
  const next = async (): Promise<string | undefined> => {
    if (waiting.length === 0) await ready;
    return waiting.shift();
  };
  const work = async (index: number): Promise<void> => {
    let worker: Worker | undefined;
    for (let file = await next(); file !== undefined; file = await next()) {
      worker ??= new Worker(join(logs, `${index}.log`));
      const outcome = await worker.run(file);
      take(outcome, worker.printed());
      if (worker.hasEnded) worker = undefined;
    }
    await worker?.end();
  };
  try {
    await Promise.all(Array.from({ length: count }, (_, index) => work(index)));
  } finally {
    rmSync(logs, { recursive: true, force: true });
  }
}

class Worker {
  hasEnded = false;
  readonly #log: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #shownBytes = 0;

  /**
   * Sends both streams to the file `log`, in order and without waiting, so that a file's output is there when its
   * result is.
   */
  constructor(log: string) {
    this.#log = log;
    const fd = openSync(log, "w");
    this.#child = fork(join(testFolder, "run-worker.ts"), [], { stdio: ["ignore", fd, fd, "ipc"] });
    closeSync(fd);
    this.#ended = new Promise((resolve) => {
      this.#child.once("exit", (exitCode, signal) => {
        this.hasEnded = true;
        resolve(signal ?? `exit code ${exitCode}`);
      });
    });
  }

  async run(file: string): Promise<FileOutcome> {
    const startMs = performance.now();
    const outcome = new Promise<FileOutcome>((resolve) =>
      this.#child.once("message", (message) => resolve(message as FileOutcome)),
    );
    this.#child.send(file);
    const early = this.#ended.then(
      (how): FileOutcome => ({
        file,
        passed: 0,
        failed: 1,
        skipped: [],
        failures: [failureOf(file, `the process ended before its tests did (${how})`)],
        tookMs: Math.round(performance.now() - startMs),
        processorMs: 0,
      }),
    );
    return Promise.race([outcome, early]);
  }

  /** Returns the output since the last call. */
  printed(): string {
    const bytes = readFileSync(this.#log).subarray(this.#shownBytes);
    this.#shownBytes += bytes.length;
    return bytes.toString("utf8");
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#ended;
    process.stdout.write(this.printed());
  }
}
