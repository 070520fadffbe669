// A server, machines with workers, and a machine with a caller, for tests of queues. A machine is a bench with a home
// folder of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type TestProject, testProject } from "../test-project.ts";
import { type QueueServer, queueServer, type QueueServerOptions } from "../queue-server.ts";

export const commandTool = (name: string, command: string, lines = ""): string =>
  `${name}.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command ${command}\n@param word {string} [required] Word\n${lines}@tags read\n`;

/** A tool whose command is a script of sh. */
export const scriptTool = (name: string, script: string, lines = ""): string =>
  commandTool(name, script, `@shell sh\n@timeout 10m\n${lines}`).replace("@tags read", "@tags run");

export interface WorkerOptions {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

export interface StartedWorker {
  readonly pid: number;
  kill(signal?: NodeJS.Signals): void;
  readonly stderr: () => string;
  readonly ended: Promise<number | null>;
}

export interface StartedBatch extends StartedWorker {
  readonly stdout: () => string;
  /** Resolves when so many lines have been printed. */
  whenPrinted(lines: number): Promise<void>;
}

export interface QueueFixture {
  readonly server: QueueServer;
  /** Starts a worker, and waits until it takes items. */
  worker(bench: TestProject, options?: WorkerOptions): Promise<StartedWorker>;
  batch(bench: TestProject, lines: string, ...words: readonly string[]): StartedBatch;
  /** Starts dottool with the address of the queue in its environment. */
  call(bench: TestProject, ...words: readonly string[]): StartedBatch;
  machine(files: Readonly<Record<string, string>>): TestProject;
}

export async function withQueue(
  body: (queue: QueueFixture) => Promise<void>,
  options: QueueServerOptions = {},
): Promise<void> {
  const server = await queueServer(options);
  const benches: TestProject[] = [];
  const children: ChildProcess[] = [];
  const start = (
    bench: TestProject,
    words: readonly string[],
    environment: WorkerOptions["environment"] = {},
  ): Started => {
    bench.trust();
    const { program } = bench;
    const child = spawn(program.command, [...program.words, ...words], {
      cwd: bench.folder,
      env: { ...program.environment, DOTTOOL_QUEUE: server.address, ...environment },
      stdio: "pipe",
    });
    children.push(child);
    return watched(child);
  };
  try {
    await body({
      server,
      machine: (files) => {
        const bench = testProject(files);
        benches.push(bench);
        return bench;
      },
      worker: async (bench, { words = [], environment } = {}) => {
        const { child, texts, started } = start(bench, ["worker", ...words], environment);
        await new Promise<void>((resolve, reject) => {
          child.stderr?.on("data", () => texts.stderr.includes("takes items") && resolve());
          child.on("close", () => reject(new Error(`the worker ended: ${texts.stderr}`)));
        });
        return started;
      },
      batch: (bench, lines, ...words) => printing(start(bench, ["batch", "--queue", "-", ...words]), lines),
      call: (bench, ...words) => printing(start(bench, words), ""),
    });
  } finally {
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill("SIGKILL");
        await once(child, "exit");
      }),
    );
    for (const bench of benches) bench.remove();
    await server.remove();
  }
}

function printing({ child, texts, started }: Started, input: string): StartedBatch {
  child.stdin?.on("error", () => undefined).end(input);
  return {
    ...started,
    stdout: () => texts.stdout,
    whenPrinted: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (texts.stdout.split("\n").length > count) resolve();
        };
        child.stdout?.on("data", look);
        child.on("close", () => reject(new Error(`it ended: ${texts.stdout}${texts.stderr}`)));
        look();
      }),
  };
}

interface Started {
  readonly child: ChildProcess;
  readonly texts: { stdout: string; stderr: string };
  readonly started: StartedWorker;
}

function watched(child: ChildProcess): Started {
  const texts = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", (exitCode) => resolve(exitCode)));
  return {
    child,
    texts,
    started: {
      pid: child.pid ?? 0,
      kill: (signal = "SIGKILL") => void child.kill(signal),
      stderr: () => texts.stderr,
      ended,
    },
  };
}

export interface Result {
  readonly line: number;
  readonly key?: string;
  readonly status: string;
  readonly exitCode: number;
  readonly worker?: string;
  readonly content: readonly { readonly text: string }[];
  readonly failure?: { readonly kind: string; readonly message: string };
}

export const resultsIn = (text: string): readonly Result[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);

/** The line and its text, or the kind of its failure. */
export const textsIn = (text: string): readonly string[] =>
  resultsIn(text).map(({ line, content, failure }) => `${line} ${failure?.kind ?? content[0]?.text}`);
