// Processes and the web as objects that load their modules with the first call: `read_file` should not pay for either.
import process from "node:process";
import type { HostProcesses, HostWeb } from "../tool/host.ts";
import { findProgram } from "./process-program.ts";
import type { ProcessesOptions } from "./processes.ts";

export function lazyProcesses(options: ProcessesOptions): HostProcesses {
  let loading: Promise<HostProcesses> | undefined;
  let loaded: HostProcesses | undefined;
  let isEnded = false;
  const load = async (): Promise<HostProcesses> => {
    const { createProcesses } = await import("./processes.ts");
    loaded = createProcesses(options);
    if (isEnded) loaded.killAll();
    return loaded;
  };
  return {
    run: async (request) => (loaded ?? (await (loading ??= load()))).run(request),
    find: (program, pathVariable) => {
      const answer = findProgram(program, { platform: options.platform, cwd: process.cwd(), pathVariable });
      return answer.kind === "found" ? answer.path : undefined;
    },
    // Nothing runs while nothing is loaded, and nothing may start later.
    endAll: async () => {
      isEnded = true;
      await loaded?.endAll();
    },
    killAll: () => {
      isEnded = true;
      loaded?.killAll();
    },
  };
}

export function lazyWeb(): HostWeb {
  let loading: Promise<HostWeb> | undefined;
  const load = async (): Promise<HostWeb> => (await import("./web.ts")).createWeb();
  return { fetch: async (request) => (await (loading ??= load())).fetch(request) };
}
