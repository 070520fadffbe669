// The files of a package from where it is, all in memory and checked.
import { join, relative } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX, type PackedFile } from "../../core/tool/host-packages.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { fetchCommit } from "./git.ts";
import { MANIFEST_NAME, type PackageManifest, parseManifest, readManifest } from "./manifest.ts";
import { checkPaths, contentOf } from "./package-files.ts";
import { askProvenance, type Provenance } from "./provenance.ts";
import { Refusal } from "./refusal.ts";
import { askPackage, downloadArchive, pickVersion } from "./registry.ts";
import { readRegistrySettings } from "./registry-settings.ts";
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
  /** The hash of the archive, as npm writes it; absent for folders and git. */
  readonly integrity?: string;
  /** What an update keeps to: a range of versions, or a branch or tag of git. */
  readonly follows?: string;
  /** What the registry says; absent for a package that does not come from one. */
  readonly signature?: SignatureState;
  /** What it was built from. */
  readonly provenance?: Provenance;
  /** `name@version`, as its registry calls it; absent for what does not come from one. */
  readonly published?: string;
}

export interface FetchOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
}

export async function fetchPackage(request: PackageRequest, options: FetchOptions): Promise<FetchedPackage> {
  return checked(await fetched(request, options), shownRequest(request), options.host);
}

/** Fetches what a lock names: the very bytes, or a `Refusal`. `name` is that of the package. */
export async function fetchOrigin(
  origin: PackageOrigin,
  { name, integrity }: { readonly name: string; readonly integrity: string | undefined },
  options: FetchOptions,
): Promise<FetchedPackage> {
  const { host } = options;
  switch (origin.kind) {
    case "git":
      return checked(await ofGit(origin.url, origin.commit, options), origin.url, host);
    case "registry": {
      const registry = await readRegistrySettings(host).registryOf(name);
      const shown = withoutCredentials(registry);
      if (!origin.url.startsWith(shown))
        throw new Refusal(
          "denied",
          `\`${name}\` is locked to come from \`${origin.url}\`, and your registry for it is \`${shown}\``,
          ["set that registry in your `.npmrc`, or `dottool add` it again from yours"],
        );
      // The lock has no login, and the address of the registry may have one.
      const url = registry + origin.url.slice(shown.length);
      return checked(await ofUrl({ kind: "registry", url }, { name, integrity }, host), name, host);
    }
    case "url":
      return checked(await ofUrl(origin, { name: origin.url, integrity }, host), name, host);
    default:
      return checked(await fetched(origin, options), origin.path, host);
  }
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
      return { origin: request as PackageOrigin, files: await folderFiles(request.path, host) };
    case "archive":
      return {
        origin: request as PackageOrigin,
        ...(await unpacked(readFile(request.path, request.path, host), request.path, host)),
      };
    case "url":
      return ofUrl({ kind: "url", url: request.url }, { name: request.url, integrity: undefined }, host);
    case "git": {
      const found = await ofGit(request.url, request.ref, options);
      return { ...found, ...(request.ref === undefined ? {} : { follows: request.ref }) };
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
  const found = await ofUrl({ kind: "registry", url }, { name, integrity }, host);
  const provenance = await askProvenance({ ...picked, name }, host);
  const proofs = { signature, ...(provenance ? { provenance } : {}), published: `${name}@${version}` };
  return { ...found, ...proofs, follows: range === "" || range === "latest" ? `^${version}` : range };
}

async function ofUrl(
  origin: PackageOrigin & { readonly kind: "url" | "registry" },
  { name, integrity }: { readonly name: string; readonly integrity: string | undefined },
  host: Host,
): Promise<Fetched> {
  const archive = await downloadArchive({ name, url: origin.url, integrity }, host);
  return { origin, ...(await unpacked(archive, origin.url, host)) };
}

async function ofGit(url: string, ref: string | undefined, options: FetchOptions): Promise<Fetched> {
  const { commit, archive } = await fetchCommit(url, ref, options);
  const read = await (await options.host.packages()).unpack(archive, { stripsTop: false });
  if ("problem" in read) throw new Refusal("denied", `\`${url}\` ${read.problem}`);
  return { origin: { kind: "git", url, commit }, files: read.files };
}

async function unpacked(archive: Uint8Array, shown: string, host: Host): Promise<Pick<Fetched, "files" | "integrity">> {
  const read = await (await host.packages()).unpack(archive, { stripsTop: true });
  if ("problem" in read) throw new Refusal("denied", `\`${shown}\` ${read.problem}`);
  return { files: read.files, integrity: (await host.packages()).integrityOf(archive) };
}

function shownRequest(request: PackageRequest): string {
  return request.kind === "registry" ? request.name : "path" in request ? request.path : request.url;
}

/** Returns the files that npm would publish of the folder. */
async function folderFiles(folder: string, host: Host): Promise<readonly PackedFile[]> {
  const manifest = parseManifest(new TextDecoder().decode(readFile(join(folder, MANIFEST_NAME), folder, host)), folder);
  const paths = await (await host.packages()).packedPaths(folder, manifest);
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
