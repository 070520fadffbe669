import { spawn, spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import process from "node:process";
import { assert } from "../harness.ts";
import { leaveOut } from "../programs-needed.ts";
import { sideBySide } from "../side-by-side.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = sideBySide("allow");
const runLine = startingOnce();

const files = {
  ".tools/say.tool":
    "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@tags run\n@param text {string} [required] What\n@command echo {text}\n",
};
const reply = '<tool>{"server_name":"local","tool_name":"say","arguments":{"text":"hello"}}</tool>\n';

/** Returns the hash of what `allow` with these words would allow. */
async function hashOf(bench: TestProject, ...words: readonly string[]): Promise<string> {
  return (await runLine(bench, ["allow", ...words, "--show"])).stdout.trim();
}

test("what is refused names the command that allows it, which shows what it allows and takes the hash of exactly that", async () => {
  using bench = testProject(files);
  const refused = await runLine(bench, ["exec"], { stdin: reply });
  assert.ok(
    refused.stdout.includes(
      "failed[denied]: `say` was not approved for `dottool exec`\n  = a person can allow it at a terminal with: dottool --cwd <bench> allow say --for exec\n",
    ),
    refused.stdout,
  );
  const asked = await runLine(bench, ["allow", "say", "--for", "exec"]);
  const shown = await runLine(bench, ["allow", "say", "--for", "exec", "--show"]);
  const hash = shown.stdout.trim();
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.ok(asked.stderr.startsWith(shown.stderr));
  assert.equal(asked, {
    stdout: "",
    stderr:
      "  tool            │ `say` in .tools/say.tool:4\n  runs            │ echo '{text}'\n  folder          │ <bench>\n  effects         │ run\n  always means    │ in <bench>, until the tool changes\n  allowed for     │ exec\nfailed[denied]: cannot ask for approval without a terminal\n  = review it with `dottool allow say --show`, and repeat this with `--hash` and the hash that it ends with\n",
    exitCode: 77,
  });
  assert.is(
    (await runLine(bench, ["allow", "say", "--for", "mcp", "--hash", hash])).stderr.split("\n").at(-2),
    "failed[denied]: `--hash` is not the hash of this content",
  );
  assert.is(
    (await runLine(bench, ["allow", "say", "--for", "exec", "--hash", hash])).stdout,
    "`say` is allowed for exec\n",
  );
  assert.ok((await runLine(bench, ["exec"], { stdin: reply })).stdout.includes("hello"));
  const listed = await runLine(bench, ["allow", "--json"]);
  assert.equal(
    (JSON.parse(listed.stdout) as { allowed: { tool: string; for: string }[] }).allowed.map(({ tool, for: who }) => [
      tool,
      who,
    ]),
    [["say", "exec"]],
  );
  assert.match((await runLine(bench, ["allow"])).stdout, /^say {2}for exec in <bench> since \d{4}-\d\d-\d\d\n$/);
  assert.match((await runLine(bench, ["allow", "--revoke", "say"])).stdout, /^`say` is no longer allowed for exec/);
  assert.equal(
    [
      (await runLine(bench, ["allow"])).stdout,
      (await runLine(bench, ["exec"], { stdin: reply })).stdout.includes("failed[denied]"),
    ],
    ["no tool is allowed\n", true],
  );
});

test("a revocation whose files cannot be read or removed says so, does not exit 0, and is no bug", async () => {
  using bench = testProject(files);
  const allowed = async (): Promise<string> => {
    const hash = await hashOf(bench, "say", "--for", "exec");
    assert.is((await runLine(bench, ["allow", "say", "--for", "exec", "--hash", hash])).exitCode, 0);
    return readdirSync(folder).find((name) => name.endsWith(".json")) ?? "";
  };
  const folder = join(bench.folder, "home/.local/state/dottool/approvals");
  const revoked = async (): Promise<readonly unknown[]> => {
    const { exitCode, stderr } = await runLine(bench, ["allow", "--revoke", "say"]);
    return [
      exitCode,
      stderr
        .replaceAll(/[0-9a-f]{32}/g, "ID")
        .replaceAll(/\d{17}-\w{4}/g, "N")
        .replaceAll("<bench>/home/.local/state/dottool", "<state>"),
    ];
  };
  const isRun = async (): Promise<boolean> =>
    (await runLine(bench, ["exec"], { stdin: reply })).stdout.includes("hello");
  const path = join(folder, await allowed());
  const whole = readFileSync(path);
  writeFileSync(path, whole.subarray(0, 40));
  const unusable = "failed[file]: the approval does not apply: `<state>/approvals";
  const again = "if it is the approval of `say`, it applies again once it can be read\n  = make `<state>/approvals";
  const why =
    "is damaged: its content does not match its checksum; it was moved to `<state>/approvals/ID.json.broken-N`";
  const damaged = `${unusable}/ID.json\` ${why}\n  = if it was the approval of \`say\`, that is revoked too\n`;
  assert.equal([await revoked(), await isRun(), (await revoked())[0]], [[1, damaged], false, 66]);
  writeFileSync(path, whole, { mode: 0o600 });
  // A file that cannot be read for a while is not revoked: its approval would count again.
  chmodSync(path, 0o622);
  const unread = `${unusable}/ID.json\` can be written by others; ${again}/ID.json\` readable, make it and its folder writable only by you, and run this again; or remove it\n`;
  assert.equal([await revoked(), await isRun()], [[1, unread], false]);
  chmodSync(path, 0o600);
  assert.equal([await isRun(), (await revoked())[0], await isRun()], [true, 0, false]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  assert.equal(await revoked(), [
    1,
    `${unusable}\` cannot be read (ENOTDIR); ${again}\` readable, make it and its folder writable only by you, and run this again; or remove it\n`,
  ]);
});

test("a revocation on a file system that takes no change says that the approval still counts", async () => {
  using bench = testProject(files);
  const hash = await hashOf(bench, "say", "--for", "exec");
  assert.is((await runLine(bench, ["allow", "say", "--for", "exec", "--hash", hash])).exitCode, 0);
  const state = join(bench.folder, "home/.local/state/dottool");
  const cases = [
    {
      words: ["allow", "--revoke", "say"],
      said: /^failed\[file\]: `say` is still allowed for exec in .*approvals` \(EROFS\)\n/,
    },
    {
      words: ["untrust"],
      said: /^failed\[file\]: `.*` cannot be read or removed \(EROFS\), so what is trusted stays trusted\n/,
    },
  ];
  for (const { words, said } of cases) {
    const { status, stderr } = spawnSync(
      "unshare",
      [
        "-rm",
        "sh",
        "-c",
        'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" || exit 99; shift; exec "$@"',
        "sh",
        state,
        bench.program.command,
        ...bench.program.words,
        ...words,
      ],
      { cwd: bench.folder, env: { ...bench.program.environment }, encoding: "utf8" },
    );
    if (status === 99 || status === null || stderr.includes("unshare")) leaveOut("no file system can be mounted here");
    assert.equal([status, said.test(stderr)], [1, true], stderr);
  }
});

test("no tool reaches it, and an untrusted folder allows nothing", async () => {
  using bench = testProject(files);
  const inside = await runLine(bench, ["allow", "say"], { environment: { DOTTOOL_RUN_ID: "1" } });
  assert.equal(inside, {
    stdout: "",
    stderr:
      "failed[denied]: a tool started this command, and only a person may allow tools\n  = run `dottool allow` in your own terminal\n",
    exitCode: 77,
  });
  const main = [bench.program.command, ...bench.program.words].join(" ");
  const fromTool = async (started: string): Promise<string> =>
    (await runLine(bench, ["run_command", "--command", `${started} ${main} allow say; exit`])).stderr;
  assert.match(await fromTool(`HOME=${join(bench.folder, "home")}`), /^failed\[denied\]: a tool started this/);
  if (process.platform === "linux")
    assert.match(
      await fromTool(`env -i HOME=${join(bench.folder, "home")} PATH=/usr/bin`),
      /^failed\[denied\]: a tool started this/,
    );
  using untrusted = testProject(files, { isTrusted: false });
  assert.match((await untrusted.run(["allow", "say"])).stderr, /^failed\[untrusted\]/);
  assert.is((await untrusted.run(["allow", "say"])).exitCode, 77);
});

test("of a tool that runs what it is given, the arguments are named", async () => {
  using bench = testProject(files);
  const said = async (...words: readonly string[]): Promise<string> =>
    (await runLine(bench, ["allow", ...words])).stderr.split("\n")[0] ?? "";
  assert.is(
    await said("run_command"),
    "failed[usage]: `run_command` runs what it is given, so `--arguments` must say which arguments are allowed",
  );
  assert.is(
    await said("say", "--arguments", "{}"),
    "failed[usage]: `say` is allowed with any arguments; leave out `--arguments`",
  );
  assert.is(
    await said("run_command", "--arguments", "{"),
    "failed[usage]: `--arguments` must be a JSON object; this is not JSON",
  );
  assert.is(
    await said("say", "--for", "everybody"),
    "failed[usage]: `--for` must be one of person, program, mcp, exec, agent, worker, hook; got `everybody`",
  );
  assert.match(await said("run_command", "--arguments", '{"argv":[]}'), /^failed\[invalid-arguments\]/);
  assert.match(
    await said("--revoke", "say"),
    /^failed\[missing\]: `say` is not allowed, so there is nothing to revoke/,
  );
  const one = ["run_command", "--for", "exec", "--arguments", '{"argv":["echo","one"]}'];
  assert.is((await runLine(bench, ["allow", ...one, "--hash", await hashOf(bench, ...one)])).exitCode, 0);
  const call = (word: string): string =>
    `<tool>{"server_name":"local","tool_name":"run_command","arguments":{"argv":["echo","${word}"]}}</tool>\n`;
  const { stdout } = await runLine(bench, ["exec"], { stdin: call("one") + call("two") });
  assert.equal(
    [
      stdout.includes("one\n"),
      stdout.includes(`dottool --cwd <bench> allow run_command --for exec --arguments '{"argv":["echo","two"]}'`),
    ],
    [true, true],
  );
});

/** Runs the program, and types an answer at the question. */
function typed(bench: TestProject, words: readonly string[], answer: string): Promise<string> {
  const { command, words: program, environment } = bench.program;
  return new Promise((resolve, reject) => {
    const child = spawn(
      "script",
      ["-qec", `stty -echo; ${commandLine([command, ...program, ...words])}`, "/dev/null"],
      {
        cwd: bench.folder,
        env: { ...environment, SHELL: "/bin/sh", TERM: "dumb" },
        stdio: ["pipe", "pipe", "inherit"],
      },
    );
    let text = "";
    let isAnswered = false;
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (!isAnswered && text.includes("[y/N] ")) isAnswered = child.stdin.write(answer);
    });
    child.on("error", reject);
    child.on("close", () => resolve(text.replaceAll("\r\n", "\n").split("[y/N] ").at(-1)?.trimStart() ?? ""));
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("only a person who says yes at a terminal agrees", async () => {
    using bench = testProject(files);
    assert.equal(
      await Promise.all([typed(bench, ["allow", "say"], "\n"), typed(bench, ["allow", "say", "--for", "mcp"], "y\n")]),
      ["", "`say` is allowed for mcp\n"],
    );
  });

test("three who are allowed at once are all kept", async () => {
  using bench = testProject(files);
  const names = ["one", "two", "three"];
  for (const name of names)
    bench.write(`.tools/${name}.tool`, files[".tools/say.tool"].replace("@name say", `@name ${name}`));
  const codes = await Promise.all(
    names.map(async (name) => (await runLine(bench, ["allow", name, "--hash", await hashOf(bench, name)])).exitCode),
  );
  assert.equal(
    [codes, readdirSync(join(bench.folder, "home/.local/state/dottool/approvals")).length],
    [names.map(() => 0), names.length * 3],
  );
});

test.run();
