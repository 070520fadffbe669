// A release of a bundle for one platform, as a place of updates has it: the executable, and beside it a file of facts
// with a signature over them. The key that must have signed is inside each bundle, with the place.
import { join } from "node:path";
import type { KeyObject } from "node:crypto";
import { isJsonObject } from "../../core/schema/json.ts";
import { BUNDLE_NAME, BUNDLE_VERSION } from "../../core/tool/bundle-marker.ts";
import type { Host } from "../../core/tool/host.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { jsonOf } from "../packages/registry-settings.ts";
import { isSignatureOf, signatureOf } from "./host/signing.ts";

/** The file in a bundle that says where its updates come from. Hidden files of a tool folder are never bundled. */
const PLACE_FILE = ".updates.json";
const PLACE_BYTES_MAX = 64 * 1024;
export const FACTS_BYTES_MAX = 64 * 1024;
/** Begins a place in a registry. */
export const NPM = "npm:";

export interface UpdatePlace {
  /** An address of the web, an absolute path, or `npm:` and the name of packages without their platform. */
  readonly from: string;
  /** The public key in base 64. */
  readonly key: string;
}

export function placeFile({ from, key }: UpdatePlace): UnpackedFile {
  const bytes = Buffer.from(`${JSON.stringify({ from, key }, undefined, 2)}\n`);
  return { path: PLACE_FILE, bytes, isExecutable: false };
}

/** Returns undefined if this program is no bundle, or has no place of updates. The session has checked its files. */
export function placeOf({ bundle, instant }: Host): UpdatePlace | undefined {
  const path = bundle && join(bundle.folder, PLACE_FILE);
  if (path === undefined || !instant.stat(path)) return undefined;
  return JSON.parse(new TextDecoder().decode(instant.readBytes(path, PLACE_BYTES_MAX))) as UpdatePlace;
}

export interface Release {
  readonly name: string;
  readonly version: string;
  /** As in the names of releases: `linux-x64`. */
  readonly platform: string;
  readonly sizeBytes: number;
  /** Of the executable. */
  readonly sha256: string;
}

/** The name of the file of facts, which each release replaces. */
export function factsName({ name, platform }: Pick<Release, "name" | "platform">): string {
  return `${name}-${platform}.json`;
}

/** The name of the executable, which no other release has: a program that downloads the former one gets all of it. */
export function executableName({ name, version, platform }: Release): string {
  return `${name}-${version}-${platform}${platform.startsWith("win") ? ".exe" : ""}`;
}

export function signedFacts(release: Release, key: KeyObject): string {
  return `${JSON.stringify({ ...release, signature: signatureOf(signedText(release), key) }, undefined, 2)}\n`;
}

/** Returns undefined unless `key`, a public key in base 64, has signed it. */
export function readFacts(bytes: Uint8Array, key: string): Release | undefined {
  const json = jsonOf(bytes);
  if (!isJsonObject(json)) return undefined;
  const { signature, ...release } = json as unknown as Release & { readonly signature: unknown };
  if (typeof signature !== "string" || !isSignatureOf(signedText(release), signature, key)) return undefined;
  // Names of files are made of them.
  return BUNDLE_NAME.test(release.name) && BUNDLE_VERSION.test(release.version) ? release : undefined;
}

/** Its first line keeps a signature from being taken for one of another text. */
function signedText({ name, version, platform, sizeBytes, sha256 }: Release): string {
  return `dottool release 1\n${JSON.stringify([name, version, platform, sizeBytes, sha256])}\n`;
}
