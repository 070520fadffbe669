// The host of one call that a launcher hands to the resident process. It has the caller's environment and folders, and
// its processes are started by the launcher. What would happen with the rights of this process in place of the caller's
// is left to the executable.
import { isAbsolute, join } from "node:path";
import type { Host, HostFiles, HostFolders, HostProcesses, SpawnRequest } from "../../../core/tool/host.ts";
import { findFolders } from "../../../core/host/files/folders.ts";
import { createNodeHost } from "../../../core/host/node-host.ts";
import { nowMs } from "../../../core/host/monotonic-clock.ts";
import type { ProcessTree } from "../../../core/host/processes/process-members.ts";
import { continueTree, createProcesses, stopTree } from "../../../core/host/processes/processes.ts";
import { findProgram } from "../../../core/host/processes/process-program.ts";
import type { CallerFacts } from "./caller-facts.ts";
import type { CallClock } from "./call-clock.ts";
import { launchProcess } from "./launched-process.ts";
import type { LauncherLink } from "./launcher-link.ts";

export interface ServedCall {
  readonly link: LauncherLink;
  readonly facts: CallerFacts;
  readonly clock: CallClock;
  /** Aborts when the resident process is to end. */
  readonly ending: AbortSignal;
}

type Leave = (need: string) => never;

/** What calls share: it holds no facts of one of them. */
const base = createNodeHost();

export function createCallHost(call: ServedCall): Host {
  const { link, facts, clock } = call;
  const leave: Leave = (need) => link.leave(need);
  const own = callerHost(facts, leave);
  return {
    ...own,
    files: callFiles(link),
    shared: {
      ...own.shared,
      // A call that is made again is logged then.
      append: (path, content) => {
        if (link.isLeft) return link.leave("a log");
        return link.isForsaken ? 0 : base.shared.append(path, content);
      },
    },
    processes: callProcesses(call, own.environment("DOTTOOL_RUN_ID")),
    watcher: { watch: () => leave("a watcher") },
    nowMs: () => clock.nowMs(),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal, base.sleep),
  };
}

/** The host of those who only look at what there is: it starts nothing, and writes nothing but caches. */
export function createLookingHost(facts: CallerFacts, leave: Leave): Host {
  const own = callerHost(facts, leave);
  const refuse = (need: string) => (): never => leave(need);
  return {
    ...own,
    files: new Proxy(base.files, { get: refuse("files") }),
    shared: { ...own.shared, append: refuse("a log") },
    processes: {
      ...callPrograms(facts),
      run: refuse("a process"),
      endAll: () => Promise.resolve(),
      killAll: () => undefined,
    },
  };
}

/** The caller's environment and folders, without anything that would act with the rights of this process. */
function callerHost(facts: CallerFacts, leave: Leave): Host {
  const environment = (name: string): string | undefined => {
    const value = facts.environment.get(name);
    return value === undefined && facts.environment.has(name) ? leave(`the variable ${name}`) : value;
  };
  const refuse = (need: string) => (): never => leave(need);
  return {
    ...base,
    folders: foldersOf(environment),
    shared: { ...base.shared, processId: facts.processId, isSetInAncestor: refuse("its ancestors") },
    web: { fetch: refuse("the web") },
    server: { listen: refuse("a server") },
    modules: { load: refuse("a plugin") },
    sandbox: { run: refuse("the sandbox"), eraseTypes: refuse("the sandbox") },
    queues: refuse("a queue"),
    environment,
    environmentNames: () => [...facts.environment.keys()],
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
    ...callPrograms(facts),
    endAll: () => processes.endAll(),
    killAll: () => processes.killAll(),
  };
}

function callPrograms({ workingFolder: cwd }: CallerFacts): Pick<HostProcesses, "find"> {
  return {
    find: (program, pathVariable) => {
      const answer = findProgram(program, { platform: "linux", cwd, pathVariable });
      return answer.kind === "found" ? answer.path : undefined;
    },
  };
}

/** Returns what a process needs beside a folder, words and variables. */
function needOf(request: SpawnRequest): string | undefined {
  if (!("unconfined" in request.confinement)) return "a sandbox";
  if (request.stdin !== undefined || request.onStart) return "input";
  if (request.hasTerminal) return "a terminal";
  return [request.memoryBytesMax, request.cpuMsMax, request.processesMax].every((limit) => limit === undefined)
    ? undefined
    : "limits";
}
