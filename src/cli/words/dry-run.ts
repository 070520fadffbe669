// `--dry-run` of a tool that is not made of steps.
import type { Parameter } from "../../core/schema/parameter.ts";
import { findParameter, nearParameter, rawParameter } from "../../core/run/find-parameter.ts";
import type { CallForm } from "./tool-words.ts";

/**
 * Returns the words without `--dry-run`; undefined if it is not among them, or belongs to the tool. A tool of steps reads
 * it with its other options.
 */
export function withoutDryRun(
  words: readonly string[],
  parameters: readonly Parameter[],
  form: CallForm,
): readonly string[] | undefined {
  const at = words.indexOf("--dry-run");
  const end = words.indexOf("--");
  if (at === -1 || (end !== -1 && end < at) || (form === "short" && rawParameter(parameters, words))) return undefined;
  if (findParameter("dry-run", parameters) ?? nearParameter("dry-run", parameters)) return undefined;
  const before = words[at - 1] ?? "";
  const option = before.startsWith("--") ? findParameter(before.slice(2), parameters) : undefined;
  return option && option.schema.type !== "boolean" ? undefined : words.toSpliced(at, 1);
}
