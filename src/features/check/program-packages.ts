// The package of a missing program: its name in Homebrew, Debian and winget if it differs from the program's.
import { rowOf } from "../../core/text/row-of.ts";
import type { Platform } from "../../core/tool/command.ts";

interface PackageNames {
  readonly brew?: string;
  /** `none` means that Debian and its derivatives have no such package. */
  readonly apt?: string;
  readonly winget?: string;
}

const packages: Readonly<Record<string, PackageNames>> = {
  bash: { winget: "Git.Git" },
  cargo: { brew: "rust" },
  convert: { brew: "imagemagick", apt: "imagemagick", winget: "ImageMagick.ImageMagick" },
  curl: { winget: "cURL.cURL" },
  dig: { brew: "bind", apt: "dnsutils" },
  docker: { apt: "docker.io", winget: "Docker.DockerDesktop" },
  dot: { brew: "graphviz", apt: "graphviz", winget: "Graphviz.Graphviz" },
  fd: { apt: "fd-find", winget: "sharkdp.fd" },
  ffmpeg: { winget: "Gyan.FFmpeg" },
  file: {},
  find: { brew: "findutils", apt: "findutils" },
  gcc: {},
  gh: { winget: "GitHub.cli" },
  git: { winget: "Git.Git" },
  go: { apt: "golang-go", winget: "GoLang.Go" },
  gpg: { brew: "gnupg", apt: "gnupg", winget: "GnuPG.GnuPG" },
  ip: { brew: "iproute2mac", apt: "iproute2" },
  java: { brew: "openjdk", apt: "default-jre-headless" },
  jq: { winget: "jqlang.jq" },
  less: {},
  lsof: {},
  make: { winget: "GnuWin32.Make" },
  mysql: { apt: "default-mysql-client" },
  nc: { brew: "netcat", apt: "netcat-openbsd" },
  node: { apt: "nodejs", winget: "OpenJS.NodeJS.LTS" },
  npm: { brew: "node", winget: "OpenJS.NodeJS.LTS" },
  npx: { brew: "node", apt: "npm", winget: "OpenJS.NodeJS.LTS" },
  openssl: { winget: "ShiningLight.OpenSSL.Light" },
  pandoc: { winget: "JohnMacFarlane.Pandoc" },
  patch: {},
  php: { apt: "php-cli" },
  ping: { brew: "inetutils", apt: "iputils-ping" },
  pip3: { brew: "python", apt: "python3-pip" },
  ps: { apt: "procps" },
  psql: { brew: "libpq", apt: "postgresql-client" },
  pwsh: { brew: "powershell", apt: "none", winget: "Microsoft.PowerShell" },
  python: { apt: "python-is-python3", winget: "Python.Python.3.13" },
  python3: { brew: "python", winget: "Python.Python.3.13" },
  "redis-cli": { brew: "redis", apt: "redis-tools" },
  rg: { brew: "ripgrep", apt: "ripgrep", winget: "BurntSushi.ripgrep.MSVC" },
  rsync: {},
  ruby: {},
  shellcheck: { winget: "koalaman.shellcheck" },
  sqlite3: { brew: "sqlite", winget: "SQLite.SQLite" },
  ss: { brew: "iproute2mac", apt: "iproute2" },
  ssh: { brew: "openssh", apt: "openssh-client" },
  tar: {},
  tree: {},
  unzip: {},
  wget: {},
  xmllint: { brew: "libxml2", apt: "libxml2-utils" },
  zip: {},
  zsh: {},
};

/** Returns undefined if no package of Debian is known. */
export function debianPackage(program: string): string | undefined {
  const names = rowOf(packages, program);
  return names === undefined || names.apt === "none" ? undefined : (names.apt ?? program);
}

/** Returns a command if the package is known, else advice. */
export function installText(program: string, platform: Platform): string {
  const names = rowOf(packages, program);
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
