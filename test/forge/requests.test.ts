// Requests for tools over MCP, with the real program: what a client gets for each, word for word, and nothing else
// happens.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { filesIn, type Forging, withForging } from "./forge-fixture.ts";
import { answers, written } from "./code-rows.ts";
import { bad, good, type RequestRow } from "./request-rows.ts";

const test = suite("forge requests");

test("the requests that become tools, and calls of these", () =>
  withForging(files, async (forging) => {
    const texts: string[] = [];
    for (const row of good) texts.push(await textOf(row, forging));
    assertGolden("./forge/golden/good-requests.txt", texts.join("\n"));
  }));

test("code is accepted as models write it: as a module, and between fences", () =>
  withForging({}, async (forging) => {
    const texts: string[] = [];
    for (const row of written) texts.push(await textOf(row, forging));
    assertGolden("./forge/golden/written-code.txt", texts.join("\n"));
  }));

test("how far an answer is shown by tests: tables of the tests alone have little confidence, and are not refused", async () => {
  const texts: string[] = [];
  // A session has ten tools.
  for (const rows of [answers.slice(0, 8), answers.slice(8)])
    await withForging({}, async (forging) => {
      for (const row of rows) texts.push(await textOf(row, forging));
    });
  assertGolden("./forge/golden/answers.txt", texts.join("\n"));
});

test("the requests that are refused change nothing", () =>
  withForging(files, async (forging, bench) => {
    await forging.forge(good.at(-2)?.request ?? {});
    const texts: string[] = [];
    for (const row of bad) texts.push(await textOf(row, forging));
    assertGolden("./forge/golden/bad-requests.txt", texts.join("\n"));
    assert.is(existsSync(join(bench.folder, "canary")), false);
    assert.equal(
      filesIn(bench).filter((name) => name.startsWith("x")),
      [],
    );
  }));

/** A busy machine reaches the limit of waiting before that of computing. */
const OUT_OF_TIME =
  /failed\[(?:timeout\]: timed out after 5 s|limit\]: stopped at the limit of 1000 ms of computing\n {2}= do less in one call)/;

const files = {
  "numbers.txt": "1\n2\n3\n",
  "home/.ssh/id_ed25519": "canary of a key",
  ".tools/run_sum.tool":
    "Sums numbers.\n\n@title Sum\n@name run_sum\n@param numbers {array<number>} [required] Numbers\n@returns {object}\n@tags read\n@code\n    return { total: numbers.reduce((a, b) => a + b, 0), count: numbers.length };\n",
  ".tools/run_show.tool":
    "Shows values.\n\n@title Show\n@name run_show\n@param value {object} [required] A value\n@param all {object} [required] More\n@returns {object}\n@tags read\n@code\n    return { value, all };\n",
};

async function textOf({ about, request, calls = [] }: RequestRow, forging: Forging): Promise<string> {
  const lines = [`# ${about}`, (await forging.forge(request)).replace(OUT_OF_TIME, "stopped at a limit of time")];
  for (const args of calls) {
    const answer = await forging.call("run_forged", { name: request["name"] ?? "", arguments: args } as JsonObject);
    lines.push(`> ${JSON.stringify(args)}`, answer);
  }
  return `${lines.join("\n")}\n`;
}

test.run();
