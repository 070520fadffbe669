// The start of the program: decides what the first word is and loads only what that needs. A tool's name has the
// shortest path.
import process from "node:process";
import { commandRow } from "./cli/commands.ts";
import { readGlobalOptions } from "./cli/words/global-options.ts";
import { features } from "./features/index.ts";
import { version } from "./generated/version.ts";
import { ownBundle } from "./core/host/bundle/own-bundle.ts";
import {
  claimProgram,
  endProgram,
  endProgramWhenIdle,
  endWhenDrainingLasts,
  isOutlived,
  limitDraining,
  threadsAtRest,
} from "./core/host/processes/end-program.ts";
import { drainTerminal, openTerminal } from "./core/host/terminal/terminal.ts";
import { exitCodes } from "./core/run/exit-code.ts";
import { nameProgram } from "./core/text/program-name.ts";
import { needPart, useFeatures } from "./core/tool/feature.ts";
import { endEverything } from "./core/tool/endings.ts";
import { isAnyRunning } from "./core/tool/loaded-plugins.ts";

let isCrashing = false;
let hasAskedForNewer = false;
// An uncaught error, in a timer, a listener or a promise without a handler, as in a plugin. Node would show only a
// stack.
process.on("uncaughtException", (error) => void (isCrashing || isOutlived(error) || crash(error)));
claimProgram();
useFeatures(features);
const bundle = ownBundle();
if (bundle) nameProgram(bundle);
start(process.argv.slice(2)).catch(crash);

async function start(argv: readonly string[]): Promise<void> {
  try {
    if (process.pid === 1) (await import("./core/host/processes/first-process.ts")).leaveFirstPlace();
    // `process.exit` would end before all output is written.
    process.exitCode = await run(argv);
    await endEverything();
    if (process.exitCode === exitCodes.timeout) limitDraining();
    // A name that no server answers for would be waited for.
    if (isAnyRunning() || hasAskedForNewer) await end();
    endProgramWhenIdle();
  } catch (error) {
    process.exitCode = exitCodes.bug;
    process.exitCode = await tell(error);
  }
}

/** Ends the program: a timer or a server of a plugin would keep it alive. */
async function end(): Promise<void> {
  const drained = (stream: NodeJS.WriteStream): Promise<void> =>
    new Promise((resolve) => void stream.on("error", () => resolve()).write("", () => resolve()));
  endWhenDrainingLasts();
  await Promise.all([drained(process.stdout), drained(process.stderr), drainTerminal()]);
  await threadsAtRest();
  endProgram();
}

/** Ends at once, because the code that threw may never end; processes are ended on "exit". */
async function crash(error: unknown): Promise<void> {
  // Only the first error is reported.
  isCrashing = true;
  let exitCode: number = exitCodes.bug;
  try {
    exitCode = await tell(error);
  } finally {
    endProgram(exitCode);
  }
}

/** Reports the error and returns the exit code. */
async function tell(error: unknown): Promise<number> {
  const { text, exitCode } = (await import("./cli/error-report.ts")).errorReport(error);
  process.stderr.write(text);
  return exitCode;
}

async function run(argv: readonly string[]): Promise<number> {
  const broken = argv.find((word) => word.includes("\uFFFD"));
  if (broken !== undefined && (await import("./core/host/processes/argv-bytes.ts")).hasBrokenWords()) {
    const { reportUsage } = await import("./cli/command.ts");
    return reportUsage(
      openTerminal({ isPlain: false }),
      `\`${broken}\` is not UTF-8, so it cannot be passed on unchanged; if it is the name of a file, rename the file, else pass the text on standard input`,
    );
  }
  // `__handed-over FILE WORD…`: the launcher of a session lets this program go on with it.
  const isHandedOver = argv[0] === "__handed-over";
  const read = readGlobalOptions(isHandedOver ? argv.slice(2) : argv);
  if ("problem" in read) {
    const { reportUsage } = await import("./cli/command.ts");
    const { withMeantOption } = await import("./cli/words/other-options.ts");
    return reportUsage(openTerminal({ isPlain: false }), withMeantOption(read.problem));
  }
  const { options, words, asksFor } = read;
  const terminal = openTerminal(options);
  const [name] = words;
  if (asksFor === "version") {
    const { versionText } = await import("./core/tool/bundle-marker.ts");
    terminal.output.write(`${versionText(version, bundle)}\n`);
    return exitCodes.done;
  }
  if (asksFor === "licenses") {
    terminal.output.write((await import("./core/host/licenses.ts")).licenses());
    return exitCodes.done;
  }
  if (asksFor === "bundle-info") return (await needPart("writeBundleInfo"))(terminal);
  // `dottool` alone shows the first screen.
  const asked = asksFor ?? (name === undefined ? "__start" : undefined);
  const row = name === undefined ? undefined : commandRow(name);
  if (row?.callsForModels) (await import("./core/host/processes/own-environment.ts")).hideOwnEnvironment();
  if (row?.lasts) (await import("./core/host/processes/lean-heap.ts")).keepHeapLean();
  if (asked !== undefined || row) {
    const { runProgram } = await import("./cli/program.ts");
    const exitCode = await runProgram(asked === undefined ? words : [asked, ...words], {
      terminal,
      options,
      ...(isHandedOver ? { handedOver: (await needPart("readHandedOver"))(Number(argv[1])) } : {}),
    });
    const isSeen = terminal.output.isTerminal && terminal.errors.isTerminal && !words.includes("--json");
    if (bundle && isSeen && (asked === undefined ? row : commandRow(asked))?.isForLooking)
      hasAskedForNewer = await (await needPart("tellNewer"))(terminal);
    return exitCode;
  }
  const { callByName } = await import("./cli/call.ts");
  return callByName(words, { terminal, options });
}
