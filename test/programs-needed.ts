// Programs of the machine that a test needs. Where one is missing, the test is left out, counted and named; in CI that
// is a failure, because .ci/run installs them all.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Since the process began, in order: which tests were left out, and why. */
export const leftOut: string[] = [];

/** Ends a test that cannot run here. */
export class LeftOut extends Error {}

/**
 * The absolute path of each program, in the order asked for. Throws `LeftOut` where one is missing, an ordinary error
 * in CI.
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

/** `reason`: what is missing, in words. */
export function leaveOut(reason: string): never {
  if (process.env["CI"]) throw new Error(`${reason}; .ci/run installs what tests need`);
  throw new LeftOut(reason);
}
