// Holds the modules of a trusted folder to what was trusted: every file that becomes a part of a plugin there has to
// lie in that folder and have the content that a person agreed to, at the moment when it is read to be run. What this
// cannot hold: a native addon is opened by the system after it was looked at, Deno reads a file a second time and tells
// nobody of `require`, and what a plugin reads and evaluates by itself is its own affair, as it is a program that was
// trusted.
import { readFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { LoadFnOutput } from "node:module";
import type { TrustedModules } from "../tool/host.ts";

/** By folder. */
export const trustedFolders = new Map<string, TrustedModules>();

/** `url`: what an import has been found to mean. Throws where it is no part of what was trusted. */
export function requireTrusted(url: string, parentUrl: string | undefined): void {
  if (trustedFolders.size === 0 || /^(?:node|data|dottool):/.test(url)) return;
  const importer = parentUrl?.startsWith("file:") ? folderOf(fileURLToPath(parentUrl)) : undefined;
  const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
  const owner = path === undefined ? undefined : folderOf(path);
  if (importer && owner?.sums !== importer.sums)
    throw new Error(
      `it imports \`${path ?? url}\`, which lies outside of \`${importer.folder}\`, so trust does not cover it; move it into that folder`,
    );
  // The others are read, and looked at, by `load`.
  if (path !== undefined && owner && (path.endsWith(".node") || "deno" in process.versions))
    requireSum(path, readFileSync(path), owner);
}

/** Throws where it has a trusted folder's file as its place, and another content. */
export function requireContent(url: string, content: string | Uint8Array): void {
  const path = fileURLToPath(url);
  const owner = folderOf(path);
  if (owner) requireSum(path, content, owner);
}

/** The same, with the source that was looked at in it. */
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
  if (sums.get(inside) !== sum) throw new Error(`\`${path}\` is not what was trusted; it has changed since`);
}
