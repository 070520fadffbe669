// Whether a call may run. From mild to strict; where several rules match, the strictest wins.
import type { PreparedCall } from "./call.ts";

export type Decision = "allow" | "ask" | "deny";

/** Who calls: a person who types a tool's name, a program that embeds dottool, or a model through one of the ways in. */
export type FrontEnd = (typeof frontEnds)[number];
export const frontEnds = ["person", "program", "mcp", "exec", "agent"] as const;

export interface PolicyRule {
  readonly name: string;
  readonly decision: Decision;
  /** Shown when asking or refusing; a `deny` names the alternative. */
  readonly reason: string;
  matches(call: PreparedCall, frontEnd: FrontEnd): boolean;
}

export interface Verdict {
  readonly decision: Decision;
  readonly matched: readonly { readonly name: string; readonly decision: Decision; readonly reason: string }[];
}

/** How long a yes counts: for this call, for all calls of the tool in this session, or for as long as the content of the tool stays what it is. */
export type Approval = "once" | "session" | "always" | "denied";

export interface Approver {
  ask(call: PreparedCall, verdict: Verdict): Promise<Approval>;
}
