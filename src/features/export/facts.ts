// What an export says about a tool folder: the name, version and authors in the folder's `package.json`, and its tools.
import { Buffer } from "node:buffer";
import type { Effect } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";

export interface ExportedTool {
  readonly name: string;
  readonly tool: Tool;
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
  /** For npm: as in `package.json`, or the name. */
  readonly packageName: string;
  /** The packages that plugins import, with their ranges. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** For the MCP registry; absent if neither `mcpName` nor a repository on GitHub says it. */
  readonly registryName?: string;
}

interface ExportSource {
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
/** As npm documents `name` of `package.json`. */
const PACKAGE_NAME = /^(?=.{1,214}$)(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
/** https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md */
const REGISTRY_NAME = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

export function exportFacts({ name, folderName, manifest, tools }: ExportSource): ExportFacts {
  const { version, description, license, homepage, keywords } = manifest;
  const author = authorIn(manifest["author"]);
  const repository = repositoryIn(manifest["repository"]);
  const packaged = textOf(manifest["name"]);
  const named = name ?? nameFrom(packaged?.replace(/^@[^/]*\//, "") ?? folderName);
  const registryName = registryNameIn(textOf(manifest["mcpName"]), repository, named);
  return {
    name: named,
    version: textOf(version) ?? VERSION_DEFAULT,
    description: textOf(description) ?? descriptionOf(tools),
    ...(author ? { author } : {}),
    ...present({ license: textOf(license), homepage: textOf(homepage), repository }),
    ...(Array.isArray(keywords) && keywords.length > 0
      ? { keywords: keywords.flatMap((word) => textOf(word) ?? []) }
      : {}),
    tools,
    packageName: name === undefined ? packageNameIn(packaged, named) : name,
    dependencies: dependenciesIn(manifest["dependencies"]),
    ...(registryName === undefined ? {} : { registryName }),
  };
}

export function effectsText(effects: readonly Effect[]): string {
  return effects.length === 0 ? "Its effects are not known." : `Effects: ${effects.join(", ")}.`;
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
  return cutText(whole, DESCRIPTION_CHARACTERS_MAX);
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
    ...present({ email: textOf(email), url: textOf(url) }),
  };
}

function repositoryIn(value: unknown): string | undefined {
  const url = textOf(typeof value === "object" && value !== null ? (value as { readonly url?: unknown }).url : value);
  if (url === undefined) return undefined;
  return /^[\w.-]+\/[\w.-]+$/.test(url) ? `https://github.com/${url}` : url.replace(/^git\+/, "");
}

/** Keeps the scope of a name that npm does not take. */
function packageNameIn(given: string | undefined, name: string): string {
  if (given === undefined || PACKAGE_NAME.test(given)) return given ?? name;
  const scoped = `${/^@[^/]*\//.exec(given)?.[0] ?? ""}${name}`;
  return PACKAGE_NAME.test(scoped) ? scoped : name;
}

/** The first part of a name says who may publish it: here the owner of the repository. */
function registryNameIn(given: string | undefined, repository: string | undefined, name: string): string | undefined {
  if (given !== undefined && REGISTRY_NAME.test(given)) return given;
  const owner = /^(?:https:\/\/github\.com\/|git@github\.com:|github:)([\w-]+)\//.exec(repository ?? "")?.[1];
  return owner === undefined ? undefined : `io.github.${owner}/${name}`;
}

function dependenciesIn(value: unknown): Readonly<Record<string, string>> {
  const given = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

/** Returns at most so many characters, the last one `…` if some are left out, and no half of a character. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  const start = text.slice(0, charactersMax - 1).replace(/[\uD800-\uDBFF]$/, "");
  return `${start.trimEnd()}…`;
}

/** Leaves out what is undefined. */
function present<Key extends string>(
  values: Readonly<Record<Key, string | undefined>>,
): { readonly [Name in Key]?: string } {
  const given = Object.entries<string | undefined>(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { readonly [Name in Key]?: string };
}

/** Returns one line: what is written may be a comment or a heading. */
function textOf(value: unknown): string | undefined {
  const line = typeof value === "string" ? value.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim() : "";
  return line === "" ? undefined : line;
}
