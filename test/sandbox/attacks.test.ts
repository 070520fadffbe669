// Attacks by hostile code. Each ends in a failure that says why, or in nothing. `attack` then runs another call, which
// must be right.
import { assert, suite } from "../harness.ts";
import { attack } from "./sandbox-fixture.ts";

const test = suite("sandbox attacks");

/** Short limits, so that tests are quick. limits.test.ts reaches the defaults. */
const short = { limits: { cpuMsMax: 30, wallMsMax: 5_000 } };
const overCpu = "failed[limit]: stopped at the limit of 30 ms of computing\n  = do less in one call";
const overMemory = "failed[limit]: stopped at the limit of 4194304 bytes of memory\n  = use less memory at a time";
const overflow = "failed[code-failed]: the code threw RangeError: Maximum call stack size exceeded";
const threw = "failed[code-failed]: the code threw";

test("loops without end", async () => {
  assert.is(await attack("for (;;);", short), overCpu);
  assert.is(await attack("for (;;) { try { for (;;); } catch {} finally { continue; } }", short), overCpu);
  assert.is(await attack("const g = (function* () { for (;;) yield 1; })(); for (const _ of g);", short), overCpu);
  assert.is(await attack("/(a+)+$/.test('a'.repeat(64) + 'b')", short), overCpu);
  assert.is(await attack("[3, 1, 2].sort(() => { for (;;); })", short), overCpu);
  assert.is(await attack("Array.prototype.lastIndexOf.call({ length: Number.MAX_SAFE_INTEGER }, 1)", short), overCpu);
  assert.is(await attack("eval('for (;;);')", short), overCpu);
});

test("a single built-in function that takes for ever is ended with its thread", async () => {
  const search = "'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b')";
  assert.is(
    await attack(search, { limits: { cpuMsMax: 60_000, wallMsMax: 200 } }),
    "failed[timeout]: timed out after 0.2 s",
  );
  const allowed = { f: async () => 1 };
  assert.is(
    await attack(`await f(); await f(); ${search}`, { allowed, limits: { cpuMsMax: 30, wallMsMax: 60_000 } }),
    overCpu,
  );
});

test("floods of microtasks, and promises that nobody settles", async () => {
  const stuck =
    "failed[code-failed]: the code waits for a promise that never settles\n  = there are no timers; only the declared functions can make the code wait";
  assert.is(
    await attack("const again = () => queueMicrotask(again); again(); await new Promise(() => {});", short),
    overCpu,
  );
  assert.is(await attack("const again = () => queueMicrotask(again); again(); return 1;", short), "ok 1");
  assert.is(await attack("for (;;) await 1;", short), overCpu);
  assert.is(await attack("await new Promise(() => {});"), stuck);
  assert.is(await attack("return { then() {} };"), stuck);
});

test("memory without end: arrays, texts, buffers, properties, closures", async () => {
  const small = { limits: { memoryBytesMax: 4 * 1024 * 1024, cpuMsMax: 10_000, wallMsMax: 20_000 } };
  for (const code of [
    "const kept = []; for (;;) kept.push({});",
    "const kept = []; for (let n = 0; ; n++) kept.push('x'.repeat(1e5) + n);",
    "const kept = []; for (;;) kept.push(new ArrayBuffer(1e6));",
    "const kept = []; for (;;) kept.push(new SharedArrayBuffer(1e6));",
    "new Uint8Array(1e9);",
    "'x'.repeat(2 ** 29);",
    "new Array(1e8).fill(0);",
    "const kept = {}; for (let n = 0; ; n++) kept['key' + n] = n;",
    "let last; for (;;) { const inner = last; last = () => inner; }",
    "return 'x'.repeat(2 ** 24);",
  ])
    assert.is(await attack(code, small), overMemory, code);
  assert.is(
    await attack("let text = 'x'; for (;;) text += text;", small),
    `${threw} InternalError: string too long (line 1, column 34 of the code)`,
  );
  assert.is(
    await attack(
      "const kept = []; try { for (;;) kept.push(new ArrayBuffer(1e6)); } catch (error) { kept.length = 0; return error.message; }",
    ),
    'ok "out of memory"',
  );
});

test("recursion without end", async () => {
  const place = / \(line \d+, column \d+ of the code\)$/;
  for (const code of [
    "const f = () => f() + 1; f();",
    "const o = { get a() { return this.a; } }; o.a;",
    "const o = { toString() { return `${this}`; } }; `${o}`;",
    "JSON.parse('['.repeat(1e5));",
    "new Proxy({}, { get(_target, key, self) { return self[key]; } }).x;",
    "eval('('.repeat(1e4));",
  ])
    assert.is((await attack(code)).replace(place, ""), overflow, code);
  const nested = (depth: number): string =>
    `let deep = []; for (let n = 1; n < ${depth}; n++) deep = [deep]; return deep;`;
  assert.is(await attack(nested(256)), `ok ${"[".repeat(256)}${"]".repeat(256)}`);
  assert.is(
    await attack(nested(257)),
    "failed[code-failed]: the code returned a value nested more than 256 levels deep",
  );
  assert.match(
    await attack(nested(1e5), short),
    /^failed\[(limit\]: stopped at the limit of 30 ms|code-failed\]: the code returned a value that JSON cannot represent: RangeError)/,
  );
  assert.is(
    await attack("let depth = 0; const f = () => { depth++; f(); }; try { f(); } catch { return depth > 100; }"),
    "ok true",
  );
  assert.ok((await attack("/(?:".repeat(5_000))).startsWith("failed[code-failed]: the code cannot be parsed: "));
});

test("there is no way out through constructors, and nothing of the host to find", async () => {
  for (const [code, outcome] of [
    [
      "return this.constructor.constructor('return process')()",
      `${threw} TypeError: cannot read property 'constructor' of undefined`,
    ],
    ["return ({}).constructor.constructor('return process')()", `${threw} ReferenceError: process is not defined`],
    ["return (async () => {}).constructor('return require')()", `${threw} ReferenceError: require is not defined`],
    ["return console.log.constructor('return process')()", `${threw} ReferenceError: process is not defined`],
    ["return f.constructor('return globalThis.process ?? null')()", "ok null"],
    [
      "return f().constructor.constructor('return typeof Deno + typeof Bun + typeof window')()",
      'ok "undefinedundefinedundefined"',
    ],
    [
      "try { await f() } catch (error) { return error.constructor.constructor('return typeof process')() }",
      'ok "undefined"',
    ],
    [
      "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)",
      `${threw} ReferenceError: Atomics is not defined (line 1, column 1 of the code)`,
    ],
    [
      "return [typeof require, typeof fetch, typeof setTimeout, typeof WebAssembly, typeof module, typeof postMessage, typeof Worker].join()",
      'ok "undefined,undefined,undefined,undefined,undefined,undefined,undefined"',
    ],
    ["const { readFile } = await import('node:fs');", `${threw} ReferenceError: could not load module 'node:fs'`],
    ["return f.toString().includes('native') && !String(new Error('x').stack).includes('/')", "ok false"],
    ["return arguments.callee.caller", `${threw} TypeError: invalid property access`],
  ] as const) {
    const found = await attack(code, { allowed: { f: async () => Promise.reject(new Error("x")) } });
    assert.ok(found.startsWith(outcome), `${code}: ${found}`);
  }
});

test("what the code bends, it bends for itself", async () => {
  assert.is(
    await attack(
      "Object.prototype.prey = 1; Array.prototype.map = () => 'bent'; JSON.stringify = () => '666'; return { a: 1 }",
    ),
    'ok {"a":1}',
  );
  assert.is(
    await attack(
      "JSON.parse = null; Promise.prototype.then = null; Function.prototype.apply = null; globalThis.console = null; return await 1",
    ),
    "ok 1",
  );
  assert.is(
    await attack(
      "Reflect.apply = () => 1; String.prototype.slice = () => { for (;;); }; console.log('x'.repeat(1e5)); return 1",
    ),
    "ok 1",
  );
  assert.is(
    await attack(
      "Error.prototype.name = { toString() { throw 1; } }; Object.defineProperty(Error, Symbol.hasInstance, { value: () => { throw 2; } }); throw new Error('x')",
      short,
    ).then((text) => text.startsWith("failed[code-failed]: ")),
    true,
  );
  assert.is(
    (await attack("Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1; } }); return 1")).split(
      "\n",
    )[0],
    "failed[code-failed]: the code waits for a promise that never settles",
  );
  assert.is(
    await attack(
      "globalThis.kept = []; try { for (let size = 2 ** 20; ; size = Math.max(16, size / 2)) for (;;) try { kept.push(new ArrayBuffer(size)); } catch (error) { if (size === 16) throw error; break; } } finally { for (;;) kept.push({}); }",
      { limits: { memoryBytesMax: 4 * 1024 * 1024, cpuMsMax: 10_000 } },
    ),
    overMemory,
  );
  assert.is(await attack("Object.prototype.toJSON = () => 'bent'; return { a: 1 }"), 'ok "bent"');
  assert.is(
    await attack(
      "Object.defineProperty(Object.prototype, 'then', { get() { throw new Error('bent'); } }); return { a: 1 }",
    ),
    `${threw} Error: bent (line 1, column 69 of the code)`,
  );
});

test("hostile results: getters, proxies, toJSON, toString", async () => {
  assert.is(await attack("return { get a() { for (;;); } }", short), overCpu);
  assert.is(
    await attack("return { get a() { throw new Error('no'); } }"),
    "failed[code-failed]: the code returned a value that JSON cannot represent: Error: no",
  );
  assert.is(await attack("return { toJSON() { for (;;); } }", short), overCpu);
  assert.is(
    await attack("return { toJSON() { return () => 1; } }"),
    "failed[code-failed]: the code returned a function, which JSON cannot represent",
  );
  assert.is(
    await attack("return { toJSON() { return undefined; } }"),
    "failed[code-failed]: the code returned nothing\n  = end it with `return`, or define `execute(input)`",
  );
  assert.is(
    await attack("return new Proxy([], { get(target, key) { return key === 'length' ? 2 ** 53 : 1; } })", short),
    overCpu,
  );
  assert.is(await attack("return new Proxy({}, { ownKeys() { for (;;); } })", short), overCpu);
  assert.is(await attack("throw { toString() { for (;;); }, toJSON() { for (;;); } }", short), overCpu);
  assert.is(
    await attack(
      "const error = new Error('x'); Object.defineProperty(error, 'message', { get() { for (;;); } }); throw error",
      short,
    ),
    overCpu,
  );
  assert.is(
    await attack(
      "const error = new Error('x'); Object.defineProperty(error, 'stack', { get() { throw error; } }); throw error",
    ),
    `${threw} Error: x`,
  );
  assert.is(await attack("console.log({ toJSON() { for (;;); } })", short), overCpu);
});

test("a result with `__proto__` is data, and pollutes nothing", async () => {
  assert.is(await attack('return JSON.parse(\'{"__proto__":{"prey":1}}\')'), 'ok {"__proto__":{"prey":1}}');
  assert.is(
    await attack("return { ['__proto__']: { prey: 1 }, constructor: { prototype: { prey: 1 } } }"),
    'ok {"__proto__":{"prey":1},"constructor":{"prototype":{"prey":1}}}',
  );
  assert.is(({} as { readonly prey?: number }).prey, undefined);
});

test("results that are no JSON", async () => {
  const noJson = async (value: string): Promise<string> =>
    (await attack(`return ${value}`)).replace(/^failed\[code-failed\]: the code returned /, "").replace(/\n.*/, "");
  assert.is(await noJson("undefined"), "nothing");
  assert.is(await noJson("() => 1"), "a function, which JSON cannot represent");
  assert.is(await noJson("[1, { total: 2n }]"), "a BigInt at `total`, which JSON cannot represent");
  assert.is(await noJson("{ list: [0 / 0] }"), "NaN at `0`, which JSON cannot represent");
  assert.is(await noJson("-1 / 0"), "-Infinity, which JSON cannot represent");
  assert.is(await noJson("Symbol('s')"), "a symbol, which JSON cannot represent");
  assert.is(await noJson("{ m: new Map() }"), "a Map at `m`, which JSON cannot represent");
  assert.is(await noJson("[Promise.resolve(1)]"), "an unawaited promise at `0`, which JSON cannot represent");
  assert.is(
    await noJson("(() => { const a = {}; a.a = a; return a; })()"),
    "a value that JSON cannot represent: TypeError: circular reference",
  );
});

test("functions of the host, found in a stack, give nothing that was not given", async () => {
  const hunt =
    "Error.prepareStackTrace = (_error, frames) => frames; const found = []; const frames = new Error('x').stack; for (const frame of Array.isArray(frames) ? frames : []) { const made = frame.getFunction?.(); if (made) found.push(typeof made); }";
  assert.ok((await attack(`${hunt} return found.length;`)).startsWith("ok "));
  const allowed = { f: async (args: readonly unknown[]) => args.length };
  assert.is(
    await attack(
      "JSON.stringify = () => '{\"length\": 5}'; Array.prototype.toJSON = () => ({ length: 5 }); return await f(1)",
      { allowed },
    ),
    "failed[code-failed]: the code threw Error: `f` was not given a list of arguments",
  );
});

test("code that breaks out of its function spoils only its own answer", async () => {
  assert.is(await attack("}}), (async () => { { return 'out'"), 'ok "out"');
  assert.is(
    await attack("}}), 7, (() => {{"),
    "failed[code-failed]: the code returned nothing\n  = end it with `return`, or define `execute(input)`",
  );
  assert.is(
    await attack(
      "}}), (() => { throw { name: 'SyntaxError', get message() { return 'mine'; } }; })(), (async () => {{",
    ),
    "failed[code-failed]: the code cannot be parsed: mine (line 1, column 1 of the code)",
  );
  assert.is(await attack("}}), (() => { throw { get message() { for (;;); } }; })(), (async () => {{", short), overCpu);
  assert.is(await attack("}}), (() => { for (;;); })(), (async () => {{", short), overCpu);
  assert.ok((await attack("a\0b")).startsWith("failed[code-failed]: the code cannot be parsed: "));
  assert.is(await attack("return '\ud800'.length /* \udfff */"), "ok 1");
  assert.ok((await attack("\ufeff<!-- -->\u2028}")).startsWith("failed[code-failed]: the code cannot be parsed: "));
});

test.run();
