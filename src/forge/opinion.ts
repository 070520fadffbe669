// What a judge beside the first says, read from its answer.
import type { JsonObject } from "../schema/json.ts";
import { rounded } from "./judge.ts";
import { Refused } from "./refusal.ts";

/** How the verdict calls the user's model. */
export const MODEL = "model";
const REASONING_CHARACTERS_MAX = 1_000;

export interface Opinion {
  readonly confidence: number;
  readonly safety: number;
  readonly reasoning: string;
}

/** Throws `Refused` if the judge says no, or nothing that can be read. */
export function opinionIn(judge: string, answer: JsonObject, scores: readonly string[]): Opinion {
  const { approved, reasoning = approved === true ? "approves" : "", confidence = 1 } = answer;
  const given = [confidence, ...scores.map((name) => answer[name])];
  const isRead =
    typeof approved === "boolean" &&
    typeof reasoning === "string" &&
    (approved || reasoning.trim() !== "") &&
    given.every((score) => typeof score === "number" && score >= 0 && score <= 1);
  if (!isRead) throw noVerdict(judge);
  const why = reasoning.replaceAll(/\s+/g, " ").slice(0, REASONING_CHARACTERS_MAX).toWellFormed();
  if (!approved)
    throw new Refused("unsafe", `the judge \`${judge}\` does not approve it: ${why}`, ["change what it objects to"]);
  const [most = 1, ...numbers] = given.map(Number);
  const mean = numbers.length === 0 ? 1 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return { confidence: rounded(Math.min(most, mean)), safety: rounded(numbers[0] ?? 1), reasoning: why };
}

/** `why` is a fact, if there is another than its answer. */
export function noVerdict(judge: string, why = "its answer is not a verdict"): Refused {
  return new Refused("judge_failed", `the judge \`${judge}\` gave no verdict: ${why}`, [
    judge === MODEL
      ? "try again; a person checks the model with `dottool doctor`"
      : "a person repairs it: it returns {approved: true}, or {approved: false, reasoning}",
  ]);
}
