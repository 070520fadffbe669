// argv to exit code: decides what the first word is and loads only what that needs. A tool's name takes the shortest
// way.
import process from "node:process";
import { isCommandName } from "./cli/commands.ts";
import { readGlobalOptions } from "./cli/global-options.ts";
import { version } from "./generated/version.ts";
import {
  claimProgram,
  endProgram,
  endProgramWhenIdle,
  isOutlived,
  limitDraining,
  threadsAtRest,
} from "./host/end-program.ts";
import { openTerminal } from "./host/terminal.ts";
import { isAnyRunning } from "./plugins/running.ts";
import { exitCodes } from "./run/exit-code.ts";
import { endEverything } from "./tool/endings.ts";

let isCrashing = false;
// Thrown where nobody waits: in a timer, a listener or a promise that is left alone, as a plugin may do. Node would
// show a bare stack.
process.on("uncaughtException", (error) => void (isCrashing || isOutlived(error) || crash(error)));
claimProgram();
start(process.argv.slice(2)).catch(crash);

async function start(argv: readonly string[]): Promise<void> {
  try {
    if (process.pid === 1) (await import("./host/first-process.ts")).leaveFirstPlace();
    // No `process.exit` before all that was written has drained.
    process.exitCode = await run(argv);
    await endEverything();
    if (process.exitCode === exitCodes.timeout) limitDraining();
    if (isAnyRunning()) await end();
    endProgramWhenIdle();
  } catch (error) {
    process.exitCode = exitCodes.bug;
    process.exitCode = await tell(error);
  }
}

/** What a plugin leaves running, such as a timer or a server, would keep the program alive. */
async function end(): Promise<void> {
  const drained = (stream: NodeJS.WriteStream): Promise<void> =>
    new Promise((resolve) => void stream.on("error", () => resolve()).write("", () => resolve()));
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  await threadsAtRest();
  endProgram();
}

/** At once, because what threw may never come to an end; whoever has started processes ends them on "exit". */
async function crash(error: unknown): Promise<void> {
  // The first error says what there is to say.
  isCrashing = true;
  let exitCode: number = exitCodes.bug;
  try {
    exitCode = await tell(error);
  } finally {
    endProgram(exitCode);
  }
}

/** Gives the exit code. */
async function tell(error: unknown): Promise<number> {
  const { text, exitCode } = (await import("./cli/error-report.ts")).errorReport(error);
  process.stderr.write(text);
  return exitCode;
}

async function run(argv: readonly string[]): Promise<number> {
  const broken = argv.find((word) => word.includes("\uFFFD"));
  if (broken !== undefined && (await import("./host/argv-bytes.ts")).hasBrokenWords()) {
    const { reportUsage } = await import("./cli/command.ts");
    return reportUsage(
      openTerminal({ isPlain: false }),
      `\`${broken}\` has bytes that are no UTF-8, so it cannot be passed on as it is; rename the file that it is the name of, or pass other text on standard input`,
    );
  }
  const read = readGlobalOptions(argv);
  if ("problem" in read) {
    const { reportUsage } = await import("./cli/command.ts");
    return reportUsage(openTerminal({ isPlain: false }), read.problem);
  }
  const { options, words, asksFor } = read;
  const terminal = openTerminal(options);
  const [name] = words;
  if (asksFor === "version") {
    terminal.output.write(`dottool ${version}\n`);
    return exitCodes.done;
  }
  if (asksFor === "licenses") {
    terminal.output.write((await import("./host/licenses.ts")).licenses());
    return exitCodes.done;
  }
  if (name !== undefined && callsForModels(name)) (await import("./host/own-environment.ts")).hideOwnEnvironment();
  if (name === "mcp") (await import("./host/lean-heap.ts")).keepHeapLean();
  if (name === undefined || asksFor === "help" || isCommandName(name)) {
    const { runProgram } = await import("./cli/program.ts");
    return runProgram(asksFor === "help" || name === undefined ? ["help", ...words] : words, { terminal, options });
  }
  const { callByName } = await import("./cli/call.ts");
  return callByName(words, { terminal, options });
}

/** What a model calls, or a process of such a call, may read what /proc tells of this one. */
function callsForModels(command: string): boolean {
  return command === "mcp" || command === "exec" || command === "agent";
}
