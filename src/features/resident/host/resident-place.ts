// Where the resident process of an executable listens: a socket in a folder that only its user can enter. Its name has
// the facts of the executable, so that another one, or another version of it, has another socket.
import { lstatSync, mkdirSync, statSync } from "node:fs";
import process from "node:process";
import { isAbsolute, join } from "node:path";
import { PROTOCOL } from "./frames.ts";

export interface ResidentPlace {
  readonly folder: string;
  readonly socket: string;
}

const FOLDER_MODE = 0o700;
const MODE_BITS = 0o777;
/** `sun_path` of unix(7), with its NUL. */
const SOCKET_PATH_BYTES = 108;

/** Throws if the executable is gone. launcher.c makes the same path. */
export function residentPlace(executable: string, runtimeFolder: string | undefined): ResidentPlace {
  const folder = residentFolder(runtimeFolder);
  return { folder, socket: join(folder, `${executableIdentity(executable)}.${PROTOCOL}`) };
}

/** The private folder of the user for sockets; add_resident_folder of start.c makes the same path. */
export function residentFolder(runtimeFolder: string | undefined): string {
  return runtimeFolder !== undefined && isAbsolute(runtimeFolder)
    ? `${runtimeFolder}/dottool`
    : `/tmp/dottool-${process.getuid?.() ?? 0}`;
}

/** Device, inode, size, and the time of its last change. */
export function executableIdentity(path: string): string {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [dev, ino, size, mtimeNs / 1_000_000_000n, mtimeNs % 1_000_000_000n]
    .map((part) => part.toString(16))
    .join("-");
}

/** Returns why the folder cannot be used; a missing one can, and has no socket. */
export function unusableFolder({ folder }: ResidentPlace): string | undefined {
  const isMissing = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  return isMissing || isPrivate(folder) ? undefined : `the folder \`${folder}\` must be yours alone (mode 700)`;
}

/** Makes the folder where it is missing. Returns why it cannot be used. */
export function readyFolder(place: ResidentPlace): string | undefined {
  const { folder, socket } = place;
  if (Buffer.byteLength(socket) >= SOCKET_PATH_BYTES) return `the path \`${socket}\` is too long for a socket`;
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    return `the folder \`${folder}\` cannot be made: ${error instanceof Error ? error.message : String(error)}`;
  }
  return unusableFolder(place);
}

/** Nobody else can replace a socket in it, or connect to one. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & MODE_BITS) === FOLDER_MODE;
}
