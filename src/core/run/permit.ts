// The second half of the gate's decision: what configured rules say, what has been approved, and whether it is too
// often. A call without rules or approvals costs two file lookups; everything else loads when it is needed.
import type { Coverage } from "./ask-for-call.ts";
import type { Answer, PermitOptions } from "./ask-for-call.ts";
import type { ToolCall } from "../tool/call.ts";
import type { Failure } from "../tool/failure.ts";
import { type Caller, CONFIRM_RULE, type Verdict } from "../tool/policy.ts";
import type { Match } from "../policy/policy.ts";
import type { LoadedPolicy } from "../policy/policy-config.ts";
import type { GuardedFiles } from "../policy/guarded-files.ts";
import type { PlaceOptions } from "../policy/guarded-places.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import { judgeCall } from "./judge.ts";
import type { GuardedReading, PreparedCall, Tool } from "../tool/tool.ts";
import type { Session } from "./session.ts";

export interface Ruling {
  /** Absent if the decision is not known, because nothing could be read. */
  readonly verdict: Verdict;
  readonly answer?: Answer;
  readonly failure?: Failure;
  /** The coverage of the calls below it. */
  readonly covered?: Coverage;
  /** Whether the settings that it was decided by want calls of persons logged; absent if it was decided without any. */
  readonly auditsPersons?: boolean;
}

export async function permit(prepared: PreparedCall, session: Session, options: PermitOptions): Promise<Ruling> {
  const config = await (options.moment ?? session.guard)?.current();
  const ruling = await permitUnder(config, prepared, { ...options, session });
  return config ? { ...ruling, auditsPersons: config.auditsPersons } : ruling;
}

async function permitUnder(
  config: LoadedPolicy | undefined,
  prepared: PreparedCall,
  { session, ...options }: PermitOptions & { readonly session: Session },
): Promise<Ruling> {
  const { call, tool } = prepared;
  const frontEnd = session.frontEnd ?? "person";
  const matches = matchesOf(prepared, { config, session, frontEnd });
  const guarded = await guardedBy(prepared, session, options);
  const verdict = judgeCall(
    prepared,
    [
      ...(await programRules(prepared, session, frontEnd)),
      ...(guarded?.rules ?? []),
      ...confirmations(prepared.tool, session),
      ...matches.map((match) => ({ ...match, matches: () => true })),
    ],
    frontEnd,
  );
  if (verdict.decision === "deny") return { verdict, failure: { kind: "denied", tool: call.tool, verdict } };
  const asking = verdict.decision === "ask" ? askingRules(matches, verdict) : [];
  let answer: Answer | undefined;
  if (verdict.decision === "ask") {
    if (options.covered?.names.has(call.tool) && asking.every((rule) => options.covered?.rules.has(rule)))
      answer = "covered";
    else {
      const asked = await (await import("./ask-for-call.ts")).askForCall(prepared, verdict, {
        session,
        frontEnd,
        rules: asking,
        ...options,
      });
      if ("failure" in asked) return { verdict, failure: asked.failure };
      answer = asked.answer;
    }
  }
  const failure =
    options.isQuestion || options.isPart ? undefined : await tooOften(prepared, { session, frontEnd, config });
  return {
    verdict,
    ...(answer ? { answer } : {}),
    ...(failure ? { failure } : {}),
    ...(frontEnd === "person" && asking.length === 0 && !config?.policy
      ? {}
      : { covered: await coverageOf(tool, { rules: asking, words: guarded?.words }, options.covered) }),
  };
}

/** Returns what the authors of a tool and of those below it ask before each call; a program asks its user itself. */
function confirmations({ definition, underlying = [] }: Tool, session: Session): readonly PolicyRule[] {
  const { confirm, name } = definition;
  const own: PolicyRule = {
    name: `${CONFIRM_RULE} \`${name.value}\``,
    decision: "ask",
    asksEachTime: true,
    reason: confirm ?? "",
    matches: (_call, caller) => (caller === "person" ? !session.isConfirmed : caller !== "program"),
  };
  return [...(confirm === undefined ? [] : [own]), ...underlying.flatMap((below) => confirmations(below, session))];
}

/**
 * Returns the rules of the program. In workers and over MCP trust answers for a definition, there unless the user's
 * settings say `mcp: {approval: ask}`. No rule answers for files of a project that a tool of the user runs; an approval is bound to them.
 */
async function programRules(
  prepared: PreparedCall,
  session: Session,
  frontEnd: Caller,
): Promise<readonly PolicyRule[]> {
  const { origin } = prepared.tool.definition;
  const isDefined = origin.kind === "plugin" || (origin.kind === "file" && origin.scope !== "builtin");
  if (frontEnd === "person" || frontEnd === "program" || !isDefined) return session.policy;
  const { runsForeignFiles, trustedDefinitions } = await import("../policy/trusted-calls.ts");
  if (runsForeignFiles(prepared, session)) return session.policy.filter(({ decision }) => decision !== "allow");
  // Settings that cannot be read, which `doctor` reports, may say that everything is asked about.
  const approval = frontEnd === "mcp" ? await session.setting("mcp.approval").catch(() => "ask") : undefined;
  const isTrusted = frontEnd === "worker" || (frontEnd === "mcp" && (approval ?? "trusted") === "trusted");
  return isTrusted ? [...session.policy, trustedDefinitions(session)] : session.policy;
}

/** Whether files are guarded for this call: a person who types a path has approved it, but a model has not. */
export function guardsFiles({ guard, frontEnd = "person" }: Session): boolean {
  return guard !== undefined && frontEnd !== "person" && frontEnd !== "program";
}

async function guardedBy(
  prepared: PreparedCall,
  session: Session,
  { covered, moment }: PermitOptions,
): Promise<GuardedFiles | undefined> {
  if (!guardsFiles(session)) return undefined;
  const { guardedFiles } = await import("../policy/guarded-files.ts");
  return guardedFiles(prepared, { ...placeOptions(session), judged: covered?.words, places: moment?.places });
}

/** `folder` is absolute. */
export async function guardedFilesBelow(
  folder: string,
  reads: GuardedReading,
  session: Session,
): Promise<((path: string) => boolean) | undefined> {
  return (await import("../policy/guarded-places.ts")).guardedBelow(folder, reads, placeOptions(session));
}

export function placeOptions({ guard, host, cwd }: Session): PlaceOptions {
  return { host, cwd, toolFolders: guard?.toolFolders() ?? [] };
}

interface Looking {
  readonly config: LoadedPolicy | undefined;
  readonly session: Session;
  readonly frontEnd: Caller;
}

/** Returns the matching rules. Unreadable rules could deny anything, so everything is denied. */
export function matchesOf(prepared: PreparedCall, { config, session, frontEnd }: Looking): readonly Match[] {
  const problem = config?.problems[0];
  if (config && problem !== undefined) {
    const more =
      config.problems.length === 1 ? "" : `, and ${config.problems.length - 1} more; \`dottool doctor\` shows them`;
    return [
      {
        name: "config.yaml",
        decision: "deny",
        reason: `the rules cannot be used, so nothing runs: ${problem}${more}`,
        fingerprint: "",
      },
    ];
  }
  return config?.policy?.matches(prepared, frontEnd, session) ?? [];
}

/** Returns the denials of a session that has a policy of its own, such as a test. They stay in force. */
export async function denialsOf(session: Session): Promise<readonly PolicyRule[]> {
  const config = await session.guard?.current();
  if (!config?.policy && (config?.problems ?? []).length === 0) return [];
  const isDenied = (call: PreparedCall, frontEnd: Caller): boolean =>
    matchesOf(call, { config, session, frontEnd }).some(({ decision }) => decision === "deny");
  return [
    {
      name: "config.yaml",
      decision: "deny",
      reason: "a rule denies it; `dottool explain` shows which",
      matches: isDenied,
    },
  ];
}

/**
 * Returns the fingerprints of rules in files, and the names of those in code. An answer for one file does not count for
 * another.
 */
function askingRules(matches: readonly Match[], { matched }: Verdict): readonly string[] {
  const places = new Map(matches.map(({ name, fingerprint }) => [name, fingerprint]));
  return matched.flatMap(({ name, decision, reason, asksEachTime }) =>
    decision === "ask" ? [places.get(name) ?? (asksEachTime ? `${name}: ${reason}` : name)] : [],
  );
}

async function tooOften(prepared: PreparedCall, { session, frontEnd, config }: Looking): Promise<Failure | undefined> {
  const { definition } = prepared.tool;
  const rules = config?.policy?.rates(prepared, frontEnd, session) ?? [];
  if (!session.guard || (definition.limits.rate === undefined && rules.length === 0)) return undefined;
  return (await import("./rate-of-calls.ts")).rateFailure(prepared, rules, session);
}

async function coverageOf(
  tool: PreparedCall["tool"],
  { rules, words = [] }: { readonly rules: readonly string[]; readonly words: Iterable<string> | undefined },
  parent: Coverage | undefined,
): Promise<Coverage> {
  const { namesBelow } = await import("../policy/call-views.ts");
  return {
    names: namesBelow(tool),
    rules: new Set([...rules, ...(parent?.rules ?? [])]),
    words: new Set([...words, ...(parent?.words ?? [])]),
  };
}

/** Permits a call of a base tool whose work a tool does itself, as a step does that of `run_command`. */
export async function permitOwn(
  call: ToolCall,
  session: Session,
  options: PermitOptions,
): Promise<Failure | undefined> {
  const { runCommand } = await import("../base/run-command.ts");
  const config = await session.guard?.current();
  const isCommand = call.tool === runCommand.definition.name.value;
  const tool = isCommand ? runCommand : await session.registry.resolve(call.tool);
  if (!tool) throw new Error(`there is no base tool ${call.tool}`);
  const args =
    typeof call.arguments === "object" && call.arguments !== null && !Array.isArray(call.arguments)
      ? (call.arguments as PreparedCall["arguments"])
      : {};
  const prepared: PreparedCall = { call, tool, arguments: args };
  const hasNoRules =
    !config?.policy && config?.problems.length === 0 && session.policy.every(({ decision }) => decision === "allow");
  if (hasNoRules && ((await guardedBy(prepared, session, options))?.rules ?? []).length === 0) return undefined;
  return (await permit(prepared, session, { ...options, isPart: true })).failure;
}
