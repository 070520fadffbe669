// What a package was built from, as its registry has it in an attestation: repository, commit and workflow, in the form
// of SLSA (https://slsa.dev/provenance/v1, and v0.2), signed by the build through sigstore.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { AttestationVerdict, Build } from "./attestation.ts";
import { Refusal } from "./refusal.ts";
import { askForJson } from "./registry-settings.ts";

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

const PREDICATE = "https://slsa.dev/provenance/";

/** Returns undefined if the registry has none. Throws a `Refusal` if one of them is false. */
export async function askProvenance(attested: AttestedVersion, host: Host): Promise<Provenance | undefined> {
  const { attestations: url } = attested;
  if (url === undefined) return undefined;
  const json = await askForJson({ url }, host);
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
  return { kind: "verified", ...verdict.build };
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

/** Returns null for what is not there. */
function at(json: Json, ...keys: readonly string[]): Json {
  let found = json;
  for (const key of keys) {
    if (!isJsonObject(found)) return null;
    found = (found as JsonObject)[key] ?? null;
  }
  return found;
}
