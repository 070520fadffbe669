// `dottool batch` in the real program: lines in, results out, and what an interruption leaves to do.
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { whenThere } from "./runs-fixture.ts";

const test = suite("cli/batch");

const tool = (name: string, command: string, parameters: string): string =>
  `${name}.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command ${command}\n${parameters}@tags read\n`;
const TOOLS = {
  "tools/greet.tool": tool(
    "greet",
    "printf '%s\\n' hello {name} {word}",
    "@param name {string}\n@param word {string}\n",
  ),
  "tools/shout.tool": tool("shout", "printf '%s!' {word}", "@param word {string}\n"),
  "tools/login.tool": tool("login", "printf '%s' {token}", "@param token {string} [secret]\n"),
  // Each call waits for a file with the name of its word.
  "tools/wait.tool": tool(
    "wait",
    `sh -c 'echo "$1" >> begun; until [ -e "$1" ]; do sleep 0.01; done; echo "$1"' sh {word}`,
    "@param word {string}\n",
  ),
  "tools/team/whisper.tool": tool("whisper", "printf '%s…' {word}", "@param word {string}\n"),
  "tools/make.tool": tool("make", "touch {file}", "@param file {path}\n").replace("@tags read", "@tags write"),
};

interface Result {
  readonly line: number;
  readonly status: string;
  readonly exitCode: number;
  readonly content: readonly { readonly text: string }[];
  readonly failure?: { readonly kind: string; readonly message: string };
}

const resultsIn = (text: string): readonly Result[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);
const textsOf = (results: readonly Result[]): readonly string[] =>
  results.map(({ line, content, failure }) => `${line} ${failure?.kind ?? content[0]?.text}`);

async function batch(bench: TestProject, stdin: string, ...words: readonly string[]): Promise<readonly string[]> {
  return textsOf(resultsIn((await bench.run(["--tools", "tools", "batch", ...words], { stdin })).stdout));
}

interface Started {
  interrupt(): void;
  stopReading(): void;
  /** Resolves when so many lines have been printed. */
  whenPrinted(lines: number): Promise<void>;
  readonly ended: Promise<{
    readonly printed: string;
    readonly results: readonly string[];
    readonly exitCode: number | null;
  }>;
}

function start(bench: TestProject, stdin: string, ...words: readonly string[]): Started {
  bench.trust();
  const { command, words: own, environment } = bench.program;
  const child = spawn(command, [...own, "--tools", "tools", "batch", ...words], {
    cwd: bench.folder,
    env: environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let printed = "";
  child.stdout.on("data", (bytes: Buffer) => void (printed += bytes.toString()));
  child.stdin.end(stdin);
  return {
    interrupt: () => void child.kill("SIGINT"),
    stopReading: () => void child.stdout.destroy(),
    whenPrinted: (lines) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (printed.split("\n").length > lines) resolve();
        };
        child.stdout.on("data", look);
        look();
      }),
    ended: new Promise((resolve) =>
      child.on("close", (exitCode) => resolve({ printed, results: textsOf(resultsIn(printed)), exitCode })),
    ),
  };
}

test("each line is one call: a word, a text with a dash, or an object of arguments", async () => {
  using bench = testProject(TOOLS);
  const lines = 'one\n\n-v\n"two"\r\n{"word":"three"}\nlast';
  assert.equal(await batch(bench, lines, "--in-order", "shout"), [
    "1 one!",
    "3 -v!",
    '4 "two"!',
    "5 three!",
    "6 last!",
  ]);
});

test("the tool may be named by its file, or without its owner", async () => {
  using bench = testProject(TOOLS);
  assert.equal(await batch(bench, "a\nb", "--in-order", "tools/shout.tool"), ["1 a!", "2 b!"]);
  assert.equal(await batch(bench, "a", "whisper"), ["1 a…"]);
});

test("the words behind the name belong to every call", async () => {
  using bench = testProject(TOOLS);
  const lines = 'big\n{"word":"small"}\n{"name":"you"}\n';
  assert.equal(await batch(bench, lines, "--in-order", "greet", "--name", "world"), [
    "1 hello\nworld\nbig\n",
    "2 hello\nworld\nsmall\n",
    "3 hello\nyou\n",
  ]);
});

test("a line that is wrong has a result that says so, and the others run", async () => {
  using bench = testProject(TOOLS);
  const { stdout, stderr, exitCode } = await bench.run(["--tools", "tools", "batch", "--in-order", "shout"], {
    stdin: '{"word":1}\n{"wrod":"a"}\n{bad\nfine\n',
  });
  const results = resultsIn(stdout);
  assert.equal(
    results.map(({ line, status, exitCode: code }) => [line, status, code]),
    [
      [1, "failed", 64],
      [2, "failed", 64],
      [3, "failed", 64],
      [4, "ok", 0],
    ],
  );
  assert.match(results[1]?.failure?.message ?? "", /did you mean `word`\?\n {2}= call it like this: \{"word":"a"\}/);
  assert.match(results[2]?.failure?.message ?? "", /line {2}is not JSON/);
  assert.equal([stderr, exitCode], ["batch: 1 ok, 3 failed\n", 1]);
});

test("a line that is not JSON is not shown for a tool with a secret", async () => {
  using bench = testProject(TOOLS);
  const { stdout } = await bench.run(["--tools", "tools", "batch", "login"], { stdin: '{"token": hunter2}\n' });
  assert.match(resultsIn(stdout)[0]?.failure?.message ?? "", /line +is not JSON\n/);
  assert.not.match(stdout, /hunter2/);
});

test("a line that is too long has a result that says so, and the next one runs", async () => {
  using bench = testProject(TOOLS);
  const { stdout } = await bench.run(["--tools", "tools", "batch", "--in-order", "shout"], {
    stdin: `${"a".repeat(16 * 1024 * 1024 + 1)}\nfine`,
  });
  const results = resultsIn(stdout);
  assert.match(results[0]?.failure?.message ?? "", /line {2}has more than 16,777,216 characters\n/);
  assert.is(textsOf(results)[1], "2 fine!");
});

test("results come as they are ready, and in order if wanted", async () => {
  using bench = testProject(TOOLS);
  const free = (name: string): void => bench.write(name, "");
  const asReady = start(bench, "slow\nfast\n", "wait");
  await whenThere(join(bench.folder, "begun"), (text) => text.length === "slow\nfast\n".length);
  free("fast");
  await asReady.whenPrinted(1);
  free("slow");
  assert.equal((await asReady.ended).results, ["2 fast\n", "1 slow\n"]);
  assert.equal(await batch(bench, "slow\nfast\n", "--in-order", "wait"), ["1 slow\n", "2 fast\n"]);
});

test("a reader that has read enough ends the batch, which has not failed", async () => {
  using bench = testProject(TOOLS);
  bench.write("a", "");
  const started = start(bench, "a\nb\nc\n", "--parallel", "2", "wait");
  await started.whenPrinted(1);
  await whenThere(join(bench.folder, "begun"), (text) => text.includes("c"));
  started.stopReading();
  // The next result finds nobody who reads.
  bench.write("b", "");
  assert.is((await started.ended).exitCode, 0);
});

test("no more calls run at once than wanted", async () => {
  using bench = testProject(TOOLS);
  const running = batch(bench, "a\nb\nc\n", "--parallel", "2", "wait");
  const begun = join(bench.folder, "begun");
  assert.equal([...(await whenThere(begun, (text) => text.length === 4)).trim().split("\n")].sort(), ["a", "b"]);
  bench.write("a", "");
  assert.match(await whenThere(begun, (text) => text.length === 6), /c\n$/);
  for (const name of ["b", "c"]) bench.write(name, "");
  assert.is((await running).length, 3);
});

test("after an interruption, --done goes on and loses no line", async () => {
  using bench = testProject(TOOLS);
  const inputs = "a\nb\nc\nb\n";
  for (const name of ["a", "b"]) bench.write(name, "");
  const first = start(bench, inputs, "--parallel", "1", "wait");
  await whenThere(join(bench.folder, "begun"), (text) => text.includes("c"));
  first.interrupt();
  const { printed, results: before, exitCode } = await first.ended;
  assert.equal([before, exitCode], [["1 a\n", "2 b\n", "3 cancelled"], 130]);
  const results = join(bench.folder, "results");
  // The power went off in the middle of a line.
  writeFileSync(results, `${printed}{"line":4,"inp`);
  bench.write("c", "");
  const { stdout, stderr } = await bench.run(["--tools", "tools", "batch", "--done", "results", "wait"], {
    stdin: inputs,
  });
  appendFileSync(results, stdout);
  assert.equal([...textsOf(resultsIn(stdout))].sort(), ["3 c\n", "4 b\n"]);
  assert.is(stderr, "batch: 2 ok, 2 done before\n");
  const whole = readFileSync(results, "utf8").split("\n");
  assert.is(whole.filter((line) => line.includes('"status":"ok"')).length, 4);
});

test("a call with other words is not done", async () => {
  using bench = testProject(TOOLS);
  const greet = (...words: readonly string[]): ReturnType<TestProject["run"]> =>
    bench.run(["--tools", "tools", "batch", "--done", "results", "greet", ...words], { stdin: "you\n" });
  const { stdout } = await greet("--name", "Ana");
  bench.write("results", stdout);
  assert.is((await greet("--name", "Ana")).stdout, "");
  assert.equal(textsOf(resultsIn((await greet("--name", "Ben")).stdout)), ["1 hello\nBen\nyou\n"]);
});

test("a line that is not UTF-8 is refused, because a replaced character may name another file", async () => {
  using bench = testProject(TOOLS);
  const stdin = Buffer.concat([Buffer.from("a"), Buffer.from([0xff]), Buffer.from("b\nfine\n")]);
  const { stdout } = await bench.run(["--tools", "tools", "batch", "--in-order", "shout"], { stdin });
  const results = resultsIn(stdout);
  assert.equal(textsOf(results), ["1 invalid-arguments", "2 fine!"]);
  assert.match(results[0]?.failure?.message ?? "", /has bytes that are not UTF-8/);
});

test("a call that has to be asked about is denied, and says how to allow it", async () => {
  using bench = testProject(TOOLS);
  bench.write("home/.config/dottool/config.yaml", "policy:\n  - {decision: ask, tool: make, reason: it writes}\n");
  const { stdout } = await bench.run(["--tools", "tools", "batch", "make"], { stdin: "x\n" });
  assert.match(resultsIn(stdout)[0]?.failure?.message ?? "", /allow it .*: dottool --tools tools allow make/);
});

test("--stop-after ends a batch after so many failures, and --done goes on", async () => {
  using bench = testProject(TOOLS);
  const lines = ["no", "yes", ...Array.from({ length: 20 }, () => "no")];
  const stdin = lines.map((word) => (word === "no" ? '{"wrod":1}\n' : `${word}\n`)).join("");
  const run = (...words: readonly string[]) =>
    bench.run(["--tools", "tools", "batch", "--parallel", "1", ...words, "shout"], { stdin });
  const stopped =
    "warning[batch]: it was stopped by `--stop-after`, and has not read all lines\n  = `--done` with the results goes on\n";
  const first = await run("--stop-after", "2");
  assert.equal(textsOf(resultsIn(first.stdout)), ["1 invalid-arguments", "2 yes!", "3 invalid-arguments"]);
  assert.equal([first.stderr, first.exitCode], [`batch: 1 ok, 2 failed\n${stopped}`, 1]);
  // A part says nothing of the first few.
  const part = await run("--stop-after", "50%");
  assert.equal([resultsIn(part.stdout).length, part.stderr], [10, `batch: 1 ok, 9 failed\n${stopped}`]);
  bench.write("results", first.stdout);
  assert.match(
    (await run("--done", "results", "--stop-after", "99")).stderr,
    /^batch: 0 ok, 21 failed, 1 done before\n$/,
  );
});

test("options of GNU parallel are answered with ours", async () => {
  using bench = testProject(TOOLS);
  const said = async (...words: readonly string[]): Promise<string> =>
    (await bench.run(["--tools", "tools", "batch", ...words])).stderr.split("\n")[0] ?? "";
  assert.equal(
    [
      await said("--joblog", "x", "shout"),
      await said("--resume-failed", "shout"),
      await said("--halt=now,fail=1", "shout"),
      await said("--stop-after", "0", "shout"),
    ],
    [
      "failed[usage]: `batch` has no option `--joblog`; the results are the log: each has `line`, `exitCode` and `durationMs`",
      "failed[usage]: `batch` has no option `--resume-failed`; `--done RESULTS` leaves out the lines that have succeeded",
      "failed[usage]: `batch` has no option `--halt`; `--stop-after 1` begins no call after a failure, and `--stop-after 50%` none once half have failed",
      "failed[usage]: `--stop-after` must be a number of failures or a part such as 50%; got `0`",
    ],
  );
});

test("mistakes are named before a line is read", async () => {
  using bench = testProject(TOOLS);
  const refused = async (...words: readonly string[]): Promise<string> =>
    (await bench.run(["--tools", "tools", "batch", ...words], { stdin: "a\n" })).stderr.split("\n")[0] ?? "";
  assert.is(await refused(), "failed[usage]: `batch` needs the name of a tool");
  assert.is(await refused("shuot"), "failed[unknown-tool]: there is no tool `shuot`; did you mean `shout`?");
  assert.is(
    await refused("--paralel", "2", "shout"),
    "failed[usage]: `batch` has no option `--paralel` (options of the tool stand behind its name); did you mean `--parallel`?",
  );
  assert.is(
    await refused("--parallel", "0", "shout"),
    "failed[usage]: `--parallel` must be a number from 1 to 1000; got `0`",
  );
  assert.is(
    await refused("shout", "--parallel", "2"),
    "failed[usage]: `--parallel` is an option of `batch` and goes before the tool's name: `dottool batch --parallel … shout`",
  );
  assert.is(
    await refused("--parallel", "shout"),
    "failed[usage]: `batch` needs the name of a tool; `shout` is the value of `--parallel`",
  );
  assert.is(await refused("--done", "tools", "shout"), "failed[file]: `tools` cannot be read (EISDIR)");
});

test("a tool whose folder is not trusted is refused once, and not for each line", async () => {
  using bench = testProject(
    { ".tools/make.tool": tool("make", "touch {file}", "@param file {path}\n") },
    { isTrusted: false },
  );
  const { stdout, stderr, exitCode } = await bench.run(["batch", "make"], { stdin: "a\nb\nc\n" });
  assert.equal([stdout, exitCode, stderr.match(/^failed\[untrusted\]/gm)?.length], ["", 77, 1]);
});

test.run();
