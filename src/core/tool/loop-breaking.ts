// Which tools end an agent's turn: those that declare it in TypeScript, and aliases and wraps of them.
import type { Tool } from "./tool.ts";

/** Returns the tool in TypeScript that ends the turn; undefined if the turn goes on after a call. */
export function loopBreakerOf({ definition, underlying }: Tool): Tool["definition"] | undefined {
  if (definition.kind === "base") return definition.isLoopBreaking ? definition : undefined;
  const [base] = underlying ?? [];
  return base && (definition.kind === "alias" || definition.kind === "wrapped") ? loopBreakerOf(base) : undefined;
}
