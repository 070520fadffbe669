// Tells of changes in folders.

export interface HostWatcher {
  /**
   * Watches folders and what lies two levels below them, until the signal aborts. A folder may be missing and come
   * later, or go and come back. `onChange` comes once for changes that follow each other closely.
   */
  watch(folders: readonly string[], options: WatchOptions): void;
}

export interface FolderChange {
  /**
   * Whether the file may have another content than when `onChange` came last: something was heard of it or of a folder
   * that it lies in, or nothing can be heard of it, as where it is a link. Says nothing of which files there are.
   */
  mayDiffer(path: string): boolean;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  onChange(change: FolderChange): void;
  /** A folder that cannot be watched, and why: the system allows so many watches and no more. */
  onTrouble(folder: string, code: string): void;
}
