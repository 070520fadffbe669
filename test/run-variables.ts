// The variables through which test/run.ts configures the tests, also those in its own process, so this file reads none
// of them.
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A whole number. `node test/run.ts --long` prints it, so that its run can be repeated. */
export const SEED_VARIABLE = "DOTTOOL_TESTS_SEED";
/** The packaged file, if tests start that as the program: see test/run.ts. */
export const EXECUTABLE_VARIABLE = "DOTTOOL_TESTED";
/** Set where tests start the program less often. `node test/run.ts --few` sets it. */
export const FEW_VARIABLE = "DOTTOOL_TESTS_FEW";

const platform = process.platform === "win32" ? "win" : process.platform;

export const packagedTarget = `${platform}-${process.arch}`;
export const packagedFile = fileURLToPath(
  new URL(`../dist/dottool-${packagedTarget}${platform === "win" ? ".exe" : ""}`, import.meta.url),
);

/** Returns a place for what a run leaves for the next one. */
export const compiled = (name: string): string =>
  fileURLToPath(new URL(`../node_modules/.cache/${name}`, import.meta.url));
