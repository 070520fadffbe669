// The question of trust through a pseudo-terminal in the real program, with `script` of util-linux.
import { spawn, spawnSync } from "node:child_process";
import { commandLine } from "../../src/core/base/quote.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("trust at a terminal");

if (spawnSync("script", ["--version"]).status === 0)
  test("the first call asks, a yes runs it, and the next call does not ask", async () => {
    using bench = testProject(
      { ".tools/greet.tool": "Greets.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo hello\n" },
      { isTrusted: false },
    );
    const { command, words, environment } = bench.program;
    const atTerminal = (answer: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const child = spawn("script", ["-qec", commandLine([command, ...words, "greet"]), "/dev/null"], {
          cwd: bench.folder,
          env: { ...environment, SHELL: "/bin/sh", TERM: "dumb", XDG_STATE_HOME: `${bench.folder}/home/.local/state` },
          stdio: ["pipe", "pipe", "inherit"],
        });
        let text = "";
        child.stdout.setEncoding("utf8").on("data", (part: string) => {
          text += part;
          if (text.endsWith("[y/N] ")) child.stdin.write(`${answer}\n`);
        });
        child.on("error", reject);
        child.on("close", () => resolve(text.replaceAll(bench.folder, "<bench>").replaceAll("\r\n", "\n")));
      });
    const question =
      "`<bench>/.tools` is not trusted. Once trusted, it could run this with your permissions:\n\n  greet (greet.tool)\n    runs: echo hello\n\ntrust this content? [y/N] ";
    const declined = await atTerminal("n");
    assert.is(
      declined.split("\n").slice(0, 7).join("\n"),
      `${question}n\nfailed[untrusted]: \`greet\` does not run: \`<bench>/.tools\` is not trusted yet`,
    );
    assert.is(await atTerminal("y"), `${question}y\nhello\n`);
    assert.is(await atTerminal("n"), "hello\n");
  });

test.run();
