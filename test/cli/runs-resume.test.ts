// `dottool runs resume`: a call of a tool with steps goes on where it failed or was killed, and no step runs again that
// had ended.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { END_FORMAT } from "../../src/features/runs/run-record.ts";
import type { ToolResult } from "../../src/core/tool/call.ts";
import { withChecksum } from "../../src/core/store/checked-file.ts";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";
import { isAlive, STATE, storedRuns, whenGone, whenThere, withoutIds } from "./runs-fixture.ts";

const test = suite("cli runs resume");

/** Each step writes its name to `log` when it begins and when it ends, and waits for its file in between. */
function steps(...names: readonly string[]): string {
  return names
    .map((name) => {
      const [own = "", ...options] = name.split(" ");
      const marks = options.length === 0 ? "" : ` [${options.join(" ")}]`;
      return `@step ${own} sh${marks}
    echo $$ > step; echo "+${own}" >> log
    until test -e ${own}.ok || test -e all.ok; do test -e ${own}.no && exit 4; sleep 0.01; done
    echo "-${own}" >> log; echo ${own} of {env}
`;
    })
    .join("");
}

const head = "Deploys.\n\n@name deploy\n@title Deploy\n@param env {string} [required] Where\n";

const logOf = (bench: TestProject): readonly string[] =>
  readFileSync(join(bench.folder, "log"), "utf8").trim().split("\n");

/** Starts the words, and kills the program when the log has the line. */
async function killAt(bench: TestProject, line: string, words: readonly string[]): Promise<void> {
  bench.trust();
  const { command, words: program, environment } = bench.program;
  const child = spawn(command, [...program, ...words], { cwd: bench.folder, env: environment, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("close", resolve));
  await whenThere(join(bench.folder, "log"), (text) => text.includes(`${line}\n`));
  child.kill("SIGKILL");
  await ended;
  if (child.pid !== undefined) await whenGone(child.pid);
  // A step that has just begun outlives a kill of the program: its watcher starts after 25 ms.
  const step = Number(readFileSync(join(bench.folder, "step"), "utf8"));
  if (isAlive(step)) process.kill(step, "SIGKILL");
  await whenGone(step);
}

test("what a run took is the time of all its processes", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("build", "ship")}` });
  writeFileSync(join(bench.folder, "build.ok"), "");
  writeFileSync(join(bench.folder, "ship.no"), "");
  await bench.run(["deploy", "--env", "x"]);
  const [id = ""] = storedRuns(bench);
  const took = async (): Promise<number> =>
    (JSON.parse((await bench.run(["runs", "show", id, "--json"])).stdout) as { durationMs: number }).durationMs;
  const first = JSON.stringify({ endedAt: "2026-01-01T00:00:00Z", status: "failed", exitCode: 4, durationMs: 1e9 });
  writeFileSync(join(bench.folder, STATE, "runs", id, "end.json"), withChecksum(END_FORMAT, first));
  await bench.run(["runs", "resume", id]);
  assert.ok((await took()) > 1e9);
  // A process that was killed counts as far as its steps are stored.
  rmSync(join(bench.folder, STATE, "runs", id, "end.json"));
  await bench.run(["runs", "resume", id]);
  assert.ok((await took()) > 1e9);
});

test("a failed call goes on with the step that failed, with the same arguments, and leaves no record when it succeeds", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("build", "ship")}` });
  writeFileSync(join(bench.folder, "build.ok"), "");
  writeFileSync(join(bench.folder, "ship.no"), "");
  assert.is((await bench.run(["deploy", "prod"])).exitCode, 4);
  assert.match((await bench.run(["runs", "show", "last"])).stdout, /^ {2}steps +build ended$/m);
  rmSync(join(bench.folder, "ship.no"));
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.equal(await bench.run(["runs", "resume", "last"]), { stdout: "ship of prod\n", stderr: "", exitCode: 0 });
  assert.equal(logOf(bench), ["+build", "-build", "+ship", "+ship", "-ship"]);
  assert.equal(storedRuns(bench), []);
});

for (const [line, before] of [
  ["+b", ["+a", "-a", "+b"]],
  ["-b", undefined],
  ["+c", ["+a", "-a", "+b", "-b", "+c"]],
] as const)
  test(`after a kill at ${line} each step that was stored has run once`, async () => {
    using bench = testProject({
      ".tools/deploy.tool": `${head}${`${steps("a", "b", "c")}@output\n    {a}, {b}, {c}\n`}`,
    });
    for (const name of ["a", ...(line === "+b" ? [] : ["b"])]) writeFileSync(join(bench.folder, `${name}.ok`), "");
    await killAt(bench, line, ["deploy", "prod"]);
    if (before) assert.equal(logOf(bench), before);
    writeFileSync(join(bench.folder, "all.ok"), "");
    assert.equal(await bench.run(["runs", "resume", "last"]), {
      stdout: "a of prod, b of prod, c of prod\n",
      stderr: "",
      exitCode: 0,
    });
    const begun = logOf(bench).filter((one) => one.startsWith("+"));
    assert.is(begun.filter((one) => one === "+a").length, 1);
    if (line === "+c") assert.equal(begun, ["+a", "+b", "+c", "+c"]);
    else assert.is(begun.at(-1), "+c");
  });

test("a step that must not run twice is reported after a kill, and runs again or is passed as a person says", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("build", "pay once", "ship")}` });
  writeFileSync(join(bench.folder, "build.ok"), "");
  await killAt(bench, "+pay", ["deploy", "prod"]);
  const refused = {
    stdout: "",
    stderr:
      "failed[runs]: `pay` must not run twice, and may have run: it began, and no success is stored\n" +
      "  = find out whether that was done\n" +
      "  = if it was, `--from ship` goes on behind `pay`\n" +
      "  = if it was not, `--from pay` runs it again\n",
    exitCode: 1,
  };
  assert.equal(await bench.run(["runs", "resume", "last"]), refused);
  await killAt(bench, "+pay\n+pay", ["runs", "resume", "last", "--from", "pay"]);
  assert.equal(await bench.run(["runs", "resume", "last"]), refused);
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.is((await bench.run(["runs", "resume", "last", "--from", "ship"])).exitCode, 0);
  assert.equal(logOf(bench), ["+build", "-build", "+pay", "+pay", "+ship", "-ship"]);
});

test("of two resumes at once, one goes on and the other is refused", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("a", "b")}` });
  writeFileSync(join(bench.folder, "a.ok"), "");
  await killAt(bench, "+b", ["deploy", "prod"]);
  let resumes: readonly Promise<number | null>[] = [];
  const refused: ToolRun[] = [];
  const areRefused = new Promise<void>((resolve) => {
    resumes = [1, 2, 3].map(async () => {
      const run = await bench.run(["runs", "resume", "last"]);
      if (run.exitCode !== 0 && refused.push(run) === 2) resolve();
      return run.exitCode;
    });
  });
  // Only then the one that goes on may end, and remove the run.
  await areRefused;
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.equal((await Promise.all(resumes)).toSorted(), [0, 1, 1]);
  for (const run of refused)
    assert.equal(withoutIds(run), {
      stdout: "",
      stderr: "failed[runs]: `<id>` is running\n  = `dottool runs show <id>` shows its process\n",
      exitCode: 1,
    });
  assert.equal(logOf(bench), ["+a", "-a", "+b", "+b", "-b"]);
});

test("a changed definition is named, and is not used before a person accepts it", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("a", "b")}` });
  writeFileSync(join(bench.folder, "a.ok"), "");
  writeFileSync(join(bench.folder, "b.no"), "");
  await bench.run(["deploy", "prod"]);
  bench.write(".tools/deploy.tool", `${head}${steps("a", "b")}    echo changed\n`);
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.equal(withoutIds(await bench.run(["runs", "resume", "last"])), {
    stdout: "",
    stderr:
      "failed[changed]: `deploy` has changed since the run began:\n  the steps of `deploy` has changed\n  = `dottool runs resume <id> --accept-changes` goes on with what it is now\n",
    exitCode: 77,
  });
  assert.is((await bench.run(["runs", "resume", "last", "--accept-changes"])).stdout, "b of prod\nchanged\n");
});

test("secrets are not stored: a step whose output had one runs again, and the secret is given again", async () => {
  using bench = testProject({
    ".tools/deploy.tool": `${head}${`@param token {string} [secret, required] A token\n@step login sh\n    echo login >> log; echo got {token}\n@step plain sh\n    echo plain >> log\n@step use sh\n    test -e all.ok && printf %s {login} > used\n`}`,
  });
  await bench.run(["deploy", "prod", "--token", "f00dcafe77"]);
  writeFileSync(join(bench.folder, "all.ok"), "");
  const folder = join(bench.folder, STATE, "runs", storedRuns(bench)[0] ?? "");
  for (const file of readdirSync(folder)) assert.not.match(readFileSync(join(folder, file), "utf8"), /f00dcafe77/);
  assert.match((await bench.run(["runs", "resume", "last"])).stderr, /secrets are not stored: `token`/);
  assert.is((await bench.run(["runs", "resume", "last", "token=f00dcafe77"])).exitCode, 0);
  assert.equal(logOf(bench), ["login", "plain", "login"]);
  assert.is(readFileSync(join(bench.folder, "used"), "utf8"), "got f00dcafe77");
});

test("a login in an address is not stored or shown, and is given again", async () => {
  using bench = testProject({
    ".tools/deploy.tool": `${head}${`@param from {string} [required] An address\n@step begin sh\n    true\n@step get sh\n    test -e all.ok && printf %s {from} > got\n`}`,
  });
  const from = "https://ana:f00dcafe77@host.example/x?api_key=f00dcafe77";
  const { stdout } = await bench.run(["--result", "json", "deploy", "prod", "--from", from]);
  assert.equal((JSON.parse(stdout) as ToolResult).call.arguments, {
    env: "prod",
    from: "https://host.example/x?api_key=•••",
  });
  writeFileSync(join(bench.folder, "all.ok"), "");
  const folder = join(bench.folder, STATE, "runs", storedRuns(bench)[0] ?? "");
  for (const file of readdirSync(folder)) assert.not.match(readFileSync(join(folder, file), "utf8"), /f00dcafe77/);
  assert.match((await bench.run(["runs", "resume", "last"])).stderr, /secrets are not stored: `from`/);
  assert.is((await bench.run(["runs", "resume", "last", `from=${from}`])).exitCode, 0);
  assert.is(readFileSync(join(bench.folder, "got"), "utf8"), from);
});

test("after its cleanup, a run goes on only where a person says", async () => {
  using bench = testProject({
    ".tools/deploy.tool": `${head}${`${steps("a", "b")}@cleanup sh\n    echo clean >> log\n`}`,
  });
  writeFileSync(join(bench.folder, "a.ok"), "");
  writeFileSync(join(bench.folder, "b.no"), "");
  await bench.run(["deploy", "prod"]);
  const refused = await bench.run(["runs", "resume", "last"]);
  assert.is(
    refused.stderr,
    "failed[runs]: the cleanup of `deploy` has run, so what its finished steps made may be gone\n  = say where to go on: `--from a` runs every step again\n",
  );
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.is((await bench.run(["runs", "resume", "last", "--from", "a"])).exitCode, 0);
  assert.equal(logOf(bench), ["+a", "-a", "+b", "clean", "+a", "-a", "+b", "-b", "clean"]);
});

test("items of a list that have ended do not run again", async () => {
  using bench = testProject({
    ".tools/deploy.tool": `${head}${"@step each sh [for-each={env}]\n    echo {item} >> log; test {item} != c || test -e all.ok\n@step last sh\n    printf %s {each}\n"}`,
  });
  await bench.run(["deploy", '["a","b","c","d"]']);
  assert.equal(logOf(bench), ["a", "b", "c"]);
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.is((await bench.run(["runs", "resume", "last"])).exitCode, 0);
  assert.equal(logOf(bench), ["a", "b", "c", "c", "d"]);
});

test("a line of the journal that was cut off is a step that has not ended", async () => {
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("a", "b")}` });
  writeFileSync(join(bench.folder, "a.ok"), "");
  writeFileSync(join(bench.folder, "b.no"), "");
  await bench.run(["deploy", "prod"]);
  const journal = join(bench.folder, STATE, "runs", storedRuns(bench)[0] ?? "", "steps.jsonl");
  writeFileSync(journal, readFileSync(journal, "utf8").slice(0, -5));
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.is((await bench.run(["runs", "resume", "last"])).exitCode, 0);
  assert.equal(logOf(bench), ["+a", "-a", "+b", "+a", "-a", "+b", "-b"]);
});

/** Left out in Deno, which can start nothing where no file can be written. */
const inNode: typeof test = "Deno" in globalThis ? Object.assign(() => undefined, test) : test;

inNode("on a full disk a call goes on with a warning, and a step that must not run twice does not begin", () => {
  using bench = testProject({
    ".tools/plain.tool": "P.\n\n@name plain\n@step a sh\n    mkdir a\n@step b sh\n    mkdir b\n",
    ".tools/once.tool": "O.\n\n@name once\n@step a sh [once]\n    mkdir c\n",
  });
  bench.trust();
  const [plain, once] = [runOnFullDisk(bench, ["plain"]), runOnFullDisk(bench, ["once"])];
  assert.is(plain.exitCode, 0);
  assert.match(plain.stderr, /^warning\[runs\]: finished steps are not stored, so the call cannot be resumed/m);
  assert.is(once.exitCode, 1);
  assert.match(once.stderr, /`a` must not run twice, so it does not begin before that is stored/);
  assert.equal(
    ["a", "b", "c"].map((name) => existsSync(join(bench.folder, name))),
    [true, true, false],
  );
});

test("a tool that only reads, and a call that succeeds, leave no record", async () => {
  using bench = testProject({
    ".tools/look.tool":
      "Looks.\n\n@name look\n@title Look\n@tags read\n@step one uses list_dir\n    path = .\n@step two uses read_file\n    file_path = missing\n",
  });
  assert.not.equal((await bench.run(["look"])).exitCode, 0);
  assert.not.ok(existsSync(join(bench.folder, STATE, "runs")));
});

test("a run goes on in the background, and says why it does not", async () => {
  if ("Deno" in globalThis) return;
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("a", "b")}` });
  writeFileSync(join(bench.folder, "a.ok"), "");
  writeFileSync(join(bench.folder, "b.no"), "");
  bench.trust();
  await bench.run(["deploy", "prod"]);
  const [id = ""] = storedRuns(bench);
  const wrong = await bench.run(["runs", "resume", "last", "--detach", "--from", "c"]);
  assert.equal(withoutIds(wrong), {
    stdout: "",
    stderr: "failed[runs]: there is no step `c`; did you mean `a` or `b`?\n  = the steps are a, b\n",
    exitCode: 1,
  });
  rmSync(join(bench.folder, "b.no"));
  assert.equal(await bench.run(["runs", "resume", "last", "--detach"]), {
    stdout: `${id}\n`,
    stderr: "",
    exitCode: 0,
  });
  writeFileSync(join(bench.folder, "b.ok"), "");
  assert.equal(await bench.run(["runs", "follow", id]), { stdout: "b of prod\n", stderr: "", exitCode: 0 });
  assert.equal(logOf(bench), ["+a", "-a", "+b", "+b", "-b"]);
});

test("in the background a changed definition is named, and is not used unless that is said", async () => {
  if ("Deno" in globalThis) return;
  using bench = testProject({ ".tools/deploy.tool": `${head}${steps("a", "b")}` });
  writeFileSync(join(bench.folder, "a.ok"), "");
  writeFileSync(join(bench.folder, "b.no"), "");
  await bench.run(["deploy", "prod"]);
  bench.write(".tools/deploy.tool", `${head}${steps("a", "b")}    echo changed\n`);
  writeFileSync(join(bench.folder, "all.ok"), "");
  rmSync(join(bench.folder, "b.no"));
  const refused = await bench.run(["runs", "resume", "last", "--detach"]);
  assert.match(refused.stderr, /^failed\[changed\]: `deploy` has changed since the run began:\n/);
  assert.is(refused.exitCode, 1);
  await bench.run(["runs", "resume", "last", "--detach", "--accept-changes"]);
  assert.equal(await bench.run(["runs", "follow", "last"]), {
    stdout: "b of prod\nchanged\n",
    stderr: "",
    exitCode: 0,
  });
});

test("a step that uses a tool with a step that must not run twice is not repeated by itself", async () => {
  const inner = `Pays.\n\n@name pay_all\n@title Pay\n@param env {string} [required] Where\n${steps("look", "pay once")}`;
  using bench = testProject({
    ".tools/deploy.tool": `${head}${steps("build")}@step pays uses pay_all\n    env = {env}\n${steps("ship")}`,
    ".tools/pay_all.tool": inner,
  });
  for (const name of ["build", "look"]) writeFileSync(join(bench.folder, `${name}.ok`), "");
  await killAt(bench, "+pay", ["deploy", "prod"]);
  const refused = await bench.run(["runs", "resume", "last"]);
  assert.match(refused.stderr, /^failed\[runs\]: `pays` must not run twice, and may have run/);
  writeFileSync(join(bench.folder, "all.ok"), "");
  assert.is((await bench.run(["runs", "resume", "last", "--from", "ship"])).exitCode, 0);
  assert.equal(logOf(bench), ["+build", "-build", "+look", "-look", "+pay", "+ship", "-ship"]);
});

test.run();
