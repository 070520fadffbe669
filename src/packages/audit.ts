// What is wrong with installed packages: on this machine, beside their lock, and as their registries know it.
import { isApproved, readInstalled, storedFolderOf } from "../catalog/installed-packages.ts";
import { askAdvisories } from "./advisories.ts";
import { checkEach } from "./candidates.ts";
import { type Lock, LOCK_NAME, type LockedPackage, readLock } from "./lock.ts";
import { readManifest } from "./manifest.ts";
import type { PlanOptions } from "./plan.ts";
import { type Powers, widened } from "./powers.ts";
import { Refusal } from "./refusal.ts";
import { askPackage } from "./registry.ts";
import { readRegistrySettings } from "./registry-settings.ts";
import { originOf } from "./source.ts";
import { isStored, storedFiles } from "./store.ts";

export interface AuditProblem {
  readonly kind:
    | "not-installed"
    | "altered"
    | "wider"
    | "definitions"
    | "other-archive"
    | "withdrawn"
    | "deprecated"
    | "vulnerable";
  /** A sentence about the package, without its name. */
  readonly fact: string;
  readonly help?: string;
}

export interface AuditedPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  readonly state: "approved" | "sandboxed";
  /** What its definitions say now; as locked, if they cannot be read. */
  readonly may: Powers;
  readonly problems: readonly AuditProblem[];
}

/** What a registry was not able to say. */
export interface Unasked {
  readonly registry: string;
  readonly what: "vulnerabilities" | "versions";
  readonly reason: string;
  /** Whether it never says it, so that the rest of the audit is all that there is. */
  readonly isLasting: boolean;
}

export interface Audit {
  readonly packages: readonly AuditedPackage[];
  readonly unasked: readonly Unasked[];
}

type Problems = Map<string, AuditProblem[]>;

export async function auditPackages(options: PlanOptions): Promise<Audit> {
  const { folder, host } = options;
  const lock = readLock(folder, host);
  const problems: Problems = new Map([...lock.keys()].map((name) => [name, []]));
  const powers = await auditStored(lock, problems, options);
  const unasked = await auditPublished(lock, problems, options);
  const packages = [...lock].map(
    ([name, { version, source, content, may }]): AuditedPackage => ({
      name,
      version,
      source,
      state: isApproved(content, host) ? "approved" : "sandboxed",
      may: powers.get(name) ?? may,
      problems: problems.get(name) ?? [],
    }),
  );
  return { packages, unasked };
}

/** Looks at this machine. Returns what the packages may do now, by name. */
async function auditStored(
  lock: Lock,
  problems: Problems,
  { folder, host }: PlanOptions,
): Promise<ReadonlyMap<string, Powers>> {
  const installed = new Map(readInstalled(folder, host).packages.map(({ name, content }) => [name, content]));
  const intact = [];
  for (const [name, { content }] of lock) {
    const isThere = host.instant.stat(storedFolderOf(content, host)) !== undefined;
    const help = "`dottool install` installs what the lock says";
    if (isStored(content, host))
      intact.push({ ...(await readManifest(storedFiles(content, host), storedFolderOf(content, host))), content });
    else if (isThere)
      problems
        .get(name)
        ?.push({ kind: "altered", fact: "its files on this machine were changed, so it does not run", help });
    if (installed.get(name) !== content)
      problems.get(name)?.push({ kind: "not-installed", fact: "is not installed", help });
  }
  const powers = new Map<string, Powers>();
  for (const [index, checked] of (await checkEach(intact, host)).entries()) {
    const { name } = intact[index] ?? { name: "" };
    if (checked instanceof Refusal) {
      problems.get(name)?.push({ kind: "definitions", fact: checked.message });
      continue;
    }
    powers.set(name, checked.may);
    const wider = widened(lock.get(name)?.may ?? {}, checked.may);
    if (wider.length > 0)
      problems.get(name)?.push({
        kind: "wider",
        fact: `it may do more than \`${LOCK_NAME}\` says: ${wider.join(", ")}`,
        help: `\`dottool add\` it again: that shows what it may do, and locks it`,
      });
  }
  return powers;
}

/** Asks the registries. */
async function auditPublished(
  lock: Lock,
  problems: Problems,
  { folder, host }: PlanOptions,
): Promise<readonly Unasked[]> {
  const settings = readRegistrySettings(host);
  const byRegistry = new Map<string, Lock>();
  for (const [name, locked] of lock) {
    if (originOf(locked.source, folder)?.kind !== "registry") continue;
    const registry = await settings.registryOf(name);
    byRegistry.set(registry, new Map([...(byRegistry.get(registry) ?? []), [name, locked]]));
  }
  const unasked = [];
  for (const [registry, packages] of byRegistry) {
    const lacking = await auditVersions(registry, packages, { problems, host });
    unasked.push(...(lacking ? [lacking] : await auditAdvisories(registry, packages, { problems, host })));
  }
  return unasked;
}

interface Auditing {
  readonly problems: Problems;
  readonly host: PlanOptions["host"];
}

async function auditVersions(
  registry: string,
  packages: Lock,
  { problems, host }: Auditing,
): Promise<Unasked | undefined> {
  for (const [name, locked] of packages)
    try {
      const { versions } = await askPackage(name, host);
      problems.get(name)?.push(
        ...publishedProblems(
          locked,
          versions.find(({ version }) => version === locked.version),
        ),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Without the registry, the others would fail the same way.
      if (error.kind !== "missing") return { registry, what: "versions", reason: error.message, isLasting: false };
      problems.get(name)?.push({ kind: "withdrawn", fact: `\`${registry}\` has it no longer` });
    }
  return undefined;
}

function publishedProblems(
  { integrity, version }: LockedPackage,
  published: Awaited<ReturnType<typeof askPackage>>["versions"][number] | undefined,
): readonly AuditProblem[] {
  if (!published) return [{ kind: "withdrawn", fact: `its registry has the version ${version} no longer` }];
  const { deprecated } = published;
  return [
    ...(integrity === undefined || published.integrity === integrity
      ? []
      : [
          {
            kind: "other-archive" as const,
            fact: `its registry has another archive for ${version} than the one that is locked`,
            help: "somebody may have changed it; ask its author before you add it again",
          },
        ]),
    ...(deprecated === undefined
      ? []
      : [
          {
            kind: "deprecated" as const,
            fact: `this version is deprecated: ${deprecated}`,
            help: "`dottool outdated` shows newer versions",
          },
        ]),
  ];
}

async function auditAdvisories(
  registry: string,
  packages: Lock,
  { problems, host }: Auditing,
): Promise<readonly Unasked[]> {
  const versions = Object.fromEntries([...packages].map(([name, { version }]) => [name, [version]]));
  const found = await askAdvisories(registry, versions, host);
  if (found.kind === "unknown")
    return [{ registry, what: "vulnerabilities", reason: found.reason, isLasting: found.isNone }];
  const { satisfies } = await import("semver");
  for (const [name, { version }] of packages)
    for (const { title, severity, url, range } of found.of.get(name) ?? [])
      if (satisfies(version, range))
        problems.get(name)?.push({
          kind: "vulnerable",
          fact: `${severity} vulnerability: ${title}${url === "" ? "" : ` (${url})`}`,
          help: `versions ${range} have it; \`dottool outdated\` shows newer ones`,
        });
  return [];
}
