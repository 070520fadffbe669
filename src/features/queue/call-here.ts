// Makes the calls of a batch in this process.
import { callTool } from "../../core/run/call-tool.ts";
import { exitCodeOf } from "../../core/run/exit-code.ts";
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { ToolCall, ToolResult } from "../../core/tool/call.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { jsonOf } from "../../cli/view/print-result.ts";
import { refused } from "../../cli/words/refused-words.ts";
import type { ToolWords } from "../../cli/words/tool-words.ts";
import { inputHash } from "./done-inputs.ts";
import { argumentsIn, type BatchTool } from "./line-arguments.ts";
import type { LineCaller, LineResult } from "./run-batch.ts";

export interface CallsHere extends LineCaller {
  /** How many calls have no result. */
  open(): number;
}

export function callHere(batch: BatchTool & { readonly session: Session }, { signal }: Terminal): CallsHere {
  const { name, session, tool } = batch;
  let open = 0;
  return {
    open: () => open,
    inputOf: ({ text }) => ({ input: inputHash(text, batch) }),
    call: async (line) => {
      const read = argumentsIn(line, batch);
      const call: ToolCall = { id: session.host.randomId(), tool: name, arguments: read.arguments };
      open++;
      try {
        const result = isWrong(read) ? await refused(call, read, session) : await callTool(call, session, signal);
        return await lineResult(result, tool, signal);
      } finally {
        open--;
      }
    },
  };
}

export function isWrong({ issues, whole }: ToolWords): boolean {
  return issues.length > 0 || whole !== undefined;
}

export async function lineResult(result: ToolResult, tool: Tool, signal: AbortSignal): Promise<LineResult> {
  const { status } = result;
  const isCancelled = signal.aborted && status === "failed" && result.failure.kind === "cancelled";
  const { exitCode, durationMs, shown } = await shownResult(result, tool);
  return { status, isCancelled, shown: { status, exitCode, durationMs, ...shown } };
}

export interface ShownResult {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The content, and the failure. */
  readonly shown: JsonObject;
}

/** The call is in the line, and what its process printed is the content. */
export async function shownResult(result: ToolResult, tool: Tool | undefined): Promise<ShownResult> {
  const {
    call: _call,
    process: _process,
    status: _status,
    durationMs: _durationMs,
    ...shown
  } = (await jsonOf(result, tool, true)) as JsonObject;
  return { exitCode: exitCodeOf(result), durationMs: result.durationMs, shown };
}
