// `dottool --detach NAME …`: the call is prepared and approved here, and then made by a process of its own.
import { isInsideRun } from "../../catalog/trust.ts";
import { startDetached } from "../../host/processes/detached-start.ts";
import { contentOf } from "../../policy/content.ts";
import { shownCall } from "../../run/call-tool.ts";
import { exitCodes } from "../../run/exit-code.ts";
import { permit } from "../../run/permit.ts";
import { prepareCall } from "../../run/prepare.ts";
import type { Session } from "../../run/session.ts";
import { withSuggestion } from "../../run/suggest.ts";
import { recordingApprover } from "../../runs/approvals.ts";
import { makeRunFolder } from "../../runs/open-run.ts";
import { removeRun } from "../../runs/prune.ts";
import { newRunId, type RunApproval, runFile } from "../../runs/run-record.ts";
import type { ToolCall, ToolResult } from "../../tool/call.ts";
import { codeOf } from "../../tool/error-code.ts";
import type { Failure } from "../../tool/failure.ts";
import type { PreparedCall, Tool } from "../../tool/tool.ts";
import { type CommandContext, reportUsage } from "../command.ts";
import { openPrinter } from "../view/print-result.ts";
import type { ReadyStepFlags } from "../words/step-flag-run.ts";
import { RUNNING, type RunRequest } from "./run-request.ts";

interface DetachOptions {
  readonly tool: Tool;
  readonly session: Session;
  readonly context: CommandContext;
  readonly flags: Pick<ReadyStepFlags, "provider" | "outputFile"> | undefined;
}

/** Starts the call, prints the id of its run, and returns the exit code. */
export async function detach(call: ToolCall, { tool, session, context, flags }: DetachOptions): Promise<number> {
  const { terminal, options } = context;
  const { host } = session;
  if (options.trace !== undefined)
    return reportUsage(terminal, "`--trace` and `--detach` cannot be combined; give one of them");
  if (isInsideRun(host)) {
    terminal.errors.write(
      "failed[denied]: a tool cannot detach a call, because its processes end with it\n  = let the tool wait for the call\n",
    );
    return exitCodes.denied;
  }
  const ready = await approved(call, session, terminal.signal);
  if ("failure" in ready) {
    const { failure } = ready;
    const shown = await shownCall(call, session);
    const result: ToolResult = { status: "failed", content: [], failure, call: shown, durationMs: 0 };
    return openPrinter(terminal, options.result).print(result, tool);
  }
  const { prepared, approvals } = ready;
  const { detaches: _own, ...rest } = options;
  const request: RunRequest = {
    id: newRunId(host),
    tool: call.tool,
    arguments: call.arguments as RunRequest["arguments"],
    options: rest,
    ...(flags?.provider === undefined ? {} : { provider: flags.provider }),
    ...(flags?.outputFile === undefined ? {} : { outputFile: flags.outputFile }),
    content: contentOf(prepared, session).parts,
    approvals,
  };
  return start(request, host, context);
}

interface Ready {
  readonly prepared: PreparedCall;
  readonly approvals: readonly RunApproval[];
}

/** Asks what has to be asked while there is a person who can answer. */
async function approved(
  call: ToolCall,
  session: Session,
  signal: AbortSignal,
): Promise<Ready | { readonly failure: Failure }> {
  const step = await prepareCall(call, session, signal);
  if ("failure" in step) return { failure: await withSuggestion(step.failure, call, session) };
  const approvals: RunApproval[] = [];
  const approver = recordingApprover(session.approver, session.host, (approval) => void approvals.push(approval));
  // The call is counted once, by the process that makes it.
  const { failure } = await permit(step.prepared, { ...session, approver }, { signal, isPart: true });
  return failure ? { failure } : { prepared: step.prepared, approvals };
}

async function start(request: RunRequest, host: Session["host"], { terminal }: CommandContext): Promise<number> {
  const { id, tool } = request;
  let answer: string;
  try {
    await makeRunFolder(id, host);
    answer = await startDetached({
      words: ["__detached", tool, id],
      input: JSON.stringify(request),
      stdout: runFile(id, "stdout", host),
      stderr: runFile(id, "stderr", host),
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    answer = `failed[runs]: the call cannot be detached: ${code === "ENOSPC" ? "the disk is full" : `the system reports ${code}`}\n  = \`dottool runs prune\` removes what has ended\n`;
  }
  if (answer !== RUNNING) {
    terminal.errors.write(answer === "" ? endedEarly(id, host) : answer);
    await removeRun(id, host);
    return exitCodes.failed;
  }
  terminal.output.write(`${id}\n`);
  if (terminal.errors.isTerminal)
    terminal.errors.write(
      `  = \`dottool runs follow ${id}\` shows its output, and \`dottool runs cancel ${id}\` ends it\n`,
    );
  return exitCodes.done;
}

const ERRORS_SHOWN_BYTES_MAX = 64 * 1024;

/** Returns what the process wrote before it ended. */
function endedEarly(id: string, host: Session["host"]): string {
  const bytes = host.instant.readStart(runFile(id, "stderr", host), ERRORS_SHOWN_BYTES_MAX);
  return `${new TextDecoder().decode(bytes)}failed[runs]: the process of the call ended before it could begin\n  = call without \`--detach\` to see why\n`;
}
