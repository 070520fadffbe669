// Adding, updating, removing and installing packages. All of it is fetched, stored beside what is installed, and checked
// together; then the lock is written, and at last the record of what is installed, each by one rename.
import { join } from "node:path";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import { type CheckedCandidate, checkTogether } from "./candidates.ts";
import { type FetchedPackage, fetchPackage } from "./fetch.ts";
import { type Lock, LOCK_NAME, lockText, readLock } from "./lock.ts";
import { packageNameOf } from "../../core/catalog/package-folder.ts";
import { whileLocked } from "./place.ts";
import {
  candidatesOf,
  dropUnneeded,
  following,
  meetNeeds,
  type Plan,
  plannedFromFetched,
  planOfLock,
  type PlanOptions,
  rangesFor,
  requireNeeds,
} from "./plan.ts";
import { type Powers, widened } from "./powers.ts";
import type { Provenance } from "./provenance.ts";
import { pruneStore, replaceInstalled } from "./prune-store.ts";
import { Refusal } from "./refusal.ts";
import { originOf, type PackageRequest } from "./source.ts";
import type { SignatureState, SigningKey } from "./signatures.ts";
import { removeLeftovers } from "./store.ts";

/** A package that is installed now. */
export interface InstalledNow {
  readonly name: string;
  readonly version: string;
  /** The version that was locked before; absent if none was. */
  readonly before?: string | undefined;
  readonly source: string;
  /** The packages that need it, if no person has added it. */
  readonly neededBy: readonly string[];
  readonly toolNames: readonly string[];
  readonly may: Powers;
  /** Its `config.yaml`, if that has rules. */
  readonly rules?: string | undefined;
  /** What it may do and the version before could not. */
  readonly wider: readonly string[];
  /** Absent for what does not come from a registry, and where it was not fetched now. */
  readonly signature?: SignatureState | undefined;
  /** What the registry says it was built from, where it says so and it was fetched now. Not verified. */
  readonly provenance?: Provenance | undefined;
  /** The key that had signed the version before, if this one is not signed by it. */
  readonly signedBefore?: SigningKey | undefined;
  /** The repository that the version `before` was built from, if this one was not. */
  readonly builtFromBefore?: string | undefined;
  /** Paths of files that look like definitions and are not read. */
  readonly leftOut: readonly string[];
  /** Tools that its own need and that no package has. The project may have them. */
  readonly lacks: readonly string[];
}

/** Adds or replaces packages, and what they need. Returns those that are new or changed. */
export function addPackages(
  requests: readonly (PackageRequest | FetchedPackage)[],
  options: PlanOptions,
): Promise<readonly InstalledNow[]> {
  return change(options, async (lock) => {
    const added = [];
    for (const request of requests)
      added.push(
        await plannedFromFetched("kind" in request ? await fetchPackage(request, options) : request, true, options),
      );
    const names = new Set(added.map(({ manifest }) => manifest.name));
    const plan = await planOfLock(new Map([...lock].filter(([name]) => !names.has(name))), options);
    for (const one of added) plan.set(one.manifest.name, one);
    const installed = await finish(plan, lock, options);
    return installed.filter((one) => names.has(one.name) || isChanged(one.name, lock, plan));
  });
}

/** Replaces packages from registries and git by the newest that fit. `words` are names; none means all. */
export function updatePackages(words: readonly string[], options: PlanOptions): Promise<readonly InstalledNow[]> {
  return change(options, async (lock) => {
    const names = words.map(packageNameOf);
    requireKnown(names, lock, options);
    const plan = await planOfLock(lock, options);
    for (const [name, { source, follows, added = false }] of lock) {
      if (names.length > 0 && !names.includes(name)) continue;
      const origin = originOf(source, options.folder);
      // What is only needed may go as far as those that need it say.
      const ranges = added ? [follows ?? ""] : rangesFor(name, plan).map(({ range }) => range);
      const request: PackageRequest | undefined =
        origin?.kind === "registry"
          ? { kind: "registry", name, ranges }
          : origin?.kind === "git"
            ? { kind: "git", url: origin.url, ref: follows }
            : undefined;
      if (!request) continue;
      const planned = await plannedFromFetched(await fetchPackage(request, options), added, options);
      plan.set(planned.manifest.name, following(follows, planned));
    }
    const installed = await finish(plan, lock, options);
    return installed.filter(({ name }) => isChanged(name, lock, plan));
  });
}

/** Removes packages by name, and those that only these needed. Returns the names of all. */
export function removePackages(words: readonly string[], options: PlanOptions): Promise<readonly string[]> {
  return change(options, async (lock) => {
    const names = words.map(packageNameOf);
    requireKnown(names, lock, options);
    const plan = await planOfLock(new Map([...lock].filter(([name]) => !names.includes(name))), options);
    await requireNeeds(plan);
    await finish(plan, lock, options);
    return [...lock.keys()].filter((name) => !plan.has(name));
  });
}

/** Installs what the lock says. If it is not frozen, it is completed: with needs that it lacks, and no more powers. */
export function installLocked(
  options: PlanOptions,
  { isFrozen }: { readonly isFrozen: boolean },
): Promise<readonly InstalledNow[]> {
  return change(options, async (lock) => {
    if (isFrozen && lock.size === 0)
      throw new Refusal("missing", `there are no packages in \`${join(options.folder, LOCK_NAME)}\``, [
        "without `--frozen` that is not an error",
      ]);
    const plan = await planOfLock(lock, options);
    await (isFrozen ? requireNeeds(plan) : meetNeeds(plan, options));
    const checked = await checkTogether(candidatesOf(plan), options.host);
    for (const { name, version, may } of checked) {
      const locked = lock.get(name);
      const wider = locked ? widened(locked.may, may) : [];
      if (wider.length > 0)
        throw new Refusal(
          "denied",
          `\`${name}@${version}\` may do more than \`${LOCK_NAME}\` says: ${wider.join(", ")}`,
          ["`dottool add` it again: that shows what it may do, and locks it"],
        );
    }
    const next = isFrozen ? lock : lockOf(plan, checked);
    await writeLock(next, lock, options);
    replaceInstalled(options.folder, checked.map(installedOf), options.host);
    return checked.map((one) => installedNow(one, lock, plan));
  });
}

function change<T>(options: PlanOptions, work: (lock: Lock) => Promise<T>): Promise<T> {
  const { folder, host } = options;
  const locked = async (): Promise<T> => {
    await removeLeftovers(host);
    await pruneStore(host);
    return work(readLock(folder, host));
  };
  return whileLocked(folder, locked, options);
}

function requireKnown(names: readonly string[], lock: Lock, { folder }: PlanOptions): void {
  const unknown = names.find((name) => !lock.has(name));
  if (unknown !== undefined)
    throw new Refusal("missing", `\`${join(folder, LOCK_NAME)}\` has no package \`${unknown}\``, [
      lock.size === 0 ? "it lists no packages" : `it has ${[...lock.keys()].map((name) => `\`${name}\``).join(", ")}`,
    ]);
}

/** Completes and checks the plan, and makes it what is installed. */
async function finish(plan: Plan, before: Lock, options: PlanOptions): Promise<readonly InstalledNow[]> {
  const { folder, host } = options;
  await meetNeeds(plan, options);
  dropUnneeded(plan);
  const checked = await checkTogether(candidatesOf(plan), host);
  await writeLock(lockOf(plan, checked), before, options);
  replaceInstalled(folder, checked.map(installedOf), host);
  return checked.map((one) => installedNow(one, before, plan));
}

function lockOf(plan: Plan, checked: readonly CheckedCandidate[]): Lock {
  const powers = new Map(checked.map(({ name, may }) => [name, may]));
  return new Map([...plan].map(([name, { locked }]) => [name, { ...locked, may: powers.get(name) ?? {} }]));
}

/** A project whose lock stays as it is need not be writable. */
async function writeLock(lock: Lock, before: Lock, { folder, host }: PlanOptions): Promise<void> {
  if (lockText(lock) === lockText(before)) return;
  await host.files.makeFolder(folder);
  await host.files.write(join(folder, LOCK_NAME), lockText(lock));
}

function isChanged(name: string, lock: Lock, plan: Plan): boolean {
  return lock.get(name)?.content !== plan.get(name)?.locked.content;
}

function installedOf(checked: CheckedCandidate): InstalledPackage {
  const { name, version, owner, content, tools, plugins, rules } = checked;
  return { name, version, owner, content, tools, plugins, ...(rules === undefined ? {} : { rules }) };
}

function installedNow(
  { name, version, toolNames, may, rules, leftOut, lacks }: CheckedCandidate,
  lock: Lock,
  plan: Plan,
): InstalledNow {
  const before = lock.get(name);
  const { locked, signature, provenance } = plan.get(name) ?? {};
  return {
    name,
    version,
    before: before?.version,
    source: locked?.source ?? "",
    neededBy: locked?.added ? [] : rangesFor(name, plan).map(({ by }) => by),
    toolNames,
    may,
    rules,
    wider: before === undefined ? [] : widened(before.may, may),
    signature,
    provenance,
    signedBefore: before?.signedBy?.sha256 === locked?.signedBy?.sha256 ? undefined : before?.signedBy,
    builtFromBefore: before?.builtFrom === locked?.builtFrom ? undefined : before?.builtFrom,
    leftOut,
    lacks,
  };
}
