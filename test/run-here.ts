// The program's own command line without a process of its own: takes words, and returns text and exit code.
import { callByName } from "../src/cli/call.ts";
import { isCommandName } from "../src/cli/commands.ts";
import { readGlobalOptions } from "../src/cli/global-options.ts";
import { runProgram } from "../src/cli/program.ts";
import type { Terminal, TerminalPort } from "../src/tool/terminal.ts";
import type { ToolRun } from "./tool-bench.ts";

export async function runHere(argv: readonly string[], folder: string): Promise<ToolRun> {
  const read = readGlobalOptions(argv);
  if ("problem" in read) throw new Error(read.problem);
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
    isTerminal: true,
    readBytes: async () => new Uint8Array(),
    ask: async () => undefined,
    listen: () => undefined,
  };
  const terminal: Terminal = {
    runtime: "a test",
    workingFolder: () => folder,
    output: port("output"),
    errors: port("errors"),
    input,
    signal: new AbortController().signal,
    ending: undefined,
  };
  const context = { terminal, options: read.options };
  const exitCode = isCommandName(read.words[0] ?? "")
    ? await runProgram(read.words, context)
    : await callByName(read.words, context);
  const shown = (text: string): string => text.replaceAll(folder, "<bench>");
  return { stdout: shown(kept.output), stderr: shown(kept.errors), exitCode };
}
