// Expressions on one value each.
import { runTransforms, type TransformOutcome } from "../../src/features/javascript/transform-arguments.ts";
import type { Json } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { context } from "./sandbox-fixture.ts";

const test = suite("runTransforms");

function transform(...pairs: readonly (readonly [expression: string, value: Json])[]): Promise<TransformOutcome> {
  return runTransforms(
    pairs.map(([expression, value]) => ({ expression, value })),
    context,
  );
}

const failed = (index: number, problem: string, message: string): object => ({
  status: "failed",
  index,
  failure: { kind: "code-failed", problem, message, help: [] },
});

test("each expression sees its own value", async () => {
  assert.equal(
    await transform(
      ["value.toLowerCase()", "ABC"],
      ["value + 1", 2],
      ["({ value })", null],
      ["value.split(',').map((part) => part.trim()) // all", "a, b"],
    ),
    {
      status: "ok",
      values: ["abc", 3, { value: null }, ["a", "b"]],
    },
  );
  assert.equal(await transform(), { status: "ok", values: [] });
});

test("a thousand share one machine", async () => {
  const outcome = await runTransforms(
    Array.from({ length: 1_000 }, (_, index) => ({ expression: "value * 2", value: index })),
    context,
  );
  assert.equal(outcome, { status: "ok", values: Array.from({ length: 1_000 }, (_, index) => index * 2) });
});

test("the first that fails is named by its place", async () => {
  assert.equal(
    await transform(["value", 1], ["value.x.y", "a"]),
    failed(1, "thrown", "TypeError: cannot read property 'y' of undefined"),
  );
  assert.equal(await transform(["value +", 1]), failed(0, "syntax", "unexpected token in expression: ')'"));
  assert.equal(await transform(["return value", 1]), failed(0, "syntax", "unexpected token in expression: 'return'"));
  assert.equal(await transform(["value => value", 1]), failed(0, "no-json", "a function, which JSON cannot represent"));
  assert.equal(await transform(["undefined", 1]), failed(0, "no-json", "nothing"));
  assert.equal(await transform(["console.log(value)", 1], ["process", 1]), failed(0, "no-json", "nothing"));
  assert.equal(await transform(["process.env", 1]), failed(0, "thrown", "ReferenceError: process is not defined"));
});

test("what one bends, the frame does not feel", async () => {
  assert.equal(
    await transform(
      ["JSON.stringify = () => '1', Array.prototype.push = null, Function.prototype.call = null, 'bent'", 1],
      ["value", 2],
    ),
    { status: "ok", values: ["bent", 2] },
  );
  const large = ["'x'.repeat(6e5)", 1] as const;
  assert.equal(await transform(large, large), {
    status: "failed",
    failure: {
      kind: "limit",
      limit: 1_048_576,
      unit: "bytes of result",
      help: ["return or pass less"],
    },
  });
  assert.equal(await transform(["value", "x".repeat(5_000_000)]), {
    status: "failed",
    failure: { kind: "limit", limit: 4_194_304, unit: "bytes of input", help: [] },
  });
});

test.run();
