// Whether code can be read, without running it.
import { type ReadableCode, syntaxFailureOf } from "../../src/features/javascript/read-code.ts";
import { assert, suite } from "../harness.ts";
import { context } from "./sandbox-fixture.ts";

const test = suite("syntaxFailureOf");

async function read(text: string, kind: ReadableCode["kind"] = "body"): Promise<unknown> {
  const failure = await syntaxFailureOf({ kind, text }, context);
  return failure && [failure.message, failure.line, failure.column];
}

test("what runs can be read, also with types", async () => {
  assert.is(await read("const a: number = 1;\nreturn await a as number"), undefined);
  assert.is(await read("function execute(input) { return input }"), undefined);
  assert.is(await read("value.replace('-', '_') // all", "expression"), undefined);
});

test("what cannot be read has its place", async () => {
  assert.equal(await read("const a = 1;\nreturn (1 +;"), ["unexpected token in expression: ';'", 2, 12]);
  assert.equal(await read("return [1"), ["it ends too early", 1, 10]);
  assert.equal(await read("value.replace(", "expression"), ["it ends too early", 1, 15]);
  assert.equal(await read("return value", "expression"), ["unexpected token in expression: 'return'", 1, 1]);
  assert.equal(await read("enum A { B }\nreturn A.B"), [
    "TypeScript enum is more than types; write it as JavaScript",
    1,
    1,
  ]);
});

test("nothing of it runs, also where it leaves its brackets", async () => {
  assert.is(await read("}});\nfor (;;) {}\n(async function () {{"), undefined);
});

test.run();
