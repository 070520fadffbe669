// A team's executable: a warm call of a tool inside it beside dottool's call of the same tool in a trusted project, by
// processor time. What a bundle adds is less than what other work of the machine does to the clock on the wall.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { greetTool } from "../package/sample-commands.mjs";
import { processorTimesOf, timePrograms, trustProject, withFolder } from "./programs.mjs";

const TURNS = 20;
const CALL_RATIO_MAX = 1.05;
const ADDED_MS_MAX = 2;
/** Longer than a tick of the clock of file systems: before, dates tell nothing, and files are read again. */
const TICK_MS = 2_100;

export function benchBundle(dottool) {
  return withFolder(async ({ project, home, environment }) => {
    mkdirSync(join(project, ".tools"));
    writeFileSync(join(project, ".tools/greet.tool"), greetTool);
    const ourtools = join(home, "ourtools");
    const empty = join(home, "empty");
    mkdirSync(empty);
    execFileSync(dottool, ["bundle", "-o", ourtools], { cwd: project, env: environment, stdio: "ignore" });
    const call = (program, cwd) => ({ argv: [program, "greet", "--name", "Ana"], cwd, environment });
    const search = (program, cwd) => ({
      argv: [program, "call", "find_files", "--patterns", "*.none"],
      cwd,
      environment,
    });
    const programs = {
      own: call(dottool, project),
      bundled: call(ourtools, home),
      // Beside a folder without tools, it would be the time of reading any tools that counts.
      plain: search(dottool, project),
      inside: search(ourtools, empty),
    };
    timePrograms({ first: programs.bundled }, 0);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    await trustProject({ project, home });
    const ms = processorTimesOf(programs, TURNS);
    return [
      {
        name: "warm call of a tool inside a bundle",
        value: ms.bundled,
        unit: "ms",
        reference: ms.own,
        of: "dottool's own",
        target: ms.own * CALL_RATIO_MAX,
      },
      {
        name: "what a bundle adds to a call of another tool, beside a trusted project with the same tool",
        value: ms.inside - ms.plain,
        unit: "ms",
        target: ADDED_MS_MAX,
      },
      {
        name: "size of a bundle with one tool",
        value: statSync(ourtools).size / 1e6,
        unit: "MB",
        reference: statSync(dottool).size / 1e6,
        of: "dottool",
      },
    ];
  });
}
