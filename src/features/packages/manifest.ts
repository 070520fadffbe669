// `package.json` of a package of tools: npm's own keys, and what `dottool` says in it.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { PackedFile } from "./host/packed-file.ts";
import { Refusal } from "./refusal.ts";

export interface PackageManifest {
  readonly name: string;
  readonly version: string;
  /** The owner of its tools: the scope of its name, or the name. */
  readonly owner: string;
  /** The folder of its definitions, relative to the package; empty for the package itself. */
  readonly tools: string;
  /** Paths of its plugins. */
  readonly plugins: readonly string[];
  /** Packages whose tools it uses: ranges of versions by name. */
  readonly needs: Readonly<Record<string, string>>;
}

export const MANIFEST_NAME = "package.json";
/** A name as npm accepts it for a new package, of at most 214 characters. */
const NAME = /^(?:@([a-z0-9-~][a-z0-9-._~]*)\/)?([a-z0-9-~][a-z0-9-._~]*)$/;
const NAME_CHARACTERS_MAX = 214;
const OWNER = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const KEYS = ["tools", "plugins", "needs"];

/** `shown` is what the package is called until its name is known. */
export async function readManifest(files: readonly PackedFile[], shown: string): Promise<PackageManifest> {
  const json = manifestJson(files, shown);
  const { name, version, dottool } = json;
  const refuse = (message: string, help: string): never => {
    throw new Refusal("definitions", `\`${shown}\`: ${message}`, [help]);
  };
  if (typeof name !== "string" || !isPackageName(name))
    return refuse(
      "`name` in its `package.json` is not the name of a package",
      "use a name such as `text-tools` or `@team/text`",
    );
  const { default: semver } = await import("semver");
  if (typeof version !== "string" || semver.valid(version) !== version)
    return refuse("`version` in its `package.json` is not a version", "use a version such as `1.2.0`");
  if (!isJsonObject(dottool ?? null))
    return refuse(
      "its `package.json` has no `dottool`",
      files.some(({ path }) => path.startsWith(".tools/"))
        ? 'write `"dottool": {"tools": ".tools"}` there, as the tools are in `.tools`'
        : 'a package of tools has `"dottool": {}` there',
    );
  const own = dottool as JsonObject;
  const odd = Object.keys(own).find((key) => !KEYS.includes(key));
  if (odd !== undefined) return refuse(`\`dottool\` has the key \`${odd}\``, `known keys: ${KEYS.join(", ")}`);
  const owner = ownerOf(name);
  if (!OWNER.test(owner))
    return refuse(
      `\`${owner}\` in its name cannot be the owner of tools`,
      "an owner is letters, digits, `_` and `-`, begins with a letter or `_`, and has at most 64 characters",
    );
  const tools = own["tools"] ?? ".";
  if (typeof tools !== "string" || !isInside(tools))
    return refuse("`dottool.tools` is not a folder within the package", 'such as `"tools"`; the default is `"."`');
  const plugins = own["plugins"] ?? [];
  if (!isTexts(plugins) || plugins.some((path) => !path.endsWith(".ts") || !hasFile(files, path)))
    return refuse("`dottool.plugins` is not a list of its `.ts` files", 'such as `["plugins/words.ts"]`');
  const needs = own["needs"] ?? {};
  if (!isJsonObject(needs) || !(await areNeeds(needs)))
    return refuse("`dottool.needs` is not packages with ranges", 'such as `{"@team/base": "^1.2.0"}`');
  return {
    name,
    version,
    owner,
    tools: normal(tools),
    plugins: plugins.map(normal),
    needs: needs as PackageManifest["needs"],
  };
}

function manifestJson(files: readonly PackedFile[], shown: string): JsonObject {
  const file = files.find(({ path }) => path === MANIFEST_NAME);
  if (!file)
    throw new Refusal("definitions", `\`${shown}\` has no \`package.json\``, [
      "a package is a folder of tools with a `package.json` that has `name`, `version` and `dottool`",
    ]);
  return parseManifest(new TextDecoder().decode(file.bytes), shown);
}

export function parseManifest(text: string, shown: string): JsonObject {
  try {
    const json = JSON.parse(text.replace(/^\uFEFF/, "")) as Json;
    if (isJsonObject(json)) return json;
  } catch {
    // Reported below.
  }
  throw new Refusal("definitions", `the \`package.json\` of \`${shown}\` is not a JSON object`);
}

/** Returns the range in which `name` is needed. A package may be called `constructor`, as what every object has. */
export function needOf(needs: PackageManifest["needs"], name: string): string | undefined {
  return Object.hasOwn(needs, name) ? needs[name] : undefined;
}

export function isPackageName(name: string): boolean {
  return name.length <= NAME_CHARACTERS_MAX && NAME.test(name);
}

export function ownerOf(name: string): string {
  const [, scope, own] = NAME.exec(name) ?? [];
  return scope ?? own ?? name;
}

function isInside(path: string): boolean {
  return !/^[/\\]|\\|^[A-Za-z]:/.test(path) && !path.split("/").includes("..");
}

function normal(path: string): string {
  return path
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function hasFile(files: readonly PackedFile[], path: string): boolean {
  return isInside(path) && files.some((file) => file.path === normal(path));
}

function isTexts(value: Json): value is readonly string[] & Json {
  return Array.isArray(value) && (value as readonly Json[]).every((one) => typeof one === "string");
}

async function areNeeds(needs: JsonObject): Promise<boolean> {
  const { default: semver } = await import("semver");
  return Object.entries(needs).every(
    ([name, range]) => isPackageName(name) && typeof range === "string" && semver.validRange(range) !== null,
  );
}
