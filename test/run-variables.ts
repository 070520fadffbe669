// What test/run.ts tells the tests by the environment, for those in its own process too: so this file reads none of it.
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A whole number, which `node test/run.ts --long` names, so that its run can be repeated. */
export const SEED_VARIABLE = "DOTTOOL_TESTS_SEED";
/** The packaged file, where tests start that as the program: see test/run.ts. */
export const EXECUTABLE_VARIABLE = "DOTTOOL_TESTED";

const platform = process.platform === "win32" ? "win" : process.platform;

export const packagedTarget = `${platform}-${process.arch}`;
export const packagedFile = fileURLToPath(
  new URL(`../dist/dottool-${packagedTarget}${platform === "win" ? ".exe" : ""}`, import.meta.url),
);
