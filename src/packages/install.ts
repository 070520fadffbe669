// Adding, removing and installing packages. All of it is fetched, stored beside what is installed, and checked together;
// then the lock is written, and at last the record of what is installed, each by one rename.
import { join } from "node:path";
import { type InstalledPackage, storedFolderOf, writeInstalled } from "../catalog/installed-packages.ts";
import type { Host } from "../tool/host.ts";
import { type Candidate, type CheckedCandidate, checkTogether } from "./candidates.ts";
import { type FetchedPackage, fetchPackage } from "./fetch.ts";
import { type Lock, LOCK_NAME, type LockedPackage, lockText, readLock } from "./lock.ts";
import { packageNameOf, type PackageManifest, readManifest } from "./manifest.ts";
import { whileLocked } from "./place.ts";
import { type Powers, widened } from "./powers.ts";
import { Refusal } from "./refusal.ts";
import { type PackageSource, sourceOfText, sourceText } from "./source.ts";
import { isStored, removeLeftovers, storedFiles, storeFiles } from "./store.ts";

export interface InstallOptions {
  /** Absolute and without links: the folder of the `dottool.lock`. */
  readonly folder: string;
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** A package that is installed now. */
export interface InstalledNow {
  readonly name: string;
  readonly version: string;
  /** The version that was locked before; absent if none was. */
  readonly before?: string;
  readonly source: string;
  readonly toolNames: readonly string[];
  readonly may: Powers;
  /** What it may do and the version before could not; all of it for a new package. */
  readonly wider: readonly string[];
}

/** Adds or replaces packages. */
export function addPackages(
  sources: readonly PackageSource[],
  { folder, host, signal }: InstallOptions,
): Promise<readonly InstalledNow[]> {
  const change = async (): Promise<readonly InstalledNow[]> => {
    await removeLeftovers(host);
    const lock = readLock(folder, host);
    const fetched: FetchedPackage[] = [];
    for (const source of sources) fetched.push(await fetchPackage(source, host));
    for (const { files, content } of fetched) await storeFiles(files, content, host);
    const names = new Set(fetched.map(({ manifest }) => manifest.name));
    const others = new Map([...lock].filter(([name]) => !names.has(name)));
    const checked = await checkTogether(
      [
        ...fetched.map(({ manifest, content }) => ({ ...manifest, content })),
        ...(await lockedCandidates(others, { folder, host })),
      ],
      host,
    );
    const next = new Map(others);
    for (const { manifest, source, integrity, content } of fetched) {
      const { name, version, needs } = manifest;
      const may = checked.find((one) => one.name === name)?.may ?? {};
      next.set(name, {
        version,
        isAdded: true,
        source: sourceText(source, folder),
        ...(integrity === undefined ? {} : { integrity }),
        content,
        needs,
        may,
      });
    }
    await requireNeeds(next);
    await write(next, checked, { folder, host });
    return checked.filter(({ name }) => names.has(name)).map((one) => installedNow(one, { lock, next }));
  };
  return whileLocked(folder, change, { host, signal });
}

/** Installs what the lock says. */
export function installLocked({ folder, host, signal }: InstallOptions): Promise<readonly InstalledNow[]> {
  const change = async (): Promise<readonly InstalledNow[]> => {
    await removeLeftovers(host);
    const lock = readLock(folder, host);
    await requireNeeds(lock);
    const checked = await checkTogether(await lockedCandidates(lock, { folder, host }), host);
    for (const { name, version, may } of checked) {
      const wider = widened(lock.get(name)?.may ?? {}, may);
      if (wider.length > 0)
        throw new Refusal(
          "denied",
          `\`${name}@${version}\` may do more than \`${LOCK_NAME}\` says: ${wider.join(", ")}`,
          [`\`dottool add ${lock.get(name)?.source ?? name}\` shows what it may do, and locks that`],
        );
    }
    writeInstalled(folder, checked.map(installedOf), host);
    return checked.map((one) => installedNow(one, { lock, next: lock }));
  };
  return whileLocked(folder, change, { host, signal });
}

/** Removes packages by name, and those that only these needed. Returns the names of all. */
export function removePackages(
  words: readonly string[],
  { folder, host, signal }: InstallOptions,
): Promise<readonly string[]> {
  const change = async (): Promise<readonly string[]> => {
    const lock = readLock(folder, host);
    const names = words.map(packageNameOf);
    const unknown = names.find((name) => !lock.has(name));
    if (unknown !== undefined)
      throw new Refusal("missing", `\`${join(folder, LOCK_NAME)}\` has no package \`${unknown}\``, [
        lock.size === 0 ? "it has none at all" : `it has ${[...lock.keys()].map((name) => `\`${name}\``).join(", ")}`,
      ]);
    const kept = new Map([...lock].filter(([name]) => !names.includes(name)));
    await requireNeeds(kept);
    const next = withoutUnneeded(kept);
    const checked = await checkTogether(await lockedCandidates(next, { folder, host }), host);
    await write(next, checked, { folder, host });
    return [...lock.keys()].filter((name) => !next.has(name));
  };
  return whileLocked(folder, change, { host, signal });
}

interface Place {
  readonly folder: string;
  readonly host: Host;
}

/** Returns what the lock names, fetched where it is not stored. Throws a `Refusal` if it is not what is locked. */
async function lockedCandidates(lock: Lock, { folder, host }: Place): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const [name, locked] of lock) {
    const manifest = isStored(locked.content, host)
      ? await readManifest(storedFiles(locked.content, host), storedFolderOf(locked.content, host))
      : await fetchLocked(name, locked, { folder, host });
    requireSame(name, locked, manifest);
    candidates.push({ ...manifest, content: locked.content });
  }
  return candidates;
}

async function fetchLocked(name: string, locked: LockedPackage, { folder, host }: Place): Promise<PackageManifest> {
  const { source: text, integrity, content } = locked;
  const source = sourceOfText(text, folder);
  if (!source)
    throw new Refusal("denied", `\`${name}\` is locked to come from \`${text}\`, which is not a source of packages`);
  const fetched = await fetchPackage(source, host);
  const fault = fetched.integrity !== integrity ? "archive" : fetched.content !== content ? "content" : undefined;
  if (fault !== undefined)
    throw new Refusal("denied", `the ${fault} of \`${name}\` from \`${text}\` is not the one that is locked`, [
      fault === "archive"
        ? `locked: ${integrity ?? "none"}; found: ${fetched.integrity ?? "none"}`
        : `locked: ${content}; found: ${fetched.content}`,
      `if the change is meant: \`dottool add ${text}\``,
    ]);
  await storeFiles(fetched.files, content, host);
  return fetched.manifest;
}

function requireSame(name: string, locked: LockedPackage, manifest: PackageManifest): void {
  const isSame =
    manifest.name === name &&
    manifest.version === locked.version &&
    JSON.stringify(Object.entries(manifest.needs).sort()) === JSON.stringify(Object.entries(locked.needs).sort());
  if (!isSame)
    throw new Refusal(
      "denied",
      `\`${LOCK_NAME}\` says \`${name}@${locked.version}\`, and its content is \`${manifest.name}@${manifest.version}\`${manifest.name === name && manifest.version === locked.version ? " with other needs" : ""}`,
      ["the lock was edited; restore it from version control, or add the package again"],
    );
}

/** Throws a `Refusal` if a package needs one that is not there in a fitting version. */
async function requireNeeds(lock: Lock): Promise<void> {
  const { satisfies } = await import("semver");
  for (const [name, { needs }] of lock)
    for (const [needed, range] of Object.entries(needs)) {
      const there = lock.get(needed)?.version;
      if (there !== undefined && satisfies(there, range)) continue;
      const fact = there === undefined ? "which is not there" : `and ${there} is there`;
      throw new Refusal("denied", `\`${name}\` needs the package \`${needed}\` (${range}), ${fact}`, [
        "`dottool add` and `dottool remove` take several packages at once",
      ]);
    }
}

/** Returns the packages that a person has added, and all that these need. */
function withoutUnneeded(lock: Lock): Lock {
  const kept = new Set<string>();
  const waiting = [...lock].filter(([, { isAdded }]) => isAdded).map(([name]) => name);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (kept.has(name)) continue;
    kept.add(name);
    waiting.push(...Object.keys(lock.get(name)?.needs ?? {}));
  }
  return new Map([...lock].filter(([name]) => kept.has(name)));
}

async function write(lock: Lock, checked: readonly CheckedCandidate[], { folder, host }: Place): Promise<void> {
  await host.files.makeFolder(folder);
  await host.files.write(join(folder, LOCK_NAME), lockText(lock));
  writeInstalled(folder, checked.map(installedOf), host);
}

function installedOf({ name, version, owner, content, tools, plugins }: CheckedCandidate): InstalledPackage {
  return { name, version, owner, content, tools, plugins };
}

function installedNow(
  { name, version, toolNames, may }: CheckedCandidate,
  { lock, next }: { readonly lock: Lock; readonly next: Lock },
): InstalledNow {
  const before = lock.get(name);
  return {
    name,
    version,
    ...(before === undefined ? {} : { before: before.version }),
    source: next.get(name)?.source ?? "",
    toolNames,
    may,
    wider: widened(before?.may ?? {}, may),
  };
}
