// Texts that would block, break or fill the code that erases types. After each, ordinary TypeScript still runs.
import process from "node:process";
import { amount, someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { syntaxFailureOf } from "../../src/features/javascript/read-code.ts";
import { context, run, shown } from "./sandbox-fixture.ts";

const test = suite("erasing attacks");

let ordinary = 0;

/** Returns the result of the hostile code, after a check that new TypeScript still runs. */
async function attack(code: string): Promise<string> {
  const outcome = await run(code);
  const count = ++ordinary;
  const next = await run(
    `const kept: number = ${count}; const time: string = "${process.hrtime.bigint()}"; return kept satisfies number`,
  );
  assert.equal(next, { status: "ok", value: count, log: "" });
  return outcome.status === "ok" ? "ok" : shown(outcome).replace(/\n[^]*/, "");
}

const TYPED = "const typed: number = 1;\n";
/** The compiler takes 25 s for it. */
const SLOW = TYPED + `a${"<b".repeat(200)};\n`.repeat(600);
const unread = "failed[code-failed]: the code cannot be parsed: ";

/** The openings of nested constructs, repeated after a line that makes the text TypeScript. */
const openings: Readonly<Record<string, string>> = {
  parentheses: "(",
  brackets: "[",
  braces: "{a:",
  templates: "`${",
  "angle brackets": "<a>",
  generics: "f<T>(",
  signs: "!",
  casts: "<b",
  "arrow functions": "a=>",
  conditions: "a?(b):",
  types: "(a:",
  functions: "()=>{",
  assignments: "a=",
  operators: "typeof ",
};

// Each breaks the compiler in the same way: its thread ends.
for (const [name, opening] of someOf(Object.entries(openings), 8)) {
  test(`${name} may nest ten thousand deep, and as deep as a text may be long`, async () => {
    for (const code of [
      `${TYPED}return ${opening.repeat(10_000)}`,
      `return ${opening.repeat(Math.floor(250_000 / opening.length))}`,
    ]) {
      const said = await attack(code);
      // The machine itself reports a list or an object as too deep.
      assert.ok(
        said.startsWith(unread) ||
          said === "failed[code-failed]: the code threw RangeError: Maximum call stack size exceeded",
        `${code.slice(0, 60)}: ${said}`,
      );
    }
  });
}

const long = "x".repeat(250_000);

/** Texts that are not deep, but long or more than a moment's work. */
const others: Readonly<Record<string, readonly [code: string, said: string]>> = {
  "an unterminated string": [`${TYPED}return '${long}`, unread],
  "an unterminated comment": [`${TYPED}/* ${long}`, unread],
  "an unterminated template": [`${TYPED}return \`${long}`, unread],
  "comparisons that look like a generic call": [
    `return a${"<a".repeat(120_000)}`,
    "failed[code-failed]: the code threw ReferenceError: a is not defined",
  ],
  "a generic call that never comes": [`${"a<a ".repeat(60_000)}`, unread],
  "ten megabytes": [`return ${"1+".repeat(5_000_000)}1`, "failed[limit]: stopped at the limit of 262144 bytes of code"],
  "comparisons that may be types, line by line": [SLOW, `${unread}its types take too long to parse`],
  "ifs, each in the else of the other": [`${TYPED}${"if(a);else ".repeat(amount(12_000, 23_000))};`, unread],
  "labels, each in the other": [`${TYPED}${"l:".repeat(amount(50_000, 100_000))};`, unread],
};

for (const [name, [code, said]] of Object.entries(others)) {
  test(name, async () => {
    const text = await attack(code);
    assert.ok(text.startsWith(said), text);
  });
}

test("a text that is too long to run is not read either", async () => {
  const failure = await syntaxFailureOf({ kind: "body", text: `${TYPED}${"(".repeat(10_000_000)}` }, context);
  assert.equal(failure && [failure.message, failure.line, failure.column], ["it is longer than 262144 bytes", 1, 1]);
});

test("erasing ends with its call", async () => {
  const ending = new AbortController();
  const running = run(`${SLOW}// ended`, {}, { signal: ending.signal });
  setTimeout(() => ending.abort(), 200);
  const outcome = await running;
  assert.equal(outcome.status === "failed" && outcome.failure, { kind: "cancelled" });
});

test.run();
