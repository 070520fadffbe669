// The user's `config.yaml`, as text, with what a team's executable sets where the user says nothing. Of a project's, only
// the rules are read until it is trusted.
import { join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";

export interface UserConfig {
  /** Absolute. */
  readonly path: string;
  /** Empty if there is no such file. */
  readonly text: string;
  /** Why the file cannot be used. */
  readonly trouble?: string;
}

const CONFIG_BYTES_MAX = 1024 * 1024;
const OTHERS_MAY_WRITE = 0o002;

export function userConfigPath(host: Host): string {
  return join(host.folders.config, "config.yaml");
}

/** Reads `config.yaml`, which has to be the user's own, because it names programs to run and sources of keys. */
export function readUserConfig(host: Host): UserConfig {
  const path = userConfigPath(host);
  const stat = host.instant.stat(path);
  if (stat && !stat.isOwn) return { path, text: "", trouble: "belongs to another user" };
  if (stat && host.platform !== "windows" && (stat.mode & OTHERS_MAY_WRITE) !== 0)
    return { path, text: "", trouble: "can be written by every user" };
  const own = { path, text: "", ...(stat ? textAt(path, host) : hidden(path, host)) };
  return host.bundle?.config?.completing(own) ?? own;
}

/** Reads the text, whoever owns the file. Returns undefined if there is no such file. */
export function readConfigText(path: string, host: Host): Omit<UserConfig, "path"> | undefined {
  return host.instant.stat(path) ? textAt(path, host) : hidden(path, host);
}

function textAt(path: string, host: Host): Omit<UserConfig, "path"> {
  try {
    return { text: new TextDecoder().decode(host.instant.readBytes(path, CONFIG_BYTES_MAX)) };
  } catch (error) {
    return { text: "", trouble: troubleOf(error) };
  }
}

function troubleOf(error: unknown): string {
  return codeOf(error) === "EFBIG"
    ? `has more than ${CONFIG_BYTES_MAX} bytes`
    : `cannot be read (${codeOf(error) ?? "error"})`;
}

/** A file may exist although `stat` finds none: behind a dangling link, or in a folder that may not be searched. */
function hidden(path: string, host: Host): Omit<UserConfig, "path"> | undefined {
  const isLink = host.instant.isLink(path);
  if (isLink === undefined) return undefined;
  if (isLink) return { text: "", trouble: "is a dangling link" };
  try {
    host.instant.readStart(path, 0);
    return { text: "", trouble: "changed while it was read; try again" };
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR"
      ? undefined
      : { text: "", trouble: troubleOf(error) };
  }
}
