// A process that the launcher of a call has started: its output and its end come over the connection.
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import type { ProcessRequest } from "../../../core/tool/host.ts";
import { findProgram } from "../../../core/host/processes/process-program.ts";
import {
  type ProcessOutput,
  type RunningProcess,
  type Start,
  whyNoProgram,
  whyNotStarted,
} from "../../../core/host/processes/process-start.ts";
import type { ProcessesOptions } from "../../../core/host/processes/processes.ts";
import { type Frame, textsOf } from "./frames.ts";
import type { LauncherLink } from "./launcher-link.ts";

type LaunchOptions = Parameters<NonNullable<ProcessesOptions["start"]>>[1];

/** Lets the launcher start a process that needs no more than words, a folder and variables, in a session of its own. */
export async function launchProcess(
  link: LauncherLink,
  request: ProcessRequest,
  options: LaunchOptions,
): Promise<Start> {
  const { cwd, argv } = request;
  const { environment, platform } = options;
  const program = findProgram(argv[0] ?? "", { platform, cwd, pathVariable: environment["PATH"] ?? "" });
  if (program.kind === "refused") return whyNoProgram(program, cwd);
  link.commit();
  try {
    const child = await launched(link, program.path, { request, options });
    return { kind: "started", child, pid: child.pid };
  } catch (error) {
    return whyNotStarted(error as NodeJS.ErrnoException, cwd, program.path);
  }
}

interface Launched {
  readonly request: ProcessRequest;
  readonly options: LaunchOptions;
}

/** Rejects with a system error, as `spawn` of Node does. */
function launched(link: LauncherLink, file: string, { request, options }: Launched): Promise<LaunchedProcess> {
  const { mark, environment } = options;
  return new Promise((resolve, reject) => {
    const id = link.addProcess((frame) => {
      if (!frame) {
        reject(Object.assign(new Error("the launcher is gone"), { code: "ECONNRESET" }));
        return child.leave();
      }
      if (frame.kind === "P") {
        // What comes with it in one read waits until somebody listens.
        setImmediate(() => child.tell());
        return resolve(child.started(frame.content.readUInt32LE(1)));
      }
      if (frame.kind === "X" || frame.kind === "O") return child.take(frame);
      link.removeProcess(id);
      const code = getSystemErrorName(-frame.content.readUInt32LE(1));
      reject(Object.assign(new Error(`spawn ${file} ${code}`), { code, syscall: "spawn" }));
    });
    const child = new LaunchedProcess(id, link);
    const texts = [
      mark === undefined ? "" : String(mark),
      file,
      request.cwd,
      String(request.argv.length),
      ...request.argv,
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    ];
    link.send("r", Buffer.concat([Buffer.from([id]), textsOf(texts)]));
  });
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

class LaunchedProcess extends EventEmitter implements RunningProcess {
  readonly stdin = null;
  readonly stdout: LaunchedOutput;
  readonly stderr: LaunchedOutput;
  readonly stdio: readonly (LaunchedOutput | null)[];
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  leavesNothing = false;
  pid = 0;
  /** The frames that came before somebody listens. */
  #early: Frame[] | undefined = [];
  readonly #id: number;
  readonly #link: LauncherLink;
  /** The streams that are open, and the process itself. */
  #open = 3;

  constructor(id: number, link: LauncherLink) {
    super();
    this.#id = id;
    this.#link = link;
    const closed = (): void => this.#closed();
    this.stdout = new LaunchedOutput({ id, stream: 1, link, closed });
    this.stderr = new LaunchedOutput({ id, stream: 2, link, closed });
    this.stdio = [null, this.stdout, this.stderr];
  }

  started(pid: number): this {
    this.pid = pid;
    return this;
  }

  /** The system has killed it with its launcher. */
  leave(): void {
    if (this.exitCode === null && this.signalCode === null)
      this.take({ kind: "X", content: Buffer.from([this.#id, 1, constants.signals.SIGKILL]) });
    this.stdout.destroy();
    this.stderr.destroy();
  }

  tell(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const frame of early) this.take(frame);
  }

  take({ kind, content }: Frame): void {
    if (this.#early) return void this.#early.push({ kind, content });
    const [, which = 0, value = 0, hasNoneLeft = 0] = content;
    if (kind === "O") return (which === 1 ? this.stdout : this.stderr).take(content.subarray(2));
    this.leavesNothing = hasNoneLeft === 1;
    if (which === 0) this.exitCode = value;
    else this.signalCode = (signalNames.get(value) ?? "SIGKILL") as NodeJS.Signals;
    this.#closed();
    this.emit("exit", this.exitCode, this.signalCode);
  }

  #closed(): void {
    this.#open--;
    if (this.#open > 0) return;
    this.#link.send("d", Buffer.from([this.#id]));
    this.#link.removeProcess(this.#id);
    // "close" comes after all that listeners of the end write, as with Node's own processes.
    queueMicrotask(() => this.emit("close"));
  }
}

interface OutputOptions {
  readonly id: number;
  readonly stream: 1 | 2;
  readonly link: LauncherLink;
  readonly closed: () => void;
}

/** At most WINDOW_PARTS wait here: the launcher sends another one only after one has been taken. */
class LaunchedOutput extends EventEmitter implements ProcessOutput {
  readonly #options: OutputOptions;
  readonly #waiting: Buffer[] = [];
  #isPaused = false;
  #isClosed = false;

  constructor(options: OutputOptions) {
    super();
    this.#options = options;
  }

  /** An empty part is the end. */
  take(bytes: Buffer): void {
    if (this.#isClosed) return;
    if (this.#isPaused) this.#waiting.push(bytes);
    else this.#give(bytes);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (!this.#isPaused && this.#waiting.length > 0) this.#give(this.#waiting.shift() as Buffer);
  }

  destroy(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.#options.closed();
  }

  #give(bytes: Buffer): void {
    if (bytes.length === 0) return this.destroy();
    const { id, stream, link } = this.#options;
    link.send("g", Buffer.from([id, stream]));
    this.emit("data", bytes);
  }
}
