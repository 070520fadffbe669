// Asks whether a call may run, unless there is an answer already: for this session, or as long as the content of the
// tool is unchanged.
import type { LoadedPolicy } from "../policy/policy-config.ts";
import type { GuardedPlaces } from "../policy/guarded-places.ts";
import { dirname, resolve } from "node:path";
import { loadPart } from "../tool/feature.ts";
import type { JsonObject } from "../schema/json.ts";
import { quoteWord, singleQuoted, visibleJson } from "../base/quote.ts";
import { keepApproval, type Kept, keptApproval, type Subject, subjectKey, subjectOf } from "../policy/approvals.ts";
import { changesSince, contentOf, type ToolContent } from "../policy/content.ts";
import { callViews } from "../policy/call-views.ts";
import { decidingAmong, runsItsArguments } from "../policy/deciding-arguments.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import { type Approval, type Caller, isYes, type PolicyQuestion, type Refusal, type Verdict } from "../tool/policy.ts";
import { hasSecrets } from "../schema/secrets.ts";
import type { PreparedCall } from "../tool/tool.ts";
import { unshownText } from "./call-facts.ts";
import type { Session } from "./session.ts";

interface AskOptions extends PermitOptions {
  readonly session: Session;
  readonly frontEnd: Caller;
  readonly rules: readonly string[];
}

export async function askForCall(
  prepared: PreparedCall,
  verdict: Verdict,
  options: AskOptions,
): Promise<{ readonly answer: Answer } | { readonly failure: Failure }> {
  const { guard, approver } = options.session;
  if (!guard) {
    const approval = options.isQuestion ? "denied" : await approver.ask(prepared, verdict);
    return isYes(approval) ? { answer: approval } : denied(prepared, verdict, approval);
  }
  // The same question may have been asked before, and is answered now.
  return approver.asksOneAtATime && !options.isQuestion
    ? guard.inTurn(() => askUnlessAnswered(prepared, verdict, options))
    : askUnlessAnswered(prepared, verdict, options);
}

async function askUnlessAnswered(
  prepared: PreparedCall,
  verdict: Verdict,
  { session, frontEnd, rules, signal, isQuestion }: AskOptions,
): Promise<{ readonly answer: Answer } | { readonly failure: Failure }> {
  const { host, guard, cwd } = session;
  const { tool } = prepared;
  const subject = subjectOf(prepared, { host, cwd, frontEnd });
  const key = subjectKey(subject, host);
  const content = contentOf(prepared, session);
  const isEachTime = verdict.matched.some(({ asksEachTime }) => asksEachTime);
  const forSession = isEachTime ? undefined : guard?.agreed.get(key);
  if (forSession && forSession.hash === content.hash && rules.every((rule) => forSession.rules.includes(rule)))
    return { answer: "session" };
  const kept: Kept = isEachTime ? { kind: "none" } : keptApproval(subject, host);
  if (kept.kind === "kept" && counts(kept, { subject, content, rules })) return { answer: "kept" };
  const folder = isReadHere(session, frontEnd, isQuestion) ? undefined : cwd;
  const given: PolicyQuestion = {
    frontEnd,
    cwd,
    project: subject.project,
    content: content.hash,
    files: content.files,
    rest: content.rest,
    scope: isEachTime ? "call" : subject.arguments === undefined ? "tool" : "arguments",
    ...(subject.arguments === undefined || runsItsArguments(tool) ? {} : { deciding: Object.keys(subject.arguments) }),
    changes: changesOf(kept, content, rules),
    ...(isEachTime ? {} : { allowWith: allowLine(subject, prepared, folder) }),
  };
  const more = session.approver.changes?.(prepared, { ...verdict, question: given }) ?? [];
  const question = { ...given, changes: [...given.changes, ...more] };
  const asking: Verdict = { ...verdict, question };
  if (isQuestion) return denied(prepared, asking);
  const unaskable = unshownText(prepared, cwd) ?? session.approver.unaskable?.(prepared, asking);
  const deniedFor = (...changes: readonly string[]): { readonly failure: Failure } =>
    denied(prepared, { ...asking, question: { ...question, changes } });
  if (unaskable !== undefined) return deniedFor(...question.changes, unaskable);
  const edits = session.approver.showsEdits ? await editsOf(prepared, session) : [];
  const approval = await session.approver.ask(prepared, { ...asking, question: { ...question, edits } });
  if (signal?.aborted) return { failure: { kind: "cancelled" } };
  if (!isYes(approval)) return denied(prepared, asking, approval);
  // What runs has to be what was shown: a script may be another one by now.
  if (contentOf(prepared, session).hash !== content.hash) {
    return deniedFor("it changed while the question was open; call again");
  }
  if (isEachTime) return { answer: "once" };
  await keep(approval, { subject, key, content, rules }, session);
  return { answer: approval };
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Returns what a call of `edit_file` would change, as a diff, or why it would not. Undefined: it would be refused. */
    editPreview: (args: JsonObject, context: Pick<Session, "host" | "cwd">) => Promise<string | undefined>;
  }
}

/** Returns what edits of files would change, as these are now. A secret must not be shown. */
async function editsOf(prepared: PreparedCall, { host, cwd }: Session): Promise<readonly string[]> {
  if (hasSecrets(prepared.tool.parameters)) return [];
  const edits = (callViews(prepared, cwd) ?? []).filter(({ name }) => name === "edit_file");
  if (edits.length === 0) return [];
  const editPreview = await loadPart("editPreview");
  const shown = await Promise.all(edits.map((view) => editPreview?.(view.arguments, { host, cwd })));
  return shown.filter((one) => one !== undefined);
}

function denied(
  { call }: PreparedCall,
  verdict: Verdict,
  answer: "denied" | Refusal = "denied",
): { readonly failure: Failure } {
  const said = typeof answer === "object" ? { said: answer.refused } : {};
  return { failure: { kind: "denied", tool: call.tool, verdict, ...said } };
}

interface Asked {
  readonly subject: Subject;
  readonly content: ToolContent;
  readonly rules: readonly string[];
}

function counts({ approval }: Kept & { readonly kind: "kept" }, { subject, content, rules }: Asked): boolean {
  return (
    approval.tool === subject.tool &&
    approval.frontEnd === subject.frontEnd &&
    approval.hash === content.hash &&
    rules.every((rule) => approval.rules.includes(rule))
  );
}

function changesOf(kept: Kept, content: ToolContent, rules: readonly string[]): readonly string[] {
  switch (kept.kind) {
    case "none":
      return [];
    case "unusable":
      return [kept.reason];
    case "kept": {
      const { approval } = kept;
      const changes = changesSince(approval.parts, content.parts);
      const more = rules.every((rule) => approval.rules.includes(rule)) ? [] : ["a new rule asks"];
      return [`since it was allowed on ${approval.agreedAt.slice(0, 10)}: ${[...changes, ...more].join(", ")}`];
    }
  }
}

async function keep(
  approval: Exclude<Approval, "denied">,
  { key, ...asked }: Asked & { readonly key: string },
  { guard, host }: Session,
): Promise<void> {
  if (approval === "once" || !guard) return;
  const forSession = (): unknown => guard.agreed.set(key, { hash: asked.content.hash, rules: asked.rules });
  if (approval === "session") return void forSession();
  try {
    await keepApproval(asked.subject, asked, host);
  } catch (error) {
    forSession();
    guard.warn(
      `warning[policy]: the approval lasts only until the session ends, because it could not be saved (${codeOf(error) ?? "error"})\n`,
    );
  }
}

/**
 * Whether the reader of the message is at this terminal. Clients and harnesses pass it on to a person elsewhere;
 * `explain` and the loop of `agent` have a terminal.
 */
function isReadHere({ cwd, readerFolder }: Session, frontEnd: Caller, isQuestion: boolean | undefined): boolean {
  return readerFolder === cwd && (isQuestion === true || frontEnd === "person" || frontEnd === "agent");
}

/**
 * Returns what a person types to allow the same call, in `folder` if that is another one. Secrets are not shown; calls
 * with secrets are agreed to when asked.
 */
function allowLine(subject: Subject, { tool, arguments: args }: PreparedCall, folder: string | undefined): string {
  const { origin } = tool.definition;
  const at = folder === undefined ? "" : `--cwd ${quoteWord(folder)} `;
  const path = origin.kind === "file" && origin.scope === "given" ? origin.source.path : undefined;
  const own = path === undefined ? undefined : dirname(folder === undefined ? path : resolve(folder, path));
  // A folder below a tool folder names the owner.
  const given = own !== undefined && tool.definition.name.value.includes("/") ? dirname(own) : own;
  const tools = given === undefined ? "" : `--tools ${quoteWord(given)} `;
  const line = `dottool ${at}${tools}allow ${subject.tool} --for ${subject.frontEnd}`;
  if (subject.arguments === undefined) return line;
  const named = runsItsArguments(tool) ? args : decidingAmong(Object.keys(subject.arguments), args);
  return `${line} --arguments ${hasSecrets(tool.parameters) ? "'{…}'" : singleQuoted(visibleJson(named))}`;
}

/** How a call that needed approval was decided. */
export type Answer = "once" | "session" | "always" | "kept" | "covered";

export interface PermitOptions {
  /** Absent: nobody cancels. To load Node's signals takes half a millisecond. */
  readonly signal?: AbortSignal;
  readonly covered?: Coverage | undefined;
  /** Set for `explain`, which asks nobody and counts nothing. */
  readonly isQuestion?: true;
  /** Set for a part of a call that has been counted. */
  readonly isPart?: true;
  readonly moment?: Moment | undefined;
}

/** What calls within a permitted call need not ask for again. */
export interface Coverage {
  /** The names of its known dependencies. These may call other tools, which are asked about. */
  readonly names: ReadonlySet<string>;
  /** The fingerprints of the rules that asked and were answered. */
  readonly rules: ReadonlySet<string>;
  /** Texts of commands that were examined for the files that they name. */
  readonly words: ReadonlySet<string>;
}

/** What the judgements of calls share that came at the same time: see features/mcp-server/moment.ts. */
export interface Moment {
  current(): Promise<LoadedPolicy | undefined>;
  places(): GuardedPlaces;
}
