// One step with a command for each platform, and fallbacks of another kind than their step.
import "../windows-shells.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";
import { stepsTool, withSteps } from "./steps-fixture.ts";

const test = suite("platforms of a step");

const own = process.platform === "darwin" ? "macos" : "linux";
const other = own === "linux" ? "macos" : "linux";

function problemsOf(text: string): readonly string[] {
  return analyzeToolFile(parseToolFile({ path: "one.tool", text: stepsTool("one", text) })).diagnostics.map(
    ({ message }) => message,
  );
}

test("a step runs the command of the platform that it is on", () =>
  withSteps(
    {
      near: `@step a sh [retry=2]\n    echo anywhere\n@step(${own}) a runs\n    echo here\n@step(${other}) a sh\n    echo there`,
      far: `@step(${own}) a sh\n    echo here\n@step a sh\n    echo anywhere`,
      rest: `@step(${other}) a sh\n    echo there\n@step a sh\n    echo anywhere`,
    },
    async ({ said }) => {
      assert.equal([await said("near"), await said("far"), await said("rest")], ["here\n", "here\n", "anywhere\n"]);
    },
  ));

test("a fallback may be of another kind than its step", () =>
  withSteps(
    {
      inner: '@param word {string} [default="none"] Word\n@step say runs\n    echo inner {word}',
      tool: "@step a sh [fallback]\n    exit 1\n    fallback: uses inner\n        word = x",
      bare: "@step a sh [fallback]\n    exit 1\n    fallback: uses inner",
      code: '@step a sh [fallback]\n    exit 1\n    fallback: code\n        return "counted " + (1 + 1)',
    },
    async ({ said }) => {
      assert.equal(
        [await said("tool"), await said("bare"), await said("code")],
        ["inner x\n", "inner none\n", "counted 2"],
      );
    },
  ));

test("code leaves variables, and a tool is not given what it does not take", () =>
  withSteps(
    {
      plain: "@step say runs\n    echo plain",
      one: "@step a python [leaves=a,b]\n    a = 1\n    b = [2, 3]\n@step c uses plain [optional=word]\n    word = {a}\n@output\n    {a} {b} {c}",
    },
    async ({ said }) => {
      assert.is(await said("one"), "1 [2,3] plain");
    },
  ));

test("what does not go together in a step of several platforms is told", () => {
  assert.equal(problemsOf("@step a sh\n    echo\n@step(windows) a cmd [retry=3]\n    echo"), [
    "the options of a step belong on its first line",
  ]);
  assert.equal(problemsOf("@step a sh\n    echo\n@step(windows) a code\n    return 1"), [
    "only commands can differ by platform",
  ]);
  assert.equal(problemsOf("@step a sh\n    echo\n@step a sh\n    echo"), [
    "the name `a` is already used by another step",
  ]);
  assert.equal(problemsOf("@step(amiga) a sh\n    echo"), ["unknown platform `amiga`"]);
  assert.equal(problemsOf("@step a sh [fallback]\n    echo\n    fallback: bsh\n        echo"), [
    "unknown step kind `bsh`",
  ]);
  assert.equal(
    problemsOf(
      "@step b sh\n    echo\n@step a code [leaves=a,b]\n    return 1\n@step c uses x [optional=y]\n    z = 1\n@step d sh [leaves=d]\n    echo",
    ),
    [
      "the name `b` is already used in this tool",
      "the step does not give an argument `y`",
      "`leaves` is an option of `code` and `python` steps",
    ],
  );
  assert.equal(problemsOf("@step a sh [provider=mock]\n    echo"), ["`provider` is an option of `prompt` steps"]);
});

test.run();
