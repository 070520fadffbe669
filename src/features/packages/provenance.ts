// What a package was built from, as its registry has it in an attestation: repository, commit and workflow, in the form
// of SLSA (https://slsa.dev/provenance/v1, and v0.2), signed by the build through sigstore.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { AttestationVerdict, Build } from "./attestation.ts";
import { Refusal } from "./refusal.ts";
import { jsonOf } from "./registry-json.ts";
import { readRegistrySettings } from "./registry-settings.ts";

export type Provenance =
  /** Verified here. */
  ({ readonly kind: "verified" } & Build) | { readonly kind: "unverified"; readonly reason: string };

interface AttestedVersion {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** The address of its attestations, at the registry; absent if it has none. */
  readonly attestations?: string;
}

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const PREDICATE = "https://slsa.dev/provenance/";

/** Returns undefined if the registry has none. Throws a `Refusal` if one of them is false. */
export async function askProvenance(attested: AttestedVersion, host: Host): Promise<Provenance | undefined> {
  const { attestations: url } = attested;
  if (url === undefined) return undefined;
  const answer = await (await host.packages()).askRegistry({
    url,
    settings: readRegistrySettings(host).options,
    bytesMax: ANSWER_BYTES_MAX,
  });
  const json = answer.kind === "answer" ? jsonOf(answer.bytes) : null;
  if (!isJsonObject(json) || !Array.isArray(json["attestations"]))
    return { kind: "unverified", reason: "its registry does not give it" };
  const bundles = (json["attestations"] as readonly Json[]).flatMap((one) => {
    return isProvenance(at(one, "predicateType")) ? [at(one, "bundle")] : [];
  });
  if (bundles.length === 0) return undefined;
  const { readTrustedRoots } = await import("./trusted-roots.ts");
  const { verifyAttestation } = await import("./attestation.ts");
  const trusted = await readTrustedRoots(host);
  const found = bundles.map((bundle) => provenanceOf(verifyAttestation(bundle, trusted), attested));
  return found.find(({ kind }) => kind === "verified") ?? found[0];
}

function isProvenance(type: Json): boolean {
  return typeof type === "string" && type.startsWith(PREDICATE);
}

function provenanceOf(verdict: AttestationVerdict, attested: AttestedVersion): Provenance {
  const refuse = (fact: string): never => {
    const { name, version } = attested;
    throw new Refusal("denied", `the provenance of \`${name}@${version}\` in its registry ${fact}`, [
      "somebody may have changed it; nothing was installed",
    ]);
  };
  if (verdict.kind === "false") return refuse(`is wrong: ${verdict.reason}`);
  const { statement } = verdict;
  // What cannot be read is not said to be of another archive.
  const isRead = verdict.kind === "verified" || statement !== null;
  if (isRead && !isOf(statement, attested)) return refuse("is of another archive");
  if (verdict.kind === "unverified") return { kind: "unverified", reason: verdict.reason };
  if (!isProvenance(at(statement, "predicateType")))
    return { kind: "unverified", reason: "it is not a statement about a build" };
  const { build } = verdict;
  const claimed = claimIn(at(statement, "predicate"));
  if (claimed.repository !== null && claimed.repository !== build.repository)
    refuse(`names \`${claimed.repository}\`, and a build of \`${build.repository}\` has signed it`);
  if (claimed.commit !== null && claimed.commit !== build.commit)
    refuse(`names the commit \`${claimed.commit}\`, and a build of \`${build.commit}\` has signed it`);
  return { kind: "verified", ...build };
}

function isOf(statement: Json, { name, version, integrity }: AttestedVersion): boolean {
  const subjects = at(statement, "subject");
  const sha512 = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return (
    Array.isArray(subjects) &&
    (subjects as readonly Json[]).some(
      (subject) => at(subject, "name") === purl && at(subject, "digest", "sha512") === sha512,
    )
  );
}

interface Claim {
  readonly repository: string | null;
  readonly commit: string | null;
}

/** Reads both versions of SLSA. */
function claimIn(predicate: Json): Claim {
  const dependencies = at(predicate, "buildDefinition", "resolvedDependencies");
  const [source = null] = Array.isArray(dependencies) ? (dependencies as readonly Json[]) : [];
  const older = at(predicate, "invocation", "configSource");
  const uri = textOf(at(older, "uri"));
  return {
    repository:
      textOf(at(predicate, "buildDefinition", "externalParameters", "workflow", "repository")) ??
      /^git\+([^@]+)/.exec(uri ?? "")?.[1] ??
      null,
    commit: textOf(at(source, "digest", "gitCommit")) ?? textOf(at(older, "digest", "sha1")),
  };
}

function textOf(json: Json): string | null {
  return typeof json === "string" ? json : null;
}

/** Returns null for what is not there. */
function at(json: Json, ...keys: readonly string[]): Json {
  let found = json;
  for (const key of keys) {
    if (!isJsonObject(found)) return null;
    found = (found as JsonObject)[key] ?? null;
  }
  return found;
}
