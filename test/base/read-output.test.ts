import { mkdirSync } from "node:fs";
import { readOutput } from "../../src/core/base/read-output.ts";
import { storeSpill } from "../../src/core/output/kept-file.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { assert, suite } from "../harness.ts";
import { withoutRights } from "../without-rights.ts";
import { type CommandFixture, withCommandFixture } from "./command-fixture.ts";

const test = suite("read-output");

const numbers = (count: number): string =>
  Array.from({ length: count }, (_item, index) => `line ${index + 1}\n`).join("");

async function reading(text: string, args: JsonObject): Promise<string> {
  let answer = "";
  await withCommandFixture(async (bench) => {
    answer = textOf(await bench.call(readOutput, { handle: await kept(bench, text), ...args }));
  });
  return answer;
}

async function kept(bench: CommandFixture, text: string): Promise<string> {
  const { handle, ends } = await storeSpill(bench.host, text);
  if (handle === undefined) throw new Error(ends.lost);
  return handle;
}

function textOf(outcome: Outcome): string {
  const [first] = outcome.content;
  return first?.type === "text" ? first.text : "";
}

test("read_output gives a page and says where the next one starts", async () => {
  assert.equal(
    await reading(numbers(10), { offset: 3, limit: 2 }),
    "line 3\nline 4\n[6 more lines; continue with offset 5]",
  );
});

test("read_output says nothing after the last line", async () => {
  assert.equal(
    [await reading(numbers(3), {}), await reading("no line end", {})],
    ["line 1\nline 2\nline 3", "no line end"],
  );
});

test("read_output says how many lines there are when none is left", async () => {
  assert.equal(await reading(numbers(3), { offset: 4 }), "[there are 3 lines]");
});

test("read_output gives no more than 8,000 tokens, in whole lines", async () => {
  const answer = await reading(`${"x".repeat(999)}\n`.repeat(100), {});
  assert.equal(answer, `${`${"x".repeat(999)}\n`.repeat(31)}[69 more lines; continue with offset 32]`);
});

test("read_output pages through a single long line", async () => {
  const text = "é".repeat(5_000);
  assert.equal(
    [await reading(text, { limit: 1 }), await reading(text, { offset: 3 })],
    [`${"é".repeat(2_000)}\n[2 more lines; continue with offset 2]`, "é".repeat(1_000)],
  );
});

test("read_output gives the lines that match, with their numbers", async () => {
  assert.equal(await reading(numbers(12), { pattern: "line .?[12]$" }), "1:line 1\n2:line 2\n11:line 11\n12:line 12");
});

test("read_output gives lines around a match as grep does", async () => {
  assert.equal(
    await reading(numbers(20), { pattern: " (3|4|9|20)$", context: 1 }),
    [
      "2-line 2",
      "3:line 3",
      "4:line 4",
      "5-line 5",
      "--",
      "8-line 8",
      "9:line 9",
      "10-line 10",
      "--",
      "19-line 19",
      "20:line 20",
    ].join("\n"),
  );
});

test("read_output says where more lines match", async () => {
  assert.equal(
    await reading(numbers(20), { pattern: "1", limit: 2 }),
    "1:line 1\n10:line 10\n[more lines match; continue with offset 11]",
  );
});

test("read_output says when no line matches", async () => {
  assert.equal(await reading(numbers(20), { pattern: "nothing", offset: 5 }), "[none of the lines 5 to 20 matches]");
});

test("read_output stops a pattern that takes for ever", () =>
  withCommandFixture(async (bench) => {
    const handle = await kept(bench, `${"a".repeat(50)}!\n`);
    const failure = {
      kind: "rejected",
      reason: "`(a+)+$` timed out on this output after 2 s",
      help: ["avoid nested repetition, such as `(a+)+`"],
    };
    assert.equal(await bench.call(readOutput, { handle, pattern: "(a+)+$" }), {
      status: "failed",
      content: [],
      failure,
    });
  }));

test("read_output knows no handle but those it gave", () =>
  withCommandFixture(async (bench) => {
    const handle = "0".repeat(32);
    const help = ["output is stored for a week, and the oldest is removed beyond 200 MiB; make the call again"];
    assert.equal(await bench.call(readOutput, { handle }), {
      status: "failed",
      content: [],
      failure: { kind: "rejected", reason: `there is no stored output \`${handle}\``, help },
    });
  }));

test("read_output takes no path for a handle", () => {
  const accepts = (handle: string): boolean =>
    validateArguments(readOutput.parameters, { handle }, { owner: "read_output", environment: () => undefined })
      .arguments !== undefined;
  const handle = "0123456789abcdef".repeat(2);
  assert.equal(
    [handle, `../${handle}`, `${handle}/..`, "/etc/passwd", `${handle}\n`, handle.toUpperCase(), ""].map(accepts),
    [true, false, false, false, false, false, false],
  );
});

test("check says what is wrong with a pattern", () => {
  assert.equal(readOutput.check?.({ handle: "", offset: 1, limit: 1, context: 0, pattern: "(" }), [
    { path: "pattern", message: 'expected a regular expression, got "(" (unterminated group)' },
  ]);
});

test("read_output reports a cache that it may not read", () =>
  withCommandFixture(async (bench) => {
    mkdirSync(`${bench.folder}/cache/spill`, { recursive: true });
    const answer = await withoutRights(bench.folder, [`${bench.folder}/cache/spill`], () =>
      bench.call(readOutput, { handle: "0".repeat(32) }),
    );
    assert.is(answer.status === "failed" && answer.failure.kind, "file");
  }));

test.run();
