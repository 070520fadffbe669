// Questions to registries, with the settings that npm reads from the user's `.npmrc` and environment. A project's
// `.npmrc` is not read, because a repository must not choose where packages come from.
import { rowOf } from "../../core/text/row-of.ts";
import { join } from "node:path";
import type { Json } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import { askRegistry, pickRegistry, type RegistryAnswer, type RegistryRequest } from "./host/ask-registry.ts";

/** Returns the registry of a package, with a `/` at the end. */
export function registryOf(name: string, host: Host): string {
  return pickRegistry(name, settingsOf(host));
}

/** The document of a package in its registry. */
export function documentOf(name: string, registry: string): string {
  return registry + name.replace("/", "%2f");
}

export function ask(request: Omit<RegistryRequest, "settings">, host: Host): Promise<RegistryAnswer> {
  return askRegistry({ ...request, settings: settingsOf(host) });
}

/** Returns null for an answer that is not JSON, and where there is none. */
export async function askForJson(request: Omit<RegistryRequest, "settings">, host: Host): Promise<Json> {
  const answer = await ask(request, host);
  return answer.kind === "answer" ? jsonOf(answer.bytes) : null;
}

/** Returns null for what is not JSON. */
export function jsonOf(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return null;
  }
}

const FILE_BYTES_MAX = 1024 * 1024;
const [REGISTRY, CERTIFICATES] = ["registry", "cafile"];
/** Keys that npm's library takes under another name. */
const OPTION_OF: Readonly<Record<string, string>> = { proxy: "proxy", "https-proxy": "httpsProxy", noproxy: "noProxy" };

/** Returns npm's options. */
function settingsOf(host: Host): RegistryRequest["settings"] {
  const rows = new Map(rowsOf(host));
  const ofEnvironment = host.environment("npm_config_registry") ?? host.environment("NPM_CONFIG_REGISTRY");
  if (ofEnvironment !== undefined && ofEnvironment !== "") rows.set(REGISTRY, ofEnvironment);
  const registry = rows.get(REGISTRY);
  const options: Record<string, unknown> = registry === undefined ? {} : { registry };
  for (const [key, value] of rows) {
    if (key.startsWith("//") || key.endsWith(":registry")) options[key] = value;
    const option = rowOf(OPTION_OF, key);
    if (option !== undefined) options[option] = value;
  }
  if (rows.get("strict-ssl") === "false") options["strictSSL"] = false;
  const certificates = rows.get(CERTIFICATES);
  if (certificates !== undefined) options["ca"] = textOf(certificates, host);
  return options;
}

function rowsOf(host: Host): readonly (readonly [string, string])[] {
  const path = host.environment("NPM_CONFIG_USERCONFIG") ?? host.environment("npm_config_userconfig");
  const text = textOf(path ?? join(host.folders.home, ".npmrc"), host);
  return text.split("\n").flatMap((line) => {
    const [, key, value] = /^\s*([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    return key === undefined || value === undefined ? [] : [[key, withVariables(unquoted(value), host)] as const];
  });
}

function textOf(path: string, host: Host): string {
  try {
    return new TextDecoder().decode(host.instant.readBytes(path, FILE_BYTES_MAX));
  } catch {
    return "";
  }
}

function unquoted(value: string): string {
  return /^"(.*)"$/.exec(value)?.[1] ?? value;
}

function withVariables(value: string, host: Host): string {
  return value.replaceAll(/\$\{(\w+)\??\}/g, (all, name: string) => host.environment(name) ?? all);
}
