// `dottool log` and `dottool stats`, over a log that real calls have written.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";

const test = suite("log");
const runLine = startingOnce();

const tools = {
  ".tools/greet.tool": "Greet.\n\n@command echo hello {name}\n@param name {string} [required] Who\n",
  ".tools/login.tool": "Log in.\n\n@command false {token}\n@param token {secret} [required] The token\n",
  ".tools/twice.tool":
    "Greet two.\n\n@tags read\n@step one uses greet\n    name = A\n@step two uses greet\n    name = B\n",
  ".tools/lamp.tool": "Switch it.\n\n@command echo on\n",
};

/** A reply of a model with one call. */
function reply(tool: string, args: object): string {
  return JSON.stringify({
    tool_calls: [{ id: "1", type: "function", function: { name: tool, arguments: JSON.stringify(args) } }],
  });
}

function logOf({ folder }: TestProject): string {
  return join(folder, "home/.local/state/dottool/audit.jsonl");
}

/** Returns the lines without their times. */
async function lines(bench: TestProject, words: readonly string[] = []): Promise<readonly string[]> {
  const { stdout } = await runLine(bench, ["log", ...words]);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      assert.match(line.slice(0, 19), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      return line
        .slice(19)
        .replace(/ +/g, " ")
        .replace(/ \d+ (ms|s) /, " TIME ")
        .trim();
    });
}

async function logged(): Promise<TestProject> {
  const bench = testProject(tools);
  await runLine(bench, ["greet", "Ada"]);
  await runLine(bench, ["login", "--token", "s3cret-0123"]);
  await runLine(bench, ["exec"], { stdin: reply("greet", { nme: "Bob" }) });
  await runLine(bench, ["twice"]);
  return bench;
}

test("`log` prints each call in a line: time, caller, how it ended, how long, and the call without its secrets", async () => {
  using bench = await logged();
  const all = [
    "person ok TIME greet --name Ada",
    "person exit TIME login --token '•••'",
    "exec invalid-arguments TIME greet --nme '•••'",
    "person ok TIME greet --name A (step of twice)",
    "person ok TIME greet --name B (step of twice)",
    "person ok TIME twice",
  ];
  assert.equal(await lines(bench), all);
  assert.equal(await lines(bench, ["--failed"]), all.slice(1, 3));
  assert.equal(await lines(bench, ["--caller", "exec"]), all.slice(2, 3));
  assert.equal(await lines(bench, ["--tool=login", "--tool=twice", "--since", "1d"]), [all[1], all[5]]);
  assert.equal(await lines(bench, ["--here", "--since=today", "--until=2999-01-01"]), all);
  assert.equal(await lines(bench, ["--until", "1d"]), []);
  const json = (await runLine(bench, ["log", "--json"])).stdout;
  assert.equal(json, readFileSync(logOf(bench), "utf8").replaceAll(bench.folder, "<bench>"));
});

test("`stats` counts calls by tool, caller and day, and names what was not called", async () => {
  using bench = await logged();
  const stats = JSON.parse((await runLine(bench, ["stats", "--json"])).stdout) as Record<string, never>;
  const counts = (of: object): readonly unknown[] =>
    Object.entries(of).map(([name, { calls, ok, failed, repair, refused, judged }]) => [
      name,
      [calls, ok, failed, repair, refused, judged].join(" "),
    ]);
  const { total, by_tool, by_caller, by_day, uncalled, damaged_lines: damaged } = stats as Record<string, object>;
  assert.equal(
    [
      counts({ total }),
      counts(by_tool ?? {}),
      counts(by_caller ?? {}),
      Object.keys(by_day ?? {}).length,
      uncalled,
      damaged,
    ],
    [
      [["total", "6 4 1 1 0 0"]],
      [
        ["greet", "4 3 0 1 0 0"],
        ["login", "1 0 1 0 0 0"],
        ["twice", "1 1 0 0 0 0"],
      ],
      [
        ["person", "5 4 1 0 0 0"],
        ["exec", "1 0 0 1 0 0"],
      ],
      1,
      ["lamp"],
      0,
    ],
  );
  assert.match(
    (await runLine(bench, ["stats"])).stdout,
    /^TOOL +CALLS +FAILED +REPAIR +REFUSED +JUDGED +MEDIAN +P95\ngreet +4 +0 +1 +0 +0 +\d+ ms +\d+ ms\n/,
  );
});

test("a call of another agent is judged or refused, and a time of judging is no time of a call", async () => {
  using bench = testProject();
  const asked = (command: string): string =>
    JSON.stringify({
      session_id: "a",
      cwd: bench.folder,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
    });
  await runLine(bench, ["hook", "claude"], { stdin: asked("ls") });
  bench.write("home/.config/dottool/config.yaml", "rules:\n  - deny: run_command\n");
  await runLine(bench, ["hook", "claude"], { stdin: asked("ls") });
  const { total } = JSON.parse((await runLine(bench, ["stats", "--json", "--caller", "claude"])).stdout) as never;
  assert.equal(total, { calls: 2, ok: 0, failed: 0, repair: 0, refused: 1, judged: 1 });
});

test("damaged lines are told with their number, and what stands in a line cannot move the cursor", async () => {
  using bench = testProject(tools);
  await runLine(bench, ["greet", "Ada"]);
  const path = logOf(bench);
  const line = readFileSync(path, "utf8");
  const evil = line.replace('"tool":"greet"', '"tool":"\\u001b[2Jgr\\u202eeet"').replace('"Ada"', '"\\u009b31m"');
  appendFileSync(path, `{"time":1}\nnull\n${"x".repeat(100_000)}\n\n${evil}${line.slice(0, 100)}`);
  const { stdout, stderr } = await runLine(bench, ["log"]);
  assert.equal(stderr, "warning[audit]: 4 lines of the log could not be read\n");
  assert.equal(stdout.split("\n").length, 3);
  const shown = [
    stdout,
    ...(await Promise.all([["log", "--json"], ["stats"]].map((words) => runLine(bench, words)))).map(
      (run) => run.stdout,
    ),
  ];
  for (const text of shown) assert.not(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(text));
});

test("older files come first, and a log that is rotated meanwhile loses no call and repeats none", async () => {
  using bench = testProject(tools);
  await runLine(bench, ["greet", "Ada"]);
  const path = logOf(bench);
  const line = readFileSync(path, "utf8");
  const named = (name: string): string => line.replace('"Ada"', `"${name}"`);
  renameSync(path, path.replace("jsonl", "2.jsonl"));
  writeFileSync(path.replace("jsonl", "1.jsonl"), named("B"));
  writeFileSync(path, named("C"));
  const child = spawn(bench.program.command, [...bench.program.words, "log", "--follow"], {
    cwd: bench.folder,
    env: bench.program.environment,
    timeout: HANG_MS_MAX,
  });
  let text = "";
  const said = async (end: string): Promise<void> => {
    for await (const part of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      text += String(part);
      if (text.endsWith(`--name ${end}\n`)) return;
    }
  };
  await said("C");
  appendFileSync(path, named("D"));
  for (const number of [2, 1])
    renameSync(path.replace("jsonl", `${number}.jsonl`), path.replace("jsonl", `${number + 1}.jsonl`));
  renameSync(path, path.replace("jsonl", "1.jsonl"));
  writeFileSync(path, named("E"));
  await said("E");
  child.kill("SIGINT");
  await new Promise((resolve) => child.on("close", resolve));
  assert.equal(
    [...text.matchAll(/--name (\w+)$/gm)].map(([, name]) => name),
    ["Ada", "B", "C", "D", "E"],
  );
});

test("the last 50 calls are printed, or all since a time", async () => {
  using bench = testProject(tools);
  await runLine(bench, ["greet", "Ada"]);
  const path = logOf(bench);
  writeFileSync(path, readFileSync(path, "utf8").repeat(60));
  assert.is((await lines(bench)).length, 50);
  assert.is((await lines(bench, ["--since=1h"])).length, 60);
});

test("wrong times, callers and words are answered with what is accepted, and a tool called `log` with how it is run", async () => {
  using bench = testProject({
    ".tools/log.tool": "Log it.\n\n@command echo logged {what}\n@param what {string} What\n",
  });
  const refused = async (words: readonly string[]): Promise<string> => {
    const { exitCode, stderr } = await runLine(bench, words);
    assert.is(exitCode, 64);
    return stderr.split("\n")[0] ?? "";
  };
  const forms = "`90m`, `12h`, `7d`, `today`, `yesterday`, a date as `2026-11-29` or a time as `2026-11-29T14:00`";
  assert.is(await refused(["log", "--since", "monday"]), `failed[usage]: \`--since\` must be ${forms}; got \`monday\``);
  assert.is(
    await refused(["stats", "--until=2026-13-01"]),
    `failed[usage]: \`--until\` must be ${forms}; got \`2026-13-01\``,
  );
  assert.is(await refused(["log", "--caller=agnt"]), "failed[usage]: unknown caller `agnt`; did you mean `agent`?");
  const { stderr } = await runLine(bench, ["log", "hello"]);
  assert.match(stderr, "for your own tool `log`: dottool run log hello\n");
  assert.is((await runLine(bench, ["run", "log", "hello"])).stdout, "logged hello\n");
  assert.is(
    (await runLine(testProject(), ["log"])).stderr,
    "no calls are logged yet; with `audit: off` in `config.yaml`, those of people never are\n",
  );
});

test.run();
