// Where a package comes from, as people write it and as `dottool.lock` stores it.
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Host } from "../tool/host.ts";
import { Refusal } from "./refusal.ts";

export type PackageSource =
  /** `path` is absolute. */
  { readonly kind: "folder" | "archive"; readonly path: string };

const ARCHIVE = /\.(?:tgz|tar\.gz|tar)$/i;
const PREFIX = "file:";

/** Reads a word of the command line. `cwd` is absolute. */
export function sourceOfWord(
  word: string,
  { cwd, host }: { readonly cwd: string; readonly host: Host },
): PackageSource {
  const written = word.startsWith(PREFIX) ? word.slice(PREFIX.length) : word;
  const path = resolve(cwd, written.replace(/^~(?=\/)/, host.folders.home));
  const kind = host.instant.stat(path)?.kind;
  if (kind === "folder") return { kind, path };
  if (kind === "file" && ARCHIVE.test(path)) return { kind: "archive", path };
  throw new Refusal("missing", `\`${word}\` is neither a folder nor a \`.tgz\` or \`.tar\` file`, [
    "a package is a folder with a `package.json`, or what `npm pack` makes of it",
  ]);
}

/** Returns the text for a lock in `folder`. A path below or beside it is relative, so that the project can move. */
export function sourceText({ path }: PackageSource, folder: string): string {
  const shorter = relative(folder, path).split(sep).join("/");
  return PREFIX + (isAbsolute(shorter) || shorter.length >= path.length ? path : shorter);
}

/** Reads the text of a lock in `folder`. Undefined: it is none of ours. */
export function sourceOfText(text: string, folder: string): PackageSource | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const path = resolve(folder, text.slice(PREFIX.length));
  return { kind: ARCHIVE.test(path) ? "archive" : "folder", path };
}
