// Tools inside another program: opened once, called many times, through the same gate as everywhere.
import { resolve } from "node:path";
import { assemble } from "./assemble.ts";
import { callTool } from "../run/call-tool.ts";
import { failureText } from "../run/failure-text.ts";
import type { JsonObject } from "../schema/json.ts";
import type { ToolResult } from "../tool/call.ts";
import type { Approver } from "../tool/policy.ts";
import type { ToolEvent } from "../tool/tool.ts";

export interface OpenToolsOptions {
  /** Where calls run. Relative to the process's working directory. */
  readonly cwd: string;
  /** Tool folders that come before all others. */
  readonly toolFolders?: readonly string[];
  /** `model`: results are cut to a model's budget. Default: person, which cuts nothing. */
  readonly audience?: "person" | "model";
  readonly approver?: Approver;
  readonly onEvent?: (event: ToolEvent) => void;
}

export interface OpenTools {
  /** Sorted. */
  names(): Promise<readonly string[]>;
  /** Never throws: a failure is in the result. */
  call(tool: string, args: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** A failed result in words; a call that would work is shown as JSON. */
  explain(result: ToolResult): string;
}

export async function openTools(options: OpenToolsOptions): Promise<OpenTools> {
  const { cwd, ...others } = options;
  const { session } = await assemble({ cwd: resolve(cwd), ...others });
  let calls = 0;
  return {
    names: async () => {
      await session.registry.complete();
      return session.registry.names();
    },
    call: (tool, args, { signal } = {}) => callTool({ id: String(++calls), tool, arguments: args }, session, signal ?? new AbortController().signal),
    explain: (result) => (result.status === "ok" ? "" : failureText(result.failure, { audience: "model", tool: result.call.tool })),
  };
}
