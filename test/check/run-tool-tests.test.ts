// Tests in definitions: every expectation holds and fails when it should, and nothing is left behind.
import { assert, suite } from "../harness.ts";
import { runToolTests } from "../../src/features/check/run-tool-tests.ts";
import type { TestResult } from "../../src/features/check/test-result.ts";
import { type CheckFixtureOptions, withCheckFixture } from "./check-fixture.ts";

const test = suite("run-tool-tests");

function tool(body: string): string {
  return `Run a script.\n\n@title Script\n@name script\n@wrapped run_command\n${body}\n`;
}

async function resultsOf(text: string, options: CheckFixtureOptions = {}): Promise<readonly TestResult[]> {
  let results: readonly TestResult[] = [];
  await withCheckFixture(
    { ...options, files: { ".tools/script.tool": text, ...options.files } },
    async ({ session, temporaryFolders }) => {
      results = await runToolTests(session, ["script"], { signal: new AbortController().signal });
      assert.equal(temporaryFolders(), []);
    },
  );
  return results;
}

/** Returns `passed`, or the message of each problem. */
async function said(lines: string, options: CheckFixtureOptions = {}): Promise<readonly string[]> {
  const results = await resultsOf(
    tool(
      `@test one\n${lines
        .split("\n")
        .map((line) => `    ${line}`)
        .join("\n")}`,
    ),
    options,
  );
  assert.is(results.length, 1);
  return results.flatMap((result) => {
    if (result.kind === "passed") return ["passed"];
    if (result.kind === "skipped") return result.reasons.map((reason) => `skipped: ${reason}`);
    return result.problems.map(
      (problem) => `${problem.kind === "expectation" ? problem.expectation.kind : problem.kind}: ${problem.actual}`,
    );
  });
}

function script(text: string): string {
  return `with ${JSON.stringify({ command: text })}`;
}

test("every expectation holds when it should", async () => {
  const expectations = [
    "exit-code 3",
    "output-contains wor",
    "output-equals hello world",
    "output-matches /^h.*d$/",
    "output-not-contains bye",
    "error-contains oops",
    "file-exists made.txt",
    "file-contains made.txt some text",
    "directory-exists folder",
    "not-file-exists missing.txt",
    "not-file-exists folder",
  ];
  const text = "echo hello world; echo oops >&2; echo some text > made.txt; mkdir folder; exit 3";
  assert.equal(await said([script(text), ...expectations.map((one) => `expect ${one}`)].join("\n")), ["passed"]);
});

test("every expectation fails when it should, and says what there was", async () => {
  const expectations = [
    "exit-code 0",
    "output-contains moon",
    "output-equals hello",
    "output-matches /^w/",
    "output-not-contains world",
    "error-contains ouch",
    "file-exists missing.txt",
    "file-exists folder",
    "file-contains made.txt other",
    "file-contains missing.txt x",
    "directory-exists made.txt",
    "not-file-exists made.txt",
  ];
  const text = "echo hello world; echo some text > made.txt; mkdir folder; exit 3";
  const failure = "failed[exit]: `sh` ended with exit code 3";
  const output = `the output was: hello world\nthe error was: ${failure}`;
  assert.equal(await said([script(text), ...expectations.map((one) => `expect ${one}`)].join("\n")), [
    `exit-code: exit code 3: ${failure}`,
    `output-contains: ${output}`,
    `output-equals: ${output}`,
    `output-matches: ${output}`,
    `output-not-contains: ${output}`,
    `error-contains: the error was: ${failure}`,
    "file-exists: there is no `missing.txt`",
    "file-exists: `folder` is a folder",
    "file-contains: `made.txt` contains:\nsome text\n",
    "file-contains: there is no `missing.txt`",
    "directory-exists: `made.txt` exists",
    "not-file-exists: `made.txt` exists",
  ]);
});

test("a result is compared as JSON", async () => {
  assert.equal(await said(`${script('echo \'{"b": [1], "a": null}\'')}\nexpect result {"a": null, "b": [1]}`), [
    "passed",
  ]);
  assert.equal(await said(`${script("echo '{\"b\": [1]}'")}\nexpect result {"b": ["1"]}`), [
    'result: the result was: {"b":[1]}',
  ]);
  assert.equal(await said(`${script("echo words")}\nexpect result "words"`), ["result: the result was: words"]);
});

test("a pattern that takes for ever fails the test", async () => {
  assert.equal(await said(`${script(`echo ${"a".repeat(50)}b`)}\nexpect output-matches /^(a+)+$/`), [
    `output-matches: the output was: ${"a".repeat(50)}b`,
  ]);
  assert.equal(await said(`${script(`echo ${"a".repeat(50)}b`)}\nexpect output-matches /^(a+)+\\1?$/`), [
    "output-matches: matching the pattern took longer than 1000 ms",
  ]);
});

test("a call that fails fails the test, unless the test expects it", async () => {
  assert.equal(await said(`${script("echo out; exit 1")}\nexpect output-contains out`), [
    "call: failed[exit]: `sh` ended with exit code 1",
  ]);
  assert.equal(await said(`${script("exit 1")}\nexpect exit-code 1`), ["passed"]);
});

test("wrong arguments are an error of exit code 64", async () => {
  assert.equal(await said('with {"comand": "true"}\nexpect exit-code 64\nexpect error-contains comand'), ["passed"]);
});

test("setup and cleanup run in the test's folder, and their failures are named", async () => {
  assert.equal(
    await said(`setup echo hello > a.txt\n${script("cat a.txt")}\nexpect output-equals hello\ncleanup rm a.txt`),
    ["passed"],
  );
  assert.equal(await said(`setup false\nsetup touch never\n${script("true")}\nexpect exit-code 0`), [
    "setup: failed[exit]: `sh` ended with exit code 1",
  ]);
  assert.equal(await said(`${script("true")}\nexpect exit-code 0\ncleanup cat missing.txt`), [
    "cleanup: cat: missing.txt: No such file or directory\nfailed[exit]: `sh` ended with exit code 1",
  ]);
});

test("each test has an empty folder of its own, or the definition's", async () => {
  const [first, second, third] = await resultsOf(
    tool(
      [
        "@test leaves a file",
        `    ${script("touch left")}`,
        "    expect file-exists left",
        "@test sees nothing of it",
        `    ${script("ls")}`,
        "    expect output-not-contains left",
        "@test reads beside the definition in .",
        `    ${script("ls")}`,
        "    expect output-contains script.tool",
      ].join("\n"),
    ),
  );
  assert.equal([first?.kind, second?.kind, third?.kind], ["passed", "passed", "passed"]);
});

test("a folder that a test has closed is removed all the same", async () => {
  assert.equal(await said(`${script("mkdir -p a/b; touch a/b/c; chmod 0 a/b a")}\nexpect exit-code 0`), ["passed"]);
});

test("a tool that cannot run here is skipped with the reason", async () => {
  const [result] = await resultsOf(
    `${tool('@requires a-program-that-is-not-here\n@test one\n    with {"command": "true"}\n    expect exit-code 0')}`,
  );
  assert.equal(result && "reasons" in result && result.reasons, [
    "it needs the program `a-program-that-is-not-here`, which is not on PATH",
  ]);
});

test("what policy would ask about is refused, whatever the session's approver says", async () => {
  const ask = { name: "ask for all", decision: "ask" as const, reason: "it is asked", matches: () => true };
  assert.equal(
    await said(`${script("touch made")}\nexpect exit-code 77\nexpect not-file-exists made`, { policy: [ask] }),
    ["passed"],
  );
});

test("tests that have not begun when the signal comes are skipped, and the others cleaned up", async () => {
  const tests = Array.from(
    { length: 8 },
    (_, index) => `@test t${index}\n    ${script("sleep 30")}\n    expect exit-code 0\n    cleanup touch cleaned`,
  ).join("\n");
  await withCheckFixture({ files: { ".tools/script.tool": tool(tests) } }, async ({ session, temporaryFolders }) => {
    const stop = new AbortController();
    const results = runToolTests(session, ["script"], { signal: stop.signal });
    while (temporaryFolders().length < 4) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    assert.equal(
      (await results).map((result) => result.kind),
      ["failed", "failed", "failed", "failed", "skipped", "skipped", "skipped", "skipped"],
    );
    assert.equal(temporaryFolders(), []);
  });
});

test("results come in order, and as they end", async () => {
  const tests = [4, 0, 0]
    .map((seconds, index) => `@test t${index}\n    ${script(`sleep ${seconds}`)}\n    expect exit-code 0`)
    .join("\n");
  await withCheckFixture({ files: { ".tools/script.tool": tool(tests) } }, async ({ session }) => {
    const ended: string[] = [];
    const results = await runToolTests(session, ["script", "no_such_tool"], {
      signal: new AbortController().signal,
      onResult: (result) => ended.push(result.test),
    });
    assert.equal(
      results.map((result) => result.test),
      ["t0", "t1", "t2"],
    );
    assert.is(ended.at(-1), "t0");
  });
});

test.run();
