// Reads the body of an answer, decompressed and measured as it comes: a small answer that unpacks to gigabytes takes no
// more than the limit.
import { Buffer } from "node:buffer";
import { pipeline, Readable, type Transform } from "node:stream";
import zlib from "node:zlib";

type Bytes = AsyncIterable<Uint8Array>;

interface WebBody {
  readonly bytes: Uint8Array;
  /** Whether there was more. */
  readonly isCut: boolean;
}

/** More than one is rare; each needs a decoder. */
const CODINGS_MAX = 3;
/** RFC 9659: a decoder of the `zstd` content coding must support a window of 8 MiB. */
const ZSTD_WINDOW_BITS_MAX = 23;

type DecoderOf = (firstByte: number) => Transform;

const DECODERS: ReadonlyMap<string, DecoderOf> = new Map<string, DecoderOf>([
  ["gzip", () => zlib.createGunzip()],
  ["x-gzip", () => zlib.createGunzip()],
  // Some servers omit the zlib header that RFC 9110 requires; its low four bits are always 8.
  ["deflate", (firstByte) => ((firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
  ["br", () => zlib.createBrotliDecompress()],
  ...(typeof zlib.createZstdDecompress === "function"
    ? [
        [
          "zstd",
          () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS_MAX } }),
        ] satisfies [string, DecoderOf],
      ]
    : []),
]);

export const acceptedCodings = [...DECODERS.keys()].filter((name) => name !== "x-gzip").join(", ");

/** Returns the first coding of a `Content-Encoding` that is not supported; undefined if all are. */
export function unknownCoding(contentEncoding: string): string | undefined {
  const codings = codingsOf(contentEncoding);
  return codings.length > CODINGS_MAX ? contentEncoding.slice(0, 100) : codings.find((coding) => !DECODERS.has(coding));
}

export interface ReadOptions {
  readonly contentEncoding: string;
  readonly bytesMax: number;
  onBytes?(bytes: Uint8Array): void | Promise<void>;
}

/** Throws the errors of the connection and the decoders; an early end is such an error. */
export async function readBody(source: Bytes, { contentEncoding, bytesMax, onBytes }: ReadOptions): Promise<WebBody> {
  // Codings are listed in the order they were applied.
  const decoded = codingsOf(contentEncoding).toReversed().reduce(decode, source);
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of decoded) {
    const kept = chunk.subarray(0, bytesMax - sizeBytes);
    chunks.push(kept);
    sizeBytes += chunk.length;
    if (kept.length > 0) await onBytes?.(kept);
    if (sizeBytes > bytesMax) break;
  }
  const whole = Buffer.concat(chunks);
  return { bytes: new Uint8Array(whole.buffer, whole.byteOffset, whole.length), isCut: sizeBytes > bytesMax };
}

function codingsOf(contentEncoding: string): readonly string[] {
  return contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
}

async function* decode(source: Bytes, coding: string): Bytes {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  // An answer without a body, such as 204, often names a coding anyway.
  if (first.done === true) return;
  const decoder = DECODERS.get(coding)?.(first.value[0] ?? 0);
  if (decoder === undefined) throw new Error(`there is no decoder for ${coding}`);
  // Errors reach the reader of `decoder`; the callback only keeps them from being thrown a second time.
  pipeline(Readable.from(startingWith(first.value, chunks)), decoder, () => {});
  yield* decoder as Bytes;
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
