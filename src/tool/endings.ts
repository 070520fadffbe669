// What has to end before the program does, such as servers that serve many calls. Kept here because whoever starts it
// is far below whoever knows that the program is done.

const endings = new Set<() => Promise<void>>();

export function endWithProgram(end: () => Promise<void>): void {
  endings.add(end);
}

/** Resolves when all of it has ended, whatever went wrong with it. */
export async function endEverything(): Promise<void> {
  const all = [...endings];
  endings.clear();
  await Promise.allSettled(all.map((end) => end()));
}
