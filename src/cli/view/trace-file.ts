// `--trace FILE`: the file is checked before anything runs, and written when the call has ended, however it ended.
import { resolve } from "node:path";
import { exitCodes } from "../../run/exit-code.ts";
import type { Terminal } from "../../tool/terminal.ts";
import type { OpenedSession, Traced } from "../session/open-session.ts";
import { targetProblem } from "../words/target-file.ts";
import { Trace } from "./trace.ts";

/** Returns an exit code if nothing can be written there; the reason has been printed. */
export async function openTraceFile(path: string, opened: OpenedSession, terminal: Terminal): Promise<Traced | number> {
  const { host } = opened;
  const absolute = resolve(terminal.workingFolder(), path);
  const problem = await targetProblem(path, "trace", { host, terminal });
  if (problem !== undefined) {
    terminal.errors.write(`failed[trace]: ${problem}\n  = nothing has run; name a file in a folder that exists\n`);
    return exitCodes.missing;
  }
  const trace = new Trace(host);
  const end = async (exitCode: number): Promise<number> => {
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
  return { opened: { ...opened, session: { ...opened.session, span: trace.span } }, end };
}
