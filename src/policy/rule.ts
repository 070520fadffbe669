// A rule of a `config.yaml`, read and checked.
import type { Effect } from "../tool/definition.ts";
import type { Decision, FrontEnd } from "../tool/policy.ts";
import type { Rate } from "../tool/rate.ts";
import type { CommandPattern } from "./command-pattern.ts";
import type { TextPattern } from "./text-pattern.ts";

export interface ConfiguredRule {
  /** `/home/ana/.config/dottool/config.yaml:3:5`. */
  readonly place: string;
  /** Absent: it only says how often. */
  readonly decision?: Decision;
  /** Any of them. Empty: every tool. */
  readonly tools: readonly TextPattern[];
  /** Any of them. Empty: whatever it may do. */
  readonly effects: readonly RuleEffect[];
  /** Any of them. Empty: whatever it runs. */
  readonly commands: readonly CommandPattern[];
  /** All of them. */
  readonly arguments: readonly ArgumentPattern[];
  /** Any of them. Empty: all. */
  readonly frontEnds: readonly FrontEnd[];
  readonly reason: string;
  readonly rate?: Rate;
  /** What is written, as text: who has agreed to it has agreed to this alone. */
  readonly fingerprint: string;
}

export type RuleEffect = Effect | "unknown";

export interface ArgumentPattern {
  readonly name: string;
  /** Any of them. */
  readonly values: readonly ValuePattern[];
}

export type ValuePattern =
  | { readonly kind: "text"; readonly pattern: TextPattern }
  /** For the whole value. */
  | { readonly kind: "expression"; readonly source: string };
