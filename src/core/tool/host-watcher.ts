// Reports changes in folders.

export interface HostWatcher {
  /**
   * Watches folders and two levels below them, until the signal aborts. A folder may be missing and come later, or go
   * and come back. `onChange` is called once for changes in quick succession.
   */
  watch(folders: readonly string[], options: WatchOptions): void;
}

export interface FolderChange {
  /**
   * Whether the file may have other content than at the last `onChange`: there was an event for it or for a folder
   * above it, or there are no events for it, as with a link. It does not tell which files exist.
   */
  mayDiffer(path: string): boolean;
}

export interface WatchOptions {
  readonly signal: AbortSignal;
  onChange(change: FolderChange): void;
  /** Reports a folder that cannot be watched, and why: the system limits the number of watches. */
  onTrouble(folder: string, code: string): void;
}
