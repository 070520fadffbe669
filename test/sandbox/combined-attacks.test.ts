// Random combinations of attacks on the parts of the driver and the machine. The result is always an outcome and never
// a crash, and the next call is right.
import fc from "fast-check";
import { assert, suite } from "../harness.ts";
import { attack } from "./sandbox-fixture.ts";

const test = suite("combined attacks");

const pieces = [
  "Error.prepareStackTrace = () => { for (;;); };",
  "Error.prepareStackTrace = (_error, frames) => { globalThis.frames = frames; throw frames; };",
  "for (const frame of globalThis.frames ?? []) try { frame.getFunction()('value', '1', '2'); } catch {}",
  "Error.stackTraceLimit = -1;",
  "Object.defineProperty(Object.prototype, '0', { get() { throw 1; }, set() { throw 2; } });",
  "Object.defineProperty(Array.prototype, 'length', { value: 5 });",
  "Array.prototype[Symbol.iterator] = null;",
  "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 3; } });",
  "Object.defineProperty(Promise, Symbol.species, { get() { throw 4; } });",
  "Promise.resolve = null;",
  "Object.prototype.toJSON = function () { return this; };",
  "Object.setPrototypeOf(globalThis, new Proxy({}, { get() { throw 5; } }));",
  "globalThis.Error = null;",
  "delete globalThis.JSON;",
  "f(1, 'x'.repeat(1e4));",
  "await Promise.all([f(), f()]);",
  "console.log(console, { a: 1 });",
  "globalThis.kept = []; for (let n = 0; n < 40; n++) kept.push(new ArrayBuffer(1e6));",
  "const deep = () => deep(); deep();",
  "throw new Proxy(new Error('p'), { get() { throw 6; } });",
  "throw undefined;",
  "return globalThis;",
  "return f();",
  "queueMicrotask(() => { throw 7; }); Promise.reject(8);",
  "class A { static { throw 9; } }",
  "}}), (() => {{",
  "*/ ` \0",
  "await new Promise(() => {});",
];

test("nothing that they do together crashes the machine", async () => {
  let calls = 0;
  const allowed = { f: async () => (++calls % 2 === 0 ? Promise.reject(new Error("no")) : { x: 1 }) };
  const codes = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n"));
  await fc.assert(
    fc.asyncProperty(codes, async (code) => {
      const outcome = await attack(code, { allowed, limits: { cpuMsMax: 10, wallMsMax: 30_000 } });
      assert.match(outcome, /^(ok |failed\[(code-failed|limit)\])/);
      assert.not.match(outcome, /file:|node_modules|\/src\//);
    }),
    { numRuns: 60 },
  );
});

test.run();
