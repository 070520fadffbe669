// `sandbox` in the user's `config.yaml`: which sandbox commands get without asking for it, and what is shown in it.
import { isAbsolute, join } from "node:path";
import { type Confinement, type SandboxLevel, sandboxLevels } from "../tool/confinement.ts";
import type { Host } from "../tool/host.ts";
import { readUserConfig } from "./user-config.ts";
import type { YamlFields } from "./yaml-fields.ts";

export interface SandboxSettings extends Pick<Confinement, "reads" | "isBestEffort" | "prefix"> {
  /** The lowest level of every command. */
  readonly level: SandboxLevel;
  /** The lowest level of commands of tools that only read. */
  readonly readTools: SandboxLevel;
}

export const sandboxKeys = ["level", "read_tools", "best_effort", "reads", "custom"] as const;

/** Returns undefined if the user has set none. */
export async function readSandboxSettings(host: Host): Promise<SandboxSettings | undefined> {
  const { text, path, trouble } = readUserConfig(host);
  if (trouble !== undefined) throw Object.assign(new Error(`\`${path}\` ${trouble}`), { code: "ECONFIG" });
  const { openYaml } = await import("./yaml-fields.ts");
  const { root, problems } = openYaml(text);
  if (root && !root.names.includes("sandbox")) return undefined;
  const fields = root?.map("sandbox");
  const settings = fields && sandboxSettingsOf(fields, host.folders.home);
  // A mistake must not run a command with a weaker sandbox than was meant.
  if (text !== "" && (problems[0] || !settings))
    throw Object.assign(new Error(`${path}:${problems[0]?.text ?? " `sandbox` must be a map"}`), { code: "ECONFIG" });
  return settings;
}

/** Reads the settings, and complains of what is wrong in them. */
export function sandboxSettingsOf(fields: YamlFields, home: string): SandboxSettings {
  fields.allow(sandboxKeys, "`sandbox`");
  const levelOf = (key: "level" | "read_tools"): SandboxLevel => {
    const text = fields.text(key);
    const level = sandboxLevels.find((one) => one === (text ?? "none"));
    if (!level)
      fields.complain(key, `\`${key}\` must be one of ${sandboxLevels.map((one) => `\`${one}\``).join(", ")}`);
    return level ?? "none";
  };
  const [level, readTools] = [levelOf("level"), levelOf("read_tools")];
  const reads = listedPaths("reads", fields, home);
  const prefix = fields.words("custom");
  if (typeof prefix === "string")
    fields.complain("custom", "`custom` must be a list of words, such as `[docker, run, --rm, -i, IMAGE]`");
  if (prefix === undefined && (level === "custom" || readTools === "custom"))
    fields.complain("custom", "the level `custom` needs `custom`, the words before the command");
  return {
    level,
    readTools,
    reads,
    ...(fields.flag("best_effort") === true ? { isBestEffort: true as const } : {}),
    ...(typeof prefix === "object" && prefix.length > 0 ? { prefix } : {}),
  };
}

/** Reads a list of paths, or one. A `/` at the end stays. */
export function listedPaths(key: string, fields: YamlFields, home: string): readonly string[] {
  const listed = fields.words(key) ?? [];
  return (typeof listed === "string" ? [listed] : listed).flatMap((path) => {
    const full = pathBelow(home, path);
    if (isAbsolute(full)) return [full];
    fields.complain(key, `\`${path.slice(0, 64)}\` in \`${key}\` must begin with \`/\` or \`~/\``);
    return [];
  });
}

/** Returns the path with the home folder in place of `~`. */
export function pathBelow(home: string, path: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : path;
}
