// Failures of the system that no tool has described better: a full disk, a missing permission, a broken disk. They are
// not bugs.
import { rowOf } from "../text/row-of.ts";
import { sep } from "node:path";
import { codeOf, refusedCall, refusedPath, systemCodeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { HostFolders } from "../tool/host.ts";

type FileFailure = Failure & { readonly kind: "file" };

/** Returns undefined for every other error, which is a bug. */
export function systemFailure(error: unknown, folders: HostFolders): Failure | undefined {
  const code = systemCodeOf(error);
  if (code === undefined) return undefined;
  const path = refusedPath(error);
  if (path === undefined)
    return { kind: "rejected", reason: `the system reports ${(error as Error).message}`, help: adviceFor(code) };
  return {
    kind: "file",
    path,
    action: actionOf(error),
    code,
    help: [...adviceFor(code), ...ownFolderHelp(path, folders)],
  };
}

const actions: Readonly<Record<string, FileFailure["action"]>> = {
  stat: "read",
  lstat: "read",
  fstat: "read",
  read: "read",
  readlink: "read",
  realpath: "read",
  access: "read",
  scandir: "list",
  opendir: "list",
  mkdir: "write",
  mkdtemp: "write",
  write: "write",
  fsync: "write",
  ftruncate: "write",
  rename: "write",
  link: "write",
  symlink: "write",
  chmod: "write",
  fchmod: "write",
  copyfile: "write",
  unlink: "remove",
  rmdir: "remove",
  rm: "remove",
};

/** Returns the action. Only the calling code knows why a file was opened. */
function actionOf(error: unknown): FileFailure["action"] {
  const code = codeOf(error) ?? "";
  return (
    rowOf(actions, refusedCall(error) ?? "") ??
    (code === "ENOSPC" || code === "EROFS" || code === "EDQUOT" ? "write" : "open")
  );
}

const advice: Readonly<Record<string, string>> = {
  ENOSPC: "free some space on that disk",
  EDQUOT: "free some space: your disk quota is used up",
  EMFILE: "try again, or raise the limit: `ulimit -n`",
  ENFILE: "try again when the machine is less busy",
  EAGAIN: "try again when the machine is less busy",
  ENOMEM: "try again when the machine is less busy",
  EIO: "check that disk: the system cannot read it or write to it",
  ENOTCONN: "check that mount: its connection is lost",
  ESTALE: "check that mount: its connection is lost",
};

function adviceFor(code: string): readonly string[] {
  const found = rowOf(advice, code);
  return found === undefined ? [] : [found];
}

/** Returns the variable that replaces a folder which cannot be used. */
function ownFolderHelp(path: string, { state, cache, config, temporary }: HostFolders): readonly string[] {
  const rows = [
    [state, "XDG_STATE_HOME", "the state of dottool"],
    [cache, "XDG_CACHE_HOME", "the cache"],
    [config, "XDG_CONFIG_HOME", "the settings"],
    [temporary, "TMPDIR", "temporary files"],
  ] as const;
  const row = rows.find(([folder]) => isAtOrBelow(path, folder) || isAtOrBelow(folder, path));
  return row ? [`set ${row[1]} to use another folder for ${row[2]}`] : [];
}

export function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
