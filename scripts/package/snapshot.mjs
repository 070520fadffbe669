// A snapshot of the program's heap, which the executable begins with instead of loading its code: made by the very Node that it is for.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

const SNAPSHOT_MS_MAX = 60_000;
/** Collections of garbage, after which V8 forgets code that has not run since. Those that Node does for the snapshot are fewer. */
const CODE_AGE_MAX = 4;

/**
 * Any number will do, as long as it is the same: V8 takes a code cache only beside the constants that it was made beside, and where they lie
 * depends on hashes. Each run of the executable takes a seed of its own.
 */
const SEED = 1;

/** Written to the folder `work`: the heap as it is when the script `builder` has run there, as the user whose home folder that is. Gives its path. */
export function takeSnapshot({ node, flags, work, builder, settings = {} }) {
  const file = join(work, `${basename(builder)}.blob`);
  const own = [`--bytecode-old-age=${CODE_AGE_MAX}`, `--hash-seed=${SEED}`, `--random-seed=${SEED}`];
  execFileSync(node, [...flags, ...own, "--snapshot-blob", file, "--build-snapshot", builder], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: work, DOTTOOL_SNAPSHOT: JSON.stringify(settings) },
    timeout: SNAPSHOT_MS_MAX,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return file;
}

const MAGIC = 0x143da19;
/** Of Node's own modules 388 are in 24.21. */
const MODULES_MIN = 100;
const MODULES_MAX = 1_000;
const NAME_BYTES_MAX = 100;

/**
 * The snapshot without the code caches of Node's own modules: they are 3.6 MB, copied at every start, and made beside other constants, so
 * that none is ever taken.
 *
 * Layout, of src/node_snapshotable.cc in Node 24: magic (32 bits), type (8 bits), three texts (64 bits of length before each), flags (32 bits),
 * V8's part (32 bits of length before it), what Node keeps beside it, and last the code caches: their number (64 bits), and for each the
 * module's name and the cache (64 bits of length before both). Nothing says where they begin, but from there they fill the file exactly.
 */
export function withoutCodeCaches(blob) {
  const v8At = v8PartAt(blob);
  let at = v8At + 4 + blob.readUInt32LE(v8At);
  while (at < blob.length && !isCodeCaches(blob, at)) at += 1;
  if (at === blob.length) throw new Error("the snapshot has no code caches, so it is not what it is taken for");
  return Buffer.concat([blob.subarray(0, at), Buffer.alloc(8)]);
}

function v8PartAt(blob) {
  if (blob.readUInt32LE(0) !== MAGIC) throw new Error("the snapshot has another layout than that of Node 24");
  let at = 5;
  for (let text = 0; text < 3; text += 1) at += 8 + Number(blob.readBigUInt64LE(at));
  return at + 4;
}

/** Of V8's constants, as its code caches name them: behind the length, the number of contexts, whether hashes can be made anew, and a checksum of all. */
export function constantsOf(blob) {
  return blob.readUInt32LE(v8PartAt(blob) + 16);
}

function isCodeCaches(blob, start) {
  let at = start;
  const isAtLength = () => at + 8 <= blob.length;
  const length = () => {
    at += 8;
    return Number(blob.readBigUInt64LE(at - 8));
  };
  const count = isAtLength() ? length() : 0;
  if (count < MODULES_MIN || count > MODULES_MAX) return false;
  for (let index = 0; index < count; index += 1) {
    if (!isAtLength()) return false;
    const nameBytes = length();
    if (nameBytes < 1 || nameBytes > NAME_BYTES_MAX) return false;
    at += nameBytes;
    if (!isAtLength()) return false;
    const cacheBytes = length();
    at += cacheBytes;
  }
  return at === blob.length;
}
