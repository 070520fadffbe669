// Programs of the machine that a test needs. If one is missing, the test is left out, counted and named. In CI that is
// a failure, because .ci/run installs them all.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** The tests left out since the process began, in order, with reasons. */
export const leftOut: string[] = [];

/** Ends a test that cannot run here. */
export class LeftOut extends Error {}

/**
 * Returns the absolute path of each program, in the order asked for. Throws `LeftOut` if one is missing, and an
 * ordinary error in CI.
 */
export function needPrograms(...names: readonly string[]): readonly string[] {
  return names.map((name) => pathOf(name) ?? leaveOut(`\`${name}\` is not on the PATH`));
}

export function hasProgram(name: string): boolean {
  return pathOf(name) !== undefined;
}

function pathOf(name: string): string | undefined {
  const folder = (process.env["PATH"] ?? "")
    .split(delimiter)
    .find((one) => one.startsWith("/") && existsSync(join(one, name)));
  return folder === undefined ? undefined : join(folder, name);
}

/** Leaves out a test. `reason` says what is missing. */
export function leaveOut(reason: string): never {
  if (process.env["CI"]) throw new Error(`${reason}; .ci/run installs what tests need`);
  throw new LeftOut(reason);
}
