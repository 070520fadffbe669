// The messages of `dottool agent` about words that it cannot use. The command itself runs, with words as the program
// reads them.
import { agentCommand } from "../../src/features/agent/commands/agent.ts";
import { readCommandWords } from "../../src/cli/words/command-words.ts";
import { defaultOptions } from "../../src/cli/words/global-options.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli agent-input");

async function said(words: readonly string[], input = ""): Promise<readonly [text: string, exitCode: number]> {
  const read = readCommandWords("agent", agentCommand, words);
  if (read === "help") return [read, 0];
  if ("problem" in read) return [read.problem, 64];
  let text = "";
  const port: TerminalPort = {
    isTerminal: false,
    hasColor: false,
    movesCursor: false,
    columns: 80,
    rows: 24,
    write: (content) => void (text += String(content)),
  };
  const terminal = {
    output: port,
    errors: port,
    input: {
      isTerminal: false,
      readBytes: async () => (input === undefined ? undefined : new TextEncoder().encode(input)),
    },
  } as unknown as Terminal;
  const exitCode = await agentCommand.run(read.input, { terminal, options: defaultOptions });
  return [text.replace("\n  = `dottool agent --help` shows the usage\n", ""), exitCode];
}

const wrong: readonly (readonly [words: readonly string[], problem: string])[] = [
  [[], "failed[usage]: `agent` needs a task: words in quotes, or `-` for standard input"],
  [[""], "failed[usage]: the task is empty"],
  [["-"], "failed[usage]: the task is empty"],
  [["a", "b"], "unexpected argument `b`; usage: `dottool agent TASK`"],
  [["go", "--max-turns", "0"], "failed[usage]: `--max-turns` must be a whole number above 0, up to 10000; got `0`"],
  [["go", "--max-turns", "1.5"], "failed[usage]: `--max-turns` must be a whole number above 0, up to 10000; got `1.5`"],
  [
    ["go", "--max-turns", "10001"],
    "failed[usage]: `--max-turns` must be a whole number above 0, up to 10000; got `10001`",
  ],
  [["go", "--max-cost", "much"], "failed[usage]: `--max-cost` must be a number above 0, up to 1000000; got `much`"],
  [
    ["go", "--max-time", "10"],
    "failed[usage]: `--max-time` must be a time such as `90s`, `10m` or `2h`, up to 24h; got `10`",
  ],
  [
    ["go", "--max-time", "0s"],
    "failed[usage]: `--max-time` must be a time such as `90s`, `10m` or `2h`, up to 24h; got `0s`",
  ],
  [
    ["go", "--max-time", "25h"],
    "failed[usage]: `--max-time` must be a time such as `90s`, `10m` or `2h`, up to 24h; got `25h`",
  ],
  [["go", "--model"], "`--model` needs a value: `--model NAME`"],
  [
    ["go", "--resume", "x", "--continue"],
    "failed[usage]: `--resume` and `--continue` cannot be combined; give one of them",
  ],
];

test("agent says which words it cannot use", async () => {
  for (const [words, problem] of wrong) assert.equal(await said(words), [problem, 64], words.join(" "));
});

test.run();
