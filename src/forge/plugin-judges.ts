// Judges that are functions of plugins. They are other people's code in this process: each gets a copy of the request,
// and a limited time, and what it throws or cannot be read is no verdict.
import type { ForgeJudgeRequest, ForgeJudgeSpec } from "../plugins/forge-judge.ts";
import { plainValue } from "../run/check-result.ts";
import type { Session } from "../run/session.ts";
import { isJsonObject, type Json } from "../schema/json.ts";
import { thrownError } from "../tool/thrown-error.ts";
import { inferObject, inferSchema } from "./infer-schema.ts";
import { noVerdict, type Opinion, opinionIn } from "./opinion.ts";
import type { Judged } from "./second-judges.ts";

const JUDGE_MS_MAX = 5_000;
const THROWN_CHARACTERS_MAX = 300;

/** Throws `Refused`. */
export async function pluginOpinion(
  { name, judge }: ForgeJudgeSpec,
  judged: Judged,
  { session, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<Opinion> {
  const asked = structuredClone(requestFor(judged));
  let answer: Json;
  try {
    answer = plainValue(await inTime((own) => judge(asked, { signal: own }), { session, signal }));
  } catch (thrown) {
    const [line = ""] = thrownError(thrown).message.split("\n");
    throw noVerdict(name, line.slice(0, THROWN_CHARACTERS_MAX).toWellFormed());
  }
  if (!isJsonObject(answer)) throw noVerdict(name);
  return opinionIn(name, answer, []);
}

function requestFor({ request, tool, text, cases, verdict }: Judged): ForgeJudgeRequest {
  const { name, description, implementation, testCases } = request;
  const expected = testCases.flatMap(({ expectedOutput }) => (expectedOutput === undefined ? [] : [expectedOutput]));
  return {
    name,
    description,
    inputSchema: request.inputSchema ?? inferObject(testCases.map(({ input }) => input)),
    outputSchema: request.outputSchema ?? inferSchema(expected),
    implementation,
    effects: tool.effects,
    tests: testCases.map((one, index) => {
      const { output, passed = false } = cases[index] ?? {};
      return { ...one, ...(output === undefined ? {} : { output }), passed };
    }),
    definition: text,
    confidence: verdict.confidence,
  };
}

async function inTime(
  work: (signal: AbortSignal) => unknown,
  { session: { host }, signal }: { readonly session: Session; readonly signal: AbortSignal },
): Promise<unknown> {
  const done = new AbortController();
  const late = new AbortController();
  const over = host.sleep(JUDGE_MS_MAX, AbortSignal.any([signal, done.signal])).then(() => {
    if (done.signal.aborted) return;
    late.abort();
    throw new Error(signal.aborted ? "the call was cancelled" : `it did not answer within ${JUDGE_MS_MAX / 1000} s`);
  });
  try {
    return await Promise.race([work(AbortSignal.any([signal, late.signal])), over]);
  } finally {
    done.abort();
  }
}
