// The real host: files, processes, the web, the clock and the environment of this process as a `Host`.
import process from "node:process";
import { codeOf } from "../tool/error-code.ts";
import type { HashAlgorithm, Hasher, Host } from "../tool/host.ts";
import { openBundle, ownBundle } from "./bundle/own-bundle.ts";
import { currentPlatform, findFolders } from "./files/folders.ts";
import { instantFiles } from "./files/instant-files.ts";
import { lazyFiles, lazyProcesses, lazySandbox, lazyWeb } from "./lazy-parts.ts";
import { nowMs } from "./monotonic-clock.ts";
import { randomId } from "./random-id.ts";
import { runBounded } from "./javascript/run-bounded.ts";
import { sharedFiles } from "./files/shared-files.ts";

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
    processes: lazyProcesses({ platform, randomId, outerRunIds: environment("DOTTOOL_RUN_ID") }),
    web: lazyWeb(),
    server: { listen: async (options) => (await import("./web/web-server.ts")).listen(options) },
    watcher: {
      watch: (watched, options) =>
        void import("./files/watch-folders.ts")
          .then(({ watchFolders }) => watchFolders(watched, options))
          .catch((error: unknown) => {
            for (const folder of watched) options.onTrouble(folder, codeOf(error) ?? "EIO");
          }),
    },
    modules: {
      load: async (path, api, trusted) =>
        (await import("./modules/plugin-modules.ts")).createModules(folders.cache).load(path, api, trusted),
    },
    sandbox: lazySandbox(folders.cache),
    packages: async () => (await import("./packages/host-packages.ts")).hostPackages,
    queues: async () => (await import("./queues/host-queues.ts")).hostQueues,
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
