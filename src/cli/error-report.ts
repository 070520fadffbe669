// The report of an error that ends the program: what happened, whose fault it is, and where to report it. A refusal of
// the system is not a bug.
import { bugs, version } from "../generated/version.ts";
import { ownFolders } from "../core/host/files/folders.ts";
import { exitCodes, failureExitCode } from "../core/run/exit-code.ts";
import { failureText } from "../core/run/failure-text.ts";
import { systemFailure } from "../core/run/system-failure.ts";
import { ownProgramName } from "../core/text/program-name.ts";
import { codeOf } from "../core/tool/error-code.ts";
import { thrownError } from "../core/tool/thrown-error.ts";
import { printableLines } from "./view/layout.ts";
import { pluginIn } from "../core/tool/loaded-plugins.ts";

interface ErrorReport {
  /** Includes the line end. */
  readonly text: string;
  readonly exitCode: number;
}

export function errorReport(error: unknown): ErrorReport {
  if (codeOf(error) === "EBUNDLE") return { text: bundleReport(error), exitCode: exitCodes.definitions };
  const failure =
    pluginIn(thrownError(error).stack ?? "") === undefined ? systemFailure(error, ownFolders()) : undefined;
  if (failure === undefined) return { text: printableLines(bugReport(error)), exitCode: exitCodes.bug };
  return {
    text: printableLines(`${failureText(failure, { audience: "person", tool: "" })}\n`),
    exitCode: failureExitCode(failure),
  };
}

function bundleReport(error: unknown): string {
  return `failed[bundle]: \`${ownProgramName()}\` ${thrownError(error).message}\n  = copy it again from where you got it\n`;
}

function bugReport(error: unknown): string {
  const { message: reason, stack = "" } = thrownError(error);
  const frames = stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `  ${line.trim()}`);
  const plugin = pluginIn(stack);
  if (plugin === undefined && codeOf(error) === "EPLUGINEND") return `failed[crashed]: a plugin has a bug: ${reason}\n`;
  if (plugin === undefined)
    return [
      `failed[bug]: dottool ${version} has a bug: ${reason}`,
      ...frames,
      `  = report this bug${bugs === "" ? "" : ` at ${bugs}`}, with these lines and the command`,
      "",
    ].join("\n");
  return [
    `failed[crashed]: the plugin \`${plugin}\` has a bug: ${reason}`,
    ...frames,
    "  = nothing handled the error: an `await` or a `catch` is missing, or a timer or a listener threw it",
    "",
  ].join("\n");
}
