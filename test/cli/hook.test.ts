// `dottool hook` in the real program: what each client writes and reads, and the settings that make it ask.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import process from "node:process";
import { quoteWord } from "../../src/core/base/quote.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("cli/hook");
const runLine = startingOnce();

/** A call of the shell as each client writes it, with the fields that its documentation names. */
const calls: Readonly<Record<string, (command: string, cwd: string) => object>> = {
  claude: (command, cwd) => ({
    session_id: "abc",
    transcript_path: "/x/transcript.jsonl",
    cwd,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command, description: "Runs it" },
    tool_use_id: "toolu_1",
  }),
  gemini: (command, cwd) => ({
    session_id: "abc",
    transcript_path: "/x/chat.json",
    cwd,
    hook_event_name: "BeforeTool",
    timestamp: "2026-11-23T20:00:00.000Z",
    tool_name: "run_shell_command",
    tool_input: { command, description: "Runs it" },
  }),
  codex: (command, cwd) => ({
    session_id: "abc",
    turn_id: "1",
    transcript_path: null,
    cwd,
    hook_event_name: "PreToolUse",
    model: "x",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: "call_1",
  }),
  opencode: (command, cwd) => ({ tool: "bash", args: { command }, cwd }),
  copilot: (command, cwd) => ({
    sessionId: "abc",
    timestamp: 1_704_614_600_000,
    cwd,
    toolName: "bash",
    toolArgs: JSON.stringify({ command, description: "Runs it" }),
  }),
};

const config = `policy:
  - {decision: deny, command: git push, reason: open a pull request instead}
  - {decision: allow, tool: run_command, command: make test}
`;

test("each client gets its own form of no decision, allow, ask and deny", async () => {
  using bench = testProject({ "home/.config/dottool/config.yaml": config });
  const lines: string[] = [];
  for (const [client, call] of Object.entries(calls))
    for (const command of ["ls -l", "make test", "git reset --hard", "git push"]) {
      const { stdout, stderr, exitCode } = await runLine(bench, ["hook", client], {
        stdin: JSON.stringify(call(command, bench.folder)),
      });
      lines.push(`${client}: ${command}`, `exit code ${exitCode}`, stdout.trimEnd(), stderr.trimEnd(), "");
    }
  assertGolden("cli/golden/hook-answers.txt", lines.join("\n"));
});

test("input that cannot be read is asked about, with the reason", async () => {
  using bench = testProject();
  const lines: string[] = [];
  for (const client of Object.keys(calls))
    for (const stdin of [
      "",
      "{",
      "[]",
      '{"tool_name": "Bash"}',
      '{"tool_name": "Bash", "tool_input": {}, "tool": "bash", "args": {}, "cwd": "here"}',
      '{"tool_name": "Bash", "tool_input": {"command": "ls", "comm\\u0061nd": "rm -rf /"}}',
      '{"toolName": "bash", "toolArgs": "{\\"command\\": \\"rm -rf /\\", \\"command\\": \\"ls\\"}"}',
    ]) {
      const { stdout, stderr, exitCode } = await runLine(bench, ["hook", client], { stdin });
      lines.push(`${client}: ${stdin}`, `exit code ${exitCode}`, stdout.trimEnd(), stderr.trimEnd(), "");
    }
  assertGolden("cli/golden/hook-unreadable.txt", lines.join("\n"));
});

test("a call without a folder counts in the one where the hook runs", async () => {
  using bench = testProject();
  const { stdout } = await runLine(bench, ["hook", "claude"], {
    stdin: JSON.stringify({ tool_name: "Write", tool_input: { file_path: "a.ts", content: "" } }),
  });
  assert.is(stdout, "");
});

test("a stored approval allows exactly the command that was approved", async () => {
  using bench = testProject();
  const allow = ["allow", "run_command", "--for", "hook", "--arguments", '{"command":"git reset --hard"}'];
  const shown = await runLine(bench, [...allow, "--show"]);
  const hash = /[0-9a-f]{16,}/.exec(shown.stdout.split("\n").slice(-3).join("\n"))?.[0] ?? "";
  assert.is((await runLine(bench, [...allow, "--hash", hash])).exitCode, 0, shown.stdout + shown.stderr);
  const decisions: string[] = [];
  for (const command of ["git reset --hard", "git reset --hard HEAD~1"]) {
    const { stdout } = await runLine(bench, ["hook", "claude"], {
      stdin: JSON.stringify({ cwd: bench.folder, tool_name: "Bash", tool_input: { command } }),
    });
    decisions.push(/"permissionDecision":"(\w+)"/.exec(stdout)?.[1] ?? "none");
  }
  assert.equal(decisions, ["allow", "ask"]);
});

test("a question is a refusal where Claude Code would not ask it", async () => {
  using bench = testProject();
  const decisions: string[] = [];
  for (const mode of ["default", "auto"]) {
    const stdin = JSON.stringify({ ...calls["claude"]?.("git reset --hard", bench.folder), permission_mode: mode });
    const { stdout } = await runLine(bench, ["hook", "claude"], { stdin });
    decisions.push(/"permissionDecision":"(\w+)"/.exec(stdout)?.[1] ?? "none");
  }
  assert.equal(decisions, ["ask", "deny"]);
});

test("doctor says whether the client asks, what it is answered, and what is known of it", async () => {
  using bench = testProject();
  const { command, words } = bench.program;
  const start = [command, ...words].map(quoteWord).join(" ");
  const lines: string[] = [];
  const say = async (client: string): Promise<void> => {
    const environment = { PATH: `${bench.folder}/bin:/usr/bin:/bin` };
    const { stdout, stderr, exitCode } = await runLine(bench, ["hook", "doctor", client], { environment, cwd: "work" });
    lines.push(`$ dottool hook doctor ${client}`, stdout.trimEnd(), stderr.trimEnd(), `exit code ${exitCode}`, "");
  };
  bench.write("work/a", "");
  await say("claude");
  for (const [name, text] of [
    ["dottool", `exec ${start} "$@"`],
    ...Object.keys(calls).map((client) => [client, "echo 1.2.3"] as const),
  ] as const) {
    bench.write(`bin/${name}`, `#!/bin/sh\n${text}\n`);
    chmodSync(join(bench.folder, "bin", name), 0o755);
  }
  for (const client of Object.keys(calls)) {
    await bench.run(["hook", "install", client, "--yes"], { cwd: "work" });
    await say(client);
  }
  // `/hooks` of Codex writes such a record.
  bench.write("home/.codex/config.toml", `[hooks.state."${bench.folder}/home/.codex/hooks.json:pre_tool_use:0:0"]\n`);
  await say("codex");
  await say("vim");
  assertGolden("cli/golden/hook-doctor.txt", lines.join("\n"));
});

test("install shows the change, writes it once, and uninstall takes it out", async () => {
  using bench = testProject({ "home/.claude/settings.json": '{\n    "model": "opus"\n}\n' });
  const before = readFileSync(join(bench.folder, "home/.claude/settings.json"), "utf8");
  const lines: string[] = [];
  const say = async (...words: readonly string[]): Promise<void> => {
    // A developer may have dottool in another folder of PATH.
    const environment = { PATH: "/usr/bin:/bin" };
    const { stdout, stderr, exitCode } = await runLine(bench, ["hook", ...words], { environment });
    lines.push(`$ dottool hook ${words.join(" ")}`, stdout.trimEnd(), stderr.trimEnd(), `exit code ${exitCode}`, "");
  };
  await say("install", "claude");
  assert.is(readFileSync(join(bench.folder, "home/.claude/settings.json"), "utf8"), before);
  await say("install", "claude", "--yes");
  await say("install", "claude", "--yes");
  await say("uninstall", "claude", "--yes");
  assert.is(readFileSync(join(bench.folder, "home/.claude/settings.json"), "utf8"), before);
  await say("uninstall", "claude", "--yes");
  for (const client of ["gemini", "codex", "copilot", "opencode"]) {
    await say("install", client, "--yes", "--project");
    await say("uninstall", client, "--yes", "--project");
  }
  const path = join(bench.folder, "home/.claude/settings.json");
  await say("install", "claude", "--yes");
  const entry = /\{\s*"matcher"[^]*?\}\s*\]\s*\}/;
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(entry, (text) => JSON.stringify(JSON.parse(text))),
  );
  await say("uninstall", "claude", "--yes");
  assert.is(readFileSync(path, "utf8"), before);
  await say("install", "cursor");
  await say("install");
  await say("claude", "codex");
  assertGolden("cli/golden/hook-install.txt", lines.join("\n"));
});

test("broken settings are refused, and stay as they are", async () => {
  using bench = testProject({ "home/.claude/settings.json": "" });
  const path = join(bench.folder, "home/.claude/settings.json");
  const problems: string[] = [];
  for (const content of ['{\n  "model": "opus",\n  oops\n}', "[]", '{"hooks": 1}', Buffer.from([0x7b, 0xff, 0x7d])]) {
    writeFileSync(path, content);
    for (const action of ["install", "uninstall"]) {
      const { stderr, exitCode } = await runLine(bench, ["hook", action, "claude", "--yes"]);
      problems.push(`${exitCode}: ${stderr}`);
      assert.equal(readFileSync(path), Buffer.from(content));
    }
  }
  const shown = "`home/.claude/settings.json`";
  assert.equal(
    problems.filter((_one, index) => index % 2 === 0),
    [
      `1: failed[file]: ${shown} is not JSON without comments, so change it yourself: the entry below \`hooks.PreToolUse\` is ${JSON.stringify({ matcher: "*", hooks: [{ type: "command", command: "dottool hook claude || exit 2", timeout: 60 }] })}; nothing was changed\n`,
      `1: failed[file]: ${shown} is not as its client expects: the file is not an object; nothing was changed\n`,
      `1: failed[file]: ${shown} is not as its client expects: \`hooks\` is not an object; nothing was changed\n`,
      `1: failed[file]: ${shown} is not UTF-8; nothing was changed\n`,
    ],
  );
});

test("no tool may install or remove it", async () => {
  using bench = testProject();
  const { command, words } = bench.program;
  const line = [command, ...words, "hook", "install", "claude", "--yes"].map(quoteWord).join(" ");
  const { stdout, stderr } = await bench.run(["call", "run_command", "--inherit_env", "--command", line]);
  assert.match(stdout + stderr, "only a person may change what agents ask");
  assert.not(existsSync(join(bench.folder, "home/.claude/settings.json")));
});

if (!("Deno" in globalThis))
  test("the plugin of opencode lets a call run or stops it with the reason", async () => {
    using bench = testProject();
    await runLine(bench, ["hook", "install", "opencode", "--project", "--yes"]);
    const { command, words, environment } = bench.program;
    const bin = join(bench.folder, "bin");
    mkdirSync(bin);
    const line = [command, ...words].map(quoteWord).join(" ");
    writeFileSync(join(bin, "dottool"), `#!/bin/sh\nexec ${line} "$@"\n`);
    chmodSync(join(bin, "dottool"), 0o755);
    const before = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
    Object.assign(process.env, { PATH: `${bin}:${environment["PATH"] ?? ""}`, HOME: environment["HOME"] });
    try {
      const module = (await import(pathToFileURL(join(bench.folder, ".opencode/plugins/dottool.js")).href)) as {
        default: {
          server(input: object): Promise<Record<string, (input: object, output: object) => Promise<void>>>;
          setup(context: object): Promise<void>;
        };
      };
      const hooks = await module.default.server({ directory: bench.folder });
      const first = (shell: string): Promise<void> | undefined =>
        hooks["tool.execute.before"]?.({ tool: "bash" }, { args: { command: shell } });
      let second: ((event: object) => Promise<void>) | undefined;
      await module.default.setup({
        tool: { hook: (_name: string, use: typeof second) => Promise.resolve(void (second = use)) },
        session: { get: () => Promise.resolve({ location: { directory: bench.folder } }) },
      });
      const reasons: string[] = [];
      for (const shell of ["ls", "git push --force"])
        for (const judge of [
          first,
          (line: string) => second?.({ tool: "shell", input: { command: line }, sessionID: "x" }),
        ])
          reasons.push(
            await (judge(shell) ?? Promise.reject(new Error("no hook"))).then(
              () => "runs",
              (error: Error) => error.message,
            ),
          );
      const reason =
        "dottool: `git push` overwrites or deletes what others may have; a person can allow it with `dottool --cwd ";
      assert.equal(
        reasons.map((text) => (text.startsWith(reason) ? "stopped" : text)),
        ["runs", "runs", "stopped", "stopped"],
      );
    } finally {
      Object.assign(process.env, before);
    }
  });

test.run();
