// The stdio transport of MCP for the SDK's client, over a process that the host runs: in a process group of its own,
// with an environment of our choice, and ended as a whole. The SDK's transport would start the process itself.
import {
  type JSONRPCMessage,
  type Transport,
  deserializeMessage,
  serializeMessage,
} from "@modelcontextprotocol/client";
import { processEnvironment } from "../../core/base/process-environment.ts";
import type { Host, ProcessInput, SpawnResult } from "../../core/tool/host.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { InnerSandbox } from "../../core/tool/call.ts";
import type { ServerSandbox } from "./server-sandbox.ts";
import type { ProcessServer } from "./server-settings.ts";
import { SaidLines, shortened } from "./said-text.ts";

/** The limit of a message. Images and whole files come as one message. */
const MESSAGE_BYTES_MAX = 48 * 1024 * 1024;
/** The limit of output that answers nothing. */
const UNASKED_BYTES_MAX = 64 * 1024 * 1024;
const UNASKED_MESSAGES_MAX = 100_000;
/** The time between the end of its input and TERM. */
const LEAVE_MS = 300;
const GARBAGE_SHOWN_CHARACTERS = 200;

interface ProcessTransportOptions {
  readonly server: ProcessServer;
  readonly host: Host;
  /** The server's own variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The secrets among them. */
  readonly secrets: readonly string[];
}

export class ProcessTransport implements Transport {
  /** The property by which the SDK recognizes stdio, where silence means an old server. */
  readonly stderr = null;
  readonly pid = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Its standard error, and lines of its output that are not messages. */
  readonly said: SaidLines;
  readonly #options: ProcessTransportOptions;
  readonly #stop = new AbortController();
  #delivered = Promise.resolve();
  #input: ProcessInput | undefined;
  #ended: Promise<void> | undefined;
  #end: string | undefined;
  #hasExited = false;
  #pieces: Uint8Array[] = [];
  #pendingBytes = 0;
  #unaskedBytes = 0;
  #unaskedMessages = 0;
  #inSandbox: InnerSandbox | undefined;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
    this.said = new SaidLines(options.secrets);
  }

  /** How it ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Whether it was started and has ended by itself or by a signal. */
  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** What the server runs in, if it has a sandbox and was started. */
  get sandbox(): InnerSandbox | undefined {
    return this.#inSandbox;
  }

  async start(): Promise<void> {
    const { host, server, environment } = this.#options;
    if (server.sandbox) await this.#tryOut(server.sandbox);
    return new Promise((resolve, reject) => {
      const over = (end: string, error: unknown): void => {
        this.#end ??= end;
        this.#input = undefined;
        reject(error ?? new Error(this.#end));
        this.onclose?.();
      };
      this.#ended = host.processes
        .run({
          argv: server.argv,
          cwd: server.cwd,
          environment: processEnvironment(host, {
            declared: { ...(server.sandbox ? { HOME: server.sandbox.home } : {}), ...environment },
            inherits: false,
          }),
          confinement: server.sandbox?.confinement ?? { unconfined: "settings" },
          isLasting: true,
          signal: this.#stop.signal,
          outputBytesMax: Number.MAX_SAFE_INTEGER,
          onStart: (input) => {
            this.#input = input;
            resolve();
          },
          onOutput: (stream, bytes) => (stream === "stdout" ? this.#take(bytes) : this.said.add(bytes)),
        })
        .then(
          (result) => {
            this.#hasExited = result.kind === "exited";
            this.said.end();
            over(endText(result, server), undefined);
          },
          (error: unknown) => over(`its output cannot be read: ${codeOf(error) ?? String(error)}`, error),
        );
    });
  }

  /** Learns before the server is started whether its sandbox works here, and what it lacks: a process tells that at its end. */
  async #tryOut({ home, confinement }: ServerSandbox): Promise<void> {
    const { host, server } = this.#options;
    await host.files.makeFolder(home, { mode: 0o700 });
    const result = await host.processes.run({
      argv: ["true"],
      cwd: server.cwd,
      environment: processEnvironment(host, { declared: {}, inherits: false }),
      confinement: { ...confinement, hosts: [] },
      isLasting: true,
      signal: this.#stop.signal,
      outputBytesMax: 0,
      onOutput: () => undefined,
    });
    if (result.kind !== "exited") throw new Error((this.#end = endText(result, server)));
    const { sandbox = "none", missing = [] } = result.report ?? {};
    this.#inSandbox = { level: confinement.level, sandbox, missing };
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#input) return Promise.reject(new Error(this.#end ?? "it is not running"));
    this.#input.write(serializeMessage(message));
    return Promise.resolve();
  }

  /** Sets whether the program waits for the process. */
  hold(isHeld: boolean): void {
    this.#input?.hold(isHeld);
  }

  /** Ends the input first, as the protocol requires. */
  async close(): Promise<void> {
    const { host } = this.#options;
    if (this.#input) {
      this.#input.end();
      const left = new AbortController();
      await Promise.race([this.#ended, host.sleep(LEAVE_MS, left.signal)]);
      left.abort();
    }
    this.#stop.abort();
    await this.#ended;
  }

  #take(bytes: Uint8Array): void {
    this.#unaskedBytes += bytes.length;
    if (this.#unaskedBytes > UNASKED_BYTES_MAX)
      return this.#giveUp(`wrote more than ${UNASKED_BYTES_MAX} bytes without an answer`);
    let from = 0;
    for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, from)) {
      this.#pieces.push(bytes.subarray(from, at));
      from = at + 1;
      this.#line();
    }
    if (from === bytes.length) return;
    this.#pieces.push(bytes.slice(from));
    this.#pendingBytes += bytes.length - from;
    if (this.#pendingBytes > MESSAGE_BYTES_MAX) this.#giveUp(`sent a message of more than ${MESSAGE_BYTES_MAX} bytes`);
  }

  #line(): void {
    const line = decoder.decode(joined(this.#pieces)).replace(/\r$/, "");
    this.#pieces = [];
    this.#pendingBytes = 0;
    if (line.trim() === "" || this.#stop.signal.aborted) return;
    if (++this.#unaskedMessages > UNASKED_MESSAGES_MAX)
      return this.#giveUp(`wrote more than ${UNASKED_MESSAGES_MAX} lines without an answer`);
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      const shown = shortened(line, { secrets: this.#options.secrets, charactersMax: GARBAGE_SHOWN_CHARACTERS });
      this.said.add(encoder.encode(`(on standard output) ${shown}\n`));
      return;
    }
    if ("result" in message || "error" in message) this.#unaskedBytes = this.#unaskedMessages = 0;
    // One by one, also those that came in one piece: the SDK takes a notification up in a later microtask, and forgets
    // the progress of a request with its answer.
    this.#delivered = this.#delivered
      .then(() => this.onmessage?.(message))
      .catch((error: unknown) => this.onerror?.(error instanceof Error ? error : new Error(String(error))));
  }

  #giveUp(why: string): void {
    if (this.#stop.signal.aborted) return;
    this.#end = `it ${why}`;
    this.#pieces = [];
    this.#stop.abort();
  }
}

const LINE_END = 0x0a;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (pieces.length === 1 && only) return only;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function endText(result: SpawnResult, server: ProcessServer): string {
  const program = server.argv[0] ?? "";
  switch (result.kind) {
    case "busy":
      return "too many processes are waiting";
    case "not-started":
      if (result.reason === "sandbox" || result.reason === "hidden")
        return `its sandbox ${result.reason === "sandbox" ? "does not work here" : "cannot be made"}: ${result.detail}`;
      return result.reason === "program-missing" || result.reason === "file-missing"
        ? `there is no program \`${program}\``
        : result.reason === "folder-missing"
          ? `\`${server.cwd}\` is not a directory`
          : `\`${program}\` cannot be started: ${result.detail}`;
    case "exited":
      return result.exitCode === undefined
        ? `it was killed by ${result.signalName ?? "a signal"}`
        : `it ended with exit code ${result.exitCode}`;
  }
}
