// Every limit of the sandbox is reached once, exactly if it has an exact value.
import type { Json } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { INPUT_BYTES_MAX, SOURCE_BYTES_MAX } from "../../src/features/javascript/limits.ts";
import { attack, run, valueOf } from "./sandbox-fixture.ts";

const test = suite("sandbox limits");

test("one second of computing is the limit, of which waiting is no part", async () => {
  assert.is(
    await attack("for (;;);", { limits: { wallMsMax: 60_000 } }),
    "failed[limit]: stopped at the limit of 1000 ms of computing\n  = do less in one call",
  );
  const allowed = { wait: () => new Promise<null>((resolve) => setTimeout(() => resolve(null), 60)) };
  assert.is(
    await attack("for (let n = 0; n < 3; n++) await wait(); return 'rested'", { allowed, limits: { cpuMsMax: 100 } }),
    'ok "rested"',
  );
  // What is computed between one wait and the next adds up.
  assert.is(
    await attack("for (;;) { for (let n = 0; n < 100_000; n++); await next(); }", {
      allowed: { next: async () => null },
      limits: { cpuMsMax: 200, hostCallsMax: 1_000_000, wallMsMax: 20_000 },
    }),
    "failed[limit]: stopped at the limit of 200 ms of computing\n  = do less in one call",
  );
});

test("a function that never answers ends the run at its time limit", async () => {
  const allowed = { never: () => new Promise<null>(() => {}) };
  assert.is(
    await attack("console.log('asked'); await never()", { allowed, limits: { wallMsMax: 50 } }),
    "failed[timeout]: timed out after 0.05 s",
  );
  const { log } = await run("console.log('asked'); await never()", { allowed, limits: { wallMsMax: 200 } });
  assert.is(log, "asked\n");
});

test("the 64th call out is answered, the 65th ends the run, caught or not", async () => {
  let calls = 0;
  const allowed = { count: async () => ++calls };
  assert.is(
    await attack("let last; for (let n = 0; n < 64; n++) last = await count(); return last", { allowed }),
    "ok 64",
  );
  calls = 0;
  assert.is(
    await attack("for (;;) try { await count(); } catch {}", { allowed }),
    "failed[limit]: stopped at the limit of 64 calls out of the sandbox\n  = ask for more with each call",
  );
  assert.is(
    await attack("for (;;) count().catch(() => 1)", { allowed }),
    "failed[limit]: stopped at the limit of 64 calls out of the sandbox\n  = ask for more with each call",
  );
  assert.is(calls <= 128, true);
});

test("a result of one MiB passes, one byte more does not, nor more for a function", async () => {
  const over = "failed[limit]: stopped at the limit of 1048576 bytes of result\n  = return or pass less";
  const allowed = { take: async (args: readonly unknown[]) => String(args[0]).length };
  assert.is(await valueOf("return 'x'.repeat(2 ** 20 - 2).length"), 2 ** 20 - 2);
  assert.is(String(await valueOf("return 'x'.repeat(2 ** 20 - 2)")).length, 2 ** 20 - 2);
  assert.is(await attack("return 'x'.repeat(2 ** 20 - 1)"), over);
  assert.is(await attack("return 'é'.repeat(2 ** 19)"), over);
  assert.is(await attack("return await take('x'.repeat(2 ** 20 - 4))", { allowed }), `ok ${2 ** 20 - 4}`);
  assert.is(await attack("try { await take('x'.repeat(2 ** 20)) } catch {} return 1", { allowed }), over);
});

test("code of 256 KiB runs, one byte more is refused", async () => {
  const padded = (bytes: number): string => `return 1 //${"x".repeat(bytes - 11)}`;
  assert.is(await attack(padded(SOURCE_BYTES_MAX)), "ok 1");
  assert.is(await attack(padded(SOURCE_BYTES_MAX + 1)), "failed[limit]: stopped at the limit of 262144 bytes of code");
});

test("an input of 4 MiB fits, more is refused, and so is a longer answer of a function", async () => {
  assert.is(await valueOf("return input.length", { input: "x".repeat(INPUT_BYTES_MAX - 100) }), INPUT_BYTES_MAX - 100);
  assert.is(
    await attack("return 1", { input: "x".repeat(INPUT_BYTES_MAX) }),
    "failed[limit]: stopped at the limit of 4194304 bytes of input",
  );
  const allowed = { read: async () => "x".repeat(INPUT_BYTES_MAX) };
  assert.is(
    await attack("await read()", { allowed }),
    "failed[code-failed]: the code threw Error: the answer of `read` is longer than 4194304 bytes",
  );
});

test("values go 256 levels deep into the machine, and no deeper", async () => {
  const nested = (depth: number): Json => JSON.parse("[".repeat(depth) + "]".repeat(depth)) as Json;
  const allowed = { deep: async () => nested(100_000) };
  assert.is(await valueOf("return JSON.stringify(input).length", { input: nested(256) }), 512);
  assert.is(
    await attack("return 1", { input: nested(257) }),
    "failed[limit]: stopped at the limit of 256 levels of input",
  );
  assert.is(
    await attack("return 1", { input: nested(100_000) }),
    "failed[limit]: stopped at the limit of 256 levels of input",
  );
  assert.is(
    await attack("await deep()", { allowed }),
    "failed[code-failed]: the code threw Error: the answer of `deep` is nested more than 256 levels deep",
  );
});

test("32 MiB of memory are the limit", async () => {
  assert.is(
    await attack("const kept = []; for (;;) kept.push(new ArrayBuffer(2 ** 20));"),
    "failed[limit]: stopped at the limit of 33554432 bytes of memory\n  = use less memory at a time",
  );
  assert.is(
    await attack(
      "const kept = []; for (let n = 0; n < 30; n++) kept.push(new ArrayBuffer(2 ** 20)); return kept.length",
    ),
    "ok 30",
  );
});

test("an input that the memory cannot hold is the limit of memory", async () => {
  const limits = { memoryBytesMax: 2 * 1024 * 1024 };
  assert.is(
    await attack("return input.length", { input: "é".repeat(1_500_000), limits }),
    "failed[limit]: stopped at the limit of 2097152 bytes of memory\n  = use less memory at a time",
  );
});

test("more than a thousand waiting calls are refused", async () => {
  const aborter = new AbortController();
  const allowed = { wait: () => new Promise<null>(() => {}) };
  const many = Array.from({ length: 8 + 1_000 }, () => run("await wait()", { allowed }, { signal: aborter.signal }));
  const refused = await run("return 1", {}, { signal: aborter.signal });
  aborter.abort();
  await Promise.all(many);
  assert.equal(refused, { status: "failed", failure: { kind: "busy", waiting: 1_000 }, log: "" });
  assert.is(await valueOf("return 1"), 1);
});

test.run();
