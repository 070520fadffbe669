// Tools for the processes of one user to share files: other users cannot interfere, and a killed process blocks
// nothing.

/** The identity of a process. Its id alone is given to another process sooner or later. */
export interface ProcessIdentity {
  readonly processId: number;
  /** When it started, in a unit of the system. Absent if the system does not tell. */
  readonly start?: string;
  /** The boot id of the system; absent if the system has none. */
  readonly boot?: string;
  /** The namespace of the process id; a container has its own. */
  readonly namespace?: string;
}

export interface HostShared {
  readonly processId: number;
  /**
   * Returns the identity of this process, so that others can check later whether it still runs. Reads a few files once.
   */
  identity(): ProcessIdentity;
  /**
   * Whether the process runs. Undefined if it cannot be known here, because the id is from another system, container or
   * boot.
   */
  isRunning(identity: ProcessIdentity): boolean | undefined;
  /** Asks the process to end, as Ctrl-C does. Returns false if it is known to be gone, or belongs to another user. */
  interrupt(identity: ProcessIdentity): boolean;
  /** Whether an ancestor of this process was started with the variable, as far as the system tells. */
  isSetInAncestor(variable: string): boolean;
  /**
   * Creates a file. Returns false if the name exists. If the file system has hard links, no process ever sees a part of
   * the content or an empty file. The file is 0600, and missing folders are made 0700.
   */
  create(path: string, content: string): boolean;
  /** Renames a file over an existing one. */
  rename(from: string, to: string): void;
  /**
   * Appends with one write to a regular file, while others may write too. A new file is 0600, and missing folders are
   * made 0700. It neither waits nor follows a link. Returns the size of the file afterwards. If only a part fits,
   * nothing of it stays.
   */
  append(path: string, content: string): number;
  /** Sets the time of the last change to now. */
  touch(path: string): void;
}
