import { isShellSafe } from "../../src/core/shell/shell-safe.ts";
import { assert, suite } from "../harness.ts";

const test = suite("isShellSafe");

test("a pattern without case also matches other letters, so it is not shell-safe", () => {
  const safe = [/[a-z]+/, /[a-z]+/i, /.+/, /a;b/].map((pattern) =>
    isShellSafe({ type: "string", pattern: { source: pattern.source, flags: pattern.flags } }),
  );
  assert.equal(safe, [true, false, false, false]);
});

test("a pattern matches whole values, so its ends need not be written and may be", () => {
  const safe = [/^[A-Z]\w*$/, /^(?:a|b)$/, /^a|b$/, /^\^$/, /\$/, /^.+$/, /^a$b/].map(({ source, flags }) =>
    isShellSafe({ type: "string", pattern: { source, flags } }),
  );
  assert.equal(safe, [true, true, true, false, false, false, false]);
});

test.run();
