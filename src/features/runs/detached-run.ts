// The process of a detached call: it makes the call as any other, with files in place of the terminal, and stores how
// it ended.
import { answerStart } from "../../core/host/processes/detached-start.ts";
import { changesSince } from "../../core/policy/content.ts";
import { callTool } from "../../core/run/call-tool.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { rememberingApprover } from "./approvals.ts";
import { newRecord } from "./new-record.ts";
import { beginRun, type OpenRun } from "./open-run.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { shownRun } from "../../cli/call.ts";
import type { CommandContext } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { failureLines } from "../../cli/view/print-result.ts";
import { keepCall, runOptionsOf } from "./keep-call.ts";
import { type ResumeRequest, RUNNING, type RunRequest } from "./run-request.ts";

const REQUEST_BYTES_MAX = 256 * 1024 * 1024;

export async function runDetached({ terminal }: CommandContext): Promise<number> {
  const bytes = await terminal.input.readBytes(REQUEST_BYTES_MAX);
  const request = JSON.parse(new TextDecoder().decode(bytes)) as RunRequest | ResumeRequest;
  if ("resumes" in request)
    return (await import("./resume-detached.ts")).goOnDetached(request, { terminal, options: request.options });
  const context: CommandContext = { terminal, options: request.options };
  const opened = await openSession(context);
  if (typeof opened === "number") return opened;
  const { host } = opened;
  const session = {
    ...opened.session,
    approver: rememberingApprover(opened.session.approver, host, request.approvals),
  };
  const begun = await begin(request, { ...opened, session }, context);
  if (typeof begun === "string") {
    answerStart(begun);
    return exitCodes.failed;
  }
  const { run, tool, call } = begun;
  // Asked for first, so that a signal ends the call and not this process.
  const { signal } = terminal;
  answerStart(RUNNING);
  const flags = { provider: request.provider, outputFile: request.outputFile };
  const { session: shown, printer } = await shownRun(call, session, { context, flags, isFollowed: true });
  const kept = keepCall(shown, { context, flags, run, isKept: true });
  const result = await callTool(call, kept.session, signal);
  const exitCode = await printer.print(result, tool);
  await kept.end(result, tool, exitCode);
  return exitCode;
}

interface Begun {
  readonly run: OpenRun;
  readonly tool: Tool;
  readonly call: ToolCall;
}

/** Returns why it cannot begin, in lines for the person who started it. */
async function begin(
  request: RunRequest,
  { session, host }: OpenedSession,
  context: CommandContext,
): Promise<Begun | string> {
  const call: ToolCall = { id: host.randomId(), tool: request.tool, arguments: request.arguments };
  const step = await prepareCall(call, session);
  if ("failure" in step) return `${await failureLines(step.failure, { name: call.tool, audience: "person" })}\n`;
  const record = await newRecord(step.prepared, session, {
    id: request.id,
    approvals: request.approvals,
    options: runOptionsOf(context, request),
  });
  const changes = changesSince(request.content, record.content);
  if (changes.length > 0)
    return `failed[changed]: \`${call.tool}\` changed while it was started: ${changes.join(", ")}\n  = call it again\n`;
  try {
    const run = await beginRun(record, host);
    return run
      ? { run, tool: step.prepared.tool, call }
      : `failed[runs]: another process has the run \`${request.id}\`\n  = call it again\n`;
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return `failed[runs]: the run cannot be stored: ${code === "ENOSPC" ? "the disk is full" : `the system reports ${code}`}\n  = \`dottool runs prune\` removes what has ended\n`;
  }
}
