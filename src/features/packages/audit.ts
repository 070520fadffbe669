// What is wrong with installed packages: on this machine, beside their lock, and as their registries know it.
import { isApproved, readInstalled, storedFolderOf } from "./installed-packages.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { checkEach } from "./candidates.ts";
import { type Lock, LOCK_NAME, type LockedPackage, readLock } from "./lock.ts";
import { readManifest } from "./manifest.ts";
import type { PlanOptions } from "./plan.ts";
import { type Powers, widened } from "./powers.ts";
import { askProvenance, type Provenance } from "./provenance.ts";
import { Refusal } from "./refusal.ts";
import { askPackage } from "./registry.ts";
import { readRegistrySettings } from "./registry-settings.ts";
import { type SignatureState, verifySignatures } from "./signatures.ts";
import { originOf } from "./source.ts";
import { isStored, storedFiles } from "./store.ts";
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { jsonOf } from "./registry-json.ts";

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

export interface AuditedPackage {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  readonly state: "approved" | "sandboxed";
  /** What its definitions say now; as locked, if they cannot be read. */
  readonly may: Powers;
  /** What its registry's signature is worth now; absent for what does not come from one, or could not be asked. */
  readonly signature?: SignatureState;
  /** What it was built from, as verified now; absent as above, and if its registry has none. */
  readonly provenance?: Provenance;
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

/** Both by the name of the package. */
interface Findings {
  readonly problems: ReadonlyMap<string, AuditProblem[]>;
  readonly proofs: Map<string, Pick<AuditedPackage, "signature" | "provenance">>;
}

export async function auditPackages(options: PlanOptions): Promise<Audit> {
  const { folder, host } = options;
  const lock = readLock(folder, host);
  const findings: Findings = { problems: new Map([...lock.keys()].map((name) => [name, []])), proofs: new Map() };
  const powers = await auditStored(lock, findings, options);
  const unasked = await auditPublished(lock, findings, options);
  const { problems, proofs } = findings;
  const packages = [...lock].map(
    ([name, { version, source, content, may }]): AuditedPackage => ({
      name,
      version,
      source,
      state: isApproved(content, host) ? "approved" : "sandboxed",
      may: powers.get(name) ?? may,
      ...proofs.get(name),
      problems: problems.get(name) ?? [],
    }),
  );
  return { packages, unasked };
}

/** Looks at this machine. Returns what the packages may do now, by name. */
async function auditStored(
  lock: Lock,
  { problems }: Findings,
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
  findings: Findings,
  { folder, host }: PlanOptions,
): Promise<readonly Unasked[]> {
  const settings = readRegistrySettings(host);
  const byRegistry = new Map<string, Lock>();
  for (const [name, locked] of lock) {
    if (originOf(locked.source, folder)?.kind !== "registry") continue;
    const registry = await settings.registryOf(name);
    byRegistry.set(
      withoutCredentials(registry),
      new Map([...(byRegistry.get(withoutCredentials(registry)) ?? []), [name, locked]]),
    );
  }
  const unasked = [];
  for (const [registry, packages] of byRegistry) {
    const lacking = await auditVersions(registry, packages, { findings, host });
    unasked.push(...(lacking ? [lacking] : await auditAdvisories(registry, packages, { findings, host })));
  }
  return unasked;
}

interface Auditing {
  readonly findings: Findings;
  readonly host: PlanOptions["host"];
}

async function auditVersions(
  registry: string,
  packages: Lock,
  { findings: { problems, proofs }, host }: Auditing,
): Promise<Unasked | undefined> {
  for (const [name, locked] of packages)
    try {
      const { versions } = await askPackage(name, host);
      const published = versions.find(({ version }) => version === locked.version);
      problems.get(name)?.push(...publishedProblems(locked, published));
      if (published?.integrity !== locked.integrity || !published) continue;
      const signature = await signatureOf(locked, { ...published, name, registry }, host);
      const provenance = await provenanceOf(locked, { ...published, name }, host);
      problems.get(name)?.push(...[signature, provenance].filter((one) => one !== undefined && "fact" in one));
      proofs.set(name, {
        ...("fact" in signature ? {} : { signature }),
        ...(provenance === undefined || "fact" in provenance ? {} : { provenance }),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Without the registry, the others would fail the same way.
      if (error.kind !== "missing") return { registry, what: "versions", reason: error.message, isLasting: false };
      problems.get(name)?.push({ kind: "withdrawn", fact: `\`${registry}\` has it no longer` });
    }
  return undefined;
}

async function signatureOf(
  { signedBy }: LockedPackage,
  published: Parameters<typeof verifySignatures>[0],
  host: PlanOptions["host"],
): Promise<SignatureState | AuditProblem> {
  try {
    const state = await verifySignatures(published, host);
    if (!signedBy || (state.kind === "signed" && state.by.sha256 === signedBy.sha256)) return state;
    const now = { none: "not signed now", signed: "signed by another key now", unverified: "not verifiable now" };
    return { kind: "signature", fact: `it was signed by the key ${signedBy.keyid}, and is ${now[state.kind]}` };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "signature", fact: error.message };
    throw error;
  }
}

async function provenanceOf(
  { builtFrom }: LockedPackage,
  published: Parameters<typeof askProvenance>[0],
  host: PlanOptions["host"],
): Promise<Provenance | AuditProblem | undefined> {
  try {
    const state = await askProvenance(published, host);
    if (builtFrom === undefined || (state?.kind === "verified" && state.repository === builtFrom)) return state;
    const now =
      state === undefined
        ? "has no provenance now"
        : state.kind === "verified"
          ? `is built from ${state.repository} now`
          : `its provenance cannot be verified now, because ${state.reason}`;
    return { kind: "provenance", fact: `it was built from ${builtFrom}, and ${now}` };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "provenance", fact: error.message };
    throw error;
  }
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
  { findings: { problems }, host }: Auditing,
): Promise<readonly Unasked[]> {
  const versions = Object.fromEntries([...packages].map(([name, { version }]) => [name, [version]]));
  const found = await askAdvisories(registry, versions, host);
  if (found.kind === "unknown")
    return [{ registry, what: "vulnerabilities", reason: found.reason, isLasting: found.isNone }];
  const { default: semver } = await import("semver");
  for (const [name, { version }] of packages)
    for (const { title, severity, url, range } of found.of.get(name) ?? [])
      if (semver.satisfies(version, range))
        problems.get(name)?.push({
          kind: "vulnerable",
          fact: `${severity} vulnerability: ${title}${url === "" ? "" : ` (${url})`}`,
          help: `versions ${range} have it; \`dottool outdated\` shows newer ones`,
        });
  return [];
}

// Known vulnerabilities of packages, as the registry's own audit endpoint gives them, which `npm audit` asks, too.

export interface Advisory {
  readonly title: string;
  /** As the registry calls it: `low`, `moderate`, `high`, `critical`. */
  readonly severity: string;
  readonly url: string;
  /** The versions that have it. */
  readonly range: string;
}

export type Advisories =
  /** By the name of the package. */
  | { readonly kind: "known"; readonly of: ReadonlyMap<string, readonly Advisory[]> }
  /** `isNone`: the registry has no such endpoint; otherwise it may answer another time. */
  | { readonly kind: "unknown"; readonly isNone: boolean; readonly reason: string };

const ENDPOINT = "-/npm/v1/security/advisories/bulk";
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** How registries without it answer. */
const NONE = ["E400", "E404", "E405", "E410", "E501"];

/** `versions` are the versions of each package. */
export async function askAdvisories(
  registry: string,
  versions: Readonly<Record<string, readonly string[]>>,
  host: Host,
): Promise<Advisories> {
  const answer = await (await host.packages()).askRegistry({
    url: registry + ENDPOINT,
    settings: readRegistrySettings(host).options,
    bytesMax: ANSWER_BYTES_MAX,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(versions),
  });
  if (answer.kind === "failed") return { kind: "unknown", isNone: NONE.includes(answer.code), reason: answer.reason };
  const json = jsonOf(answer.bytes);
  if (!isJsonObject(json)) return { kind: "unknown", isNone: true, reason: "its answer is not one of npm's" };
  return {
    kind: "known",
    of: new Map(
      Object.entries(json).map(([name, found]) => [name, Array.isArray(found) ? found.flatMap(advisoryOf) : []]),
    ),
  };
}

function advisoryOf(json: Json): readonly Advisory[] {
  if (!isJsonObject(json)) return [];
  const { title, severity, url = "", vulnerable_versions: range } = json;
  const isSound = [title, severity, url, range].every((one) => typeof one === "string");
  return isSound ? [{ title, severity, url, range } as Advisory] : [];
}
