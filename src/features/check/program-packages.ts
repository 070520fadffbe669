// The package of a missing program: its name in Homebrew, Debian and winget if it differs from the program's.
import type { Platform } from "../../core/tool/command.ts";

interface PackageNames {
  readonly brew?: string;
  /** `none` means that Debian and its derivatives have no such package. */
  readonly apt?: string;
  readonly winget?: string;
}

const packages: Readonly<Record<string, PackageNames>> = {
  bash: { winget: "Git.Git" },
  curl: { winget: "cURL.cURL" },
  dig: { brew: "bind", apt: "dnsutils" },
  docker: { apt: "docker.io", winget: "Docker.DockerDesktop" },
  fd: { apt: "fd-find", winget: "sharkdp.fd" },
  file: {},
  find: { brew: "findutils", apt: "findutils" },
  gh: { winget: "GitHub.cli" },
  git: { winget: "Git.Git" },
  jq: { winget: "jqlang.jq" },
  lsof: {},
  node: { apt: "nodejs", winget: "OpenJS.NodeJS.LTS" },
  ps: { apt: "procps" },
  pwsh: { brew: "powershell", apt: "none", winget: "Microsoft.PowerShell" },
  python3: { brew: "python", winget: "Python.Python.3.13" },
  rg: { brew: "ripgrep", apt: "ripgrep", winget: "BurntSushi.ripgrep.MSVC" },
  sqlite3: { brew: "sqlite", winget: "SQLite.SQLite" },
  ss: { brew: "iproute2mac", apt: "iproute2" },
  tar: {},
  tree: {},
  unzip: {},
  zsh: {},
};

/** Returns undefined if no package of Debian is known. */
export function debianPackage(program: string): string | undefined {
  const names = packages[program];
  return names === undefined || names.apt === "none" ? undefined : (names.apt ?? program);
}

/** Returns a command if the package is known, else advice. */
export function installText(program: string, platform: Platform): string {
  const names = packages[program];
  if (names) {
    if (platform === "macos") return `brew install ${names.brew ?? program}`;
    if (platform === "linux" && names.apt === "none")
      return `install \`${program}\` from its vendor; Debian has no package for it`;
    if (platform === "linux")
      return `apt install ${names.apt ?? program}, or the same with your system's package manager`;
    if (names.winget !== undefined) return `winget install ${names.winget}`;
  }
  return `install \`${program}\` so that it is on PATH`;
}
