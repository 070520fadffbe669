// Packages of tools in the registry that npm uses: those with the keyword `dottool`.
import { isJsonObject, type Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { isPackageName } from "./manifest.ts";
import { Refusal } from "./refusal.ts";
import { ask, jsonOf, registryOf } from "./registry-settings.ts";

export const PACKAGE_KEYWORD = "dottool";
const FOUND_MAX = 100;

interface FoundPackage {
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

export async function searchPackages(query: string, host: Host): Promise<readonly FoundPackage[]> {
  const found = await askFor(`${query} keywords:${PACKAGE_KEYWORD}`, host);
  // Not every registry knows keywords in a query.
  return found.length > 0 ? found : askFor(query, host);
}

async function askFor(text: string, host: Host): Promise<readonly FoundPackage[]> {
  // A name without a scope, because the search is of the registry for all.
  const registry = registryOf(PACKAGE_KEYWORD, host);
  const url = new URL("-/v1/search", registry);
  url.searchParams.set("text", text);
  url.searchParams.set("size", String(FOUND_MAX));
  const answer = await ask({ url: url.href }, host);
  if (answer.kind === "failed")
    throw new Refusal("failed", `\`${registry}\` cannot be searched: ${answer.reason}`, [
      "some registries have no search; `dottool add NAME` needs none",
    ]);
  const json = jsonOf(answer.bytes);
  const objects = isJsonObject(json) && Array.isArray(json["objects"]) ? (json["objects"] as readonly Json[]) : [];
  return objects.flatMap((one) => foundOf(isJsonObject(one) ? one["package"] : undefined) ?? []);
}

function foundOf(json: Json | undefined): FoundPackage | undefined {
  if (json === undefined || !isJsonObject(json)) return undefined;
  const { name, description = "", keywords = [], "dist-tags": tags = {} } = json;
  const version = json["version"] ?? (isJsonObject(tags) ? tags["latest"] : undefined);
  if (typeof name !== "string" || !isPackageName(name) || typeof version !== "string") return undefined;
  const isOurs = Array.isArray(keywords) && (keywords as readonly Json[]).includes(PACKAGE_KEYWORD);
  return isOurs ? { name, version, description: typeof description === "string" ? description : "" } : undefined;
}
