// `config.yaml` of the user's own folder, as text. A project's is not read until it is trusted.
import { join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";

export interface UserConfig {
  /** Absolute. */
  readonly path: string;
  /** Empty when there is no such file. */
  readonly text: string;
  /** Why the file cannot be used. */
  readonly trouble?: string;
}

const CONFIG_BYTES_MAX = 1024 * 1024;
const OTHERS_MAY_WRITE = 0o002;

export function userConfigPath(host: Host): string {
  return join(host.folders.config, "config.yaml");
}

/** It names programs that run and where keys are, so it has to be the user's own. */
export function readUserConfig(host: Host): UserConfig {
  const path = userConfigPath(host);
  const stat = host.instant.stat(path);
  if (!stat) return { path, text: "", ...hidden(path, host) };
  if (!stat.isOwn) return { path, text: "", trouble: "belongs to another user" };
  if (host.platform !== "windows" && (stat.mode & OTHERS_MAY_WRITE) !== 0)
    return { path, text: "", trouble: "can be written by everybody" };
  try {
    return { path, text: new TextDecoder().decode(host.instant.readBytes(path, CONFIG_BYTES_MAX)) };
  } catch (error) {
    return { path, text: "", trouble: troubleOf(error) };
  }
}

function troubleOf(error: unknown): string {
  return codeOf(error) === "EFBIG"
    ? `has more than ${CONFIG_BYTES_MAX} bytes`
    : `cannot be read (${codeOf(error) ?? "error"})`;
}

/**
 * A file may be there where nobody sees one: behind a link whose end is gone, or in a folder that may not be searched.
 */
function hidden(path: string, host: Host): Pick<UserConfig, "trouble"> {
  if (host.instant.isLink(path)) return { trouble: "is a link that leads to no file" };
  try {
    host.instant.readStart(path, 0);
    return {};
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" ? {} : { trouble: troubleOf(error) };
  }
}
