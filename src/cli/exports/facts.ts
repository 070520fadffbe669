// What an export says about a tool folder: the name, version and authors in the folder's `package.json`, and its tools.
import { Buffer } from "node:buffer";

export interface ExportedTool {
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** What `NAME --help` prints, without colors. */
  readonly help: string;
}

export interface ExportFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** As npm documents it for `package.json`. */
  readonly author?: { readonly name: string; readonly email?: string; readonly url?: string };
  readonly license?: string;
  readonly homepage?: string;
  readonly repository?: string;
  readonly keywords?: readonly string[];
  readonly tools: readonly ExportedTool[];
}

export interface ExportSource {
  /** The given name, or undefined for that of `package.json` or `folderName`. */
  readonly name: string | undefined;
  readonly folderName: string;
  /** Empty if the folder has no `package.json`. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly tools: readonly ExportedTool[];
}

export const VERSION_DEFAULT = "0.0.0";
/** Accepted by every form: lowercase letters and digits, joined by single hyphens. */
export const EXPORT_NAME = /^(?=.{1,32}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const DESCRIPTION_CHARACTERS_MAX = 400;

export function exportFacts({ name, folderName, manifest, tools }: ExportSource): ExportFacts {
  const { version, description, license, homepage, keywords } = manifest;
  const author = authorIn(manifest["author"]);
  const repository = repositoryIn(manifest["repository"]);
  return {
    name: name ?? nameFrom(textOf(manifest["name"])?.replace(/^@[^/]*\//, "") ?? folderName),
    version: textOf(version) ?? VERSION_DEFAULT,
    description: textOf(description) ?? descriptionOf(tools),
    ...(author ? { author } : {}),
    ...(textOf(license) === undefined ? {} : { license: String(license) }),
    ...(textOf(homepage) === undefined ? {} : { homepage: String(homepage) }),
    ...(repository === undefined ? {} : { repository }),
    ...(Array.isArray(keywords) && keywords.length > 0 ? { keywords: keywords.map(String) } : {}),
    tools,
  };
}

/** Reads `package.json`, which may be broken: `dottool check` reports that. */
export function manifestIn(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): Readonly<Record<string, unknown>> {
  const found = files.find(({ path }) => path === "package.json");
  if (!found) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(found.bytes).toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns the nearest name that every form accepts; it may be empty. */
function nameFrom(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words
    .join("-")
    .replace(/^[0-9-]+/, "")
    .slice(0, 32)
    .replace(/-$/, "");
}

function descriptionOf(tools: readonly ExportedTool[]): string {
  const count = `${tools.length} tool${tools.length === 1 ? "" : "s"}`;
  const whole = `${count}: ${tools.map(({ name }) => name).join(", ")}`;
  return whole.length <= DESCRIPTION_CHARACTERS_MAX ? whole : `${whole.slice(0, DESCRIPTION_CHARACTERS_MAX - 2)} …`;
}

/** npm's short form is `Name <email> (url)`. */
function authorIn(value: unknown): ExportFacts["author"] {
  const { name, email, url } =
    typeof value === "string"
      ? (/^(?<name>[^<(]+?)\s*(?:<(?<email>[^>]*)>)?\s*(?:\((?<url>[^)]*)\))?$/.exec(value.trim())?.groups ?? {})
      : ((value ?? {}) as Readonly<Record<string, unknown>>);
  const named = textOf(name);
  if (named === undefined) return undefined;
  return {
    name: named,
    ...(textOf(email) === undefined ? {} : { email: String(email) }),
    ...(textOf(url) === undefined ? {} : { url: String(url) }),
  };
}

function repositoryIn(value: unknown): string | undefined {
  const url = textOf(typeof value === "object" && value !== null ? (value as { readonly url?: unknown }).url : value);
  if (url === undefined) return undefined;
  return /^[\w.-]+\/[\w.-]+$/.test(url) ? `https://github.com/${url}` : url.replace(/^git\+/, "");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}
