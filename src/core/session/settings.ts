// The user's settings: the environment first, then `config.yaml` of the user's own folder. A project's file is not read
// until the project is trusted.
import type { ConfigProblem } from "../base/config-problems.ts";
import { readUserConfig } from "../base/user-config.ts";
import type { Session } from "../run/session.ts";
import type { Host } from "../tool/host.ts";
import type { SettingName } from "../tool/tool.ts";
import { isJsonObject, type Json } from "../schema/json.ts";

export type Settings = (name: SettingName) => Promise<string | undefined>;

/**
 * `google_search.key` is GOOGLE_SEARCH_KEY in the environment and `google_search: {key: …}` in the file, which is read
 * once, when first asked for.
 */
export function createSettings(host: Host): Settings {
  let file: Promise<Config> | undefined;
  return async (name) => {
    const fromEnvironment = host.environment(variableOf(name));
    if (fromEnvironment !== undefined && fromEnvironment !== "") return fromEnvironment;
    file ??= readConfig(host);
    const { root, path, problems } = await file;
    const problem = problems.find(({ section }) => section === name.split(".", 1)[0]);
    if (problem) throw unusable(`${path}:${problem.text}`);
    let value: Json | undefined = root;
    for (const key of name.split("."))
      value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    return value === undefined || value === null ? undefined : Array.isArray(value) ? value.join(",") : String(value);
  };
}

/** Returns what reads `sandbox` of `config.yaml`, which is looked at each time: most files have none. */
export function sandboxSettings(host: Host): NonNullable<Session["sandboxSettings"]> {
  return async () => {
    const { text, trouble } = readUserConfig(host);
    if (trouble === undefined && !text.includes("sandbox")) return undefined;
    return (await import("../base/sandbox-settings.ts")).readSandboxSettings(host);
  };
}

export function variableOf(name: SettingName): string {
  if (name === "queue.address") return "DOTTOOL_QUEUE";
  return name.toUpperCase().replaceAll(".", "_");
}

interface Config {
  readonly root: Json;
  readonly path: string;
  readonly problems: readonly ConfigProblem[];
}

/** Throws `{code: "ECONFIG"}` with the problem of the file. */
async function readConfig(host: Host): Promise<Config> {
  const { path, text, trouble } = readUserConfig(host);
  if (trouble !== undefined) throw unusable(`\`${path}\` ${trouble}`);
  if (text === "") return { root: {}, path, problems: [] };
  const { parse } = await import("yaml");
  try {
    const root = parse(text, { logLevel: "error" }) as Json;
    const { configProblems } = await import("../base/config-problems.ts");
    return { root, path, problems: configProblems(text) };
  } catch {
    const { openYaml } = await import("../base/yaml-fields.ts");
    throw unusable(
      `${path}:${openYaml(text).problems[0]?.text ?? " a key is repeated, or an alias expands to too much"}`,
    );
  }
}

function unusable(message: string): Error {
  return Object.assign(new Error(message), { code: "ECONFIG" });
}
