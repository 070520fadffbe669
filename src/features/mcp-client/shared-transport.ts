// The transport to a server that another process of dottool has started, and that sessions share (shared-server.ts).
import { deserializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { processEnvironment } from "../../core/base/process-environment.ts";
import { version } from "../../generated/version.ts";
import type { SharedLine } from "../../core/tool/host-sharing.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ProcessServer } from "./server-settings.ts";
import { deliveredOneByOne } from "./one-by-one.ts";

/** What the shared process reads on its standard input. */
export interface SharedServerRequest {
  readonly server: Pick<ProcessServer, "name" | "argv" | "cwd" | "startMs">;
  readonly environment: Readonly<Record<string, string>>;
}

/** How the shared process says that the server has ended: an `EndNote` follows. */
export const ENDED = "notifications/dottool/ended";

export interface EndNote {
  readonly end: string;
  readonly hasExited: boolean;
  readonly said: readonly string[];
}

interface JoinOptions {
  readonly server: ProcessServer;
  readonly host: Host;
  readonly environment: Readonly<Record<string, string>>;
}

/** Returns undefined if the session must have a server of its own. */
export async function joinSharedServer({
  server,
  host,
  environment,
}: JoinOptions): Promise<SharedTransport | undefined> {
  const { name, argv, cwd, startMs } = server;
  const request: SharedServerRequest = { server: { name, argv, cwd, startMs }, environment };
  // Sessions whose server would get other variables do not share it.
  const whole = Object.entries(processEnvironment(host, { declared: environment, inherits: false })).toSorted();
  const key = JSON.stringify([version, host.executable, request, whole]);
  const sharing = await host.sharing();
  const line = await sharing.join(key, { words: ["__shared-server", name], input: JSON.stringify(request) });
  return line && new SharedTransport(line);
}

export class SharedTransport implements Transport {
  /** The property by which the SDK recognizes stdio, where silence means an old server. */
  readonly stderr = null;
  readonly pid = null;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #line: SharedLine;
  readonly #deliver = deliveredOneByOne(this);
  #note: EndNote | undefined;
  #isClosed = false;

  constructor(line: SharedLine) {
    this.#line = line;
  }

  /** How the server ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#note?.end ?? (this.#isClosed ? "the process that shares it has ended" : undefined);
  }

  get hasExited(): boolean {
    return this.#note?.hasExited === true;
  }

  get said(): { readonly lines: readonly string[] } {
    return { lines: this.#note?.said ?? [] };
  }

  start(): Promise<void> {
    this.#line.listen(
      (text) => this.#take(text),
      () => {
        this.#isClosed = true;
        this.onclose?.();
      },
    );
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error(this.end));
    this.#line.write(JSON.stringify(message));
    return Promise.resolve();
  }

  hold(isHeld: boolean): void {
    this.#line.hold(isHeld);
  }

  close(): Promise<void> {
    this.#line.close();
    return Promise.resolve();
  }

  #take(text: string): void {
    const message = JSON.parse(text) as { readonly method?: string; readonly params?: unknown };
    if (message.method === ENDED) this.#note = message.params as EndNote;
    else this.#deliver(deserializeMessage(text));
  }
}
