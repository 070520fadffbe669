// What the harness itself promises.
import { assert, assertLinear, suite } from "./harness.ts";

const test = suite("harness");

/** Work of as many steps, each of some 10 ns. */
function steps(count: number): void {
  let sum = 0;
  for (let step = 0; step < count; step++) sum = (sum * 31 + step) % 1_000_003;
  if (sum < 0) throw new Error("there is no such sum");
}

test("assertLinear accepts work that grows with its size", () => {
  assertLinear("linear", 2_000_000, (length) => steps(length));
});

test("assertLinear refuses work that grows with the square of its size, with the times of three sizes", () => {
  assert.throws(
    () => assertLinear("square", 800, (length) => steps(length * length)),
    /^square: sizes 1600, 3200, 6400 took [\d.]+, [\d.]+, [\d.]+ ms at best$/,
  );
});

test("assertLinear accepts linear work of which a run was delayed", () => {
  let runs = 0;
  assertLinear("delayed", 2_000_000, (length) => steps(runs++ === 0 ? length * 20 : length));
});

test.run();
