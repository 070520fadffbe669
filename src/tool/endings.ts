// What has to end before the program does, such as servers that serve many calls. It is here because the code that
// starts it is in a lower layer than the code that knows that the program is done.

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
