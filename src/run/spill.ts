// Stores the whole of a text that was cut: in the cache, for this user alone, under an unguessable handle, and for a
// limited time.
import type { Host } from "../tool/host.ts";
import { type KeptText, KeptWriter } from "./kept-writer.ts";

/** The length that is written at once. */
const PART_CHARACTERS = 128 * 1024;

/** A full disk or a folder that cannot be written to loses the rest of an output, never the result. */
export async function storeSpill(host: Host, text: string): Promise<KeptText> {
  const writer = new KeptWriter(host);
  for (let start = 0; start < text.length; start += PART_CHARACTERS)
    await writer.add(text.slice(start, start + PART_CHARACTERS));
  return writer.end();
}
