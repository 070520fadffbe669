// The line that says how a batch goes, at a real pseudo-terminal, with its results in a file.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { type AtTerminal, type Typed, typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { scriptTool, withQueue } from "./queue-fixture.ts";
import { Screen } from "./screen.ts";

const test = suite("batch at a terminal");
const hasScript = spawnSync("script", ["--version"]).status === 0;

/** The second line waits for the test. */
const FILES = {
  ".tools/wait.tool": scriptTool(
    "wait",
    "case {word} in wait) until test -e go; do sleep 0.01; done;; fail) exit 3;; esac",
  ),
  lines: "one\nfail\nwait\n",
};

interface Showing {
  readonly typed?: Typed;
  /** What the shell does first. */
  readonly before?: string;
  readonly to?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly address?: string;
}

async function show(
  bench: TestProject,
  { typed, before = ":", to = "> results", environment = {}, address }: Showing,
): Promise<AtTerminal> {
  const { program } = bench;
  bench.trust();
  const words = ["batch", ...(address === undefined ? [] : ["--queue", address]), "wait"];
  const line = commandLine([program.command, ...program.words, ...words]);
  return typeAtTerminal(`${before}; ${line} < lines ${to}`, {
    folder: bench.folder,
    environment: { ...program.environment, ...environment },
    typed,
  });
}

function screenOf({ text }: AtTerminal, columns = 80): string {
  const screen = new Screen(12, columns);
  screen.write(text);
  return screen.text;
}

if (hasScript) {
  test("it counts, in any width and without colors, and nothing of it is left at the end", async () => {
    using bench = testProject(FILES);
    const wide = "\rbatch: 1 ok, 1 failed, 1 running\u001b[K";
    const go = (): void => bench.write("go", "");
    const shown = await show(bench, { typed: [[wide, go]], environment: { NO_COLOR: "1" } });
    assert.is(shown.exitCode, 1);
    assert.is(shown.text.replaceAll(/\rbatch: [^\r]*running\u001b\[K/g, ""), "\r\u001b[Kbatch: 2 ok, 1 failed\r\n");
    assert.is(readFileSync(join(bench.folder, "results"), "utf8").split("\n").length, 4);
    const narrow = await show(bench, {
      before: "rm go; stty cols 20",
      typed: [["\rbatch: 1 ok, 1 fail\u001b[K", go]],
    });
    assert.is(screenOf(narrow, 20), "batch: 2 ok, 1 faile\nd\n");
  });

  test("Ctrl-C leaves the counts alone", async () => {
    using bench = testProject(FILES);
    const shown = await show(bench, { typed: [["1 running", "\u0003"]] });
    assert.is(screenOf(shown), "batch: 1 ok, 1 failed, 1 cancelled\n");
  });

  test("where the results go to the terminal, and where the cursor cannot be moved, there is no line", async () => {
    using bench = testProject(FILES);
    // Longer than it takes until there would be one.
    const before = "rm -f go; (sleep 1.5; echo > go) & :";
    const results = await show(bench, { before, to: "" });
    assert.not.match(results.text, /running/);
    assert.match(screenOf(results, 1_000), /^(\{"line":\d.*\}\n){3}batch: 2 ok, 1 failed\n$/);
    const dumb = await show(bench, { before, environment: { TERM: "dumb" } });
    assert.is(dumb.text, "batch: 2 ok, 1 failed\r\n");
  });

  test("on a queue it says what waits there, and makes room for what is said meanwhile", () =>
    withQueue(async ({ machine, worker, server }) => {
      const away = machine(FILES);
      await worker(away);
      const bench = machine(FILES);
      const shown = await show(bench, {
        address: server.address,
        typed: [
          ["\rbatch: 1 ok, 1 failed, 1 in the queue\u001b[K", () => void server.kill()],
          ["waiting for it\r\n", () => void server.start()],
          ["answers again\r\n", () => away.write("go", "")],
        ],
      });
      const at = `\`${server.address}\``;
      assert.is(
        screenOf(shown, 200),
        `batch: the queue at ${at} cannot be reached: the connection was closed; waiting for it\nbatch: ${at} answers again\nbatch: 2 ok, 1 failed\n`,
      );
    }));
}

test.run();
