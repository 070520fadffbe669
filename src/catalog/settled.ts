// Whether what a file system says of a file tells its content.

/** File systems count time in ticks of up to 2 s (FAT): what is written twice within one looks the same afterwards. */
const TICK_MS = 2_000;

/** `seenMs`: by the wall clock, before the content was read. From then on the same facts mean the same content. */
export function isSettled({ ctimeMs }: { readonly ctimeMs: number }, seenMs: number): boolean {
  return ctimeMs + TICK_MS < seenMs;
}
