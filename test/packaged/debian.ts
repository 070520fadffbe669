// Debian 13 in a folder of the user's cache, where programs of Windows run under Wine and those of Linux for arm64 find
// their libraries. scripts/wine.mjs makes it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { leaveOut } from "../programs-needed.ts";

export const repository = fileURLToPath(new URL("../..", import.meta.url));
export const debian = process.env["DOTTOOL_WINE"] ?? join(homedir(), ".cache/dottool-wine");
/** The libraries of Debian for arm64, by their paths there. */
export const armLibraries = join(debian, "arm64/root");
/** Written when everything is in place. */
export const readyFile = join(debian, "dottool-ready");

/** The repository there. */
const REPOSITORY = "/dottool";
// In a namespace of its own, so that nothing stays mounted. It cannot change the repository, nor devices of this machine.
const ENTER = `set -e
  mount -t proc proc "$1/proc"
  mount -t tmpfs -o mode=755 dev "$1/dev"
  cd "$1/dev"
  mknod -m 666 null c 1 3
  mknod -m 666 zero c 1 5
  mknod -m 666 random c 1 8
  mknod -m 666 urandom c 1 9
  mknod -m 666 tty c 5 0
  mkdir pts shm
  mount -t devpts -o newinstance,ptmxmode=0666 devpts pts
  ln -s pts/ptmx ptmx
  ln -s /proc/self/fd fd
  mount --bind "$2" "$1$3"
  mount -o remount,bind,ro "$1$3"
  cd /
  shift 3
  exec chroot "$@"`;

export interface WineRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface WineOptions {
  /** A folder of Debian, as `wineFolder` returns it. Default: the repository. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Whether it writes to a terminal, so that `stdout` has its control characters. */
  readonly hasTerminal?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

export function needDebian(): void {
  if (!existsSync(readyFile)) leaveOut("there is no Debian with Wine; `npm run test:wine` makes it");
}

/** Runs words in Debian as root. */
export function inDebian(words: readonly string[], options: WineOptions = {}): ReturnType<typeof spawnSync> {
  mkdirSync(join(debian, REPOSITORY), { recursive: true });
  const environment = Object.entries({
    PATH: "/usr/bin:/bin:/usr/sbin:/sbin",
    HOME: "/root",
    LANG: "C.UTF-8",
    TERM: "xterm",
    XDG_RUNTIME_DIR: "/tmp",
    WINEDEBUG: "-all",
    ...options.environment,
  }).map(([name, value]) => `${name}=${value}`);
  return spawnSync(
    "unshare",
    ["--mount", "sh", "-c", ENTER, "sh", debian, repository, REPOSITORY, debian, "env", "-i", ...environment, ...words],
    { timeout: HANG_MS_MAX, encoding: "utf8", input: options.stdin ?? "" },
  );
}

/** Returns the path of a new empty folder, as Debian and as this system see it. */
export function wineFolder(): { readonly inside: string; readonly path: string; remove(): void } {
  const path = mkdtempSync(join(debian, "tmp/work-"));
  return { inside: `/tmp/${basename(path)}`, path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Runs a program of Windows. Its streams are files or a terminal, because for a pipe of Linux Wine gives Node a handle
 * that it cannot write to (EBADF).
 */
export function wine(program: string, words: readonly string[], options: WineOptions = {}): WineRun {
  const streams = mkdtempSync(join(debian, "tmp/streams-"));
  try {
    const inside = `/tmp/${basename(streams)}`;
    writeFileSync(join(streams, "in"), options.stdin ?? "");
    const plain = `wine "$@" <${inside}/in >${inside}/out 2>${inside}/err`;
    // `script` gives the command a terminal, and writes what it shows to a file.
    const line = options.hasTerminal
      ? `printf '%s\\n' 'exec wine "$@"' >${inside}/run && exec script -qefc "$(printf '%q ' bash ${inside}/run "$@")" ${inside}/out </dev/null >/dev/null`
      : `exec ${plain}`;
    const { status } = inDebian(
      ["bash", "-c", `cd "$0" && ${line}`, options.cwd ?? REPOSITORY, `${REPOSITORY}/${program}`, ...words],
      { ...options, stdin: "" },
    );
    const read = (name: string): string =>
      existsSync(join(streams, name)) ? readFileSync(join(streams, name), "utf8") : "";
    return { exitCode: status, stdout: read("out"), stderr: read("err") };
  } finally {
    rmSync(streams, { recursive: true, force: true });
  }
}
