// `dottool forge import` and `dottool forge test`: the test cases of a tool run here, for the person who asks.
import { type ForgePlace, tellUnlogged } from "../forge-place.ts";
import { resolve } from "node:path";
import type { Verdict } from "../judge.ts";
import { PACKAGE_BYTES_MAX, textInPackage } from "../package.ts";
import { type ForgedRecord, idOf, noUses, RECORD_VERSION } from "../record.ts";
import { Refused } from "../refusal.ts";
import { storeForAll } from "../registry.ts";
import { retest, type Retested } from "../try-cases.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import { isAgreed } from "./forge-keep.ts";

export async function testTool(record: ForgedRecord, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
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
  return (await store(next, "test", { opened, context })) && isGood ? exitCodes.done : exitCodes.failed;
}

/** The judges are not asked again, so what they took from the confidence stays taken. */
function stricter(before: Verdict, after: Verdict): Verdict {
  return {
    ...before,
    confidence: Math.min(before.confidence, after.confidence),
    safety: Math.min(before.safety, after.safety),
  };
}

/** Another one's tool is shown before it becomes one of every session. */
export async function importTool(file: string, isSure: boolean, place: ForgePlace): Promise<number> {
  const { opened, context } = place;
  const { host } = opened;
  const refuse = (problem: string): number => {
    context.terminal.errors.write(`failed[forge]: \`${printable(file)}\` cannot be imported: ${printable(problem)}\n`);
    return exitCodes.failed;
  };
  let packaged: string;
  try {
    packaged = new TextDecoder().decode(host.instant.readBytes(resolve(opened.cwd, file), PACKAGE_BYTES_MAX));
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return refuse(`it cannot be read (${codeOf(error) ?? ""})`);
  }
  const read = textInPackage(packaged);
  if ("problem" in read) return refuse(read.problem);
  const retested = await retestHere(read.text, place);
  if ("problem" in retested) return refuse(retested.problem);
  const name = retested.tool.definition.name.value;
  if (opened.session.registry.names().includes(name)) return refuse(`there is a tool \`${name}\` already`);
  const id = idOf(name, read.text, host);
  print(id, retested, place);
  if (!retested.verdict.approved) return exitCodes.failed;
  const review = read.text
    .trimEnd()
    .split("\n")
    .map((line) => `+ ${line}`.trimEnd());
  if (!(await isAgreed([`new tool ${id}`, ...review], isSure, place))) return exitCodes.failed;
  const now = host.timestamp();
  const record: ForgedRecord = {
    version: RECORD_VERSION,
    id,
    name,
    text: read.text,
    tier: "agent",
    state: "active",
    session: host.shared.identity(),
    verdict: retested.verdict,
    judges: ["deterministic", "person"],
    effects: retested.tool.effects,
    uses: noUses,
    forgedAt: now,
    usedAt: now,
  };
  return (await store(record, "import", place)) ? exitCodes.done : exitCodes.failed;
}

function retestHere(text: string, { opened, context }: ForgePlace): Promise<Retested> {
  return retest(text, {
    session: opened.session,
    signal: context.terminal.signal,
    build: (definition) => opened.build(definition),
  });
}

/** Returns whether it could be stored; the reason has been printed. */
async function store(
  record: ForgedRecord,
  event: "test" | "import",
  { opened, context }: ForgePlace,
): Promise<boolean> {
  try {
    tellUnlogged(await storeForAll(record, event, opened.host), context.terminal);
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
