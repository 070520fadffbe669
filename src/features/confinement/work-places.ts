// What a command of an agent's work sees beside the project: what is installed, its own home folder, and git's settings.
import { basename, join } from "node:path";
import { projectOf } from "../../core/policy/project.ts";
import { realPath } from "../../core/policy/real-path.ts";
import type { Host } from "../../core/tool/host.ts";
import { allowedHosts } from "./allowed-hosts.ts";
import { installationsOnPath } from "./host/confined-mounts.ts";
import { hasGitLogin } from "./host/project-keys.ts";

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
  // Who made a commit is in git's own settings, which name no secret: those with a login stay hidden.
  const gitSettings = [join(home, ".gitconfig"), join(home, ".config", "git", "config")].find(
    (path) => host.instant.stat(path)?.kind === "file" && !hasGitLogin(textOf(path, host)),
  );
  // Programs of rustup find their toolchains there, and the home folder is another.
  const rustup = host.environment("RUSTUP_HOME") ?? join(home, ".rustup");
  const hasRustup = host.instant.stat(rustup)?.kind === "folder";
  return {
    project,
    privateFolder: join(realPath(cache, host), "private", name),
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

function textOf(path: string, host: Host): string {
  return new TextDecoder("latin1").decode(host.instant.readStart(path, GIT_SETTINGS_BYTES_MAX));
}
