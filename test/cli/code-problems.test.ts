// How much code `check` reads: each piece has a limit of processor time, and no time of the clock is a limit.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { codeProblems } from "../../src/features/check/code-problems.ts";
import type { CheckedScope } from "../../src/features/check/checked-scope.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { assert, present, suite } from "../harness.ts";

const test = suite("code problems");
const host = createNodeHost();
const text = "Adds.\n\n@name add\n@param a {integer} [required] A number\n@code\n    return a + 1;\n";

async function messagesOf(count: number, other: Partial<typeof host>): Promise<readonly string[]> {
  const definition = present(analyzeToolFile(parseToolFile({ path: "add.tool", text })).value);
  const scope = {
    opened: { host: { ...host, ...other }, catalogue: () => ({ definitionOf: () => definition }) },
    entries: Array.from({ length: count }),
  };
  return (await codeProblems(scope as unknown as CheckedScope)).map(({ message }) => message);
}

test("code is checked however long the code before it took", async () => {
  let nowMs = 0;
  assert.equal(await messagesOf(40, { nowMs: () => (nowMs += 10_000) }), []);
});

test("check ends after fifteen pieces that reach their limit of processor time", async () => {
  const sandbox = { ...host.sandbox, run: async () => ({ kind: "limit", limit: "cpuMsMax", log: "" }) as const };
  assert.equal(await messagesOf(40, { sandbox }), [
    ...Array.from({ length: 15 }, () => "the code cannot be read: it takes too long to parse"),
    "the code cannot be read: neither it nor what follows was checked: 15 files before it take too long to parse",
  ]);
});

test.run();
