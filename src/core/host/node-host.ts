// The real host: files, processes, the web, the clock and the environment of this process as a `Host`.
import process from "node:process";
import { loadPart, needPart } from "../tool/feature.ts";
import { codeOf } from "../tool/error-code.ts";
import type { HostQueues } from "../tool/host-queues.ts";
import type {
  HashAlgorithm,
  Hasher,
  Host,
  HostFiles,
  HostFolders,
  HostModules,
  HostProcesses,
  HostServer,
  HostWeb,
} from "../tool/host.ts";
import { openBundle, ownBundle } from "./bundle/own-bundle.ts";
import { currentPlatform, findFolders } from "./files/folders.ts";
import { instantFiles } from "./files/instant-files.ts";
import { nowMs } from "./monotonic-clock.ts";
import { threadMs, wallMsBehind } from "./processor-time.ts";
import { randomId } from "./random-id.ts";
import { sharedFiles } from "./files/shared-files.ts";
import type { Context, Script } from "node:vm";
import type { HostSandbox } from "../tool/host-sandbox.ts";
import { findProgram } from "./processes/process-program.ts";
import type { ProcessesOptions, Starter } from "./processes/processes.ts";

declare module "../tool/feature.ts" {
  interface Parts {
    createModules: (cacheFolder: string) => HostModules;
    createSandbox: (cacheFolder: string) => HostSandbox;
    createWeb: () => HostWeb;
    hostQueues: HostQueues;
    listen: HostServer["listen"];
    openStarter: () => Promise<Starter | undefined>;
  }
}

export function createNodeHost(): Host {
  const platform = currentPlatform();
  const environment = (name: string): string | undefined => process.env[name];
  const folders = findFolders(platform, environment);
  const bundle = ownBundle();
  return {
    platform,
    folders,
    files: lazyFiles(folders),
    instant: instantFiles,
    shared: sharedFiles,
    processes: lazyProcesses({
      platform,
      randomId,
      outerRunIds: environment("DOTTOOL_RUN_ID"),
      stateFolder: folders.state,
      openStarter: async () => (await loadPart("openStarter"))?.(),
    }),
    web: lazyWeb(),
    server: { listen: async (options) => (await needPart("listen"))(options) },
    watcher: {
      watch: (watched, options) =>
        void import("./files/watch-folders.ts")
          .then(({ watchFolders }) => watchFolders(watched, options))
          .catch((error: unknown) => {
            for (const folder of watched) options.onTrouble(folder, codeOf(error) ?? "EIO");
          }),
    },
    modules: {
      load: async (path, api, trusted) => (await needPart("createModules"))(folders.cache).load(path, api, trusted),
    },
    sandbox: lazySandbox(folders.cache),
    queues: () => needPart("hostQueues"),
    ...(process.getBuiltinModule("node:sea")?.isSea() ? { executable: process.execPath } : {}),
    ...(bundle ? { bundle: openBundle(bundle, folders) } : {}),
    environment,
    environmentNames: () => Object.keys(process.env),
    nowMs,
    timestamp: () => utcText(Date.now()),
    randomId,
    sleep,
    sha256,
    hash,
    hasher,
    runBounded,
  };
}

/** Loads node:crypto when first used, which takes 4 ms that most calls do not need. */
function sha256(bytes: Uint8Array | string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
}

function hash(algorithm: HashAlgorithm, text: string, key?: string): string {
  const { createHash, createHmac } = process.getBuiltinModule("node:crypto");
  return (key === undefined ? createHash(algorithm) : createHmac(algorithm, key)).update(text).digest("hex");
}

function hasher(): Hasher {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  return { add: (bytes) => void hash.update(bytes), sha256: () => hash.digest("hex") };
}

/** A timer of Node may fire this much too early, by the clock. */
const TIMER_MS = 2;

function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    // A timer continues while the program is stopped at a terminal; the clock does not.
    const endMs = nowMs() + delayMs;
    const onTimer = (): void => {
      const leftMs = endMs - nowMs();
      if (leftMs < TIMER_MS) return end();
      timer = setTimeout(onTimer, leftMs);
    };
    let timer = setTimeout(onTimer, delayMs);
    signal.addEventListener("abort", end);
  });
}

const DAY_MS = 86_400_000;
/** The days from 1 March of the year 0 to 1 January 1970. */
const DAYS_BEFORE_1970 = 719_468;
/** The days of 400 years, after which the calendar repeats. */
const ERA_DAYS = 146_097;

/**
 * Formats like `Date.toISOString`, because the first `Date` makes V8 look up the time zone: 0.2 ms of each call.
 * `epochMs`: from 1970 to 9999. The algorithm is `civil_from_days` of
 * https://howardhinnant.github.io/date_algorithms.html, which counts years from March.
 */
export function utcText(epochMs: number): string {
  const days = Math.floor(epochMs / DAY_MS) + DAYS_BEFORE_1970;
  const era = Math.floor(days / ERA_DAYS);
  const day = days - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (day - Math.floor(day / 1_460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365,
  );
  const dayOfYear = day - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const ms = ((epochMs % DAY_MS) + DAY_MS) % DAY_MS;
  const time = `${digits(Math.floor(ms / 3_600_000), 2)}:${digits(Math.floor(ms / 60_000) % 60, 2)}:${digits(Math.floor(ms / 1_000) % 60, 2)}.${digits(Math.floor(ms % 1_000), 3)}`;
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(dayOfMonth, 2)}T${time}Z`;
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

// Runs work with a time limit: V8 can interrupt a regular expression only in a script that runs with one.

interface Runner {
  readonly script: Script;
  readonly context: Context;
}

/** The share of its time that work gets on a machine at rest: the system has some. */
const ENOUGH = 0.9;

// Created once, because a context takes 1 ms.
let runner: Runner | undefined;

/**
 * Throws `{code: "ETIMEDOUT"}` if `work` is not done after `limitMs` of processor time, a whole number above 0. V8 counts
 * the time of the clock, so the work is done again with more of it where the machine has given it too little.
 */
export function runBounded<T>(work: () => T, limitMs: number): T {
  runner ??= makeRunner();
  const { script, context } = runner;
  let result: { readonly value: T } | undefined;
  context["work"] = (): void => {
    result = { value: work() };
  };
  const endMs = nowMs() + wallMsBehind(limitMs);
  try {
    for (let wallMs = limitMs; result === undefined; wallMs *= 2) {
      const startMs = threadMs();
      try {
        script.runInContext(context, { timeout: wallMs });
      } catch (error) {
        // The error has the `Error` class of the context, not ours.
        if (!isTimeout(error)) throw error;
        if (threadMs() - startMs >= limitMs * ENOUGH || nowMs() >= endMs)
          throw Object.assign(new Error(`not done after ${limitMs} ms`), { code: "ETIMEDOUT" });
      }
    }
  } finally {
    context["work"] = undefined;
  }
  if (!result) throw new Error("the work ended without a result");
  return result.value;
}

function makeRunner(): Runner {
  const vm = process.getBuiltinModule("node:vm");
  return { script: new vm.Script("work()"), context: vm.createContext(Object.create(null)) };
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

// Files, processes and the web as objects that load their modules with the first call: a tool loads only what it uses.

function lazyProcesses(options: ProcessesOptions): HostProcesses {
  let loading: Promise<HostProcesses> | undefined;
  let loaded: HostProcesses | undefined;
  let isEnded = false;
  const load = async (): Promise<HostProcesses> => {
    const { createProcesses } = await import("./processes/processes.ts");
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
    startMany: async () => (loaded ?? (await (loading ??= load()))).startMany?.(),
    // Nothing runs while nothing is loaded, and nothing may start after this.
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

function lazyWeb(): HostWeb {
  let loading: Promise<HostWeb> | undefined;
  const load = async (): Promise<HostWeb> => (await needPart("createWeb"))();
  return { fetch: async (request) => (await (loading ??= load())).fetch(request) };
}

function lazySandbox(cacheFolder: string): HostSandbox {
  let loading: Promise<HostSandbox> | undefined;
  const load = async (): Promise<HostSandbox> => (await needPart("createSandbox"))(cacheFolder);
  return {
    run: async (run) => (await (loading ??= load())).run(run),
    eraseTypes: async (code, signal) => (await (loading ??= load())).eraseTypes(code, signal),
  };
}

/** Loads `node:fs/promises` late, because a wrapped command does not need it. */
function lazyFiles(folders: HostFolders): HostFiles {
  let loading: Promise<HostFiles> | undefined;
  const files = (): Promise<HostFiles> =>
    (loading ??= import("./files/files.ts").then(({ createFiles }) => createFiles(folders.temporary)));
  return {
    stat: async (path) => (await files()).stat(path),
    readBytes: async (path, range) => (await files()).readBytes(path, range),
    list: async (folder) => (await files()).list(folder),
    walk: async function* (folder, options) {
      yield* (await files()).walk(folder, options);
    },
    write: async (path, content, options) => (await files()).write(path, content, options),
    append: async (path, content, options) => (await files()).append(path, content, options),
    create: async (path, options) => (await files()).create(path, options),
    makeFolder: async (path, options) => (await files()).makeFolder(path, options),
    makeTemporaryFolder: async (prefix) => (await files()).makeTemporaryFolder(prefix),
    remove: async (path) => (await files()).remove(path),
    realPath: async (path) => (await files()).realPath(path),
    readLink: async (path) => (await files()).readLink(path),
  };
}
