// The files of a package from its source, all in memory and checked.
import { join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { PACKAGE_BYTES_MAX, PACKAGE_FILES_MAX, type PackedFile } from "../tool/host-packages.ts";
import { MANIFEST_NAME, type PackageManifest, parseManifest, readManifest } from "./manifest.ts";
import { checkPaths, contentOf } from "./package-files.ts";
import { Refusal } from "./refusal.ts";
import type { PackageSource } from "./source.ts";

export interface FetchedPackage {
  readonly source: PackageSource;
  readonly manifest: PackageManifest;
  readonly files: readonly PackedFile[];
  /** The hash of its tree. */
  readonly content: string;
  /** The hash of the archive, as npm writes it; absent for a folder. */
  readonly integrity?: string;
}

export async function fetchPackage(source: PackageSource, host: Host): Promise<FetchedPackage> {
  const { path: shown } = source;
  const read = source.kind === "folder" ? { files: await folderFiles(shown, host) } : await archiveFiles(shown, host);
  checkPaths(read.files, shown);
  return { source, ...read, manifest: await readManifest(read.files, shown), content: contentOf(read.files, host) };
}

async function folderFiles(folder: string, host: Host): Promise<readonly PackedFile[]> {
  const manifest = parseManifest(new TextDecoder().decode(readFile(join(folder, MANIFEST_NAME), folder, host)), folder);
  const paths = await host.packages.packedPaths(folder, manifest);
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

async function archiveFiles(path: string, host: Host): Promise<Pick<FetchedPackage, "files" | "integrity">> {
  const archive = readFile(path, path, host);
  const unpacked = await host.packages.unpack(archive, { stripsTop: true });
  if ("problem" in unpacked) throw new Refusal("denied", `\`${path}\` ${unpacked.problem}`);
  return { files: unpacked.files, integrity: host.packages.integrityOf(archive) };
}

function readFile(path: string, shown: string, host: Host): Uint8Array {
  try {
    return host.instant.readBytes(path, PACKAGE_BYTES_MAX);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    if (code === "ENOENT" && path !== shown)
      throw new Refusal("definitions", `\`${shown}\` has no \`${path.slice(shown.length + 1)}\``, [
        "a package is a folder of tools with a `package.json` that has `name`, `version` and `dottool`",
      ]);
    throw new Refusal("missing", `\`${path}\` cannot be read (${code})`);
  }
}
