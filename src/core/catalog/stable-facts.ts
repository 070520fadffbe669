// Whether the facts of a file (size, dates, inode) are stable: whether they identify its content.

/** File systems count time in ticks of up to 2 s (FAT): what is written twice within one looks the same afterwards. */
const TICK_MS = 2_000;

/** `seenMs` is the wall clock before the content was read. From then on the same facts mean the same content. */
export function hasStableFacts({ ctimeMs }: { readonly ctimeMs: number }, seenMs: number): boolean {
  return ctimeMs + TICK_MS < seenMs;
}
