// Packages in a registry: which versions there are, which of them fits, and its archive.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { RegistryAnswer, RegistryRequest } from "./host/ask-registry.ts";
import { Refusal } from "./refusal.ts";
import { ask, documentOf, jsonOf, registryOf } from "./registry-settings.ts";
import { type RegistrySignature, signaturesIn } from "./signatures.ts";

interface PublishedVersion {
  readonly version: string;
  /** The address of its archive, at the registry of the package. */
  readonly url: string;
  readonly integrity: string;
  readonly deprecated?: string;
  /** Not verified yet. */
  readonly signatures: readonly RegistrySignature[];
  /** The address of its attestations, at the registry of the package; absent if it has none. */
  readonly attestations?: string;
}

interface PublishedPackage {
  readonly name: string;
  readonly registry: string;
  readonly versions: readonly PublishedVersion[];
  /** Versions by tag, such as `latest`. */
  readonly tags: ReadonlyMap<string, string>;
}

export async function askPackage(name: string, host: Host, signal?: AbortSignal): Promise<PublishedPackage> {
  const registry = registryOf(name, host);
  const accept = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";
  const answer = await ask({ url: documentOf(name, registry), headers: { accept }, signal }, host);
  if (answer.kind === "failed") throw refusalFor(answer, name, registry);
  const json = jsonOf(answer.bytes);
  if (!isJsonObject(json) || json["name"] !== name || !isJsonObject(json["versions"] ?? null))
    throw new Refusal("failed", `\`${registry}\` does not answer as a registry of packages when asked for \`${name}\``);
  const tags = json["dist-tags"] ?? {};
  return {
    name,
    registry,
    versions: Object.values(json["versions"] as JsonObject).flatMap((one) => versionOf(one, registry) ?? []),
    tags: isJsonObject(tags) ? new Map(Object.entries(tags).filter(isTag)) : new Map(),
  };
}

function isTag(entry: readonly [string, Json]): entry is [string, string] {
  return typeof entry[1] === "string";
}

function versionOf(json: Json, registry: string): PublishedVersion | undefined {
  if (!isJsonObject(json)) return undefined;
  const { version, dist = null, deprecated } = json;
  if (typeof version !== "string" || !isJsonObject(dist)) return undefined;
  const { tarball, integrity } = dist;
  if (typeof tarball !== "string" || typeof integrity !== "string" || !URL.canParse(tarball)) return undefined;
  const { url: attested } = isJsonObject(dist["attestations"] ?? null) ? (dist["attestations"] as JsonObject) : {};
  const isAttested = typeof attested === "string" && URL.canParse(attested);
  return {
    version,
    url: addressAt(registry, tarball),
    integrity,
    signatures: signaturesIn(dist["signatures"]),
    ...(isAttested ? { attestations: addressAt(registry, attested) } : {}),
    ...(typeof deprecated === "string" ? { deprecated } : {}),
  };
}

/** A registry behind another name gives addresses that lead past it, without its login. */
function addressAt(registry: string, address: string): string {
  return new URL(new URL(address).pathname, registry).href;
}

/** Returns the highest version that fits all ranges; a range may be a tag. Throws a `Refusal` if none does. */
export async function pickVersion(
  { name, versions, tags, registry }: PublishedPackage,
  ranges: readonly string[],
): Promise<PublishedVersion> {
  const { default: semver } = await import("semver");
  const wanted = ranges.map((range) => tags.get(range === "" ? "latest" : range) ?? range);
  const fitting = versions.filter(({ version }) => wanted.every((range) => semver.satisfies(version, range)));
  const latest = fitting.find(({ version }) => version === tags.get("latest"));
  const best = semver.maxSatisfying(
    fitting.map(({ version }) => version),
    "*",
    { includePrerelease: true },
  );
  const picked = latest ?? fitting.find(({ version }) => version === best);
  if (picked) return picked;
  const known = versions.map(({ version }) => version).slice(-VERSIONS_SHOWN_MAX);
  throw new Refusal(
    "missing",
    `\`${registry}\` has no version of \`${name}\` that fits ${ranges.map((range) => `\`${range}\``).join(" and ")}`,
    [known.length === 0 ? "it has no versions" : `it has ${known.join(", ")}`],
  );
}

const VERSIONS_SHOWN_MAX = 10;

/** `url` is at the registry of the package. Throws a `Refusal` if the archive is not the one that is meant. */
export async function downloadArchive(
  { name, ...request }: Pick<RegistryRequest, "url" | "integrity" | "bytesMax" | "signal"> & { readonly name: string },
  host: Host,
): Promise<Uint8Array> {
  const answer = await ask(request, host);
  if (answer.kind === "failed") throw refusalFor(answer, name, request.url);
  return answer.bytes;
}

function refusalFor(
  { code, reason }: RegistryAnswer & { readonly kind: "failed" },
  name: string,
  place: string,
): Refusal {
  // An archive at an address has no other name.
  const isAddress = name === place;
  switch (code) {
    case "E404":
      if (isAddress) return new Refusal("missing", `there is nothing at \`${place}\``);
      return new Refusal("missing", `\`${place}\` has no package \`${name}\``, [
        "a folder is written with `./` before it; `npm config get registry` shows which registry is asked",
        "`dottool search` finds packages by what they do",
      ]);
    case "E401":
    case "E403":
      return new Refusal("denied", `\`${place}\` does not let you have \`${name}\` (${code.slice(1)})`, [
        isAddress ? loginHelp(place) : "`npm login` stores a login that dottool uses, too",
      ]);
    case "EINTEGRITY":
      return new Refusal(
        "denied",
        `the archive of \`${name}\` from \`${place}\` does not have the hash that it should have`,
        ["somebody may have changed it; nothing was installed"],
      );
    default:
      return new Refusal("failed", `\`${place}\` cannot be reached${isAddress ? "" : ` for \`${name}\``}: ${reason}`, [
        "what is installed already works without it",
      ]);
  }
}

/** `address` is that of an archive. */
export function loginHelp(address: string): string {
  const { host } = new URL(address);
  return `your \`.npmrc\` can have a login for it: \`//${host}/:_authToken=TOKEN\`, or \`//${host}/:_auth=\` with the base64 of \`USER:PASSWORD\``;
}
