// Logs a call when it has ended.
import { version } from "../../generated/version.ts";
import type { AuditEntry } from "../policy/audit-log.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import { MASK } from "../schema/describe.ts";
import type { Outcome, ToolCall } from "../tool/call.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import type { Ruling } from "./permit.ts";
import type { Session } from "./session.ts";

interface EndedCall {
  /** The call without its secrets. */
  readonly call: ToolCall;
  /** Absent if the call could not run. */
  readonly ruled: { readonly ruling: Ruling; readonly prepared: PreparedCall } | undefined;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly parent: { readonly path: readonly string[]; readonly masked?: ((text: string) => string) | undefined };
}

export async function logCall(
  { call, ruled, outcome, durationMs, parent }: EndedCall,
  session: Session,
): Promise<void> {
  const { guard, frontEnd = "person" } = session;
  if (!guard) return;
  const audits = ruled?.ruling.auditsPersons;
  if (frontEnd === "person" && !(audits ?? (await guard.current()).auditsPersons)) return;
  guard.audit.write({
    ...entryOf({ call, ruled, parent }, session),
    status: outcome.status,
    ...(outcome.status === "failed" ? { failure: outcome.failure.kind } : {}),
    ms: durationMs,
  });
}

function entryOf({ call, ruled, parent }: Pick<EndedCall, "call" | "ruled" | "parent">, session: Session): AuditEntry {
  const { host, cwd, frontEnd = "person" } = session;
  const tool = ruled?.prepared.tool;
  const { ruling } = ruled ?? {};
  return {
    time: host.timestamp(),
    front_end: frontEnd,
    user: host.environment("USER") ?? host.environment("USERNAME") ?? "",
    pid: host.shared.processId,
    id: call.id,
    tool: call.tool,
    ...(tool ? { content: contentSum(tool) } : {}),
    ...(parent.path.length === 0 ? {} : { within: parent.path }),
    cwd,
    arguments: argumentsOf(call, { tool: tool ?? session.registry.find(call.tool), masked: parent.masked }),
    ...(ruling ? { decision: ruling.verdict.decision, rules: ruling.verdict.matched.map(({ name }) => name) } : {}),
    ...(ruling?.answer ? { answer: ruling.answer } : {}),
  };
}

/** An argument without a parameter may be anything, even a misnamed secret. */
function argumentsOf(
  { arguments: args }: ToolCall,
  { tool, masked }: { readonly tool: Tool | undefined; readonly masked: EndedCall["parent"]["masked"] },
): JsonObject {
  if (!isJsonObject(args)) return {};
  const known = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      tool?.parameters.some((parameter) => parameter.name === name) ? value : MASK,
    ]),
  );
  if (!masked) return known as JsonObject;
  try {
    return JSON.parse(masked(JSON.stringify(known))) as JsonObject;
  } catch {
    return Object.fromEntries(Object.keys(args).map((name) => [name, MASK]));
  }
}

const sums = new WeakMap<Tool, Json>();

/**
 * Distinguishes definitions without cryptography, which takes 4 ms to load. Approvals are bound to a hash: see
 * ../policy/content.ts.
 */
function contentSum(tool: Tool): Json {
  const known = sums.get(tool);
  if (known !== undefined) return known;
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  const visit = (each: Tool): void => {
    const { definition } = each;
    // For what comes with dottool, the version is enough; hashing it takes 1 ms.
    const { origin } = definition;
    const isOwn = origin.kind === "base" || (origin.kind === "file" && origin.scope === "builtin");
    const text = isOwn
      ? `${definition.name.value} ${version}`
      : JSON.stringify(definition, (key, value: unknown) => (key === "span" || key === "source" ? undefined : value));
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      one = Math.imul(one ^ unit, 2654435761);
      other = Math.imul(other ^ unit, 1597334677);
    }
    for (const below of each.underlying ?? []) visit(below);
  };
  visit(tool);
  const sum = [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
  sums.set(tool, sum);
  return sum;
}

interface JudgedCall {
  readonly prepared: PreparedCall;
  readonly ruling: Ruling;
  readonly client: string;
  /** What the client was told, and why. */
  readonly status: string;
  readonly reason: string;
  readonly durationMs: number;
}

export function logJudged(
  { prepared, ruling, client, status, reason, durationMs }: JudgedCall,
  session: Session,
): void {
  const ended = { call: prepared.call, ruled: { ruling, prepared }, parent: { path: [] } };
  session.guard?.audit.write({
    ...entryOf(ended, session),
    client,
    status,
    ...(reason === "" ? {} : { reason }),
    ms: Math.round(durationMs * 1000) / 1000,
  });
}
