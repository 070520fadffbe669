// The index of a git repository, as far as it says where git writes. Source: gitformat-index(5).
import { Buffer } from "node:buffer";

const HEADER_BYTES = 12;
/** Times, device, inode, mode, owner and size, before the hash. */
const STAT_BYTES = 40;
const IS_EXTENDED = 0x4000;
/** What git itself never adds: parts of a repository, and places outside of the working tree. */
const FOREIGN = /^(?:|\.|\.\.|\.git)$/i;

/** Whether an index names such a place, or cannot be read. `hashBytes`: 20, or 32 for SHA-256. */
export function namesForeignPlace(bytes: Uint8Array, hashBytes: number): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    const version = view.readUInt32BE(4);
    let at = HEADER_BYTES;
    let path = "";
    for (let left = view.readUInt32BE(8); left > 0; left--) {
      const start = at;
      const flags = view.readUInt16BE((at += STAT_BYTES + hashBytes));
      at += (flags & IS_EXTENDED) === 0 ? 2 : 4;
      let taken = path.length;
      if (version === 4) [taken, at] = keptOf(view, at, path.length);
      const end = view.indexOf(0, at);
      if (end === -1) return true;
      path = (version === 4 ? path.slice(0, taken) : "") + view.toString("latin1", at, end);
      at = version === 4 ? end + 1 : start + ((end - start + 8) & ~7);
      // In a split index, an entry in place of another one has no name.
      if (path !== "" && path.split("/").some((part) => FOREIGN.test(part))) return true;
    }
    return view.toString("latin1", 0, 4) !== "DIRC" || at > view.length;
  } catch {
    return true;
  }
}

/** Reads how many characters of the last path are dropped. Returns how many are kept, and where the rest begins. */
function keptOf(view: Buffer, from: number, length: number): [kept: number, at: number] {
  let at = from;
  let byte = view.readUInt8(at++);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = view.readUInt8(at++);
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  return [length - dropped, at];
}
