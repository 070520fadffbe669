// The host of one call that a launcher hands to the resident process. It has the caller's environment and folders, and
// its processes are started by the launcher. What would happen with the rights of this process in place of the caller's
// is left to the executable.
import { isAbsolute, join } from "node:path";
import type { Host, HostFiles, HostFolders, HostProcesses, SpawnRequest } from "../../tool/host.ts";
import { findFolders } from "../files/folders.ts";
import { createNodeHost } from "../node-host.ts";
import { nowMs } from "../monotonic-clock.ts";
import type { ProcessTree } from "../processes/process-members.ts";
import { continueTree, createProcesses, stopTree } from "../processes/processes.ts";
import { findProgram } from "../processes/process-program.ts";
import type { CallerFacts } from "./caller-facts.ts";
import type { CallClock } from "./call-clock.ts";
import { launchProcess } from "./launched-process.ts";
import type { LauncherLink } from "./launcher-link.ts";

export interface ServedCall {
  readonly link: LauncherLink;
  readonly facts: CallerFacts;
  readonly clock: CallClock;
}

/** What calls share: it holds no facts of one of them. */
const base = createNodeHost();

export function createCallHost({ link, facts, clock }: ServedCall): Host {
  const environment = (name: string): string | undefined => {
    const value = facts.environment.get(name);
    return value === undefined && facts.environment.has(name) ? link.leave(`the variable ${name}`) : value;
  };
  const folders = foldersOf(environment);
  const leave = (need: string) => (): never => link.leave(need);
  return {
    ...base,
    folders,
    files: callFiles(link),
    shared: {
      ...base.shared,
      processId: facts.processId,
      isSetInAncestor: leave("its ancestors"),
      // A call that is made again is logged then.
      append: (path, content) => (link.isLeft ? link.leave("a log") : base.shared.append(path, content)),
    },
    processes: callProcesses({ link, facts, clock }, environment("DOTTOOL_RUN_ID")),
    web: { fetch: leave("the web") },
    server: { listen: leave("a server") },
    watcher: { watch: leave("a watcher") },
    modules: { load: leave("a plugin") },
    sandbox: { run: leave("the sandbox"), eraseTypes: leave("the sandbox") },
    packages: leave("packages"),
    environment,
    environmentNames: () => [...facts.environment.keys()],
    nowMs: () => clock.nowMs(),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal, base.sleep),
  };
}

function foldersOf(environment: (name: string) => string | undefined): HostFolders {
  const { home, config, state, cache } = findFolders("linux", environment);
  const temporary = environment("TMPDIR") ?? environment("TMP") ?? environment("TEMP") ?? "/tmp";
  return { home, config, state, cache, temporary: isAbsolute(temporary) ? temporary : join("/", "tmp") };
}

/** Only output that is kept reaches the files of a call here, and only after its process has started. */
function callFiles(link: LauncherLink): HostFiles {
  return new Proxy(base.files, {
    get: (files, name, receiver) => {
      if (!link.isCommitted) link.leave("files");
      return Reflect.get(files, name, receiver) as unknown;
    },
  });
}

function callProcesses({ link, facts, clock }: ServedCall, outerRunIds: string | undefined): HostProcesses {
  const trees = new Set<ProcessTree>();
  link.onStop = () => {
    clock.stop();
    for (const tree of trees) stopTree(tree);
  };
  link.onGoOn = () => {
    clock.goOn();
    for (const tree of trees) continueTree(tree);
  };
  const processes = createProcesses({
    platform: "linux",
    randomId: base.randomId,
    outerRunIds,
    start: async (request, options) => {
      const started = await launchProcess(link, request, options);
      if (started.kind === "not-started") return started;
      const { runId, mark } = options;
      const tree: ProcessTree = { platform: "linux", pid: started.pid, runId, mark, startedAtMs: nowMs() };
      trees.add(tree);
      started.child.once("close", () => trees.delete(tree));
      return started;
    },
  });
  return {
    run: (request) => {
      const need = needOf(request);
      return need === undefined ? processes.run(request) : link.leave(need);
    },
    find: (program, pathVariable) => {
      const answer = findProgram(program, { platform: "linux", cwd: facts.workingFolder, pathVariable });
      return answer.kind === "found" ? answer.path : undefined;
    },
    endAll: () => processes.endAll(),
    killAll: () => processes.killAll(),
  };
}

/** Returns what a process needs beside a folder, words and variables. */
function needOf(request: SpawnRequest): string | undefined {
  if (request.confinement) return "a sandbox";
  if (request.stdin !== undefined || request.onStart) return "input";
  if (request.hasTerminal) return "a terminal";
  return [request.memoryBytesMax, request.cpuMsMax, request.processesMax].every((limit) => limit === undefined)
    ? undefined
    : "limits";
}
