// `dottool agent` at a terminal: the work is shown, and a person agrees, refuses and answers. The pseudo-terminal is
// util-linux's `script`.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { startAgentServer } from "../agent/agent-server.ts";
import { call, done, KEY } from "../agent/scripted-turn.ts";
import { assertGolden } from "../golden.ts";
import { assert, present, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("cli agent-terminal");

/** Returns everything that reaches the terminal. Each answer is typed at its prompt. */
function atTerminal(
  bench: ReturnType<typeof testProject>,
  words: readonly string[],
  answers: readonly (readonly [prompt: string, answer: string])[],
): Promise<string> {
  const { command, words: program, environment } = bench.program;
  return new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", commandLine([command, ...program, ...words]), "/dev/null"], {
      cwd: bench.folder,
      env: { ...environment, SHELL: "/bin/sh", TERM: "dumb", API_KEY: KEY, NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let text = "";
    let asked = 0;
    let seen = 0;
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const next = answers[asked];
      const at = next ? text.indexOf(next[0], seen) : -1;
      if (!next || at === -1) return;
      seen = at + next[0].length;
      asked++;
      child.stdin.write(`${next[1]}\n`);
    });
    child.on("error", reject);
    child.on("close", () => resolve(text.replaceAll("\r\n", "\n")));
  });
}

if (spawnSync("script", ["--version"]).status === 0)
  test("agent shows its work at a terminal, asks before anything changes, and takes answers", async () => {
    const server = await startAgentServer(
      {
        text: ["I will ", `look \u001b[31m at ${KEY.slice(0, 9)}`, `${KEY.slice(9)}.`],
        calls: [call("read_file", { file_path: "a.txt" }), call("read_file", { file_path: "none.txt" })],
      },
      { calls: [call("run_command", { command: "touch made" })] },
      { calls: [call("run_command", { command: "touch refused" })] },
      { calls: [call("run_command", { command: "echo hello" })] },
      { calls: [call("ask_question", { question: "Which?", suggestions: ["one", "two"] })] },
      done("Made."),
    );
    using bench = testProject({
      "a.txt": "one\n",
      "home/.config/dottool/config.yaml": `providers: { api: { kind: openai, url: "${server.origin}/v1", model: big-1, key: env:API_KEY } }\n`,
    });
    try {
      const text = await atTerminal(
        bench,
        ["agent", "make a file"],
        [
          ["instead ", "y"],
          ["instead ", ""],
          ["instead ", "no, use goodbye instead"],
          ["> ", "2"],
        ],
      );
      assertGolden(
        "cli/golden/agent-terminal.txt",
        text.replaceAll(bench.folder, "<bench>").replaceAll(/\d+(\.\d+)? m?s\b/g, "TIME"),
      );
      assert.equal(
        [existsSync(join(bench.folder, "made")), existsSync(join(bench.folder, "refused")), server.refused],
        [true, false, []],
      );
      const results = (
        present(server.bodies[5])["messages"] as readonly { readonly role: string; readonly content: string }[]
      ).flatMap(({ role, content }) =>
        role === "tool" ? [content.includes("person says") ? content : content.split("\n", 1)[0]] : [],
      );
      assert.equal(results, [
        "one",
        "failed[file]: cannot read `none.txt`: no such file or directory",
        "(no output)",
        "failed[denied]: `run_command` was not approved for `dottool agent`",
        "failed[denied]: `run_command` was not approved for `dottool agent`\n  the person says: use goodbye instead\n  = do what the person says instead\n",
        "two",
      ]);
    } finally {
      await server.close();
    }
  });

if (spawnSync("script", ["--version"]).status === 0)
  test("agent shows what an edit changes before it asks, and why one changes nothing", async () => {
    const edit = (search: string): object => ({ file_path: "a.txt", edits: [{ search, replace: "two" }] });
    const server = await startAgentServer(
      { calls: [call("edit_file", { ...edit("one") })] },
      { calls: [call("edit_file", { ...edit("three") })] },
      { text: ["Edited."] },
    );
    using bench = testProject({
      "a.txt": "zero\none\n",
      "home/.config/dottool/config.yaml": `providers: { api: { kind: openai, url: "${server.origin}/v1", model: big-1, key: env:API_KEY } }\n`,
    });
    try {
      const text = await atTerminal(
        bench,
        ["agent", "edit"],
        [
          ["instead ", "y"],
          ["instead ", "n"],
        ],
      );
      assertGolden("cli/golden/agent-edit.txt", text.replaceAll(bench.folder, "<bench>"));
      assert.is(readFileSync(join(bench.folder, "a.txt"), "utf8"), "zero\ntwo\n");
    } finally {
      await server.close();
    }
  });

if (spawnSync("script", ["--version"]).status === 0)
  test("agent prints an answer once at a terminal where the model has just said it", async () => {
    const server = await startAgentServer(
      { text: ["It is ", "a."] },
      { text: ["It is b."], calls: [call("task_completion", { result: "It is b." })] },
      { text: ["I look."], calls: [call("task_completion", { result: "It is c." })] },
    );
    using bench = testProject({
      "home/.config/dottool/config.yaml": `providers: { api: { kind: openai, url: "${server.origin}/v1", model: big-1, key: env:API_KEY } }\n`,
    });
    try {
      const texts: string[] = [];
      for (const task of ["a", "b", "c"]) texts.push(await atTerminal(bench, ["agent", task], []));
      assert.equal(texts, ["It is a.\n", "It is b.\n", "I look.\nIt is c.\n"]);
    } finally {
      await server.close();
    }
  });

test.run();
