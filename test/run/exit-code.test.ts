import { failureExitCode } from "../../src/core/run/exit-code.ts";
import { assert, suite } from "../harness.ts";

const test = suite("failureExitCode");

test("a file that is missing is 66, and one that cannot be used is 1", () => {
  const codes = ["ENOENT", "EACCES", "ENOSPC"].map((code) =>
    failureExitCode({ kind: "file", path: "/x", action: "read", code, help: [] }),
  );
  assert.equal(codes, [66, 1, 1]);
});

test("a call that is refused is 77", () => {
  const verdict = { decision: "deny", matched: [] } as const;
  const codes = [
    failureExitCode({ kind: "denied", tool: "a", verdict }),
    failureExitCode({ kind: "untrusted", tool: "a", folder: "/x", reason: "new", help: [] }),
  ];
  assert.equal(codes, [77, 77]);
});

test.run();
