import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";

const test = suite("isSetInAncestor");

const source = fileURLToPath(new URL("../../src/core/host/processes/process-identity.ts", import.meta.url));
const words = "deno" in process.versions ? ["eval"] : ["--input-type=module", "-e"];
const program = [
  process.execPath,
  ...words,
  `import { isSetInAncestor } from ${JSON.stringify(`file://${source}`)}; console.log(isSetInAncestor("DOTTOOL_MARK"));`,
];

/** Returns the output of a grandchild that starts with an empty environment. */
function said(environment: Readonly<Record<string, string>>): string {
  const quoted = program.map((word) => `'${word}'`).join(" ");
  // The second command keeps the shell from becoming the program.
  return execFileSync("/bin/sh", ["-c", `/usr/bin/env -i HOME=/tmp ${quoted}; true`], {
    env: environment,
    encoding: "utf8",
  }).trim();
}

test("a variable of a process above is seen, whatever was cleared on the way", () => {
  const isTold = process.platform === "linux";
  assert.equal(
    [said({ DOTTOOL_MARK: "x" }), said({ DOTTOOL_MARK: "" }), said({ NOT_DOTTOOL_MARK: "x", OTHER: "DOTTOOL_MARK=x" })],
    [String(isTold), "false", "false"],
  );
});

test.run();
