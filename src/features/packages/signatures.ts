// Signatures of registries: a registry may sign which archive is which version of a package. The format is that of npm,
// described as "ECDSA registry signatures" in its documentation.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { Refusal } from "./refusal.ts";
import { isSigned } from "./host/archives.ts";
import { askForJson, documentOf } from "./registry-settings.ts";

/** As the registry gives it, not verified. */
export interface RegistrySignature {
  readonly keyid: string;
  /** In base 64. */
  readonly sig: string;
}

/** A key of a registry. */
export interface SigningKey {
  /** As the registry calls it. */
  readonly keyid: string;
  /** The hash of the key itself, in hexadecimal: a registry could give another key the same name. */
  readonly sha256: string;
}

export type SignatureState =
  /** The registry does not sign it. */
  | { readonly kind: "none" }
  /** Verified here. */
  | { readonly kind: "signed"; readonly by: SigningKey }
  | { readonly kind: "unverified"; readonly reason: string };

interface SignedVersion {
  readonly name: string;
  readonly version: string;
  readonly registry: string;
  readonly integrity: string;
  readonly signatures: readonly RegistrySignature[];
}

interface RegistryKey extends SigningKey {
  /** A public key in base 64 (SPKI). */
  readonly key: string;
  /** A time stamp; absent while it is in use. */
  readonly expires?: string;
}

const ENDPOINT = "-/npm/v1/keys";
const SCHEME = "ecdsa-sha2-nistp256";
const KEYID = /^[\x21-\x7e]{1,200}$/;

export function signaturesIn(json: Json | undefined): readonly RegistrySignature[] {
  return Array.isArray(json)
    ? (json as readonly Json[]).flatMap((one) => {
        if (!isJsonObject(one)) return [];
        const { keyid, sig } = one;
        return typeof keyid === "string" && KEYID.test(keyid) && typeof sig === "string" ? [{ keyid, sig }] : [];
      })
    : [];
}

/** Throws a `Refusal` if a signature is not one of the registry's for this archive. */
export async function verifySignatures(signed: SignedVersion, host: Host): Promise<SignatureState> {
  const { name, version, registry, integrity, signatures } = signed;
  const [first] = signatures;
  if (!first) return { kind: "none" };
  const keys = await keysOf(registry, host);
  if (typeof keys === "string") return { kind: "unverified", reason: keys };
  const refuse = (fact: string): never => {
    throw new Refusal("denied", `\`${registry}\` gives a signature of \`${name}@${version}\` that ${fact}`, [
      "somebody may have changed it; nothing was installed",
    ]);
  };
  for (const { keyid, sig } of signatures) {
    const known = keys.find((key) => key.keyid === keyid);
    if (!known) return refuse(`is by the key \`${keyid}\`, which is not one of its keys`);
    const { key, expires } = known;
    if (!isSigned(`${name}@${version}:${integrity}`, { key, signature: sig }))
      refuse(`is wrong: the key \`${keyid}\` has not signed this archive`);
    if (expires !== undefined && !(await wasPublishedBefore(expires, signed, host)))
      refuse(`is by the key \`${keyid}\`, which had expired before (${expires})`);
  }
  const { keyid, sha256 } = keys.find((key) => key.keyid === first.keyid) ?? { keyid: first.keyid, sha256: "" };
  return { kind: "signed", by: { keyid, sha256 } };
}

const asked = new WeakMap<Host, Map<string, Promise<readonly RegistryKey[] | string>>>();

/** Returns why there are none, as a sentence. Each registry is asked once. */
function keysOf(registry: string, host: Host): Promise<readonly RegistryKey[] | string> {
  const known = asked.get(host) ?? new Map<string, Promise<readonly RegistryKey[] | string>>();
  asked.set(host, known);
  const keys = known.get(registry) ?? askKeys(registry, host);
  known.set(registry, keys);
  return keys;
}

async function askKeys(registry: string, host: Host): Promise<readonly RegistryKey[] | string> {
  const json = await askForJson({ url: registry + ENDPOINT }, host);
  const listed = isJsonObject(json) && Array.isArray(json["keys"]) ? (json["keys"] as readonly Json[]) : undefined;
  return listed ? listed.flatMap((one) => keyOf(one, host)) : `\`${withoutCredentials(registry)}\` gives no keys`;
}

function keyOf(json: Json, host: Host): readonly RegistryKey[] {
  if (!isJsonObject(json)) return [];
  const { keyid, key, scheme, expires } = json;
  if (typeof keyid !== "string" || !KEYID.test(keyid) || typeof key !== "string" || scheme !== SCHEME) return [];
  const sha256 = host.sha256(Buffer.from(key, "base64"));
  return [{ keyid, key, sha256, ...(typeof expires === "string" ? { expires } : {}) }];
}

async function wasPublishedBefore(
  expires: string,
  { name, version, registry }: SignedVersion,
  host: Host,
): Promise<boolean> {
  if (Date.parse(expires) > Date.parse(host.timestamp())) return true;
  // The short document has no times.
  const headers = { accept: "application/json" };
  const json = await askForJson({ url: documentOf(name, registry), headers }, host);
  const times = isJsonObject(json) ? json["time"] : undefined;
  const time = isJsonObject(times ?? null) ? (times as Readonly<Record<string, Json>>)[version] : undefined;
  return typeof time === "string" && Date.parse(time) < Date.parse(expires);
}
