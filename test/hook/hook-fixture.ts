// A folder of a user with a project, in which calls of other agents are judged as by `dottool hook`, in this process.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hookSession } from "../../src/features/hook/hook-session.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { HookDecision } from "../../src/features/hook/formats.ts";
import { judgeHook } from "../../src/features/hook/judge-hook.ts";
import type { Session } from "../../src/core/run/session.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";

export interface HookFixture {
  readonly project: string;
  readonly home: string;
  write(path: string, text: string): void;
  judge(tool: string, args: JsonObject): Promise<HookDecision>;
  /** `cwd` is the folder that the client names. */
  judgeIn(cwd: string, tool: string, args: JsonObject): Promise<HookDecision>;
  shell(command: string): Promise<HookDecision>;
}

/** `config` is the text of the user's `config.yaml`; `isContained` is that of `dottool hook CLIENT --contained`. */
export async function withHooks<T>(
  work: (bench: HookFixture) => Promise<T>,
  config?: string,
  isContained = false,
): Promise<T> {
  // Not in the temporary folder, in which everything may be written and deleted.
  const home = realpathSync(mkdtempSync(join("/var/tmp", "dottool-hook-")));
  const project = join(home, "work", "project");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  mkdirSync(project, { recursive: true });
  if (config !== undefined) write(join(home, ".config/dottool/config.yaml"), config);
  const real = createNodeHost();
  const host = {
    ...real,
    folders: {
      home,
      config: join(home, ".config/dottool"),
      state: join(home, ".local/state/dottool"),
      cache: join(home, ".cache/dottool"),
      // The project is not below it.
      temporary: join(home, "tmp"),
    },
    environment: (name: string) => (name === "HOME" ? home : name === "PATH" ? real.environment(name) : undefined),
  };
  const sessionIn = (cwd: string): Session => hookSession(cwd, () => undefined, host);
  const own = sessionIn(project);
  const judgeIn = (cwd: string, tool: string, args: JsonObject): Promise<HookDecision> =>
    judgeHook(
      { tool, arguments: args },
      { session: cwd === project ? own : sessionIn(cwd), client: "claude", program: ["dottool"], isContained },
    );
  const judge: HookFixture["judge"] = (tool, args) => judgeIn(project, tool, args);
  try {
    return await work({ project, home, write, judge, judgeIn, shell: (command) => judge("Bash", { command }) });
  } finally {
    rmSync(home, { recursive: true });
  }
}
