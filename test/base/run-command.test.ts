import { realpathSync, writeFileSync } from "node:fs";
import { runCommand } from "../../src/core/base/run-command.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { contentText } from "../../src/core/run/model-text.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { withCommandFixture } from "./command-fixture.ts";

const test = suite("run-command");

test("run_command answers with both streams, apart and in the order in which they came", () =>
  withCommandFixture(async ({ folder, call }) => {
    const command = "echo one; until [ -e 1 ]; do :; done; echo two >&2; until [ -e 2 ]; do :; done; echo three";
    let lines = 0;
    // Each line waits until the previous one has arrived.
    const answer = await call(runCommand, { command }, { emit: () => writeFileSync(`${folder}/${++lines}`, "") });
    const transcript = [
      { stream: "stdout", text: "one\n" },
      { stream: "stderr", text: "two\n" },
      { stream: "stdout", text: "three\n" },
    ];
    assert.equal(answer, {
      status: "ok",
      content: [
        { type: "text", text: "one\nthree\n" },
        { type: "text", text: "two\n" },
      ],
      process: {
        argv: ["sh", "-c", command],
        cwd: folder,
        exitCode: 0,
        transcript,
        cutBytes: 0,
        level: "none",
        sandbox: "none",
      },
    });
  }));

test("run_command answers with an empty text where nothing is printed", () =>
  withCommandFixture(async ({ call }) =>
    assert.equal((await call(runCommand, { argv: ["true"] })).content, [{ type: "text", text: "" }]),
  ));

test("run_command passes the words of argv as they are", () =>
  withCommandFixture(async ({ call }) => {
    assert.equal((await call(runCommand, { argv: ["printf", "%s|", "a b", "$HOME", "", "*"] })).content, [
      { type: "text", text: "a b|$HOME||*|" },
    ]);
  }));

test("run_command fails with the exit code, and keeps what was printed", () =>
  withCommandFixture(async ({ call }) => {
    const { process: _report, ...answer } = await call(runCommand, { command: "echo half; echo broken >&2; exit 7" });
    assert.equal(answer, {
      status: "failed",
      content: [
        { type: "text", text: "half\n" },
        { type: "text", text: "broken\n" },
      ],
      failure: { kind: "exit", program: "sh", exitCode: 7 },
    });
  }));

test("run_command fails with the signal that ended the process", () =>
  withCommandFixture(async ({ call }) =>
    assert.equal(failureOf(await call(runCommand, { command: "kill -SEGV $$" })), {
      kind: "exit",
      program: "sh",
      signalName: "SIGSEGV",
    }),
  ));

test("run_command runs in its working_dir", () =>
  withCommandFixture(async ({ folder, call }) => {
    await call(runCommand, { argv: ["mkdir", "-p", "a/b"] });
    assert.equal((await call(runCommand, { argv: ["pwd", "-P"], working_dir: "a/b" })).content, [
      { type: "text", text: `${realpathSync(folder)}/a/b\n` },
    ]);
    assert.equal(failureOf(await call(runCommand, { argv: ["pwd"], working_dir: "nothing" })), {
      kind: "not-started",
      program: "pwd",
      reason: "folder-missing",
      detail: `${folder}/nothing`,
    });
  }));

test("run_command is stopped by the timeout it is given", () =>
  withCommandFixture(async ({ callThroughGate }) => {
    const {
      process: _report,
      call: _call,
      durationMs,
      ...answer
    } = await callThroughGate(runCommand, { command: "echo early; sleep 50", timeout_s: 0.2 });
    assert.equal(answer, {
      status: "failed",
      content: [{ type: "text", text: "early\n" }],
      failure: { kind: "timeout", limitMs: 200 },
    });
    // Far below what the command takes.
    assert.ok(durationMs >= 200 && durationMs < 45_000, `took ${durationMs} ms`);
  }));

test("run_command is stopped by the signal of the call", () =>
  withCommandFixture(async ({ call }) => {
    const controller = new AbortController();
    const answer = await call(
      runCommand,
      { command: "echo early; sleep 50" },
      { signal: controller.signal, emit: () => controller.abort() },
    );
    assert.equal(failureOf(answer), { kind: "cancelled" });
  }));

test("run_command is stopped at the limit of output", () =>
  withCommandFixture(async ({ call }) => {
    const answer = await call(runCommand, { argv: ["yes"] }, { limits: { timeoutMs: 60_000, outputBytesMax: 5_000 } });
    const help = ["ask for less, for example with `head`", "a definition sets a larger limit with `@limit output=`"];
    assert.equal(
      [failureOf(answer), answer.content],
      [{ kind: "limit", limit: 5_000, unit: "bytes of output", help }, [{ type: "text", text: "y\n".repeat(2_500) }]],
    );
  }));

test("run_command is stopped at the limit of processor time", () =>
  withCommandFixture(async ({ call }) => {
    const answer = await call(
      runCommand,
      { command: "while :; do :; done" },
      { limits: { timeoutMs: 60_000, outputBytesMax: 5_000, cpuMsMax: 1_000 } },
    );
    assert.equal(
      [failureOf(answer), answer.process?.level],
      [
        {
          kind: "limit",
          limit: 1,
          unit: "seconds of processor time",
          help: ["a definition sets a larger limit with `@limit cpu=`"],
        },
        "limits",
      ],
    );
  }));

test("run_command emits output as it comes, byte for byte", () =>
  withCommandFixture(async ({ call }) => {
    const bytes: number[] = [];
    await call(
      runCommand,
      { argv: ["printf", "\\377\\000\\303"] },
      { emit: (event) => void (event.kind === "output" && bytes.push(...event.bytes)) },
    );
    assert.equal(bytes, [255, 0, 195]);
  }));

test("run_command reports binary output by size, kind and checksum", () =>
  withCommandFixture(async ({ call }) => {
    const answer = await call(runCommand, { argv: ["printf", "\\211PNG\\r\\n\\032\\n\\000\\000"] });
    assert.equal(
      [answer.content, answer.process?.transcript],
      [
        [
          {
            type: "file",
            mediaType: "image/png",
            sizeBytes: 10,
            sha256: "3d5ccb0cef4d3fd8b2474faf2038fbbb654c5c4e992aef8df4a48e8a3372d362",
          },
        ],
        [],
      ],
    );
  }));

test("run_command gives a program only the variables that every program needs", () =>
  withCommandFixture(async ({ call, host }) => {
    const set: Readonly<Record<string, string>> = {
      PATH: "/usr/bin:/bin",
      HOME: "/home/ana",
      LC_TIME: "C",
      EDITOR: "vi",
      SECRET: "x",
      LD_PRELOAD: "/x.so",
      NODE_OPTIONS: "-r x",
      BASH_ENV: "/x",
    };
    const changes = {
      host: { ...host, environment: (name: string) => set[name], environmentNames: () => Object.keys(set) },
    };
    const names = async (args: JsonObject): Promise<readonly string[]> => {
      const [first] = (await call(runCommand, { argv: ["env"], ...args }, changes)).content;
      return (first?.type === "text" ? first.text : "")
        .trim()
        .split("\n")
        .map((line) => line.split("=")[0] ?? "")
        .sort();
    };
    assert.equal(await names({}), ["DOTTOOL_RUN_ID", "HOME", "LC_TIME", "PATH"]);
    assert.equal(await names({ env: { ADDED: "1" } }), ["ADDED", "DOTTOOL_RUN_ID", "HOME", "LC_TIME", "PATH"]);
    assert.equal(await names({ inherit_env: true }), ["DOTTOOL_RUN_ID", "EDITOR", "HOME", "LC_TIME", "PATH"]);
    assert.equal(await names({ inherit_env: true, env: { SECRET: "1" } }), [
      "DOTTOOL_RUN_ID",
      "EDITOR",
      "HOME",
      "LC_TIME",
      "PATH",
      "SECRET",
    ]);
  }));

test("run_command keeps a command from the network and from writing if it is asked to", () =>
  withCommandFixture(async ({ call }) => {
    needPrograms("bwrap");
    if ("Deno" in globalThis) {
      const outcome = await call(runCommand, { command: "touch b", network: false });
      return assert.match(JSON.stringify(outcome), "Deno cannot pass open files to a process");
    }
    const command = "touch a 2>&- && echo wrote; grep -c : /proc/net/dev; cat /proc/net/route | wc -l";
    for (const [limits, expected] of [
      [{ network: false }, ["strict", "full", "wrote\n1\n1\n"]],
      [{ allow_write: false, network: false }, ["strict", "full", "1\n1\n"]],
    ] as const) {
      const { process: report, content } = await call(runCommand, { command, ...limits });
      assert.equal([report?.level, report?.sandbox, contentText(content)], expected);
    }
    const { process: free } = await call(runCommand, { argv: ["true"], network: true, allow_write: true });
    assert.equal([free?.level, free?.sandbox], ["none", "none"]);
  }));

test("check wants either a command or argv, and variables that can be set", () => {
  const issues = (args: JsonObject): unknown => runCommand.check?.(args);
  assert.equal(issues({}), [{ path: "command", message: "is missing, and so is `argv`; pass one of them" }]);
  assert.equal(issues({ command: "ls", argv: ["ls"] }), [
    { path: "argv", message: "cannot be combined with `command`; pass one of them" },
  ]);
  assert.equal(issues({ command: "ls", env: { "A=B": "1", "": "1", C: 1, D: "a\0b", E: "" } }), [
    { path: "env", message: "`A=B` cannot be a variable name" },
    { path: "env", message: "`` cannot be a variable name" },
    { path: "env.C", message: "expected a string" },
    { path: "env.D", message: "expected a string without NUL" },
  ]);
  assert.equal(issues({ argv: ["ls"] }), []);
});

function failureOf(outcome: Outcome): unknown {
  return outcome.status === "failed" ? outcome.failure : undefined;
}

test.run();
