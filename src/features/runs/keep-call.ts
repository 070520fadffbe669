// A call of the command line whose finished steps are kept, and the message about them when it has ended.
import type { KeptCall, ShownFlags } from "../../cli/parts.ts";
import { resolve } from "node:path";
import type { Session } from "../../core/run/session.ts";
import { KeptRun, type KeptRunOptions } from "./kept-run.ts";
import type { RunEnd, RunOptions } from "./run-record.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Tool } from "../../core/tool/tool.ts";

import type { CommandContext } from "../../cli/command.ts";
import { failureLines } from "../../cli/view/print-result.ts";

interface KeepOptions extends Pick<KeptRunOptions, "run" | "stored"> {
  readonly context: CommandContext;
  readonly flags: ShownFlags;
  /** Whether its record stays if it succeeds. */
  readonly isKept?: true;
  /** How long earlier processes of the run took. */
  readonly earlierMs?: number;
}

/** Returns undefined if the finished steps of the tool are not worth keeping: those that only read can be done again. */
export function keptIfResumable(
  { definition, effects }: Tool,
  session: Session,
  options: KeepOptions,
): KeptCall | undefined {
  if (definition.kind !== "steps") return undefined;
  const { steps } = definition;
  const onlyReads = effects.length > 0 && effects.every((effect) => effect === "read");
  const isLong = steps.length > 1 || steps.some(({ isOnce, forEach }) => isOnce === true || forEach !== undefined);
  return isLong && !onlyReads ? keepCall(session, options) : undefined;
}

export function keepCall(session: Session, { context, flags, isKept, earlierMs = 0, ...begun }: KeepOptions): KeptCall {
  const { terminal } = context;
  const { host } = session;
  const startedMs = host.nowMs();
  const kept = new KeptRun(session, {
    ...begun,
    options: runOptionsOf(context, flags),
    onLost: (what, code) => void terminal.errors.write(`warning[runs]: ${what} (${code})\n`),
  });
  return {
    session: kept.session,
    end: async (result, tool, exitCode) => {
      const { id } = kept;
      const end: RunEnd = {
        ...(await statusOf(result, tool, terminal.ending)),
        exitCode,
        endedAt: host.timestamp(),
        durationMs: Math.round(earlierMs + host.nowMs() - startedMs),
      };
      try {
        await kept.end(end, isKept === true);
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        terminal.errors.write(`warning[runs]: the end of the run cannot be stored (${code})\n`);
      }
      if (id === undefined || end.status === "done" || !terminal.errors.isTerminal) return;
      const words = ["dottool runs resume", id, ...kept.secrets.map((name) => `${name}=…`)].join(" ");
      terminal.errors.write(`  = \`${words}\` goes on where it ended\n`);
    },
  };
}

export function runOptionsOf({ options, terminal }: CommandContext, flags: ShownFlags): RunOptions {
  const folder = terminal.workingFolder();
  return {
    toolFolders: options.toolFolders.map((path) => resolve(folder, path)),
    result: options.result,
    ...(flags?.provider === undefined ? {} : { provider: flags.provider }),
    ...(flags?.outputFile === undefined ? {} : { outputFile: resolve(folder, flags.outputFile) }),
  };
}

async function statusOf(
  result: ToolResult,
  tool: Tool,
  ending: CommandContext["terminal"]["ending"],
): Promise<Pick<RunEnd, "status" | "message" | "failedStep">> {
  if (result.status === "ok") return { status: "done" };
  if (ending === "interrupted" || result.failure.kind === "cancelled") return { status: "cancelled" };
  return {
    status: "failed",
    message: await failureLines(result.failure, { tool, name: result.call.tool, audience: "person" }),
    ...(result.failure.kind === "step-failed" ? { failedStep: result.failure.step } : {}),
  };
}
