// Standard input that is there already, read without a stream, which takes 5 ms to load.
import { readSync } from "node:fs";
import { codeOf } from "../../tool/error-code.ts";

const INPUT_PART_BYTES = 64 * 1024;

/**
 * Returns all of it, or undefined if there is more than `bytesMax`. `readLater` reads what has to be waited for in the
 * event loop.
 */
export async function readInputNow(
  bytesMax: number,
  readLater: (bytesMax: number) => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (;;) {
    const part = Buffer.allocUnsafe(INPUT_PART_BYTES);
    let length = 0;
    try {
      length = readSync(0, part);
    } catch (error) {
      const code = codeOf(error);
      // Windows tells the end of a pipe by an error.
      if (code !== "EOF") {
        if (parts.length > 0 && code !== "EAGAIN") throw error;
        const rest = await readLater(bytesMax - sizeBytes);
        return rest && Buffer.concat([...parts, rest]);
      }
    }
    if (length === 0) return Buffer.concat(parts);
    sizeBytes += length;
    if (sizeBytes > bytesMax) return undefined;
    parts.push(part.subarray(0, length));
  }
}
