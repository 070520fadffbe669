// Which packages there would be after a change: those of the lock, those that a person asks for, and those that these
// need. Everything is stored beside what is installed.
import { reachedFrom } from "../../core/tool/definition.ts";
import { storedFolderOf } from "./installed-packages.ts";
import type { Candidate } from "./candidates.ts";
import { type FetchedPackage, fetchOrigin, type FetchOptions, fetchPackage } from "./fetch.ts";
import { type Lock, LOCK_NAME, type LockedPackage } from "./lock.ts";
import { needOf, type PackageManifest, readManifest } from "./manifest.ts";
import type { Provenance } from "./provenance.ts";
import { markUsed } from "./prune-store.ts";
import { Refusal } from "./refusal.ts";
import type { SignatureState } from "./signatures.ts";
import { HIDDEN_VALUE } from "../../core/text/without-credentials.ts";
import { originOf, originText } from "./source.ts";
import { isStored, storedFiles, storeFiles } from "./store.ts";

interface Planned {
  readonly manifest: PackageManifest;
  readonly locked: Omit<LockedPackage, "may">;
  /** Both are set only if it was fetched now. */
  readonly signature?: SignatureState | undefined;
  readonly provenance?: Provenance | undefined;
}

/** By name. */
export type Plan = Map<string, Planned>;

export interface PlanOptions extends FetchOptions {
  /** Absolute and without links: the folder of the lock. */
  readonly folder: string;
}

/** Packages that need each other beyond this are a mistake, or an attack. */
const NEEDS_MAX = 500;

export async function plannedFromFetched(
  { manifest, origin, integrity, follows, signature, provenance, content, files }: FetchedPackage,
  added: boolean,
  { folder, host }: PlanOptions,
): Promise<Planned> {
  await storeFiles(files, content, host);
  const { version, needs } = manifest;
  const locked = {
    version,
    added,
    source: originText(origin, folder),
    follows,
    integrity,
    signedBy: signature?.kind === "signed" ? signature.by : undefined,
    builtFrom: provenance?.kind === "verified" ? provenance.repository : undefined,
    content,
    needs,
  };
  return { manifest, locked, signature, provenance };
}

/** Returns what the lock names, fetched where it is not stored. Throws a `Refusal` if it is not what is locked. */
export async function planOfLock(lock: Lock, options: PlanOptions): Promise<Plan> {
  const { host } = options;
  const plan: Plan = new Map();
  for (const [name, locked] of lock) {
    const manifest = isStored(locked.content, host)
      ? await readManifest(storedFiles(locked.content, host), storedFolderOf(locked.content, host))
      : await fetchLocked(name, locked, options);
    requireSame(name, locked, manifest);
    markUsed(locked.content, host);
    plan.set(name, { manifest, locked });
  }
  return plan;
}

async function fetchLocked(name: string, locked: LockedPackage, options: PlanOptions): Promise<PackageManifest> {
  const { source, integrity, content } = locked;
  const origin = originOf(source, options.folder);
  if (!origin)
    throw new Refusal("denied", `\`${name}\` is locked to come from \`${source}\`, which is not a source of packages`);
  if (source.includes(HIDDEN_VALUE))
    throw new Refusal(
      "denied",
      `the address of \`${name}\` in \`${LOCK_NAME}\` has no secret any more: \`${source}\``,
      ["locks have no secrets; `dottool add` it again with the whole address, or from one that needs none"],
    );
  const found = await fetchOrigin(origin, { name, integrity }, options);
  const fault = found.integrity !== integrity ? "archive" : found.content !== content ? "content" : undefined;
  if (fault !== undefined)
    throw new Refusal("denied", `the ${fault} of \`${name}\` from \`${source}\` is not the one that is locked`, [
      fault === "archive"
        ? `locked: ${integrity ?? "none"}; found: ${found.integrity ?? "none"}`
        : `locked: ${content}; found: ${found.content}`,
      "if the change is meant: `dottool add` it again",
    ]);
  await storeFiles(found.files, content, options.host);
  return found.manifest;
}

function requireSame(name: string, locked: LockedPackage, manifest: PackageManifest): void {
  const isNamedSo = manifest.name === name && manifest.version === locked.version;
  if (isNamedSo && sortedText(manifest.needs) === sortedText(locked.needs)) return;
  throw new Refusal(
    "denied",
    `\`${LOCK_NAME}\` says \`${name}@${locked.version}\`, but its content is \`${manifest.name}@${manifest.version}\`${isNamedSo ? " with other needs" : ""}`,
    ["the lock was edited; restore it from version control, or add the package again"],
  );
}

function sortedText(needs: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(needs).sort());
}

/** Fetches what packages of the plan need and is not there in a fitting version. */
export async function meetNeeds(plan: Plan, options: PlanOptions): Promise<void> {
  const fetchedNames = new Set<string>();
  for (let name = await unmetNeed(plan); name !== undefined; name = await unmetNeed(plan)) {
    const ranges = rangesFor(name, plan);
    const there = plan.get(name);
    if (fetchedNames.size >= NEEDS_MAX) throw new Refusal("denied", `more than ${NEEDS_MAX} packages are needed`);
    if (there?.locked.added && !there.locked.source.startsWith("npm:")) throw conflict(name, plan);
    const { follows } = there?.locked.added ? there.locked : {};
    const all = [...(follows === undefined ? [] : [follows]), ...ranges.map(({ range }) => range)];
    const found = await fetchPackage({ kind: "registry", name, ranges: all }, options).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const [needing] = ranges;
      throw new Refusal(error.kind, `\`${needing?.by ?? ""}\` needs \`${name}\`: ${error.message}`, error.help);
    });
    fetchedNames.add(name);
    const planned = await plannedFromFetched(found, there?.locked.added ?? false, options);
    plan.set(name, following(follows, planned));
  }
}

/** Returns it with another range, which an update keeps to. */
export function following(follows: string | undefined, planned: Planned): Planned {
  return { ...planned, locked: { ...planned.locked, follows } };
}

/** Returns the packages that need it, and in which range. */
export function rangesFor(name: string, plan: Plan): readonly { readonly by: string; readonly range: string }[] {
  return [...plan].flatMap(([by, { manifest }]) => {
    const range = needOf(manifest.needs, name);
    return range === undefined ? [] : [{ by, range }];
  });
}

function conflict(name: string, plan: Plan): Refusal {
  const ranges = rangesFor(name, plan).map(({ by, range }) => `\`${by}\` needs ${range}`);
  return new Refusal(
    "denied",
    `\`${name}\` ${plan.get(name)?.manifest.version ?? ""} does not fit: ${ranges.join(", ")}`,
    ["add a version of it that fits all, or remove one of them"],
  );
}

/** Returns the name of a package that is needed and not there in a fitting version. */
async function unmetNeed(plan: Plan): Promise<string | undefined> {
  const { default: semver } = await import("semver");
  for (const { manifest } of plan.values())
    for (const [needed, range] of Object.entries(manifest.needs)) {
      const there = plan.get(needed)?.manifest.version;
      if (there === undefined || !semver.satisfies(there, range)) return needed;
    }
  return undefined;
}

export function candidatesOf(plan: Plan): readonly Candidate[] {
  return [...plan.values()].map(({ manifest, locked }) => ({ ...manifest, content: locked.content }));
}

export async function requireNeeds(plan: Plan): Promise<void> {
  const name = await unmetNeed(plan);
  if (name === undefined) return;
  if (plan.has(name)) throw conflict(name, plan);
  const by = rangesFor(name, plan).map((one) => `\`${one.by}\``);
  throw new Refusal(
    "denied",
    `${by.join(" and ")} need${by.length === 1 ? "s" : ""} the package \`${name}\`, which is not there`,
    ["`dottool add` and `dottool remove` take several packages at once"],
  );
}

/** Takes out what no person has added, and nothing needs any more. */
export function dropUnneeded(plan: Plan): void {
  const added = [...plan].filter(([, { locked }]) => locked.added).map(([name]) => name);
  const kept = new Set(reachedFrom(added, (name) => Object.keys(plan.get(name)?.manifest.needs ?? {})));
  for (const name of plan.keys()) if (!kept.has(name)) plan.delete(name);
}
