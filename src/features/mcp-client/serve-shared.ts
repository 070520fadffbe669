// The process of a server that sessions share: starts it for the first one, and ends it when none has been there for a
// while.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { SharedLine } from "../../core/tool/host-sharing.ts";
import type { Host } from "../../core/tool/host.ts";
import { ProcessTransport } from "./process-transport.ts";
import { SharedServer } from "./shared-server.ts";
import { ENDED, type EndNote, type SharedServerRequest } from "./shared-transport.ts";

/** How long a server without sessions is kept for the next one. */
const IDLE_MS = 30_000;

interface ServeSharedOptions {
  readonly host: Host;
  readonly place: string;
  /** Tells this process to end. */
  readonly signal: AbortSignal;
}

/** Resolves when the server has ended and all answers are written. */
export async function serveShared(request: SharedServerRequest, options: ServeSharedOptions): Promise<void> {
  const { host, place, signal } = options;
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const transport = new ProcessTransport({
    server: { kind: "process", ...request.server, environment: new Map() },
    host,
    environment: request.environment,
  });
  const shared = new SharedServer((message) => transport.send(message).catch(() => undefined));
  transport.onmessage = (message: JSONRPCMessage) => shared.fromServer(message as unknown as Record<string, unknown>);
  transport.onclose = () => {
    const params: EndNote = {
      end: transport.end ?? "it has ended",
      hasExited: transport.hasExited,
      said: transport.said.lines,
    };
    shared.tell({ jsonrpc: "2.0", method: ENDED, params });
    end();
  };
  const lines = new Set<SharedLine>();
  let started: Promise<void> | undefined;
  let idle = new AbortController();
  const waitForMembers = async (): Promise<void> => {
    idle = new AbortController();
    const { signal: joined } = idle;
    await host.sleep(IDLE_MS, joined);
    if (!joined.aborted) end();
  };
  waitForMembers().catch(end);
  await (await host.sharing()).serve(place, {
    signal: over.signal,
    onMember: (line) => {
      idle.abort();
      const member = shared.join((message) => line.write(JSON.stringify(message)));
      lines.add(line);
      // The first member starts the server, so that all members hear of it if that fails.
      started ??= transport.start().catch(() => undefined);
      const ready = started;
      line.listen(
        (text) =>
          // What is no JSON is not from a session.
          void ready.then(() => member.take(JSON.parse(text) as Record<string, unknown>)).catch(() => line.close()),
        () => {
          lines.delete(line);
          member.leave();
          if (shared.memberCount === 0) waitForMembers().catch(end);
        },
      );
    },
  });
  idle.abort();
  for (const line of lines) line.close();
  await transport.close();
}
