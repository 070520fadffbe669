// Runners of commands: the same `find` called bare, through dottool, through its launcher with a resident process, and
// in just, mise and a program that Bun has compiled. A small program in C starts all of them in turns: Node's own spawn
// takes 2 ms, which is more than some of these.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { withFolder } from "./programs.mjs";
import { median } from "./table.mjs";

const ROUNDS = 300;
const GLOB_MS_MAX = 6;
const VERSION_MS_MAX = 2;
const words = [".", "-name", "*.tool"];
// Their real binaries from npm, because the one on PATH may be a Node script around them.
const binaries = {
  just: resolve("scripts/bench/node_modules/rust-just-linux-x64/bin/just"),
  mise: resolve("scripts/bench/node_modules/@jdxcode/mise-linux-x64/bin/mise"),
  bun: resolve("scripts/bench/node_modules/@oven/bun-linux-x64-baseline/bin/bun"),
};
const ofBun = `const { exitCode } = Bun.spawnSync(["find", ...process.argv.slice(2), "-type", "f"], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(exitCode);
`;

export function benchRunners(dottool) {
  if (process.platform !== "linux") return [];
  return withFolder(({ project, home, environment: own }) => {
    const environment = {
      ...own,
      XDG_RUNTIME_DIR: join(home, "runtime"),
      MISE_TRUSTED_CONFIG_PATHS: project,
      MISE_OFFLINE: "1",
    };
    mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
    const timer = join(home, "spawn-times");
    run(["cc", "-O2", "-o", timer, resolve("scripts/bench/spawn-times.c")]);
    for (const name of ["a.tool", "b.txt"]) writeFileSync(join(project, name), "");
    writeFileSync(join(project, "justfile"), "glob:\n    @find . -name '*.tool' -type f\n");
    writeFileSync(join(project, "mise.toml"), "[tasks.glob]\nrun = \"find . -name '*.tool' -type f\"\n");
    const launcher = join(home, "dottool");
    run([dottool, "resident", "launcher", launcher], environment);
    run([dottool, "resident", "start"], environment);
    try {
      const programs = {
        find: ["find", ...words, "-type", "f"],
        "dottool glob, warm, without the launcher": [dottool, "glob", ...words],
        "dottool glob, launcher and resident process": [launcher, "glob", ...words],
        "dottool --version, launcher": [launcher, "--version"],
        "just glob": ifThere(binaries.just, "glob"),
        "mise run glob": ifThere(binaries.mise, "run", "-q", "glob"),
        "a program that Bun compiled": compiledByBun(home, environment),
        "`true`, which does nothing": ["true"],
      };
      return rowsOf(timesOf(programs, { timer, project, environment }));
    } finally {
      run([dottool, "resident", "stop"], environment);
    }
  });
}

function ifThere(file, ...more) {
  return existsSync(file) ? [file, ...more] : undefined;
}

function compiledByBun(home, environment) {
  if (!existsSync(binaries.bun)) return undefined;
  const [source, file] = [join(home, "glob.js"), join(home, "glob-of-bun")];
  writeFileSync(source, ofBun);
  run([binaries.bun, "build", "--compile", "--minify", "--bytecode", "--outfile", file, source], environment);
  return [file, ...words];
}

/** Returns the sorted times in ms by name. The first tenth of the rounds is not counted. */
function timesOf(programs, { timer, project, environment }) {
  const there = Object.entries(programs).filter(([, argv]) => argv !== undefined);
  const calls = there.flatMap(([, argv]) => ["--", ...argv]).slice(1);
  const printed = run([timer, String(ROUNDS), ...calls], environment, project);
  const rounds = printed
    .trim()
    .split("\n")
    .slice(ROUNDS / 10)
    .map((line) => line.split(" ").map(Number));
  return Object.fromEntries(
    there.map(([name], column) => [name, rounds.map((round) => round[column]).sort((one, other) => one - other)]),
  );
}

/** Beside the median the fastest tenth, which says what a machine at rest does: other work only makes a call slower. */
function rowsOf(times) {
  const msOf = (name) => ({ median: median(times[name]), tenth: times[name][Math.floor(times[name].length / 10)] });
  const just = times["just glob"] && msOf("just glob");
  const targets = {
    "dottool glob, launcher and resident process": {
      median: Math.min(GLOB_MS_MAX, just?.median ?? GLOB_MS_MAX),
      tenth: Math.min(GLOB_MS_MAX, just?.tenth ?? GLOB_MS_MAX),
    },
    "dottool --version, launcher": { median: VERSION_MS_MAX, tenth: VERSION_MS_MAX },
  };
  return Object.keys(times).flatMap((name) =>
    ["median", "tenth"].map((kind) => ({
      name: kind === "median" ? name : "  the fastest tenth",
      value: msOf(name)[kind],
      unit: "ms",
      ...(just ? { reference: just[kind], of: "just" } : {}),
      ...(targets[name] ? { target: targets[name][kind] } : {}),
    })),
  );
}

function run(argv, env = process.env, cwd = undefined) {
  const { status, error, stdout, stderr } = spawnSync(argv[0], argv.slice(1), { env, cwd, encoding: "utf8" });
  if (error || status !== 0) throw new Error(`${argv.slice(0, 3).join(" ")}: ${error ?? `${status}: ${stderr}`}`);
  return stdout;
}
