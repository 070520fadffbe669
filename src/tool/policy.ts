// Whether a call may run. From mild to strict; where several rules match, the strictest wins.
import type { PreparedCall } from "./call.ts";

export type Decision = "allow" | "ask" | "deny";

export interface PolicyRule {
  readonly name: string;
  readonly decision: Decision;
  /** Shown when asking or refusing; a `deny` names the alternative. */
  readonly reason: string;
  matches(call: PreparedCall): boolean;
}

export interface Verdict {
  readonly decision: Decision;
  readonly matched: readonly { readonly name: string; readonly decision: Decision; readonly reason: string }[];
}

export interface Approver {
  ask(call: PreparedCall, verdict: Verdict): Promise<boolean>;
}
