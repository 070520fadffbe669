// The names of the user's secrets, for those who write definitions. Where a secret is kept is not read.
import type { Host } from "../tool/host.ts";
import { readUserConfig } from "./user-config.ts";
import { openYaml } from "./yaml-fields.ts";

export function secretNames(host: Host): readonly string[] {
  const { text, trouble } = readUserConfig(host);
  const { root } = trouble === undefined && text !== "" ? openYaml(text) : {};
  return root?.names.includes("secrets") ? (root.map("secrets")?.names ?? []) : [];
}
