// What a command of an agent's work sees beside the project: what is installed, its own home folder, and git's settings.
import { basename, join } from "node:path";
import { projectOf } from "../../core/policy/project.ts";
import { realPath } from "../../core/policy/real-path.ts";
import type { Host } from "../../core/tool/host.ts";
import { allowedHosts } from "./allowed-hosts.ts";
import { installationsOnPath } from "./host/confined-mounts.ts";

export interface WorkPlaces {
  /** Absolute: what may be written. */
  readonly project: string;
  /** See `Confinement`. Deleting it loses nothing but caches. */
  readonly privateFolder: string;
  readonly reads: readonly string[];
  readonly hosts: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const GIT_SETTINGS_BYTES_MAX = 1024 * 1024;

export function workPlaces(host: Host, cwd: string): WorkPlaces {
  const project = projectOf(cwd, host);
  const { home, cache } = host.folders;
  const name = `${basename(project)}-${host.sha256(project).slice(0, 12)}`;
  const privateFolder = join(realPath(cache, host), "private", name);
  const gitSettings = ownGitSettings(privateFolder, host);
  // Programs of rustup find their toolchains there, and the home folder is another.
  const rustup = host.environment("RUSTUP_HOME") ?? join(home, ".rustup");
  const hasRustup = host.instant.stat(rustup)?.kind === "folder";
  return {
    project,
    privateFolder,
    reads: [
      ...installationsOnPath(),
      ...(gitSettings === undefined ? [] : [gitSettings]),
      ...(hasRustup ? [rustup] : []),
    ],
    hosts: allowedHosts(project, host).map((one) => one.host),
    environment: {
      ...(gitSettings === undefined ? {} : { GIT_CONFIG_GLOBAL: gitSettings }),
      ...(hasRustup ? { RUSTUP_HOME: rustup } : {}),
    },
  };
}

/**
 * Returns a file with the name and address of who commits, if git's settings of the person say them: the rest may name
 * passwords. It is beside what commands may write.
 */
function ownGitSettings(folder: string, host: Host): string | undefined {
  const { home } = host.folders;
  const texts = [join(home, ".config", "git", "config"), join(home, ".gitconfig")].map((path) => textOf(path, host));
  const user = texts
    .flatMap((text) => [...text.matchAll(/^[ \t]*\[user\][^[]*/gim)].map(([section]) => section))
    .join("\n");
  const lines = ["name", "email"].flatMap((key) => {
    const value = [...user.matchAll(new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*(.+)$`, "gim"))].at(-1)?.[1];
    return value === undefined ? [] : [`\t${key} = ${value}\n`];
  });
  if (lines.length === 0) return undefined;
  const path = join(folder, "gitconfig");
  const text = `[user]\n${lines.join("")}`;
  if (textOf(path, host) !== text) host.instant.replace(path, text);
  return path;
}

function textOf(path: string, host: Host): string {
  if (host.instant.stat(path)?.kind !== "file") return "";
  return new TextDecoder().decode(host.instant.readStart(path, GIT_SETTINGS_BYTES_MAX));
}
