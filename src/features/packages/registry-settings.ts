// Which registry a package comes from, and how to log in there: as npm reads it from the user's `.npmrc` and
// environment. A project's `.npmrc` is not read, because a repository must not choose where packages come from.
import { join } from "node:path";
import type { Host } from "../../core/tool/host.ts";

interface RegistrySettings {
  /** Returns the registry of a package, with a `/` at the end. */
  registryOf(name: string): Promise<string>;
  /** npm's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

const FILE_BYTES_MAX = 1024 * 1024;
const [REGISTRY, CERTIFICATES] = ["registry", "cafile"];
/** Keys that npm's library takes under another name. */
const OPTION_OF: Readonly<Record<string, string>> = { proxy: "proxy", "https-proxy": "httpsProxy", noproxy: "noProxy" };

export function readRegistrySettings(host: Host): RegistrySettings {
  const rows = new Map(rowsOf(host));
  const ofEnvironment = host.environment("npm_config_registry") ?? host.environment("NPM_CONFIG_REGISTRY");
  if (ofEnvironment !== undefined && ofEnvironment !== "") rows.set(REGISTRY, ofEnvironment);
  const registry = rows.get(REGISTRY);
  const options: Record<string, unknown> = registry === undefined ? {} : { registry };
  for (const [key, value] of rows) {
    if (key.startsWith("//") || key.endsWith(":registry")) options[key] = value;
    const option = OPTION_OF[key];
    if (option !== undefined) options[option] = value;
  }
  if (rows.get("strict-ssl") === "false") options["strictSSL"] = false;
  const certificates = rows.get(CERTIFICATES);
  if (certificates !== undefined) options["ca"] = textOf(certificates, host);
  return { registryOf: async (name) => (await host.packages()).registryOf(name, options), options };
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
