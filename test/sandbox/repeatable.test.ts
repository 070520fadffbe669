// A fixed clock and a seed: two runs with the same give the same, and other values give others.
import { runSandboxed } from "../../src/features/javascript/run-sandboxed.ts";
import type { Repeatable } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { context } from "./sandbox-fixture.ts";

const test = suite("sandbox repeatable");

const at: Repeatable = { nowMs: Date.UTC(2024, 1, 29, 12, 34, 56, 789), seed: 7 };

async function valueOf(code: string, repeatable: Repeatable): Promise<unknown> {
  const outcome = await runSandboxed({ code, input: null }, { ...context, repeatable });
  return outcome.status === "ok" ? outcome.value : outcome.failure;
}

test("the clock stands still in every form of it", async () => {
  assert.equal(
    await valueOf(
      "return [Date.now(), new Date().getTime(), new Date().toISOString(), Date(), performance.now(), typeof Date.parse, new Date(0).getTime(), new Date(2020, 1, 2).getTime(), new Date() instanceof Date, new Date().constructor === Date, Date.name, Date.UTC(2020, 0)];",
      at,
    ),
    [
      at.nowMs,
      at.nowMs,
      "2024-02-29T12:34:56.789Z",
      "Thu Feb 29 2024 12:34:56 GMT+0000",
      0,
      "function",
      0,
      Date.UTC(2020, 1, 2),
      true,
      true,
      "Date",
      Date.UTC(2020, 0),
    ],
  );
});

test("chance follows from the seed, and is spread as chance is", async () => {
  const code = "return Array.from({ length: 2_000 }, () => Math.random());";
  const one = (await valueOf(code, at)) as readonly number[];
  assert.equal(await valueOf(code, at), one);
  assert.not.equal(await valueOf(code, { ...at, seed: 8 }), one);
  assert.ok(one.every((value) => value >= 0 && value < 1));
  const mean = one.reduce((sum, value) => sum + value, 0) / one.length;
  assert.ok(mean > 0.45 && mean < 0.55, `mean ${mean}`);
  assert.is(new Set(one).size, one.length);
});

test("without them the clock is real", async () => {
  const outcome = await runSandboxed({ code: "return Date.now();", input: null }, context);
  assert.ok(outcome.status === "ok" && Math.abs(Number(outcome.value) - Date.now()) < 60_000);
});

test.run();
