// The system calls of a run into which a fault can be put, and the errors that the system returns there.
import { fileURLToPath } from "node:url";

const repository = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const writes = ["ENOSPC", "EROFS"];
const errorsOf = {
  openat: ["EIO", "EMFILE", "EACCES"],
  read: ["EIO"],
  pread64: ["EIO"],
  write: ["ENOSPC"],
  pwrite64: ["ENOSPC"],
  writev: ["EIO"],
  close: ["EIO"],
  stat: ["EIO", "EACCES"],
  lstat: ["EIO", "EACCES"],
  fstat: ["EIO"],
  newfstatat: ["EIO", "EACCES"],
  statx: ["EIO", "EACCES"],
  access: ["EACCES"],
  getdents64: ["EIO"],
  rename: ["ENOSPC"],
  renameat2: ["ENOSPC"],
  link: ["EPERM"],
  symlink: ["EPERM"],
  unlink: ["EROFS"],
  unlinkat: ["EROFS"],
  rmdir: ["EBUSY"],
  mkdir: ["EROFS"],
  fsync: ["EIO"],
  fdatasync: ["EIO"],
  ftruncate: ["EIO"],
  chmod: ["EPERM"],
  fchmod: ["EPERM"],
  fchown: ["EPERM"],
  utimensat: ["EPERM"],
  readlink: ["EIO"],
  copy_file_range: ["EIO"],
  pipe2: ["EMFILE"],
  socketpair: ["EMFILE"],
  clone: ["EAGAIN"],
  clone3: ["EAGAIN"],
  vfork: ["EAGAIN"],
  socket: ["EMFILE"],
  connect: ["ENETUNREACH"],
  bind: ["EADDRNOTAVAIL"],
  listen: ["EADDRINUSE"],
  accept4: ["EMFILE", "ECONNABORTED"],
  inotify_init1: ["EMFILE"],
  inotify_add_watch: ["ENOSPC"],
};
/** The limit of calls of one kind at one place, such as reads of a folder. */
const SAME_MAX = 3;
/** Calls that create something without a path. */
const pathless = new Set(["pipe2", "socketpair", "socket", "clone", "clone3", "vfork", "inotify_init1"]);

/**
 * Returns a list of { thread, call, ordinal, error, place }; `place` is the path or kind of the descriptor, for people.
 * Among sockets and pipes, only the sockets count that the run makes or accepts, which lead to processes, servers and
 * clients. The pipes are libuv's own, and no system refuses to close either: see README.md.
 */
export function targetsOf({ lines, threads }, folder) {
  const counts = new Map();
  const times = new Map();
  const made = new Set(
    lines
      .filter((line) => /\b(pipe2|socketpair|socket|accept4)\(/.test(line))
      .flatMap((line) => line.match(/(?<=<)(?:pipe|UNIX|UNIX-STREAM|socket):\[\d+/g) ?? []),
  );
  return lines.flatMap((line) => {
    const [, id, call, rest] = /^(\d+)\s+(\w+)\((.*)$/.exec(line) ?? [];
    if (id === undefined || !(call in errorsOf)) return [];
    const thread = Number(id) === threads.main ? "main" : "pool";
    const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1).get(key);
    const path = pathOf(call, rest, folder);
    const ofAll = count(`${thread} ${call}`);
    const ofPath = path === undefined ? undefined : count(`${thread} ${call} ${path}`);
    const place = path === undefined ? undefined : plainPlace(path, folder);
    const pipe = /^\d+<(\w[\w-]*:\[\d+)/.exec(rest)?.[1];
    if (
      place === undefined ||
      (pipe !== undefined && (!made.has(pipe) || call === "close" || pipe.startsWith("pipe:")))
    )
      return [];
    const time = (times.get(`${call} ${place}`) ?? 0) + 1;
    times.set(`${call} ${place}`, time);
    return time > SAME_MAX
      ? []
      : errorsFor(call, rest).map((error) => ({
          thread,
          call,
          error,
          place,
          ...(isStable(path, folder) ? { path, ordinal: ofPath } : { ordinal: ofAll }),
        }));
  });
}

function errorsFor(call, rest) {
  return call === "openat" && /O_(WRONLY|RDWR|CREAT)/.test(rest)
    ? writes
    : call === "write" && /^\d+<(?:pipe|UNIX|socket)/.test(rest)
      ? ["EIO"]
      : errorsOf[call];
}

/** Returns the path, or undefined if the call belongs to the start of the program, to its modules or to Node itself. */
function pathOf(call, rest, folder) {
  if (pathless.has(call)) return "";
  const [, descriptor, opened] = /^(\d+)<([^>]*)>/.exec(rest) ?? [];
  if (descriptor !== undefined && Number(descriptor) <= 2) return undefined;
  const named = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1];
  const isFromFolder = /^AT_FDCWD/.test(rest);
  const path = descriptor === undefined || (/at|statx/.test(call) && named) ? named : opened;
  if (path === undefined || path === "" || /^(anon_inode|\/dev\/|\/sys\/|\/proc\/(\w+\/task|sys|loadavg))/.test(path))
    return undefined;
  if (path === repository || path.startsWith(`${repository}/`) || repository.startsWith(path)) return undefined;
  return isFromFolder && !path.startsWith("/") ? `${folder}/${path}` : path;
}

/**
 * Whether the next run uses the same path. If so, strace counts the calls at that path, and other work of the machine
 * does not shift them.
 */
function isStable(path, folder) {
  return path.startsWith(`${folder}/`) && !/\.tmp$|dottool-run-/.test(path);
}

/** Returns the place without parts that vary between runs. */
export function plainPlace(path, folder) {
  return (
    path
      .replaceAll(folder, "")
      .replace(/^\/proc\/\d+/, "/proc/PROCESS")
      .replaceAll(/[0-9a-f]{8,}/g, "HASH")
      .replaceAll(/\[\d+\]/g, "")
      .replaceAll(/\d{6,}/g, "N")
      .replaceAll(/(dottool-(?:faults|run)-)[A-Za-z0-9]{6}/g, "$1RANDOM") || "/"
  );
}

/** Returns the place that the fault hit, or undefined if the program did not reach it. */
export function placeHit(lines, { call }, folder) {
  const line = lines.find((one) => one.includes("(INJECTED)"));
  if (line === undefined) return undefined;
  const [, rest = ""] = new RegExp(`${call}\\((.*)$`).exec(line) ?? [];
  const path = pathOf(call, rest, folder);
  return path === undefined ? "elsewhere" : plainPlace(path, folder);
}
