// `run_command` and `read_output` on this machine, in a folder of their own, as the gate would call them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "../../src/host/node-host.ts";
import type { JsonObject } from "../../src/schema/json.ts";
import type { Outcome } from "../../src/tool/call.ts";
import type { Host } from "../../src/tool/host.ts";
import type { BaseTool, ToolContext } from "../../src/tool/tool.ts";

export interface CommandBench {
  /** Absolute; the working folder, and around the cache. */
  readonly folder: string;
  readonly host: Host;
  call(tool: BaseTool, args: JsonObject, changes?: Partial<ToolContext>): Promise<Outcome>;
}

export async function withCommandBench(body: (bench: CommandBench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-command-"));
  const real = createNodeHost();
  const host: Host = { ...real, folders: { ...real.folders, cache: join(folder, "cache") } };
  const call: CommandBench["call"] = (tool, args, changes) => {
    const defaults = Object.fromEntries(tool.parameters.flatMap((parameter) => (parameter.default === undefined ? [] : [[parameter.name, parameter.default]])));
    const context: ToolContext = {
      cwd: folder,
      signal: new AbortController().signal,
      host,
      path: [tool.definition.name.value],
      limits: { timeoutMs: 60_000, outputBytesMax: 1024 * 1024 },
      setting: async () => undefined,
      memory: new Map(),
      invoke: () => Promise.reject(new Error("nothing to call")),
      emit: () => undefined,
      ...changes,
    };
    return tool.execute({ ...defaults, ...args }, context);
  };
  try {
    await body({ folder, host, call });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
