// A rule that allows the commands of other agents in the sandbox: the line that each client gets, run by a real shell.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, present, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli/hook-sandbox");

const rule = "policy:\n  - {decision: allow, tool: run_command, front_end: hook, sandbox: strict}\n";

interface Client {
  readonly call: (command: string, cwd: string) => object;
  /** Returns the arguments that the tool runs with, as the client's documentation says. */
  readonly arguments: (answer: Record<string, never>) => Record<string, unknown> | undefined;
}

const given = (command: string): object => ({ command, description: "Runs it" });

const clients: Readonly<Record<string, Client>> = {
  claude: {
    call: (command, cwd) => ({ cwd, tool_name: "Bash", tool_input: given(command) }),
    arguments: ({ hookSpecificOutput: output }) => output?.["updatedInput"],
  },
  gemini: {
    call: (command, cwd) => ({ cwd, tool_name: "run_shell_command", tool_input: given(command) }),
    arguments: ({ hookSpecificOutput: output }) => output?.["tool_input"],
  },
  copilot: {
    call: (command, cwd) => ({ cwd, toolName: "bash", toolArgs: JSON.stringify(given(command)) }),
    arguments: ({ modifiedArgs }) => modifiedArgs,
  },
  opencode: {
    call: (command, cwd) => ({ cwd, tool: "bash", args: given(command) }),
    arguments: ({ args }) => args,
  },
};

interface Work {
  readonly bench: TestProject;
  /** The agent's folder. */
  readonly cwd: string;
  answer(client: string, call: object): Promise<string>;
  /** Runs a line as a client's shell does. */
  shell(line: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
}

async function withRule(config: string, use: (work: Work) => Promise<void>): Promise<void> {
  needPrograms("bwrap");
  using bench = testProject({ "home/.config/dottool/config.yaml": config, "home/key": "canary-1790\n", "work/a": "" });
  const cwd = join(bench.folder, "work");
  await use({
    bench,
    cwd,
    answer: async (client, call) => {
      const { stdout, stderr, exitCode } = await bench.run(["hook", client], { stdin: JSON.stringify(call) });
      assert.equal({ stderr, exitCode }, { stderr: "", exitCode: 0 });
      // The bench hides its folder in what it returns.
      return stdout.replaceAll("<bench>", bench.folder);
    },
    shell: (line) => spawnSync("/bin/sh", ["-c", line], { cwd, env: bench.program.environment, encoding: "utf8" }),
  });
}

for (const [client, { call, arguments: argumentsIn }] of Object.entries(clients))
  test(`${client}: the command of its answer runs in the sandbox`, () =>
    withRule(rule, async ({ bench, cwd, answer, shell }) => {
      const server = createServer((_request, response) => response.end("canary-1791"));
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        const outside = join(bench.folder, "home/made");
        const command = [
          `printf '%s\\n' "it's" '"$HOME"' \\\\n`,
          "touch made && echo wrote here",
          `touch ${outside} 2>&-; touch /usr/made 2>&- || echo wrote nothing outside`,
          `cat ${join(bench.folder, "home/key")} 2>&- || echo read nothing`,
          `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>&- && echo reached || echo no network`,
          "echo problem >&2",
          "exit 7",
        ].join("\n");
        const args = present(argumentsIn(JSON.parse(await answer(client, call(command, cwd))) as never));
        assert.is(args["description"], "Runs it", "the other arguments stay");
        const line = String(args["command"]);
        const { status, stdout, stderr } = shell(line);
        assert.equal(
          { status, stdout: stdout.split("\n"), stderr },
          {
            status: 7,
            stdout: ["it's", '"$HOME"', "\\n", "wrote here", "wrote nothing outside", "read nothing", "no network", ""],
            stderr: "problem\n",
          },
        );
        assert.equal([existsSync(join(cwd, "made")), existsSync(outside)], [true, false]);
        // A line that is in the sandbox already stays as it is.
        const again = JSON.parse(await answer(client, call(line, cwd))) as never;
        assert.is(argumentsIn({ hookSpecificOutput: {}, ...(again as object) } as never), undefined);
        assert.not(JSON.stringify(again).includes("deny") || JSON.stringify(again).includes("ask"));
      } finally {
        server.close();
      }
    }));

test("codex: the refusal says the line to run, and that line is not refused", () =>
  withRule(rule, async ({ cwd, answer, shell }) => {
    const call = (command: string): object => ({ cwd, tool_name: "Bash", tool_input: { command } });
    const { hookSpecificOutput: output } = JSON.parse(await answer("codex", call("echo 'in it'; exit 3"))) as {
      hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
    };
    assert.is(output.permissionDecision, "deny");
    const [, line = ""] = output.permissionDecisionReason.split("run exactly this instead: ");
    const { status, stdout } = shell(line);
    assert.equal({ status, stdout }, { status: 3, stdout: "in it\n" });
    assert.is(await answer("codex", call(line)), "");
  }));

const decisionIn = (answer: string): string => /"permissionDecision":"(\w+)"/.exec(answer)?.[1] ?? "none";
const reasonIn = (answer: string): string => /"permissionDecisionReason":"dottool: ([^"]*)"/.exec(answer)?.[1] ?? "";

test("what cannot run in the sandbox is asked about, with the reason, and never runs as it is", () =>
  withRule(rule, async ({ bench, cwd, answer }) => {
    const call = (tool: string, args: object, folder = cwd): object => ({
      cwd: folder,
      tool_name: tool,
      tool_input: args,
    });
    const rows: readonly (readonly [object, string])[] = [
      [call("PowerShell", { command: "ls" }), "takes only whole lines of a POSIX shell"],
      [call("write_bash", { sessionId: "1", input: "ls{enter}" }), "takes only whole lines of a POSIX shell"],
      [
        call("batch", { tool_calls: [{ tool: "bash", parameters: { command: "ls" } }] }),
        "takes only whole lines of a POSIX shell",
      ],
      [call("shell", { command: ["ls", "-l"] }), "takes a line for a shell alone"],
      [call("Bash", { command: "ls", workdir: "/etc" }), "is for the working folder, and the command runs in `/etc`"],
      [call("Bash", { command: "ls" }, "/"), "does not work here"],
      [call("Bash", { command: "ls" }, bench.folder), "does not work here"],
      [call("Bash", { command: "ls \0" }), "cannot run a command with a zero byte"],
      [call("Bash", { command: `cat ${join(bench.folder, "home/.ssh/id_rsa")}` }), "outside of the sandbox"],
    ];
    const wrong: string[] = [];
    for (const [made, reason] of rows) {
      const said = await answer("claude", made);
      if (decisionIn(said) !== "ask" || !reasonIn(said).includes(reason) || said.includes("updatedInput"))
        wrong.push(`${JSON.stringify(made)}: ${said}`);
    }
    assert.equal(wrong, []);
  }));

test("the rules that ask and deny see a line in the sandbox, and a line that only looks like one is changed", () =>
  withRule(`${rule}  - {decision: deny, command: git push}\n`, async ({ cwd, answer }) => {
    const call = (command: string): object => ({ cwd, tool_name: "Bash", tool_input: { command } });
    const lineOf = (said: string): string =>
      (JSON.parse(said) as { hookSpecificOutput: { updatedInput: { command: string } } }).hookSpecificOutput
        .updatedInput.command;
    const line = lineOf(await answer("claude", call("echo x")));
    for (const other of [
      `${line}; touch /tmp/x`,
      line.replace(cwd, `${cwd}/..`),
      line.replace("sandbox", "sandbox --level none"),
      line.replace(/^\S+/, "/bin/echo"),
      `${line}'`,
    ]) {
      const said = await answer("claude", call(other));
      assert.ok(decisionIn(said) === "ask" || lineOf(said) !== other, other);
    }
    assert.is(decisionIn(await answer("claude", call(line.replace("echo x", "git push")))), "deny");
    assert.is(decisionIn(await answer("claude", call("git push"))), "deny");
  }));

test("the plugin of opencode runs with the line in the sandbox", () =>
  withRule(rule, async ({ bench, cwd, shell }) => {
    await bench.run(["hook", "install", "opencode", "--project", "--yes"], { cwd: "work" });
    const text = readFileSync(join(cwd, ".opencode/plugins/dottool.js"), "utf8");
    const { command, words, environment } = bench.program;
    const start = [
      "env",
      "-i",
      ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      command,
      ...words,
    ];
    const own = text.replace(
      '"dottool", ["hook"',
      `${JSON.stringify(start[0])}, [...${JSON.stringify(start.slice(1))}, "hook"`,
    );
    bench.write("work/.opencode/plugins/real.mjs", own);
    const { default: plugin } = (await import(join(cwd, ".opencode/plugins/real.mjs"))) as {
      default: {
        server(input: object): Promise<Record<string, (input: object, output: object) => Promise<void>>>;
        setup(context: object): Promise<void>;
      };
    };
    const first = { args: { command: "touch /usr/made 2>&- || echo kept", timeout: 5 } };
    await (await plugin.server({ directory: cwd }))["tool.execute.before"]?.({ tool: "bash" }, first);
    let use: ((event: object) => Promise<void>) | undefined;
    await plugin.setup({
      tool: { hook: (_name: string, given: typeof use) => Promise.resolve(void (use = given)) },
      session: { get: () => Promise.resolve({ location: { directory: cwd } }) },
    });
    const second = { tool: "shell", input: { command: "touch /usr/made 2>&- || echo kept" }, sessionID: "x" };
    await use?.(second);
    assert.is(first.args.timeout, 5);
    for (const line of [first.args.command, second.input.command]) assert.is(shell(line).stdout, "kept\n", line);
  }));

test("a rule with a sandbox that says something else is refused, with what it needs", () =>
  withRule(
    [
      "policy:",
      "  - {decision: ask, tool: run_command, front_end: hook, sandbox: strict}",
      "  - {decision: allow, tool: run_command, sandbox: strict}",
      "  - {decision: allow, tool: '*', front_end: hook, sandbox: strict}",
      "  - {decision: allow, tool: run_command, front_end: hook, sandbox: loose}",
      "",
    ].join("\n"),
    async ({ bench, cwd }) => {
      const { stdout } = await bench.run(["hook", "claude"], {
        stdin: JSON.stringify({ cwd, tool_name: "Bash", tool_input: { command: "ls" } }),
      });
      assert.is(decisionIn(stdout), "deny");
      const doctor = await bench.run(["doctor"], { cwd: "work" });
      for (const need of [
        "needs `decision: allow`",
        "needs `front_end: hook`",
        "needs `tool: run_command` or a `command`",
        "`sandbox` must be `strict`",
      ])
        assert.match((doctor.stdout + doctor.stderr).replaceAll(/\s+/g, " "), need);
    },
  ));

test.run();
