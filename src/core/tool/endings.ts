// Things that have to end before the program does, such as servers that serve many calls. They are registered here
// because a lower layer starts them than the one that knows when the program is done.

const endings = new Set<() => Promise<void>>();

export function endWithProgram(end: () => Promise<void>): void {
  endings.add(end);
}

/** Resolves when all of it has ended, also after errors. */
export async function endEverything(): Promise<void> {
  const all = [...endings];
  endings.clear();
  await Promise.allSettled(all.map((end) => end()));
}
