import { limitsOf } from "../../src/core/run/limits.ts";
import { assert, suite } from "../harness.ts";

const test = suite("limits");

test("limitsOf gives the defaults where nothing is declared", () => {
  assert.equal(limitsOf({}), { timeoutMs: 60_000, outputBytesMax: 104_857_600 });
});

test("limitsOf gives what is declared", () => {
  assert.equal(limitsOf({ timeoutMs: 5, outputBytesMax: 6, memoryBytesMax: 7, cpuMsMax: 8 }), {
    timeoutMs: 5,
    outputBytesMax: 6,
    memoryBytesMax: 7,
    cpuMsMax: 8,
  });
});

test("limitsOf lets a call ask for more than the default, and for less than what is declared", () => {
  const timeoutOf = (declaredMs: number | undefined, askedMs: number): number =>
    limitsOf(declaredMs === undefined ? {} : { timeoutMs: declaredMs }, askedMs).timeoutMs;
  assert.equal(
    [timeoutOf(undefined, 300_000), timeoutOf(undefined, 10), timeoutOf(5_000, 300_000), timeoutOf(5_000, 10)],
    [300_000, 10, 5_000, 10],
  );
});

test.run();
