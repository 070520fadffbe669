// JavaScript and Python in definitions, through the gate.
import { assert, suite } from "../harness.ts";
import { withSteps } from "./steps-fixture.ts";

const test = suite("code");

test("@code sees its arguments, and what it returns is the result", async () => {
  await withSteps(
    {
      add: "@param a {number} [required] A\n@param b {number} [default=2] B\n@returns {number} Sum\n@code\n    return a + input.b;",
      both: "@param list {array<string>} [required] L\n@code\n    function execute({ list }) {\n        return { first: list[0], n: list.length };\n    }",
      typed:
        "@param n {integer} [required] N\n@code\n    const twice = (x: number): number => x * 2;\n    return String(twice(n));",
      logs: "@code\n    console.log('seen'); return null;",
    },
    async (bench) => {
      assert.equal(
        await Promise.all([
          bench.said("add", { a: 1 }),
          bench.said("both", { list: ["x", "y"] }),
          bench.said("typed", { n: 4 }),
          bench.said("logs"),
        ]),
        ["3", '{"first":"x","n":2}', "8", "seen\n"],
      );
    },
  );
});

test("@code that fails says where, and reaches nothing outside", async () => {
  await withSteps(
    {
      throws: "@code\n    const x = 1;\n    throw new Error('no ' + x);",
      escapes: "@code\n    return typeof process + typeof require + typeof fetch + typeof globalThis.Deno;",
      endless: "@timeout 300ms\n@code\n    while (true) {}",
      promised: "@returns {integer} N\n@code\n    return 'text';",
    },
    async (bench) => {
      assert.match(await bench.said("throws"), /no 1/);
      assert.is(await bench.said("escapes"), "undefinedundefinedundefinedundefined");
      const endless = await bench.call("endless");
      assert.ok(endless.status === "failed" && ["timeout", "limit"].includes(endless.failure.kind));
      const promised = await bench.call("promised");
      assert.is(promised.status === "failed" && promised.failure.kind, "wrong-result");
    },
  );
});

test("a step of code is bounded by the step's own time", async () => {
  await withSteps({ one: "@step a code [timeout=200ms]\n    while (true) {}" }, async (bench) => {
    const result = await bench.call("one");
    assert.equal(
      result.status === "failed" && result.failure.kind === "step-failed" && [result.failure.step, result.failure.tool],
      ["a", "JavaScript"],
    );
  });
});

test("Python gets the variables as they are, and gives the one that the step is called after", async () => {
  await withSteps(
    {
      one: "@param who {string} [required] Who\n@step a runs\n    printf %s {who}\n@step b python\n    b = {'who': who, 'same': a == who, 'item': args['who']}\n@step c python\n    print(steps['b']['exitCode'])\n@output {b}|{c}",
    },
    async (bench) => {
      const who = "x'''\"\\ {} ü \n";
      assert.is(
        await bench.said("one", { who }),
        `${JSON.stringify({ who, same: false, item: who }).replaceAll('":', '": ').replaceAll(',"', ', "')}|0`,
      );
    },
  );
});

test.run();
