// The folders in which this program stores its files: the XDG folders, on macOS too (as other command-line programs
// do), and AppData on Windows.
import { isAbsolute, join } from "node:path";
import process from "node:process";
import type { Platform } from "../../tool/command.ts";
import type { HostFolders } from "../../tool/host.ts";

const NAME = "dottool";

type ReadVariable = (name: string) => string | undefined;

export function ownFolders(): HostFolders {
  return findFolders(currentPlatform(), (name) => process.env[name]);
}

export function currentPlatform(): Platform {
  if (process.platform === "win32") return "windows";
  return process.platform === "darwin" ? "macos" : "linux";
}

export function findFolders(platform: Platform, environment: ReadVariable): HostFolders {
  // The XDG specification says to ignore relative paths; the same rule keeps HOME from pointing into a project.
  const absolute: ReadVariable = (name) => {
    const value = environment(name);
    if (value === undefined || !isAbsolute(value)) return undefined;
    return value.includes("\uFFFD") && isLost(name) ? join(NOWHERE, value) : value;
  };
  const home = findHome(platform, absolute);
  const local = absolute("LOCALAPPDATA") ?? join(home, "AppData", "Local");
  const fallbacks =
    platform === "windows"
      ? {
          config: join(absolute("APPDATA") ?? join(home, "AppData", "Roaming"), NAME),
          state: join(local, NAME, "state"),
          cache: join(local, NAME, "cache"),
        }
      : {
          config: join(home, ".config", NAME),
          state: join(home, ".local", "state", NAME),
          cache: join(home, ".cache", NAME),
        };
  const xdg = (variable: string, fallback: string): string => {
    const folder = absolute(variable);
    return folder === undefined ? fallback : join(folder, NAME);
  };
  return {
    home,
    config: xdg("XDG_CONFIG_HOME", fallbacks.config),
    state: xdg("XDG_STATE_HOME", fallbacks.state),
    cache: xdg("XDG_CACHE_HOME", fallbacks.cache),
    get temporary(): string {
      const temporary = system().tmpdir();
      return isAbsolute(temporary) ? temporary : join(platform === "windows" ? home : "/", "tmp");
    },
  };
}

/** A path that nothing can be below, so that reading and writing fail as in any other unusable folder. */
const NOWHERE = "/dev/null";

/**
 * Returns whether a variable is not UTF-8: the runtime replaces bytes with U+FFFD, which would be another folder. False
 * if the system does not show the bytes: only Linux does.
 */
function isLost(variable: string): boolean {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    const bytes = readFileSync("/proc/self/environ");
    const start = bytes.indexOf(`\0${variable}=`, 0, "latin1") + 1;
    if (start === 0 && !bytes.toString("latin1").startsWith(`${variable}=`)) return false;
    new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, bytes.indexOf(0, start)));
    return false;
  } catch (error) {
    return error instanceof TypeError;
  }
}

/** Loads node:os when first used, which takes 0.3 ms that most calls do not need. */
function system(): typeof import("node:os") {
  return process.getBuiltinModule("node:os");
}

function findHome(platform: Platform, absolute: ReadVariable): string {
  const named = absolute(platform === "windows" ? "USERPROFILE" : "HOME");
  if (named !== undefined) return named;
  try {
    const registered = system().userInfo().homedir;
    if (isAbsolute(registered)) return registered;
  } catch {
    // A container may run as a user that is unknown to the system.
  }
  // Only the owners of the machine can write to the root, so no other user can plant files there, as in a temporary
  // folder.
  return platform === "windows" ? "C:\\" : "/";
}
