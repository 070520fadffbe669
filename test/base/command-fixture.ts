// `run_command` and `read_output` on this machine, in a folder of their own: directly, and through the gate.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import type { Session } from "../../src/core/run/session.ts";
import type { Outcome, ToolResult } from "../../src/core/tool/call.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import type { BaseTool, Tool, ToolContext } from "../../src/core/tool/tool.ts";

export interface CommandFixture {
  /** The absolute path of the working folder, which also holds the cache. */
  readonly folder: string;
  readonly host: Host;
  /** Applies the limits of `changes`. */
  call(tool: BaseTool, args: JsonObject, changes?: Partial<ToolContext>): Promise<Outcome>;
  callThroughGate(tool: Tool, args: JsonObject): Promise<ToolResult>;
}

export async function withCommandFixture(body: (bench: CommandFixture) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-command-"));
  const real = createNodeHost();
  const host: Host = { ...real, folders: { ...real.folders, cache: join(folder, "cache") } };
  const call: CommandFixture["call"] = (tool, args, changes) => {
    const defaults = Object.fromEntries(
      tool.parameters.flatMap((parameter) =>
        parameter.default === undefined ? [] : [[parameter.name, parameter.default]],
      ),
    );
    const context: ToolContext = {
      cwd: folder,
      signal: new AbortController().signal,
      host,
      path: [tool.definition.name.value],
      limits: { timeoutMs: 60_000, outputBytesMax: 1024 * 1024 },
      setting: async () => undefined,
      memory: new Map(),
      invoke: () => Promise.reject(new Error("nothing to call")),
      hide: async () => undefined,
      emit: () => undefined,
      ...changes,
    };
    return tool.execute({ ...defaults, ...args }, context);
  };
  const callThroughGate: CommandFixture["callThroughGate"] = (tool, args) => {
    const name = tool.definition.name.value;
    const registry = createRegistry({ names: () => [name], build: (wanted) => (wanted === name ? tool : undefined) });
    const session: Session = {
      registry,
      policy: [],
      approver: { ask: async () => "once" },
      host,
      cwd: folder,
      audience: "person",
      setting: async () => undefined,
      memory: new Map(),
    };
    return callTool({ id: "1", tool: name, arguments: args }, session, new AbortController().signal);
  };
  try {
    await body({ folder, host, call, callThroughGate });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
