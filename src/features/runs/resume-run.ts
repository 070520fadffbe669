// `dottool runs resume`: goes on with a call where it ended, with its arguments, definitions and approvals.
import { changesSince, contentOf } from "../../core/policy/content.ts";
import { callTool } from "../../core/run/call-tool.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { rememberingApprover } from "./approvals.ts";
import { journalText, readSteps, type StoredSteps } from "./journal-file.ts";
import { beginRun, lockRun, type OpenRun } from "./open-run.ts";
import { readRun, type Run, type RunRecord, runFile } from "./run-record.ts";
import { printable } from "../../core/text/display.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import { removeOutput } from "./step-output.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Lock } from "../../core/store/lock-file.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { shownRun } from "../../cli/call.ts";
import { type CommandContext, reportUsage } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { failureLines } from "../../cli/view/print-result.ts";
import type { WaitingLine } from "../../cli/view/waiting-line.ts";
import type { ResultForm } from "../../cli/words/global-options.ts";
import { readToolWords } from "../../cli/words/tool-words.ts";
import { keepCall } from "./keep-call.ts";
import { planResume } from "./resume-plan.ts";
import { namedRun, type RunsPlace } from "./run-facts.ts";

export interface ResumeOptions {
  readonly from: string | undefined;
  /** Whether changed definitions are accepted without a question. */
  readonly acceptsChanges: boolean;
  /** `name=value` for each secret, which is not stored. */
  readonly secrets: readonly string[];
  /** Called when nothing stands in the way any more. */
  onReady?(): void;
}

export async function resumeRun(word: string, options: ResumeOptions, place: RunsPlace): Promise<number> {
  const run = namedRun(word, place);
  if (typeof run === "number") return run;
  const { host, context } = place;
  const { id, served } = run.record;
  if (served)
    return refuse(context, `\`${id}\` is a call of a client of \`dottool mcp\``, ["the client can call again"]);
  // Locked before it is read again, because until then another process may go on with it.
  const lock = run.state === "running" ? undefined : lockRun(id, host);
  if (!lock) return refuse(context, `\`${id}\` is running`, [`\`dottool runs show ${id}\` shows its process`]);
  try {
    return await resumeLocked(run, lock, { ...options, ...place });
  } finally {
    lock.release();
  }
}

async function resumeLocked(ended: Run, lock: Lock, options: ResumeOptions & RunsPlace): Promise<number> {
  const { host, context } = options;
  const { id } = ended.record;
  const read = readRun(id, host);
  const stored = readSteps(id, host);
  if (!read || !("run" in read)) return refuse(context, `there is no run \`${id}\``, ["`dottool runs` lists them"]);
  if ("brokenLine" in stored)
    return refuse(context, `line ${stored.brokenLine} of \`${runFile(id, "steps.jsonl", host)}\` is damaged`, [
      "call the tool again",
    ]);
  const { record } = read.run;
  const resumed = { at: host.timestamp(), earlierMs: earlierMs(ended, stored) };
  const waiting = context.terminal.errors.isTerminal
    ? new (await import("../../cli/view/waiting-line.ts")).WaitingLine(context.terminal)
    : undefined;
  const own = ownContext(record, context);
  const opened = await openSession({ ...own, terminal: waiting?.terminal ?? own.terminal });
  if (typeof opened === "number") return opened;
  const prepared = await preparedAgain(record, opened, options);
  if (typeof prepared === "number") return prepared;
  const content = contentOf(prepared, opened.session).parts;
  if (!(await acceptsChanges(changesSince(record.content, content), record, options))) return exitCodes.denied;
  const ready = await goOn(
    { ...record, resumed, content, processId: host.shared.processId },
    { prepared, stored, lock, options },
  );
  return typeof ready === "number"
    ? ready
    : makeCall(prepared, { ...ready, opened, context: own, waiting, onReady: options.onReady });
}

/** A process that was killed counts until its last stored step. */
function earlierMs({ record, end }: Run, { endedAt }: StoredSteps): number {
  if (end) return end.durationMs;
  const { at, earlierMs: before } = record.resumed ?? { at: record.startedAt, earlierMs: 0 };
  const lastMs = Math.max(...[at, ...endedAt.values()].map((time) => Date.parse(time)));
  return before + lastMs - Date.parse(at);
}

/** The options with which the call was made. */
function ownContext({ options, cwd }: RunRecord, { terminal, options: given }: CommandContext): CommandContext {
  const { toolFolders, result } = options;
  return { terminal, options: { ...given, toolFolders, cwd, result: result as ResultForm } };
}

async function preparedAgain(
  record: RunRecord,
  { session, host }: OpenedSession,
  { context, secrets }: ResumeOptions & RunsPlace,
): Promise<PreparedCall | number> {
  const { tool: name, secrets: missing = [] } = record;
  const tool = await session.registry.resolve(name);
  if (!tool) return refuse(context, `there is no tool \`${name}\` any more`, ["`dottool list --all` shows all tools"]);
  const parameters = tool.parameters.filter((parameter) => missing.includes(parameter.name));
  const given = readToolWords(secrets, { parameters, form: "call", tool: name });
  const [issue] = given.issues;
  if (issue) return reportUsage(context.terminal, `\`${issue.path}\` ${issue.message}`, "runs");
  const open = missing.filter((one) => !Object.hasOwn(given.arguments, one));
  if (open.length > 0)
    return refuse(context, `secrets are not stored: \`${open.join("`, `")}\``, [
      `give them again: \`dottool runs resume ${record.id} ${open.map((one) => `${one}=…`).join(" ")}\``,
    ]);
  const call: ToolCall = {
    id: host.randomId(),
    tool: name,
    arguments: { ...record.arguments, ...given.arguments },
  };
  const step = await prepareCall(call, session, { signal: context.terminal.signal });
  if (!("failure" in step)) return step.prepared;
  context.terminal.errors.write(`${await failureLines(step.failure, { tool, name, audience: "person" })}\n`);
  return exitCodes.failed;
}

/** Names what has changed, and asks. The answer no has been explained. */
async function acceptsChanges(
  changes: readonly string[],
  { tool, id }: RunRecord,
  { context: { terminal }, acceptsChanges: accepted }: ResumeOptions & RunsPlace,
): Promise<boolean> {
  if (changes.length === 0 || accepted) return true;
  const lines = changes.map((change) => `  ${printable(change)}\n`).join("");
  const fact = `\`${tool}\` has changed since the run began:\n${lines}`;
  if (terminal.errors.isTerminal && terminal.input.isTerminal) {
    terminal.errors.write(fact);
    return /^y(?:es)?$/i.test((await terminal.input.ask("go on with what it is now? [y]es / [N]o "))?.trim() ?? "");
  }
  terminal.errors.write(
    `failed[changed]: ${fact}  = \`dottool runs resume ${id} --accept-changes\` goes on with what it is now\n`,
  );
  return false;
}

interface GoOnOptions {
  readonly prepared: PreparedCall;
  readonly stored: StoredSteps;
  readonly lock: Lock;
  readonly options: ResumeOptions & RunsPlace;
}

interface Ready {
  readonly run: OpenRun;
  readonly stored: StoredSteps;
  readonly record: RunRecord;
}

/** Stores that the run goes on, and where. */
async function goOn(record: RunRecord, { prepared, stored, lock, options }: GoOnOptions): Promise<Ready | number> {
  const { host, context, from } = options;
  const { definition } = prepared.tool;
  const { id } = record;
  if (definition.kind !== "steps")
    return refuse(context, `\`${record.tool}\` has no steps, so there is nothing to go on with`, ["call it again"]);
  const plan = planResume(definition, stored, from);
  if ("fact" in plan) return refuse(context, plan.fact, plan.help);
  const journal = runFile(id, "steps.jsonl", host);
  try {
    // A truncated line has no end, and the next one would continue it.
    if (stored.wholeLength < stored.text.length)
      await host.files.write(journal, stored.text.slice(0, stored.wholeLength), { mode: 0o600 });
    const run = await beginRun(record, host, lock);
    if (from !== undefined) await host.files.append(journal, journalText({ kind: "resume", ...plan }), { mode: 0o600 });
    const again = readSteps(id, host);
    if (!run || "brokenLine" in again) throw new Error(`the journal of ${id} was damaged by its own line`);
    for (const { name } of record.steps ?? []) if (!again.outcomes.has(name)) await removeOutput(id, name, host);
    return { run, stored: again, record };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return refuse(context, `the run cannot be stored (${code})`, ["free some space in the state folder"]);
  }
}

interface CallOptions extends Ready {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
  readonly waiting: WaitingLine | undefined;
  readonly onReady: (() => void) | undefined;
}

async function makeCall(
  { call, tool }: PreparedCall,
  { run, stored, record, opened, context, waiting, onReady }: CallOptions,
): Promise<number> {
  const { host } = opened;
  const approvals = [...record.approvals, ...stored.approvals];
  const session = { ...opened.session, approver: rememberingApprover(opened.session.approver, host, approvals) };
  const flags = record.options;
  const { session: shown, printer } = await shownRun(call, session, {
    context,
    flags,
    waiting,
    isFollowed: onReady !== undefined,
  });
  const isDetached = host.instant.stat(runFile(record.id, "stdout", host)) !== undefined;
  const earlier = record.resumed ? { earlierMs: record.resumed.earlierMs } : {};
  const kept = keepCall(shown, { context, flags, run, stored, ...earlier, ...(isDetached ? { isKept: true } : {}) });
  const { signal } = context.terminal;
  onReady?.();
  const result = await callTool(call, kept.session, signal);
  const exitCode = await printer.print(result, tool);
  await kept.end(result, tool, exitCode);
  return exitCode;
}

function refuse({ terminal }: CommandContext, fact: string, help: readonly string[]): number {
  terminal.errors.write(`failed[runs]: ${printable(fact)}\n${help.map((line) => `  = ${printable(line)}\n`).join("")}`);
  return exitCodes.failed;
}
