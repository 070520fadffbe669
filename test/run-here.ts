// The program's own command line without a process of its own: words in, text and exit code out.
import process from "node:process";
import { callByName } from "../src/cli/call.ts";
import { type CommandContext, reportUsage } from "../src/cli/command.ts";
import { isCommandName } from "../src/cli/commands.ts";
import { errorReport } from "../src/cli/error-report.ts";
import { type GlobalWords, readGlobalOptions } from "../src/cli/words/global-options.ts";
import { runProgram } from "../src/cli/program.ts";
import { endEverything } from "../src/core/tool/endings.ts";
import type { Terminal, TerminalPort } from "../src/core/tool/terminal.ts";
import { Turns } from "../src/core/tool/turns.ts";
import type { ToolRun } from "./test-project.ts";

export interface RunHereOptions {
  /** Absolute. Default: the folder that reads `<bench>` in the output. */
  readonly cwd?: string;
  /** Default: a terminal at which nobody answers. */
  readonly stdin?: string | Uint8Array;
  /** In place of that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A process has one environment and one working folder. */
const turns = new Turns(1);

export async function runHere(argv: readonly string[], folder: string, options: RunHereOptions = {}): Promise<ToolRun> {
  const run = await turns.take(new AbortController().signal, async () => {
    const before = { cwd: process.cwd(), environment: { ...process.env } };
    if (options.environment !== undefined) setEnvironment(options.environment);
    process.chdir(options.cwd ?? folder);
    try {
      return await runNow(argv, folder, options);
    } finally {
      await endEverything();
      process.chdir(before.cwd);
      if (options.environment !== undefined) setEnvironment(before.environment);
    }
  });
  return run as ToolRun;
}

function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (variables[name] === undefined) delete process.env[name];
  Object.assign(process.env, variables);
}

async function runNow(argv: readonly string[], folder: string, { stdin }: RunHereOptions): Promise<ToolRun> {
  const read = readGlobalOptions(argv);
  const kept = { output: "", errors: "" };
  const port = (name: keyof typeof kept): TerminalPort => {
    const decoder = new TextDecoder();
    return {
      isTerminal: false,
      hasColor: false,
      movesCursor: false,
      columns: 80,
      rows: 24,
      write: (content) =>
        void (kept[name] += typeof content === "string" ? content : decoder.decode(content, { stream: true })),
    };
  };
  const input: Terminal["input"] = {
    isTerminal: stdin === undefined,
    readBytes: async () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : (stdin ?? new Uint8Array())),
    ask: async () => undefined,
    listen: () => undefined,
  };
  const terminal: Terminal = {
    runtime: "a test",
    workingFolder: () => process.cwd(),
    output: port("output"),
    errors: port("errors"),
    input,
    signal: new AbortController().signal,
    ending: undefined,
  };
  const exitCode =
    "problem" in read
      ? reportUsage(terminal, read.problem)
      : await runWords(read, { terminal, options: read.options }).catch((error: unknown) => {
          const report = errorReport(error);
          terminal.errors.write(report.text);
          return report.exitCode;
        });
  const shown = (text: string): string => text.replaceAll(folder, "<bench>");
  return { stdout: shown(kept.output), stderr: shown(kept.errors), exitCode };
}

function runWords(
  { asksFor, words }: Extract<GlobalWords, { words: unknown }>,
  context: CommandContext,
): Promise<number> {
  const [name = "help"] = words;
  if (asksFor === "help" || isCommandName(name))
    return runProgram(asksFor === "help" ? ["help", ...words] : words, context);
  return callByName(words, context);
}
