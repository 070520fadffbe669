// Checks that modules of a trusted folder have the trusted content: every file that becomes a part of a plugin must be
// in that folder and have the content that a person trusted, when it is read to be run. Limits: the system opens a
// native addon after the check, Deno reads a file a second time and has no hook for `require`, and a plugin may itself
// read and evaluate other files, because it is a trusted program.
import { readFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { LoadFnOutput } from "node:module";
import type { TrustedModules } from "../../tool/host.ts";

export const trustedFolders = new Map<string, TrustedModules>();

/** Throws if an import is not a part of the trusted content. `url`: the resolved import. */
export function requireTrusted(url: string, parentUrl: string | undefined): void {
  if (trustedFolders.size === 0 || /^(?:node|data|dottool):/.test(url)) return;
  const importer = parentUrl?.startsWith("file:") ? folderOf(fileURLToPath(parentUrl)) : undefined;
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const owner = path === undefined ? undefined : folderOf(path);
  if (importer && owner?.sums !== importer.sums)
    throw new Error(
      `it imports \`${path ?? url}\`, which is outside \`${importer.folder}\`, so trust does not cover it; move it into that folder`,
    );
  // `load` reads and checks the others.
  if (path !== undefined && owner && (path.endsWith(".node") || "deno" in process.versions))
    requireSum(path, readFileSync(path), owner);
}

/** Throws if it is a file of a trusted folder with other content. */
export function requireContent(url: string, content: string | Uint8Array): void {
  const path = fileURLToPath(url);
  const owner = folderOf(path);
  if (owner) requireSum(path, content, owner);
}

/** Returns the same result with the checked source. */
export function verified(url: string, loaded: LoadFnOutput): LoadFnOutput {
  if (trustedFolders.size === 0 || !url.startsWith("file:") || !folderOf(fileURLToPath(url))) return loaded;
  const source = loaded.source ?? readFileSync(fileURLToPath(url));
  requireContent(
    url,
    typeof source === "string"
      ? source
      : new Uint8Array(
          ArrayBuffer.isView(source)
            ? source.buffer.slice(source.byteOffset, source.byteOffset + source.byteLength)
            : source,
        ),
  );
  return { ...loaded, source };
}

function folderOf(path: string): TrustedModules | undefined {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const trusted = trustedFolders.get(folder);
    if (trusted) return trusted;
  }
  return undefined;
}

function requireSum(path: string, content: string | Uint8Array, { folder, sums }: TrustedModules): void {
  const sum = process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
  const inside = path.slice(folder.length + 1).replaceAll(sep, "/");
  if (sums.get(inside) !== sum) throw new Error(`\`${path}\` has changed since it was trusted`);
}
