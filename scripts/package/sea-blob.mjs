// The blob that Node looks for in a single executable. Layout, of src/node_sea.cc in Node 24: magic and flags (32 bits each), how execArgv is
// extended (8 bits), then the path of the main script, the main script or snapshot, and the assets, each with 64 bits of length before it.
const MAGIC = 0x143da20;
const FLAGS_AT = 4;
const HAS_SNAPSHOT = 1 << 1;
const PATH_AT = 9;

/** `blob` with `snapshot` in place of the main script, and `pad` zeros behind it, which nobody reads. */
export function withSnapshot(blob, snapshot, pad) {
  if (blob.readUInt32LE(0) !== MAGIC) throw new Error("the executable's blob has another layout than that of Node 24");
  const mainAt = PATH_AT + 8 + Number(blob.readBigUInt64LE(PATH_AT));
  const head = Buffer.from(blob.subarray(0, mainAt + 8));
  head.writeUInt32LE(head.readUInt32LE(FLAGS_AT) | HAS_SNAPSHOT, FLAGS_AT);
  const restAt = mainAt + 8 + Number(blob.readBigUInt64LE(mainAt));
  head.writeBigUInt64LE(BigInt(snapshot.length + pad), mainAt);
  return Buffer.concat([head, snapshot, Buffer.alloc(pad), blob.subarray(restAt)]);
}
