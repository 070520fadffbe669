// `--trace FILE`: the file is checked before anything runs, and written when the call has ended, however it ended.
import { resolve } from "node:path";
import { exitCodes } from "../run/exit-code.ts";
import { printable } from "../text/display.ts";
import type { Host } from "../tool/host.ts";
import type { Span } from "../tool/span.ts";
import type { Terminal } from "../tool/terminal.ts";
import { isSameFile, targetProblem } from "./target-file.ts";
import { Trace } from "./trace.ts";

export interface TraceFile {
  readonly span: Span;
  /** Returns true if the result would go to the same file; that has been reported. */
  refuses(outputFile: string): Promise<boolean>;
  /** Returns the exit code: the call's own, unless the call succeeded and the trace could not be written. */
  write(exitCode: number): Promise<number>;
}

/** Returns an exit code if nothing can be written there; the reason has been printed. */
export async function openTraceFile(path: string, host: Host, terminal: Terminal): Promise<TraceFile | number> {
  const absolute = resolve(terminal.workingFolder(), path);
  const shown = printable(path);
  const problem = await targetProblem(path, "trace", { host, terminal });
  if (problem !== undefined) {
    terminal.errors.write(`failed[trace]: ${problem}\n  = nothing has run; name a file in a folder that exists\n`);
    return exitCodes.missing;
  }
  const trace = new Trace(host);
  const write = async (exitCode: number): Promise<number> => {
    if (trace.dropped > 0)
      terminal.errors.write(
        `warning[trace]: ${trace.dropped} spans are left out: a collector reads a trace in one piece, so its size is limited\n`,
      );
    try {
      await host.files.write(absolute, trace.text(), { mode: 0o600 });
      return exitCode;
    } catch (error) {
      terminal.errors.write((await import("./write-or-tell.ts")).unwrittenText("trace", path, error));
      return exitCode === exitCodes.done ? exitCodes.failed : exitCode;
    }
  };
  const refuses = async (outputFile: string): Promise<boolean> => {
    const isSame = await isSameFile(path, outputFile, { host, terminal });
    if (isSame)
      terminal.errors.write(
        `failed[usage]: \`--trace\` and \`--output-file\` name the same file, \`${shown}\`\n  = nothing has run; give each its own file\n`,
      );
    return isSame;
  };
  return { span: trace.span, refuses, write };
}
