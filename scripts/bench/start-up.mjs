// Start-up: a call from the shell beside the bare command, the same Node that does nothing, and other runners of
// commands.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { timePrograms, withFolder } from "./programs.mjs";
import { median } from "./table.mjs";

const ROUNDS = 41;
/** The target of the start-up time relative to Node that does nothing, for programs that start often. */
const FLOOR_RATIO_MAX = 1.3;
/** The targets of calls through the launcher, in ms. */
const RESIDENT_GLOB_MS_MAX = 6;
const RESIDENT_VERSION_MS_MAX = 2;
const LAUNCHED_ROUNDS = 300;
// Their real binaries from npm, because the one on PATH may be a Node script around them.
const just = resolve("scripts/bench/node_modules/rust-just-linux-x64/bin/just");
const mise = resolve("scripts/bench/node_modules/@jdxcode/mise-linux-x64/bin/mise");

/** A call as Claude Code writes it to its hook. */
const call = (cwd) =>
  JSON.stringify({ cwd, tool_name: "Bash", tool_input: { command: "npm test -- --filter parser 2>&1 | tail -20" } });

export function benchStartUp(dottool) {
  return withFolder(({ project, home, environment: own }) => {
    const environment = { ...own, XDG_RUNTIME_DIR: join(home, "runtime") };
    const launcher = startResident(dottool, home, environment);
    for (const name of ["a.tool", "b.txt"]) writeFileSync(join(project, name), "");
    writeFileSync(join(project, "justfile"), "glob:\n    @find . -name '*.tool' -type f\n");
    writeFileSync(join(project, "mise.toml"), "[tasks.glob]\nrun = \"find . -name '*.tool' -type f\"\n");
    const program = (...argv) => ({ argv, cwd: project, environment });
    const programs = {
      node: program(process.execPath, "-e", "0"),
      version: program(dottool, "--version"),
      glob: program(dottool, "glob", ".", "-name", "*.tool"),
      hook: { ...program(dottool, "hook", "claude"), input: call(project) },
      find: program("find", ".", "-name", "*.tool", "-type", "f"),
      ...(existsSync(just) ? { just: program(just, "glob") } : {}),
      ...(existsSync(mise)
        ? {
            mise: {
              ...program(mise, "run", "-q", "glob"),
              environment: { ...environment, MISE_TRUSTED_CONFIG_PATHS: project, MISE_OFFLINE: "1" },
            },
          }
        : {}),
    };
    const ms = timePrograms(programs, ROUNDS);
    const launched = launcher ? launchedRows(launcher, { home, project, environment }) : [];
    if (launcher) spawnSync(dottool, ["resident", "stop"], { env: environment });
    const floor = { reference: ms.node, of: "node -e 0" };
    return [
      { name: "dottool --version", value: ms.version, unit: "ms", ...floor, target: ms.node * FLOOR_RATIO_MAX },
      {
        name: "dottool glob . -name '*.tool', warm",
        value: ms.glob,
        unit: "ms",
        ...floor,
        target: ms.node * FLOOR_RATIO_MAX + ms.find,
      },
      {
        name: "dottool hook claude, a shell command",
        value: ms.hook,
        unit: "ms",
        ...floor,
        target: ms.node * FLOOR_RATIO_MAX,
      },
      { name: "  find . -name '*.tool'", value: ms.find, unit: "ms", ...floor },
      ...["just", "mise"]
        .filter((name) => ms[name] !== undefined)
        .map((name) => ({ name: `  the same in ${name}`, value: ms[name], unit: "ms", ...floor })),
      ...launched,
    ];
  });
}

/** Calls through the launcher, timed by a small program: Node's own spawn takes 2 ms. */
function launchedRows(launcher, { home, project, environment }) {
  const timer = join(home, "spawn-times");
  const { status } = spawnSync("cc", ["-O2", "-o", timer, "scripts/bench/spawn-times.c"], { stdio: "inherit" });
  if (status !== 0) return [];
  const programs = {
    version: [launcher, "--version"],
    glob: [launcher, "glob", ".", "-name", "*.tool"],
    find: ["find", ".", "-name", "*.tool", "-type", "f"],
    true: ["true"],
    ...(existsSync(just) ? { just: [just, "glob"] } : {}),
  };
  const words = Object.values(programs).flatMap((argv) => ["--", ...argv]);
  const { stdout } = spawnSync(timer, [String(LAUNCHED_ROUNDS), ...words.slice(1)], {
    cwd: project,
    env: environment,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const rounds = stdout
    .trim()
    .split("\n")
    .slice(LAUNCHED_ROUNDS / 10);
  const ms = Object.fromEntries(
    Object.keys(programs).map((name, column) => [
      name,
      median(rounds.map((round) => Number(round.split(" ")[column]))),
    ]),
  );
  const rowOf = (name, value, target) => ({
    name,
    value,
    unit: "ms",
    reference: ms.just ?? ms.find,
    of: ms.just ? "just" : "find",
    ...(target === undefined ? {} : { target }),
  });
  return [
    rowOf("launcher: dottool --version", ms.version, RESIDENT_VERSION_MS_MAX),
    rowOf("launcher, resident process: dottool glob . -name '*.tool'", ms.glob, RESIDENT_GLOB_MS_MAX),
    rowOf("  find . -name '*.tool', started in the same way", ms.find),
    rowOf("  true, started in the same way", ms.true),
  ];
}

/** Returns the launcher; undefined if the executable has none. */
function startResident(dottool, home, environment) {
  const launcher = join(home, "dottool");
  mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
  const run = (...words) => spawnSync(dottool, ["resident", ...words], { env: environment }).status === 0;
  return run("launcher", launcher) && run("start") ? launcher : undefined;
}
