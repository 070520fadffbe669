// The description of a piece of work in a trace: its name, its start and its end. It never holds arguments, output or
// messages, which may hold secrets.
import type { Outcome } from "./call.ts";

export type TracedWork =
  | { readonly kind: "call"; readonly name: string }
  /** `tool` is the tool, program or shell that it runs in the end. */
  | { readonly kind: "step" | "cleanup"; readonly name: string; readonly tool: string }
  /** An item of a step that runs once for each item; counts from 0. */
  | { readonly kind: "item"; readonly index: number }
  /** Counted from 1. */
  | { readonly kind: "attempt"; readonly number: number }
  | { readonly kind: "fallback" };

export interface TraceSpan {
  begin(work: TracedWork): TraceSpan;
  /** Once. */
  end(how: Outcome | "skipped"): void;
}
