// `test` of the plugin API: the tests of a plugin, in a file `NAME.test.ts` beside it. `dottool test` runs them.
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolResult } from "../../core/tool/call.ts";

export interface PluginTestContext {
  /** Calls a tool with the checks of every call, in `folder`. Nobody approves what policy would ask about. */
  callTool(tool: string, args?: JsonObject): Promise<ToolResult>;
  readonly assert: Assert;
  /** The new, empty folder of this test: an absolute path. */
  readonly folder: string;
}

/** A part of `node:assert/strict`, without the types of Node. */
export interface Assert {
  equal(actual: unknown, expected: unknown, message?: string): void;
  deepEqual(actual: unknown, expected: unknown, message?: string): void;
  match(actual: string, expected: RegExp, message?: string): void;
  ok(value: unknown, message?: string): void;
}

export interface PluginTest {
  readonly name: string;
  run(context: PluginTestContext): void | Promise<void>;
  /** Default: 60,000. */
  readonly timeoutMs?: number;
}

let collected: PluginTest[] | undefined;

/** Adds a test: it fails if `run` throws. Works in a file `NAME.test.ts` beside a plugin, when `dottool test` runs. */
export function test(name: string, run: PluginTest["run"], options: Pick<PluginTest, "timeoutMs"> = {}): void {
  if (!collected)
    throw new Error("`test` works only in a file `NAME.test.ts` beside a plugin, when `dottool test` runs it");
  if (typeof name !== "string" || typeof run !== "function") throw new TypeError("a test has a name and a function");
  collected.push({ ...options, name, run });
}

/** Returns the tests that `load` adds. */
export async function collectTests(load: () => Promise<unknown>): Promise<readonly PluginTest[]> {
  const own: PluginTest[] = [];
  collected = own;
  try {
    await load();
    return own;
  } finally {
    collected = undefined;
  }
}
