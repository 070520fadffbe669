import type { ForgedRecord } from "../../src/features/forge/record.ts";
import { currentConfidence } from "../../src/features/forge/uses.ts";
import { assert, suite } from "../harness.ts";

const test = suite("forge/uses");

test("a failure weighs as much as two successes, and the verdict as much as five", () => {
  const after = (succeeded: number, failed: number): number =>
    currentConfidence({ verdict: { confidence: 0.8 }, uses: { succeeded, failed, failedInARow: 0 } } as ForgedRecord);
  assert.equal([after(0, 0), after(5, 0), after(0, 1), after(3, 1)], [0.8, 0.9, 0.57, 0.7]);
});

test.run();
