// What is wrong with installed packages: on this machine, beside their lock, and as their registries know it.
import { isApproved, readInstalled, storedFolderOf } from "./installed-packages.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { checkEach } from "./candidates.ts";
import { LOCK_NAME, type LockedPackage, readLock } from "./lock.ts";
import { readManifest } from "./manifest.ts";
import type { PlanOptions } from "./plan.ts";
import { type Powers, widened } from "./powers.ts";
import { askProvenance, type Provenance } from "./provenance.ts";
import { Refusal } from "./refusal.ts";
import { askPackage } from "./registry.ts";
import { ask, jsonOf, registryOf } from "./registry-settings.ts";
import { type SignatureState, verifySignatures } from "./signatures.ts";
import { originOf } from "./source.ts";
import { isStored, storedFiles } from "./store.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";

export interface AuditProblem {
  readonly kind:
    | "not-installed"
    | "altered"
    | "wider"
    | "definitions"
    | "other-archive"
    | "signature"
    | "provenance"
    | "withdrawn"
    | "deprecated"
    | "vulnerable";
  /** A sentence about the package, without its name. */
  readonly fact: string;
  readonly help?: string;
}

/** Completed while it is audited. */
export interface AuditedPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  readonly state: "approved" | "sandboxed";
  /** What its definitions say now; as locked, if they cannot be read. */
  may: Powers;
  /** What its registry's signature is worth now; absent for what does not come from one, or could not be asked. */
  signature?: SignatureState;
  /** What it was built from, as verified now; absent as above, and if its registry has none. */
  provenance?: Provenance;
  readonly problems: AuditProblem[];
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

interface Entry {
  readonly locked: LockedPackage;
  readonly audited: AuditedPackage;
}

export async function auditPackages(options: PlanOptions): Promise<Audit> {
  const { folder, host } = options;
  const entries = [...readLock(folder, host)].map(([name, locked]): Entry => {
    const { version, source, content, may } = locked;
    const state = isApproved(content, host) ? "approved" : "sandboxed";
    return { locked, audited: { name, version, source, state, may, problems: [] } };
  });
  await auditStored(entries, options);
  return { packages: entries.map(({ audited }) => audited), unasked: await auditPublished(entries, options) };
}

/** Looks at this machine. */
async function auditStored(entries: readonly Entry[], { folder, host }: PlanOptions): Promise<void> {
  const installed = new Map(readInstalled(folder, host).packages.map(({ name, content }) => [name, content]));
  const help = "`dottool install` installs what the lock says";
  const intact = [];
  for (const entry of entries) {
    const { content } = entry.locked;
    const { name, problems } = entry.audited;
    const place = storedFolderOf(content, host);
    if (isStored(content, host))
      intact.push({ ...entry, candidate: { ...(await readManifest(storedFiles(content, host), place)), content } });
    else if (host.instant.stat(place) !== undefined)
      problems.push({ kind: "altered", fact: "its files on this machine were changed, so it does not run", help });
    if (installed.get(name) !== content) problems.push({ kind: "not-installed", fact: "is not installed", help });
  }
  const checks = await checkEach(
    intact.map(({ candidate }) => candidate),
    host,
  );
  for (const [index, { locked, audited }] of intact.entries()) {
    const checked = checks[index];
    if (checked instanceof Refusal) audited.problems.push({ kind: "definitions", fact: checked.message });
    else if (checked) {
      audited.may = checked.may;
      const wider = widened(locked.may, checked.may);
      if (wider.length > 0)
        audited.problems.push({
          kind: "wider",
          fact: `it may do more than \`${LOCK_NAME}\` says: ${wider.join(", ")}`,
          help: "`dottool add` it again: that shows what it may do, and locks it",
        });
    }
  }
}

/** Asks the registries. */
async function auditPublished(entries: readonly Entry[], { folder, host }: PlanOptions): Promise<readonly Unasked[]> {
  const published = entries.filter(({ locked }) => originOf(locked.source, folder)?.kind === "registry");
  const byRegistry = Map.groupBy(published, ({ audited }) => registryOf(audited.name, host));
  const unasked = [];
  for (const [registry, itsEntries] of byRegistry) {
    const lacking =
      (await auditVersions(registry, itsEntries, host)) ?? (await auditAdvisories(registry, itsEntries, host));
    if (lacking) unasked.push({ registry: withoutCredentials(registry), ...lacking });
  }
  return unasked;
}

type Lacking = Omit<Unasked, "registry">;

async function auditVersions(registry: string, entries: readonly Entry[], host: Host): Promise<Lacking | undefined> {
  for (const entry of entries)
    try {
      const { versions } = await askPackage(entry.audited.name, host);
      const published = versions.find(({ version }) => version === entry.locked.version);
      entry.audited.problems.push(...publishedProblems(entry.locked, published));
      if (published && published.integrity === entry.locked.integrity)
        await auditProofs(entry, { ...published, name: entry.audited.name, registry }, host);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Without the registry, the others would fail the same way.
      if (error.kind !== "missing") return { what: "versions", reason: error.message, isLasting: false };
      const fact = `\`${withoutCredentials(registry)}\` has it no longer`;
      entry.audited.problems.push({ kind: "withdrawn", fact });
    }
  return undefined;
}

type Published = Parameters<typeof verifySignatures>[0] & Parameters<typeof askProvenance>[0];

async function auditProofs({ locked, audited }: Entry, published: Published, host: Host): Promise<void> {
  const { signedBy, builtFrom } = locked;
  const add = (kind: AuditProblem["kind"], fact: string): void => void audited.problems.push({ kind, fact });
  try {
    const signature = await verifySignatures(published, host);
    if (!signedBy || (signature.kind === "signed" && signature.by.sha256 === signedBy.sha256))
      audited.signature = signature;
    else {
      const now = { none: "not signed now", signed: "signed by another key now", unverified: "not verifiable now" };
      add("signature", `it was signed by the key ${signedBy.keyid}, and is ${now[signature.kind]}`);
    }
  } catch (error) {
    add("signature", refusalText(error));
  }
  try {
    const provenance = await askProvenance(published, host);
    if (builtFrom !== undefined && (provenance?.kind !== "verified" || provenance.repository !== builtFrom))
      add("provenance", `it was built from ${builtFrom}, and ${provenanceNow(provenance)}`);
    else if (provenance) audited.provenance = provenance;
  } catch (error) {
    add("provenance", refusalText(error));
  }
}

/** Throws what is not a refusal. */
function refusalText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}

function provenanceNow(provenance: Provenance | undefined): string {
  switch (provenance?.kind) {
    case undefined:
      return "has no provenance now";
    case "verified":
      return `is built from ${provenance.repository} now`;
    case "unverified":
      return `its provenance cannot be verified now, because ${provenance.reason}`;
  }
}

function publishedProblems(
  { integrity, version }: LockedPackage,
  published: Awaited<ReturnType<typeof askPackage>>["versions"][number] | undefined,
): readonly AuditProblem[] {
  if (!published) return [{ kind: "withdrawn", fact: `its registry has the version ${version} no longer` }];
  const problems: AuditProblem[] = [];
  if (integrity !== undefined && published.integrity !== integrity)
    problems.push({
      kind: "other-archive",
      fact: `its registry has another archive for ${version} than the one that is locked`,
      help: "somebody may have changed it; ask its author before you add it again",
    });
  if (published.deprecated !== undefined)
    problems.push({
      kind: "deprecated",
      fact: `this version is deprecated: ${published.deprecated}`,
      help: "`dottool outdated` shows newer versions",
    });
  return problems;
}

/** The registry's own audit endpoint, which `npm audit` asks, too. */
const ENDPOINT = "-/npm/v1/security/advisories/bulk";
/** How registries without it answer. */
const NONE = ["E400", "E404", "E405", "E410", "E501"];

/** Adds the vulnerabilities that the registry knows. */
async function auditAdvisories(registry: string, entries: readonly Entry[], host: Host): Promise<Lacking | undefined> {
  const versions = Object.fromEntries(entries.map(({ audited: { name, version } }) => [name, [version]]));
  const answer = await ask({ url: registry + ENDPOINT, method: "POST", body: JSON.stringify(versions) }, host);
  if (answer.kind === "failed")
    return { what: "vulnerabilities", reason: answer.reason, isLasting: NONE.includes(answer.code) };
  const json = jsonOf(answer.bytes);
  if (!isJsonObject(json))
    return { what: "vulnerabilities", reason: "its answer is not one of npm's", isLasting: true };
  const { default: semver } = await import("semver");
  for (const { name, version, problems } of entries.map(({ audited }) => audited)) {
    const advisories = json[name];
    for (const advisory of Array.isArray(advisories) ? (advisories as readonly Json[]) : []) {
      if (!isJsonObject(advisory)) continue;
      const { title, severity, url = "", vulnerable_versions: range } = advisory;
      const isSound = [title, severity, url].every((one) => typeof one === "string");
      if (isSound && typeof range === "string" && semver.satisfies(version, range))
        problems.push({
          kind: "vulnerable",
          fact: `${severity} vulnerability: ${title}${url === "" ? "" : ` (${url})`}`,
          help: `versions ${range} have it; \`dottool outdated\` shows newer ones`,
        });
    }
  }
  return undefined;
}
