// A call's context for the tests of the web tools: the real web, where all names lead to the loopback interface, and
// everything else in memory.
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { BaseTool, SettingName, ToolContext } from "../../src/core/tool/tool.ts";
import { createWeb } from "../../src/features/web/host/web.ts";
import { memoryHost } from "../memory-host.ts";

export interface WebCall {
  readonly settings?: Partial<Readonly<Record<SettingName, string>>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Set if work with a time limit takes too long. */
  readonly isSlow?: boolean;
}

/** Runs a tool as the gate would, with the defaults of its parameters. */
export function runWebTool(tool: BaseTool, args: JsonObject, call: WebCall = {}): Promise<Outcome> {
  const defaults = tool.parameters.flatMap((parameter) =>
    parameter.default === undefined ? [] : [[parameter.name, parameter.default] as const],
  );
  const host = memoryHost({ web: createWeb({ resolve: async () => [{ address: "127.0.0.1", family: 4 }] }) });
  const context: ToolContext = {
    cwd: "/",
    signal: call.signal ?? new AbortController().signal,
    host:
      call.isSlow === true
        ? {
            ...host,
            runBounded: () => {
              throw Object.assign(new Error("too slow"), { code: "ETIMEDOUT" });
            },
          }
        : host,
    path: [tool.definition.name.value],
    limits: { timeoutMs: call.timeoutMs ?? 60_000, outputBytesMax: 1_000_000 },
    setting: async (name) => call.settings?.[name],
    memory: new Map(),
    invoke: () => Promise.reject(new Error("web tools call no other tool")),
    hide: async () => undefined,
    emit: () => undefined,
  };
  return tool.execute({ ...Object.fromEntries(defaults), ...args }, context);
}
