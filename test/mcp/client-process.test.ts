// A server that runs as a process, where the system refuses what both need.
import { ProcessTransport } from "../../src/features/mcp-client/process-transport.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("mcp/client-process");

test("a server whose output cannot be read has ended, and nobody waits for its answers", async () => {
  const host = memoryHost();
  const run: Host["processes"]["run"] = async ({ onStart }) => {
    onStart?.({ write: () => undefined, end: () => undefined, hold: () => undefined });
    await Promise.resolve();
    throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
  };
  const failing: Host = { ...host, processes: { ...host.processes, run } };
  const server = {
    kind: "process",
    name: "it",
    argv: ["it"],
    cwd: "/",
    environment: new Map(),
    startMs: 1_000,
  } as const;
  const transport = new ProcessTransport({ server, host: failing, environment: {}, secrets: [] });
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  await closed;
  assert.is(transport.end, "its output cannot be read: EIO");
  assert.is(
    await transport.send({ jsonrpc: "2.0", method: "ping", id: 1 }).catch((error: Error) => error.message),
    "its output cannot be read: EIO",
  );
});

test.run();
