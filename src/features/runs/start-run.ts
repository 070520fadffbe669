// Starts a call as a run: it is prepared and approved here, while there is a person who can answer, and then made by a
// process of its own.
import { isInsideRun } from "../../core/catalog/trust.ts";
import { startDetached } from "../../core/host/processes/detached-start.ts";
import { contentOf } from "../../core/policy/content.ts";
import { permit } from "../../core/run/permit.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import type { Session } from "../../core/run/session.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import { recordingApprover } from "./approvals.ts";
import { makeRunFolder } from "./open-run.ts";
import { removeRun } from "./prune.ts";
import { newRunId, type RunApproval, runFile } from "./run-record.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { GlobalOptions } from "../../cli/words/global-options.ts";
import type { ReadyStepFlags } from "../../cli/words/step-flags.ts";
import { RUNNING, type RunRequest } from "./run-request.ts";

/** `trouble` is lines for the person: why the process cannot be started. */
export type StartedRun = { readonly id: string } | { readonly failure: Failure } | { readonly trouble: string };

interface StartOptions {
  readonly session: Session;
  readonly options: GlobalOptions;
  readonly signal?: AbortSignal;
  readonly flags?: Pick<ReadyStepFlags, "provider" | "outputFile"> | undefined;
}

export const INSIDE_TEXT =
  "failed[denied]: a tool cannot detach a call, because its processes end with it\n  = let the tool wait for the call\n";

export async function startRun(call: ToolCall, { session, options, signal, flags }: StartOptions): Promise<StartedRun> {
  const { host } = session;
  if (isInsideRun(host)) return { trouble: INSIDE_TEXT };
  const step = await prepareCall(call, session, { signal });
  if ("failure" in step) return { failure: await withSuggestion(step.failure, call, session) };
  const approvals: RunApproval[] = [];
  const approver = recordingApprover(session.approver, host, (approval) => void approvals.push(approval));
  // The call is counted once, by the process that makes it.
  const { failure } = await permit(
    step.prepared,
    { ...session, approver },
    { ...(signal ? { signal } : {}), isPart: true },
  );
  if (failure) return { failure };
  const { detaches: _own, ...rest } = options;
  const request: RunRequest = {
    id: newRunId(host),
    tool: call.tool,
    arguments: call.arguments as RunRequest["arguments"],
    options: rest,
    ...(flags?.provider === undefined ? {} : { provider: flags.provider }),
    ...(flags?.outputFile === undefined ? {} : { outputFile: flags.outputFile }),
    content: contentOf(step.prepared, session).parts,
    approvals,
  };
  const trouble = await startProcess(request, host);
  return trouble === undefined ? { id: request.id } : { trouble };
}

async function startProcess(request: RunRequest, host: Host): Promise<string | undefined> {
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
  if (answer === RUNNING) return undefined;
  const trouble = answer === "" ? endedEarly(id, host) : answer;
  await removeRun(id, host);
  return trouble;
}

const ERRORS_SHOWN_BYTES_MAX = 64 * 1024;

/** Returns what the process wrote before it ended. */
function endedEarly(id: string, host: Host): string {
  const bytes = host.instant.readStart(runFile(id, "stderr", host), ERRORS_SHOWN_BYTES_MAX);
  return `${new TextDecoder().decode(bytes)}failed[runs]: the process of the call ended before it could begin\n  = call without \`--detach\` to see why\n`;
}
