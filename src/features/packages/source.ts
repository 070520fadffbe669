// Where a package comes from: what people write (a request), and what `dottool.lock` stores (an origin), which always
// means the same bytes.
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Host } from "../../core/tool/host.ts";
import { withoutCredentials } from "../../core/text/without-credentials.ts";
import { packageNameOf } from "../../core/catalog/package-folder.ts";
import { isPackageName } from "./manifest.ts";
import { Refusal } from "./refusal.ts";

export type PackageRequest =
  /** `path` is absolute. */
  | { readonly kind: "folder" | "archive"; readonly path: string }
  /** `url` is that of an archive. */
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "git"; readonly url: string; readonly ref?: string | undefined }
  /** Every range must fit; an empty one is the latest version. */
  | { readonly kind: "registry"; readonly name: string; readonly ranges: readonly string[] };

const ARCHIVE = /\.(?:tgz|tar\.gz|tar)$/i;
const [FILE, GIT, NPM] = ["file:", "git+", "npm:"];
const GIT_URL = /^(?:git\+)?((?:https?|ssh|file):\/\/[^#\s]+?)(?:#([^#\s]*))?$/;

/** Reads a word of the command line. `cwd` is absolute. */
export function requestOf(word: string, { cwd, host }: { readonly cwd: string; readonly host: Host }): PackageRequest {
  const [, url = "", ref] = GIT_URL.exec(word) ?? [];
  if (word.startsWith(GIT) || /\.git$/.test(url))
    return url === "" ? refuseAddress(word) : { kind: "git", url, ref: ref || undefined };
  if (/^https?:/.test(word)) return ARCHIVE.test(url) ? { kind: "url", url } : refuseAddress(word);
  if (/^(?:\.{0,2}\/|~\/|\.{1,2}$|file:)/.test(word) || ARCHIVE.test(word) || isAbsolute(word))
    return pathRequest(word, cwd, host);
  const [, name = "", range = ""] = /^(@?[^@]+)(?:@(.*))?$/.exec(word) ?? [];
  const whole = packageNameOf(name);
  if (isPackageName(whole)) return { kind: "registry", name: whole, ranges: [range] };
  throw new Refusal("missing", `\`${word}\` is not the name of a package`, [
    "such as `text-tools`, `@team/text@^1.2.0`, `./folder`, `file.tgz` or `git+https://…#tag`",
  ]);
}

function refuseAddress(word: string): never {
  throw new Refusal("missing", `\`${word}\` is not the address of a package`, [
    "an archive ends with `.tgz` or `.tar`; a git repository is `git+https://…`, `git+ssh://…` or `git+file://…`, and may end with `#` and a tag",
  ]);
}

function pathRequest(word: string, cwd: string, host: Host): PackageRequest {
  const written = word.startsWith(FILE) ? word.slice(FILE.length) : word;
  const path = resolve(cwd, written.replace(/^~(?=\/)/, host.folders.home));
  const kind = host.instant.stat(path)?.kind;
  if (kind === "folder") return { kind, path };
  if (kind === "file" && ARCHIVE.test(path)) return { kind: "archive", path };
  throw new Refusal("missing", `\`${word}\` is neither a folder nor a \`.tgz\` or \`.tar\` file`, [
    "a package is a folder with a `package.json`, or what `npm pack` makes of it",
  ]);
}

/** What a lock stores: a place whose content is known by its hashes. */
export type PackageOrigin =
  | { readonly kind: "folder" | "archive"; readonly path: string }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "git"; readonly url: string; readonly commit: string }
  /** `url` is that of the archive at the registry. */
  | { readonly kind: "registry"; readonly url: string };

/**
 * Returns the text for a lock in `folder`, without the login that an address may have. A path below or beside it is
 * relative, so that the project can move.
 */
export function originText(origin: PackageOrigin, folder: string): string {
  return withoutCredentials(wholeText(origin, folder));
}

function wholeText(origin: PackageOrigin, folder: string): string {
  switch (origin.kind) {
    case "url":
      return origin.url;
    case "registry":
      return NPM + origin.url;
    case "git":
      return `${GIT}${origin.url}#${origin.commit}`;
    default: {
      const shorter = relative(folder, origin.path).split(sep).join("/");
      return FILE + (isAbsolute(shorter) || shorter.length >= origin.path.length ? origin.path : shorter);
    }
  }
}

/** Reads an origin as a lock in `folder` has it. Undefined: no origin is written like that. */
export function originOf(text: string, folder: string): PackageOrigin | undefined {
  if (text.startsWith(FILE)) {
    const path = resolve(folder, text.slice(FILE.length));
    return { kind: ARCHIVE.test(path) ? "archive" : "folder", path };
  }
  const registry = text.startsWith(NPM);
  const url = registry ? text.slice(NPM.length) : text;
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return { kind: registry ? "registry" : "url", url };
  const [, repository, commit = ""] = text.startsWith(GIT) ? (GIT_URL.exec(text) ?? []) : [];
  return repository !== undefined && /^[0-9a-f]{40}$/.test(commit)
    ? { kind: "git", url: repository, commit }
    : undefined;
}
