import { modelBudget } from "../../src/core/output/budget.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import { estimateTokens } from "../../src/core/text/tokens.ts";
import type { Failure } from "../../src/core/tool/failure.ts";
import { assert, suite } from "../harness.ts";

const test = suite("failureText");

test("failureText shows the first of very many issues, and no call that nobody could read", () => {
  const items = Array.from({ length: 20_000 }, () => "-delete");
  const issues = items.map((item, index) => ({
    path: `arguments[${index}]`,
    message: `"${item}" is not accepted here`,
  }));
  const failure: Failure = { kind: "invalid-arguments", tool: "glob", issues, example: { arguments: items } };
  for (const audience of ["person", "model"] as const) {
    const lines = failureText(failure, { audience, tool: "glob" }).split("\n");
    assert.equal(lines.length, 23);
    assert.equal(lines.slice(-3, -1), ['  arguments[19]  "-delete" is not accepted here', "  and 19,980 more"]);
    assert.match(
      lines.at(-1) ?? "",
      /^ {2}= fix the arguments named above; the rest of the call \([\d,]+ characters\) can stay$/,
    );
  }
});

test("failureText tells of a command line that was given for a program", () => {
  const failure: Failure = {
    kind: "not-started",
    reason: "program-missing",
    program: "echo hi",
    detail: "looked in /bin",
  };
  assert.is(
    failureText(failure, { audience: "person", tool: "run_command" }),
    "failed[not-started]: there is no program `echo hi` on PATH\n  = for a whole command line: dottool run_command --command 'echo hi'",
  );
});

test("failureText fits a model's budget whatever the failure holds", () => {
  const failure: Failure = { kind: "rejected", reason: "\u{1F600}".repeat(1_000_000), help: [] };
  const text = failureText(failure, { audience: "model", tool: "x" });
  assert.ok(estimateTokens(text) < modelBudget.tokensMax, String(estimateTokens(text)));
  assert.match(text, /\n {2}and [\d,]+ more characters$/);
  assert.ok(failureText(failure, { audience: "person", tool: "x" }).includes(failure.reason));
});

test.run();
