// The files of a package from where it is, all in memory and checked.
import { join, relative } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX, type PackedFile } from "./host/packed-file.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { fetchCommit } from "./git.ts";
import { integrityOf, packedPaths, unpack } from "./host/archives.ts";
import { MANIFEST_NAME, type PackageManifest, parseManifest, readManifest } from "./manifest.ts";
import { checkPaths, contentOf } from "./package-files.ts";
import { askProvenance, type Provenance } from "./provenance.ts";
import { Refusal } from "./refusal.ts";
import { askPackage, downloadArchive, pickVersion } from "./registry.ts";
import { registryOf } from "./registry-settings.ts";
import { type SignatureState, verifySignatures } from "./signatures.ts";
import type { PackageOrigin, PackageRequest } from "./source.ts";

export interface FetchedPackage extends Fetched {
  readonly manifest: PackageManifest;
  /** The hash of its tree. */
  readonly content: string;
}

interface Fetched {
  readonly origin: PackageOrigin;
  readonly files: readonly PackedFile[];
  /** The hash of the archive, as npm writes it; undefined for folders and git. */
  readonly integrity?: string;
  /** What an update keeps to: a range of versions, or a branch or tag of git. */
  readonly follows?: string | undefined;
  /** What the registry says; absent for a package that does not come from one. */
  readonly signature?: SignatureState;
  /** What it was built from. */
  readonly provenance?: Provenance | undefined;
  /** `name@version`, as its registry calls it; absent for what does not come from one. */
  readonly published?: string;
}

export interface FetchOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
}

export async function fetchPackage(request: PackageRequest, options: FetchOptions): Promise<FetchedPackage> {
  const shown = request.kind === "registry" ? request.name : "path" in request ? request.path : request.url;
  return checked(await fetched(request, options), shown, options.host);
}

/** Fetches what a lock names. `name` is that of the package. */
export async function fetchOrigin(
  origin: PackageOrigin,
  { name, integrity }: { readonly name: string; readonly integrity: string | undefined },
  options: FetchOptions,
): Promise<FetchedPackage> {
  const { host } = options;
  if (origin.kind === "git") return fetchPackage({ kind: "git", url: origin.url, ref: origin.commit }, options);
  if (origin.kind !== "registry") return fetchPackage(origin, options);
  const registry = registryOf(name, host);
  const shown = withoutCredentials(registry);
  if (!origin.url.startsWith(shown))
    throw new Refusal(
      "denied",
      `\`${name}\` is locked to come from \`${origin.url}\`, and your registry for it is \`${shown}\``,
      ["set that registry in your `.npmrc`, or `dottool add` it again from yours"],
    );
  // The lock has no login, and the address of the registry may have one.
  const url = registry + origin.url.slice(shown.length);
  const archive = await downloadArchive({ name, url, integrity }, host);
  return checked({ origin, ...(await unpacked(archive, url)) }, name, host);
}

async function checked(found: Fetched, shown: string, host: Host): Promise<FetchedPackage> {
  checkPaths(found.files, shown);
  const manifest = await readManifest(found.files, shown);
  const inside = `${manifest.name}@${manifest.version}`;
  // Registries do not compare them, so anybody could give away tools under the name of another owner.
  if (found.published !== undefined && found.published !== inside)
    throw new Refusal("denied", `\`${found.published}\` is \`${inside}\` by its \`package.json\``, [
      "the registry and the package do not agree on its name and version; nothing was installed",
    ]);
  return { ...found, manifest, content: contentOf(found.files, host) };
}

async function fetched(request: PackageRequest, options: FetchOptions): Promise<Fetched> {
  const { host } = options;
  switch (request.kind) {
    case "folder":
      return { origin: request, files: await folderFiles(request.path, host) };
    case "archive":
      return { origin: request, ...(await unpacked(readFile(request.path, request.path, host), request.path)) };
    case "url": {
      const archive = await downloadArchive({ name: request.url, url: request.url, integrity: undefined }, host);
      return { origin: request, ...(await unpacked(archive, request.url)) };
    }
    case "git": {
      const { url, ref: follows } = request;
      const { commit, archive } = await fetchCommit(url, follows, options);
      const { files } = await unpacked(archive, url, { stripsTop: false });
      return { origin: { kind: "git", url, commit }, files, follows };
    }
    case "registry":
      return ofRegistry(request.name, request.ranges, host);
  }
}

async function ofRegistry(name: string, ranges: readonly string[], host: Host): Promise<Fetched> {
  const published = await askPackage(name, host);
  const picked = await pickVersion(published, ranges);
  const { version, url, integrity } = picked;
  const [range = ""] = ranges;
  const signature = await verifySignatures({ ...picked, name, registry: published.registry }, host);
  const archive = await downloadArchive({ name, url, integrity }, host);
  return {
    origin: { kind: "registry", url },
    ...(await unpacked(archive, url)),
    follows: range === "" || range === "latest" ? `^${version}` : range,
    signature,
    provenance: await askProvenance({ ...picked, name }, host),
    published: `${name}@${version}`,
  };
}

/** Returns the newest version of a package that is no package of tools, and what fetches its files. */
export async function newestPackage(
  name: string,
  { host, signal, bytesMax }: FetchOptions & { readonly bytesMax: number },
): Promise<{ readonly version: string; files(signal: AbortSignal): Promise<readonly PackedFile[]> }> {
  const published = await askPackage(name, host, signal);
  const picked = await pickVersion(published, [""]);
  const { version, url, integrity } = picked;
  return {
    version,
    files: async (ended) => {
      await verifySignatures({ ...picked, name, registry: published.registry }, host);
      const archive = await downloadArchive({ name, url, integrity, bytesMax, signal: ended }, host);
      return (await unpacked(archive, url, { stripsTop: true, bytesMax })).files;
    },
  };
}

async function unpacked(
  archive: Uint8Array,
  shown: string,
  options: Parameters<typeof unpack>[1] = { stripsTop: true },
): Promise<Required<Pick<Fetched, "files" | "integrity">>> {
  const read = await unpack(archive, options);
  if ("problem" in read) throw new Refusal("denied", `\`${shown}\` ${read.problem}`);
  return { files: read.files, integrity: integrityOf(archive) };
}

/** Returns the files that npm would publish of the folder. */
async function folderFiles(folder: string, host: Host): Promise<readonly PackedFile[]> {
  const manifest = parseManifest(new TextDecoder().decode(readFile(join(folder, MANIFEST_NAME), folder, host)), folder);
  const paths = await packedPaths(folder, manifest);
  if (paths.length > PACKAGE_FILES_MAX)
    throw new Refusal("denied", `\`${folder}\` has more than ${PACKAGE_FILES_MAX} files`, [
      "`files` in its `package.json` says which belong to the package",
    ]);
  let bytes = 0;
  return paths.map((path) => {
    const whole = join(folder, path);
    if (host.instant.isLink(whole)) throw new Refusal("denied", `\`${whole}\` is a link, which a package cannot have`);
    const content = readFile(whole, folder, host);
    bytes += content.length;
    if (bytes > PACKAGE_BYTES_MAX)
      throw new Refusal("denied", `\`${folder}\` has more than ${PACKAGE_BYTES_MAX / 1024 / 1024} MiB`);
    return { path, bytes: content };
  });
}

function readFile(path: string, shown: string, host: Host): Uint8Array {
  try {
    return host.instant.readBytes(path, PACKAGE_BYTES_MAX);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" && path !== shown)
      throw new Refusal("definitions", `\`${shown}\` has no \`${relative(shown, path)}\``, [
        "a package is a folder of tools with a `package.json` that has `name`, `version` and `dottool`",
      ]);
    throw new Refusal("missing", `\`${path}\` cannot be read (${code})`);
  }
}
