// Which locked packages have newer versions, without changing anything.
import { fetchCommit } from "./git.ts";
import { type Lock, readLock } from "./lock.ts";
import { needOf } from "./manifest.ts";
import type { PlanOptions } from "./plan.ts";
import { askPackage, pickVersion } from "./registry.ts";
import { originOf } from "./source.ts";

export interface OutdatedPackage {
  readonly name: string;
  /** Versions; the first seven digits of commits for git. */
  readonly current: string;
  /** What `update` would install. */
  readonly wanted: string;
  readonly latest: string;
  /** Why the current version should not be used, in its author's words. */
  readonly deprecated?: string;
}

const SHORT_CHARACTERS = 7;

/** Returns the packages for which a newer version is there, or whose version is deprecated. */
export async function outdatedPackages(options: PlanOptions): Promise<readonly OutdatedPackage[]> {
  const lock = readLock(options.folder, options.host);
  const found: OutdatedPackage[] = [];
  for (const name of lock.keys()) {
    const one = await outdatedOf(name, lock, options);
    if (one && (one.current !== one.wanted || one.current !== one.latest || one.deprecated !== undefined))
      found.push(one);
  }
  return found;
}

async function outdatedOf(name: string, lock: Lock, options: PlanOptions): Promise<OutdatedPackage | undefined> {
  const locked = lock.get(name);
  const origin = locked && originOf(locked.source, options.folder);
  if (origin?.kind === "git") {
    const { commit } = await fetchCommit(origin.url, locked?.follows, options);
    const wanted = commit.slice(0, SHORT_CHARACTERS);
    return { name, current: origin.commit.slice(0, SHORT_CHARACTERS), wanted, latest: wanted };
  }
  if (!locked || origin?.kind !== "registry") return undefined;
  const published = await askPackage(name, options.host);
  const ranges = locked.isAdded
    ? [locked.follows ?? ""]
    : [...lock.values()].flatMap(({ needs }) => needOf(needs, name) ?? []);
  const { version: wanted } = await pickVersion(published, ranges);
  const { deprecated } = published.versions.find(({ version }) => version === locked.version) ?? {};
  const { version: current } = locked;
  const latest = published.tags.get("latest") ?? wanted;
  return { name, current, wanted, latest, ...(deprecated === undefined ? {} : { deprecated }) };
}
