// `dottool forge test`: the test cases of a tool run again, for the person who asks.
import { type ForgePlace, tellUnlogged } from "../forge-place.ts";
import type { Verdict } from "../judge.ts";
import { type ForgedRecord, noUses } from "../record.ts";
import { Refused } from "../refusal.ts";
import { storeTested } from "../registry.ts";
import { retest, type Retested } from "../try-cases.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";

export async function testTool(record: ForgedRecord, place: ForgePlace): Promise<number> {
  const retested = await retestHere(record.text, place);
  print(record.id, retested, place);
  const isGood = "verdict" in retested && retested.verdict.approved;
  const { why: _why, ...rest } = record;
  const next: ForgedRecord =
    "verdict" in retested && isGood
      ? {
          ...rest,
          state: "active",
          verdict: stricter(record.verdict, retested.verdict),
          effects: retested.tool.effects,
          uses: noUses,
        }
      : { ...rest, state: "quarantined", why: "its test cases fail" };
  return (await store(next, place)) && isGood ? exitCodes.done : exitCodes.failed;
}

/** The judges are not asked again, so what they took from the confidence stays taken. */
function stricter(before: Verdict, after: Verdict): Verdict {
  return {
    ...before,
    confidence: Math.min(before.confidence, after.confidence),
    safety: Math.min(before.safety, after.safety),
  };
}

function retestHere(text: string, { opened, context }: ForgePlace): Promise<Retested> {
  return retest(text, {
    session: opened.session,
    signal: context.terminal.signal,
    build: (definition) => opened.build(definition),
  });
}

/** Returns whether it could be stored; the reason has been printed. */
async function store(record: ForgedRecord, { opened, context }: ForgePlace): Promise<boolean> {
  try {
    tellUnlogged(await storeTested(record, opened.host), context.terminal);
  } catch (error) {
    const problem = error instanceof Refused ? error.message : codeOf(error);
    if (problem === undefined) throw error;
    context.terminal.errors.write(`failed[forge]: \`${record.id}\` cannot be stored: ${printable(problem)}\n`);
    return false;
  }
  if (record.state === "active") context.terminal.output.write(`${record.id}: ${record.tier}, ${record.state}\n`);
  return true;
}

function print(id: string, retested: Retested, { context: { terminal } }: ForgePlace): void {
  if ("problem" in retested) {
    terminal.errors.write(`failed[forge]: \`${id}\` cannot be tested: ${printable(retested.problem)}\n`);
    return;
  }
  for (const [index, { passed, problems }] of retested.cases.entries())
    terminal.output.write(
      `${passed ? "passed" : "failed"} case ${index + 1}${problems.map((problem) => `\n  ${printable(problem)}`).join("")}\n`,
    );
}
