// What code in the sandbox can do, and the messages about its mistakes.
import { readdirSync, readFileSync, writeFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { GUEST_VALUE } from "../../src/features/javascript/guest-driver.ts";
import { runSandboxed } from "../../src/features/javascript/run-sandboxed.ts";
import { isVariableName } from "../../src/features/javascript/variable-name.ts";
import type { HostSandbox } from "../../src/core/tool/host-sandbox.ts";
import { context, run, valueOf } from "./sandbox-fixture.ts";

const test = suite("runSandboxed");

test("a body returns, or defines execute", async () => {
  assert.equal(await run("return { b: input.a + 1 };"), { status: "ok", value: { b: 2 }, log: "" });
  assert.is(await valueOf("function execute(input) { return input.a + 2; }"), 3);
  assert.is(await valueOf("const execute = async ({ a }) => a + 3; // the end"), 4);
  assert.is(await valueOf("const { a } = input;\nreturn await Promise.resolve(a + 4)"), 5);
});

test("variables are names, and the code may declare what it likes", async () => {
  assert.equal(await valueOf("return [list.length, text]", { variables: { list: [1, 2], text: "x" } }), [2, "x"]);
  assert.is(
    await valueOf("const list = 'own'; const input = 1; return list + input", { variables: { list: [] } }),
    "own1",
  );
  assert.equal(["a", "$", "class", "await", "input", "a-b", "1a", ""].filter(isVariableName), ["a", "$"]);
  let thrown: unknown;
  await run("return 1", { variables: { "a-b": 1 } }).catch((error: unknown) => (thrown = error));
  assert.is(String(thrown), "TypeError: `a-b` cannot be a variable name");
});

test("TypeScript's types are erased, in place", async () => {
  assert.is(
    await valueOf(
      "interface In { a: number }\nasync function execute(input: In): Promise<number> { return (input.a as number) satisfies number; }",
    ),
    1,
  );
  assert.is(await valueOf("const first = <T>(list: T[]): T => list[0]!; return first<string>(['x'])"), "x");
  assert.is(await valueOf("const a = 1, b = 2, c = 0; return a < b"), true);
  assert.is(
    await valueOf("const a: number = 1;\n\n  a.b.c"),
    "failed[code-failed]: the code threw TypeError: cannot read property 'c' of undefined (line 3, column 3 of the code)",
  );
  assert.is(
    await valueOf("const a = 1;\nenum Colour { Red }"),
    "failed[code-failed]: the code cannot be parsed: TypeScript enum is more than types; write it as JavaScript (line 2, column 1 of the code)",
  );
});

test("code without its types is kept, so that the next run needs no compiler", async () => {
  const code = "const kept: string = 'made by amaro'; return kept";
  assert.is(await valueOf(code), "made by amaro");
  const folder = join(context.host.folders.cache, "erased-types");
  const file =
    readdirSync(folder)
      .map((name) => join(folder, name))
      .find((path) => readFileSync(path, "utf8").includes("made by amaro")) ?? "";
  const { ino } = statSync(file);
  assert.is(await valueOf(code), "made by amaro");
  assert.is(statSync(file).ino, ino);
  // A changed file is never run, and is made again.
  writeFileSync(file, readFileSync(file, "utf8").replace("made by amaro", "put there later"));
  assert.is(await valueOf(code), "made by amaro");
  assert.ok(readFileSync(file, "utf8").includes("made by amaro"));
});

test("a mistake is shown where it stands", async () => {
  assert.is(
    await valueOf("return 1 +\n  2 + }"),
    "failed[code-failed]: the code cannot be parsed: unexpected token in expression: '}' (line 2, column 7 of the code)",
  );
  assert.is(
    await valueOf("if (input.a) {\n  return 1"),
    "failed[code-failed]: the code cannot be parsed: it ends too early (line 2, column 11 of the code)\n  = close the open bracket or brace",
  );
  assert.is(
    await valueOf("throw new TypeError('no');"),
    "failed[code-failed]: the code threw TypeError: no (line 1, column 11 of the code)",
  );
  assert.is(
    await valueOf("const f = () => {\n  missing();\n};\nf();"),
    "failed[code-failed]: the code threw ReferenceError: missing is not defined (line 2, column 3 of the code)",
  );
  assert.is(await valueOf("await null;\nthrow 'just a text';"), "failed[code-failed]: the code threw just a text");
  assert.is(await valueOf("throw { code: 1 }"), 'failed[code-failed]: the code threw {"code":1}');
  assert.equal(await run("total = 1"), {
    status: "failed",
    failure: {
      kind: "code-failed",
      problem: "thrown",
      message: "ReferenceError: total is not defined",
      line: 1,
      column: 1,
      help: [],
    },
    log: "",
  });
});

test("what is logged comes back, also of a run that failed, and is bounded", async () => {
  const logged = await run(
    "console.log('a', 1, { b: [null] }, undefined, 2n, Symbol('s'), new Error('e')); console.error(() => 1); throw 1",
  );
  assert.is(logged.log, 'a 1 {"b":[null]} undefined 2n Symbol(s) Error: e\n() => 1\n');
  const { log } = await run("for (let index = 0; index < 8_000; index++) console.log('line', index); return 1");
  assert.is(log.length, 64 * 1024 + "\n… (more was logged)\n".length);
  assert.ok(log.endsWith("\n… (more was logged)\n"));
});

test("a declared function gets JSON and gives JSON", async () => {
  const allowed = {
    "text.join": async (args: readonly unknown[]) => args.join("+"),
    nothing: async () => undefined,
    fail: async () => Promise.reject(new RangeError("not today")),
  };
  assert.equal(await valueOf("return [await text.join('a', 1), await nothing()]", { allowed }), ["a+1", null]);
  assert.equal(
    await valueOf(
      "try { await fail() } catch (error) { return [error instanceof Error, error.message, String(error.stack).includes('/')] }",
      { allowed },
    ),
    [true, "not today", false],
  );
  assert.is(
    await valueOf("await text.join(() => 1)", { allowed }),
    "failed[code-failed]: the code threw TypeError: text.join was given a function, which is not JSON (line 1, column 12 of the code)",
  );
  assert.equal(
    await valueOf("return (await Promise.all([1, 2, 3].map((n) => text.join(n, n)))).join()", { allowed }),
    "1+1,2+2,3+3",
  );
});

test("what is not declared is no function, whatever name a broken machine asks for", async () => {
  const sandbox: HostSandbox = {
    ...context.host.sandbox,
    run: async ({ call, signal }) => {
      const answers = ["toString", "constructor", "other", "own"].map((name) =>
        call(name, "[]", signal).catch((error: Error) => error.message),
      );
      return { kind: "answered", mark: GUEST_VALUE, text: JSON.stringify(await Promise.all(answers)), log: "" };
    },
  };
  const outcome = await runSandboxed(
    { code: "", input: null, allowed: { own: async () => 1 } },
    { ...context, host: { ...context.host, sandbox } },
  );
  assert.equal(outcome, {
    status: "ok",
    value: [
      "there is no function `toString`",
      "there is no function `constructor`",
      "there is no function `other`",
      "1",
    ],
    log: "",
  });
});

test("the signal of a declared function aborts when the run is over", async () => {
  let aborted = false;
  const wait = (_args: unknown, signal: AbortSignal): Promise<undefined> =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(void (aborted = true))));
  assert.is(await valueOf("wait(); return 'done'", { allowed: { wait } }), "done");
  assert.is(aborted, true);
});

test("values survive the way in and out", async () => {
  const input = { text: "NUL \0, lone \ud800, pair 😀, \u2028", deep: [[{}]], number: -1.5e300, none: null };
  assert.equal(await valueOf("return input", { input }), input);
  assert.is(await valueOf("return '\ud800 \\0'"), "\ud800 \0");
  assert.equal(
    await valueOf("return { gone: undefined, list: [undefined], date: new Date(0), own: { toJSON: () => 'own' } }"),
    { list: [null], date: "1970-01-01T00:00:00.000Z", own: "own" },
  );
});

test("Date counts in UTC, and Math.random exists", async () => {
  assert.equal(
    await valueOf(
      "return [new Date(0).getTimezoneOffset(), new Date(0).getHours(), Math.random() < 1, Date.now() > 0]",
    ),
    [0, 0, true, true],
  );
});

/** Many threads start at once, which takes long on a busy machine. */
const limits = { cpuMsMax: 50_000, wallMsMax: 50_000 };

test("runs do not wait for each other, and each gets its own answer", async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, index) => valueOf("return input", { input: index, limits })),
  );
  assert.equal(
    outcomes,
    Array.from({ length: 12 }, (_, index) => index),
  );
});

test("an abort ends a run that computes, that waits, and that has not begun", async () => {
  const cancelled = { status: "failed", failure: { kind: "cancelled" }, log: "" };
  const aborter = new AbortController();
  const allowed = { wait: () => new Promise<null>(() => aborter.abort()) };
  assert.equal(await run("await wait()", { allowed }, { signal: aborter.signal }), cancelled);
  assert.equal(await run("return 1", {}, { signal: aborter.signal }), cancelled);
  const second = new AbortController();
  const begun = { begun: async () => void setTimeout(() => second.abort(), 1) };
  assert.equal(await run("await begun(); for (;;);", { allowed: begun }, { signal: second.signal }), cancelled);
  assert.is(await valueOf("return input.a"), 1);
});

test("runs that wait for deeper runs do not keep them out", async () => {
  const inner = async (args: readonly unknown[]): Promise<string> => {
    const outcome = await runSandboxed(
      { code: "return `inner ${input}`", input: Number(args[0]), limits },
      { ...context, path: ["outer", "inner"] },
    );
    return outcome.status === "ok" ? String(outcome.value) : outcome.failure.kind;
  };
  const outer = Array.from({ length: 8 }, (_, index) =>
    valueOf("return await inner(input)", { input: index, allowed: { inner }, limits }),
  );
  assert.equal(
    await Promise.all(outer),
    [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `inner ${index}`),
  );
});

test("who waits in the queue leaves it on an abort, and the others take their turn", async () => {
  const gate = Promise.withResolvers<null>();
  const allowed = { wait: () => gate.promise };
  const busy = Array.from({ length: 8 }, () => valueOf("await wait(); return 1", { allowed }));
  const aborter = new AbortController();
  const leaving = run("return 2", {}, { signal: aborter.signal });
  const staying = valueOf("return 3");
  aborter.abort();
  assert.equal(await leaving, { status: "failed", failure: { kind: "cancelled" }, log: "" });
  gate.resolve(null);
  assert.equal([...(await Promise.all(busy)), await staying], [1, 1, 1, 1, 1, 1, 1, 1, 3]);
});

test.run();
