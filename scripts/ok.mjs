// `npm run ok`: everything that must hold before a commit: types, format, lint, tidy, generated files fresh, tests.
// `npm run ok -- types tidy` runs only those.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const checks = {
  generated: () => {
    const before = tracked();
    if (!run("node", ["scripts/generate.mjs"])) return false;
    const stale = [...tracked()].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
    for (const path of stale) console.log(`${path} was stale and is made anew; commit it`);
    return stale.length === 0;
  },
  // One checker needs two thirds of the processor time that several need, and here others run beside it.
  types: () => run("tsc", ["-p", ".", "--checkers", "1"]),
  format: () => run("biome", ["format", "."]),
  lint,
  tidy: () => run("node", ["scripts/tidy.mjs"]),
  tests: () => run("node", ["test/run.ts"]),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => checks[name] === undefined);
if (unknown.length > 0)
  throw new Error(`there is no check ${unknown.join(", ")}; there are ${Object.keys(checks).join(", ")}`);

const results = Object.entries(checks)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .map(([name, check]) => {
    console.log(`\n— ${name}`);
    const startMs = performance.now();
    const isOk = check();
    return { isOk, line: `${isOk ? "ok  " : "FAIL"}  ${name}  ${((performance.now() - startMs) / 1000).toFixed(1)} s` };
  });
console.log(`\n${results.map(({ line }) => line).join("\n")}`);
if (!results.every(({ isOk }) => isOk)) process.exitCode = 1;

/** Biome exits with 0 if all findings are of its lowest severity, so its output is checked. */
function lint() {
  const words = ["lint", "--reporter=concise", "--max-diagnostics=none", "."];
  const { status, stdout, stderr } = spawnSync("biome", words, { encoding: "utf8" });
  process.stdout.write(stdout + stderr);
  return status === 0 && !/^Found /m.test(stdout + stderr);
}

function run(program, words) {
  return spawnSync(program, words, { stdio: "inherit" }).status === 0;
}

/** Returns the hash of each file in git, because committed generated files must not differ from new ones. */
function tracked() {
  const paths = spawnSync("git", ["ls-files", "-z"], { encoding: "utf8" }).stdout.split("\0");
  return new Map(
    paths
      .filter((path) => path !== "" && existsSync(path))
      .map((path) => [path, createHash("sha1").update(readFileSync(path)).digest("hex")]),
  );
}
