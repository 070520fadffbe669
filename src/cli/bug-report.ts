// What is said when dottool itself is at fault: what happened, and where to report it.
import { version } from "../generated/version.ts";

export function bugReport(error: unknown): string {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`failed[bug]: dottool ${version} has a bug: ${error instanceof Error ? error.message : String(error)}`, ...details.split("\n").slice(1).map((line) => `  ${line.trim()}`), "  = report it with these lines and the command that led here, to whoever gave you dottool", ""].join("\n");
}
