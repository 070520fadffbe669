// Start-up: a call from the shell beside the bare command and the same Node that does nothing.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { timePrograms, withFolder } from "./programs.mjs";

const ROUNDS = 41;
/** The target of the start-up time relative to Node that does nothing, for programs that start often. */
const FLOOR_RATIO_MAX = 1.3;
/** A call as Claude Code writes it to its hook. */
const call = (cwd) =>
  JSON.stringify({ cwd, tool_name: "Bash", tool_input: { command: "npm test -- --filter parser 2>&1 | tail -20" } });

export function benchStartUp(dottool) {
  return withFolder(({ project, environment }) => {
    for (const name of ["a.tool", "b.txt"]) writeFileSync(join(project, name), "");
    const program = (...argv) => ({ argv, cwd: project, environment });
    const programs = {
      node: program(process.execPath, "-e", "0"),
      version: program(dottool, "--version"),
      glob: program(dottool, "glob", ".", "-name", "*.tool"),
      hook: { ...program(dottool, "hook", "claude"), input: call(project) },
      find: program("find", ".", "-name", "*.tool", "-type", "f"),
    };
    const ms = timePrograms(programs, ROUNDS);
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
    ];
  });
}
