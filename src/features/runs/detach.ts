// `dottool --detach NAME …`: starts the call as a run, and prints its id.
import type { DetachOptions } from "../../cli/parts.ts";
import { isInsideRun } from "../../core/catalog/trust.ts";
import { shownCall } from "../../core/run/call-tool.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { ToolCall, ToolResult } from "../../core/tool/call.ts";
import { reportUsage } from "../../cli/command.ts";
import { openPrinter } from "../../cli/view/print-result.ts";
import { INSIDE_TEXT, startRun } from "./start-run.ts";

/** Starts the call, prints the id of its run, and returns the exit code. */
export async function detach(call: ToolCall, { tool, session, context, flags }: DetachOptions): Promise<number> {
  const { terminal, options } = context;
  if (options.trace !== undefined)
    return reportUsage(terminal, "`--trace` and `--detach` cannot be combined; give one of them");
  if (isInsideRun(session.host)) {
    terminal.errors.write(INSIDE_TEXT);
    return exitCodes.denied;
  }
  const started = await startRun(call, { session, options, flags, signal: terminal.signal });
  if ("failure" in started) {
    const { failure } = started;
    const shown = await shownCall(call, session);
    const result: ToolResult = { status: "failed", content: [], failure, call: shown, durationMs: 0 };
    return openPrinter(terminal, options.result).print(result, tool);
  }
  if ("trouble" in started) {
    terminal.errors.write(started.trouble);
    return exitCodes.failed;
  }
  const { id } = started;
  terminal.output.write(`${id}\n`);
  if (terminal.errors.isTerminal)
    terminal.errors.write(
      `  = \`dottool runs follow ${id}\` shows its output, and \`dottool runs cancel ${id}\` ends it\n`,
    );
  return exitCodes.done;
}
