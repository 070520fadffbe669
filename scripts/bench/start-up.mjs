// Start-up: a call from the shell beside the bare command, the same Node that does nothing, and other runners of
// commands.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { timePrograms, withFolder } from "./programs.mjs";

const ROUNDS = 41;
/** The target of the start-up time relative to Node that does nothing, for programs that start often. */
const FLOOR_RATIO_MAX = 1.3;
/** The targets of calls through the launcher, in ms. */
const RESIDENT_GLOB_MS_MAX = 6;
const RESIDENT_VERSION_MS_MAX = 2;
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
    if (launcher) {
      programs.residentVersion = program(launcher, "--version");
      programs.residentGlob = program(launcher, "glob", ".", "-name", "*.tool");
    }
    const ms = timePrograms(programs, ROUNDS);
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
      ...[
        ["--version", ms.residentVersion, RESIDENT_VERSION_MS_MAX],
        ["glob . -name '*.tool'", ms.residentGlob, RESIDENT_GLOB_MS_MAX],
      ]
        .filter(([, value]) => value !== undefined)
        .map(([words, value, target]) => ({
          name: `launcher, resident process: dottool ${words}`,
          value,
          unit: "ms",
          reference: ms.just ?? ms.find,
          of: ms.just ? "just" : "find",
          target,
        })),
      { name: "  find . -name '*.tool'", value: ms.find, unit: "ms", ...floor },
      ...["just", "mise"]
        .filter((name) => ms[name] !== undefined)
        .map((name) => ({ name: `  the same in ${name}`, value: ms[name], unit: "ms", ...floor })),
    ];
  });
}

/** Returns the launcher; undefined if the executable has none. */
function startResident(dottool, home, environment) {
  const launcher = join(home, "dottool");
  mkdirSync(environment.XDG_RUNTIME_DIR, { mode: 0o700 });
  const run = (...words) => spawnSync(dottool, ["resident", ...words], { env: environment }).status === 0;
  return run("launcher", launcher) && run("start") ? launcher : undefined;
}
