// Tells of changes in folders.

export interface HostWatcher {
  /**
   * Watches folders and what lies two levels below them, until the signal aborts. A folder may be missing and come
   * later, or go and come back. `onChange` comes once for changes that follow each other closely; it does not say what
   * changed.
   */
  watch(folders: readonly string[], options: WatchOptions): void;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  onChange(): void;
  /** A folder that cannot be watched, and why: the system allows so many watches and no more. */
  onTrouble(folder: string, code: string): void;
}
