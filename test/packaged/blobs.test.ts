// The blobs of Node that the build takes apart: layouts as Node 24 writes them, and every other one refused.
import { assert, suite } from "../harness.ts";

/** Scripts of the build, which have no types. */
interface BlobScripts {
  withSnapshot(blob: Buffer, snapshot: Buffer, pad: number): Buffer;
  withoutCodeCaches(blob: Buffer): Buffer;
  constantsOf(blob: Buffer): number;
}

const test = suite("blobs");
const load = (name: string): Promise<BlobScripts> => import(new URL(`../../scripts/package/${name}`, import.meta.url).href) as Promise<BlobScripts>;
const { withSnapshot } = await load("sea-blob.mjs");
const { withoutCodeCaches, constantsOf } = await load("snapshot.mjs");

const uint = (bits: 8 | 32 | 64, value: number): Buffer => {
  const bytes = Buffer.alloc(bits / 8);
  bytes.writeUIntLE(value, 0, Math.min(6, bytes.length));
  return bytes;
};
const text = (value: string): Buffer => Buffer.concat([uint(64, value.length), Buffer.from(value)]);

function snapshot({ magic = 0x143da19, caches = 200 } = {}): { readonly kept: Buffer; readonly whole: Buffer } {
  const v8 = Buffer.concat([uint(32, 4), uint(32, 1), uint(32, 0xabcd), uint(32, 0x1234), Buffer.from("v8")]);
  const kept = Buffer.concat([uint(32, magic), uint(8, 1), ...["24.21.0", "x64", "linux"].map(text), uint(32, 0), uint(32, v8.length), v8, Buffer.from("what Node keeps, with zeros "), Buffer.alloc(40)]);
  return { kept, whole: Buffer.concat([kept, uint(64, caches), ...Array.from({ length: caches }, (_, index) => Buffer.concat([text(`internal/${index}`), text("c".repeat(index))]))]) };
}

test("code caches are cut out of a snapshot, and what stands before them stays", () => {
  const { kept, whole } = snapshot();
  assert.equal(withoutCodeCaches(whole), Buffer.concat([kept, uint(64, 0)]));
  assert.is(constantsOf(whole), 0x1234);
});

test("a snapshot of another layout is refused", () => {
  assert.throws(() => withoutCodeCaches(snapshot({ magic: 0x143da18 }).whole), /another layout/);
  assert.throws(() => withoutCodeCaches(snapshot({ caches: 3 }).whole), /no code caches/);
  assert.throws(() => withoutCodeCaches(Buffer.concat([snapshot().whole, Buffer.from("x")])), /no code caches/);
  assert.throws(() => constantsOf(snapshot({ magic: 1 }).whole), /another layout/);
});

test("a snapshot takes the place of the main script, and the assets move behind it", () => {
  const blob = (flags: number, main: string, pad = 0): Buffer => Buffer.concat([uint(32, 0x143da20), uint(32, flags), uint(8, 0), text("/boot.cjs"), uint(64, main.length + pad), Buffer.from(main), Buffer.alloc(pad), Buffer.from("assets")]);
  assert.equal(withSnapshot(blob(0x19, "run()"), Buffer.from("the heap"), 3), blob(0x1b, "the heap", 3));
  assert.throws(() => withSnapshot(Buffer.alloc(64), Buffer.from("the heap"), 0), /another layout/);
});

test.run();
