import { isShellSafe } from "../../src/core/shell/shell-safe.ts";
import { assert, suite } from "../harness.ts";

const test = suite("isShellSafe");

test("a pattern without case also matches other letters, so it is not shell-safe", () => {
  const safe = [/[a-z]+/, /[a-z]+/i, /.+/, /a;b/].map((pattern) =>
    isShellSafe({ type: "string", pattern: { source: pattern.source, flags: pattern.flags } }),
  );
  assert.equal(safe, [true, false, false, false]);
});

test.run();
