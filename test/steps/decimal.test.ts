import fc from "fast-check";
import { compareDecimals, decimalOf } from "../../src/core/steps/condition.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("decimal");

test("decimalOf takes plain decimals, as numbers or as text with white space around it", () => {
  assert.equal(["0", " 12\n", "-1.50", "007", "9".repeat(30)].map(decimalOf), [
    "0",
    "12",
    "-1.50",
    "007",
    "9".repeat(30),
  ]);
  assert.equal([5, -0.1, 1e-7, 1.5e21, -2.5e-8].map(decimalOf), [
    "5.0",
    "-0.1",
    "0.0000001",
    "1500000000000000000000.0",
    "-0.000000025",
  ]);
});

test("decimalOf takes nothing else", () => {
  for (const value of [
    "",
    " ",
    "1.",
    ".5",
    "+1",
    "1e5",
    "0x1",
    "1_000",
    "1,5",
    "--1",
    "- 1",
    "1 2",
    "٣",
    "Infinity",
    "NaN",
    true,
    null,
    [1],
    { a: 1 },
  ])
    assert.is(decimalOf(value), undefined, JSON.stringify(value));
});

test("compareDecimals sees the last digit of numbers that JavaScript rounds", () => {
  assert.is(compareDecimals("1234567890123456789", "1234567890123456788") > 0, true);
  assert.is(compareDecimals("0.1000000000000000000001", "0.1") > 0, true);
  assert.is(compareDecimals("-10", "-9") < 0, true);
  assert.equal(
    [
      ["0", "-0.0"],
      ["007", "7"],
      ["1.50", "1.5"],
      ["-0", "0"],
    ].map(([one = "", other = ""]) => compareDecimals(one, other) === 0),
    [true, true, true, true],
  );
});

test("compareDecimals orders numbers as JavaScript does", () => {
  const number = fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
  fc.assert(
    fc.property(number, number, (one, other) => {
      assert.is(
        Math.sign(compareDecimals(decimalOf(one) ?? "", decimalOf(other) ?? "")),
        Math.sign(one === other ? 0 : one < other ? -1 : 1),
      );
    }),
    { numRuns: 5_000 },
  );
});

test("compareDecimals takes time linear to its numbers", () => {
  assertLinear("compareDecimals", 60_000, (size) => {
    const zeros = "0".repeat(size);
    assert.is(compareDecimals(`1${zeros}.${zeros}1`, `1${zeros}.${zeros}2`), -1);
  });
});

test.run();
