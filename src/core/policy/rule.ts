// A rule of a `config.yaml`, read and checked.
import type { Effect } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { Decision, Caller } from "../tool/policy.ts";
import type { Rate } from "../tool/rate.ts";
import type { CommandPattern } from "./command-pattern.ts";
import type { TextPattern } from "./text-pattern.ts";

export interface ConfiguredRule {
  /** `/home/ana/.config/dottool/config.yaml:3:5`. */
  readonly place: string;
  /** Absent: the rule only has a rate. */
  readonly decision?: Decision;
  /** One must match. Empty: every tool. */
  readonly tools: readonly TextPattern[];
  /** One must match. Empty: any effects. */
  readonly effects: readonly RuleEffect[];
  /** One must match. Empty: any command. */
  readonly commands: readonly CommandPattern[];
  /** All must match. */
  readonly arguments: readonly ArgumentPattern[];
  /** Set if it is only about calls that write outside of the project. */
  readonly isOutside?: true;
  /** One must match. Empty: all. */
  readonly frontEnds: readonly Caller[];
  /** Set if the command that it allows runs in the sandbox `strict`. */
  readonly isSandboxed?: true;
  readonly reason: string;
  readonly rate?: Rate;
  /** The rule as text: an approval of it covers only this text. */
  readonly fingerprint: string;
}

/** Where the calls are made that rules are matched with. */
export interface MatchContext {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** What expressions have taken so far, in all rules of a decision. */
  readonly spent?: { ms: number };
}

export type RuleEffect = Effect | "unknown";

export interface ArgumentPattern {
  readonly name: string;
  /** One must match. */
  readonly values: readonly ValuePattern[];
}

export type ValuePattern =
  | { readonly kind: "text"; readonly pattern: TextPattern }
  /** The expression must match the whole value. */
  | { readonly kind: "expression"; readonly source: string };
