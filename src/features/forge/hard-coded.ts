// Finds tools that only know the answers of their tests. The code runs on inputs that no test has: what computes gives
// answers that differ there, and so does a table that knows more than the tests. It is not refused, because a short
// table may be all that is wanted: it only has less confidence.
import type { JsonObject } from "../../core/schema/json.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { holds, isClosed, mutated, otherLiterals, withLiterals } from "./other-inputs.ts";
import type { TestCase } from "./request.ts";

/** A tool with so little confidence never becomes one of every session by its first uses. */
export const HARD_CODED_CONFIDENCE_MAX = 0.4;
/** The fewest other inputs whose answers are judged. */
const PROBES_MIN = 3;
const PROBES_MAX = 4;
/** Inputs that the tool does not accept are no probes. */
const TRIES_MAX = 12;
const LITERAL_TRIES_MAX = 12;

/**
 * The result of one run as JSON; `failed` if it threw. `refused`: the tool does not take the input. `limit`: it met a
 * limit, which says nothing of its answer and takes long.
 */
export type Answer = { readonly kind: "answer"; readonly text: string } | { readonly kind: "refused" | "limit" };

export const FAILED = "failed";

type Ask = (input: JsonObject) => Promise<Answer>;

/** Returns why the tool may only know its tests, as a part of a sentence; undefined if nothing speaks for it. */
export async function hardCodedReason(tool: Tool, cases: readonly TestCase[], ask: Ask): Promise<string | undefined> {
  const { definition, parameters } = tool;
  // What reaches out of the sandbox is not run with inputs that nobody asked for.
  if (definition.kind !== "code" || definition.allows?.some((one) => one.function !== "crypto")) return undefined;
  const expected = cases.filter(({ expectedOutput }) => expectedOutput !== undefined);
  const inputs = new Set(expected.map(({ input }) => JSON.stringify(input)));
  const answers = new Set(expected.map(({ expectedOutput }) => JSON.stringify(expectedOutput)));
  if (inputs.size < 2 || parameters.every(({ schema }) => isClosed(schema))) return undefined;
  const code = definition.code.value;
  const others = otherLiterals(code, expected);
  const isListed = expected.every(
    ({ input, expectedOutput = null }) => holds(code, input) && holds(code, expectedOutput),
  );
  if (isListed && others.length === 0 && answers.size > 1)
    return "its code has the inputs and the answers of its tests, and nothing else";
  const probes = await probed(mutated(expected, parameters, TRIES_MAX), inputs, ask);
  if (!probes) return undefined;
  const { answer, count } = probes;
  if (answers.size === 1)
    return answers.has(answer) ? `its tests and ${count} other inputs have one and the same answer` : undefined;
  // `true` or `false` for all of them is nothing strange, unless the code names the inputs of the tests.
  const areWords = [...answers].every((one) => /^(?:true|false|null)$/.test(one));
  if (areWords && !expected.every(({ input }) => holds(code, input))) return undefined;
  for (const input of withLiterals(expected, { others, parameters, most: LITERAL_TRIES_MAX })) {
    const own = await ask(input);
    if (own.kind === "limit" || (own.kind === "answer" && own.text !== answer)) return undefined;
  }
  return answer === FAILED
    ? `it fails for ${count} other inputs`
    : `it has one and the same answer for ${count} other inputs`;
}

/** Returns the one answer of all probes; undefined if answers differ, or too few inputs are accepted. */
async function probed(
  candidates: readonly JsonObject[],
  inputs: ReadonlySet<string>,
  ask: Ask,
): Promise<{ readonly answer: string; readonly count: number } | undefined> {
  const answers = new Set<string>();
  const tried = new Set(inputs);
  let count = 0;
  for (const input of candidates) {
    if (count === PROBES_MAX) break;
    const text = JSON.stringify(input);
    if (tried.has(text)) continue;
    tried.add(text);
    const answer = await ask(input);
    if (answer.kind === "limit") return undefined;
    if (answer.kind !== "answer") continue;
    count++;
    answers.add(answer.text);
    if (answers.size > 1) return undefined;
  }
  const [answer] = answers;
  return answer === undefined || count < PROBES_MIN ? undefined : { answer, count };
}
