// What a registry's attestation says a package was built from: its repository and commit, in the form of SLSA
// (https://slsa.dev/provenance/v1, and v0.2). Its signature is not verified here: that takes the certificates of sigstore
// as they are today. So it is shown as a claim, and only a claim about another archive is refused.
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { Host } from "../tool/host.ts";
import { Refusal } from "./refusal.ts";
import { jsonOf } from "./registry-json.ts";
import { readRegistrySettings } from "./registry-settings.ts";

/** Claimed, not verified. */
export interface Provenance {
  /** The address of a repository. */
  readonly repository: string;
  readonly commit: string;
  /** The path of the file that says how it was built. */
  readonly workflow?: string;
}

interface AttestedVersion {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  /** The address of its attestations, at the registry; absent if it has none. */
  readonly attestations?: string;
}

const ANSWER_BYTES_MAX = 4 * 1024 * 1024;
const PREDICATE = "https://slsa.dev/provenance/";

/** Returns undefined if there is none that can be read. Throws a `Refusal` if it is of another archive. */
export async function askProvenance(attested: AttestedVersion, host: Host): Promise<Provenance | undefined> {
  const { name, version, attestations: url } = attested;
  if (url === undefined) return undefined;
  const answer = await (await host.packages()).askRegistry({
    url,
    settings: readRegistrySettings(host).options,
    bytesMax: ANSWER_BYTES_MAX,
  });
  const json = answer.kind === "answer" ? jsonOf(answer.bytes) : null;
  const all =
    isJsonObject(json) && Array.isArray(json["attestations"]) ? (json["attestations"] as readonly Json[]) : [];
  const statement = all.map(statementOf).find((one) => one !== undefined);
  if (!statement) return undefined;
  if (!isOf(statement, attested))
    throw new Refusal("denied", `the provenance of \`${name}@${version}\` in its registry is of another archive`, [
      "somebody may have changed it; nothing was installed",
    ]);
  const predicate = at(statement, "predicate");
  return ofVersion1(predicate) ?? ofVersion02(predicate);
}

/** Returns the in-toto statement of an attestation about how the package was built. */
function statementOf(attestation: Json): Json | undefined {
  const type = at(attestation, "predicateType");
  const payload = at(attestation, "bundle", "dsseEnvelope", "payload");
  return typeof type === "string" && type.startsWith(PREDICATE) && typeof payload === "string"
    ? jsonOf(Buffer.from(payload, "base64"))
    : undefined;
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

function ofVersion1(predicate: Json): Provenance | undefined {
  const workflow = at(predicate, "buildDefinition", "externalParameters", "workflow");
  const dependencies = at(predicate, "buildDefinition", "resolvedDependencies");
  const [source = null] = Array.isArray(dependencies) ? (dependencies as readonly Json[]) : [];
  return claimed(at(workflow, "repository"), at(source, "digest", "gitCommit"), at(workflow, "path"));
}

function ofVersion02(predicate: Json): Provenance | undefined {
  const source = at(predicate, "invocation", "configSource");
  const uri = at(source, "uri");
  const repository = typeof uri === "string" ? (/^git\+([^@]+)/.exec(uri)?.[1] ?? null) : null;
  return claimed(repository, at(source, "digest", "sha1"), at(source, "entryPoint"));
}

function claimed(repository: Json, commit: Json, workflow: Json): Provenance | undefined {
  if (typeof repository !== "string" || typeof commit !== "string") return undefined;
  return { repository, commit, ...(typeof workflow === "string" ? { workflow } : {}) };
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
