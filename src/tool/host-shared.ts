// What the processes of one user need to share files: nobody else is in the way, and a process that was killed holds
// nothing up.

/** A process id alone is given to another process sooner or later. */
export interface ProcessIdentity {
  readonly processId: number;
  /** When it started, in a unit of the system; absent where the system does not tell. */
  readonly start?: string;
  /** Of the system since it was started; absent where it does not tell. */
  readonly boot?: string;
  /** In which the process id counts: a container has its own. */
  readonly namespace?: string;
}

export interface HostShared {
  /** Of this process. */
  readonly processId: number;
  /** Of this process, for those that look later whether it still runs. Reads a few files the first time. */
  identity(): ProcessIdentity;
  /**
   * Undefined: it cannot be told from here, because the number was given by another system, container or start of this
   * one.
   */
  isRunning(identity: ProcessIdentity): boolean | undefined;
  /** Whether a process above this one was started with the variable, as far as the system tells. */
  isSetAbove(variable: string): boolean;
  /**
   * False where there is something of that name. Where the file system has hard links, nobody ever sees a part of the
   * content or an empty file. The file is 0600, missing folders are made 0700.
   */
  create(path: string, content: string): boolean;
  /** Takes the place of what is there. */
  rename(from: string, to: string): void;
  /**
   * In one write at the end of a regular file, whoever else is writing; it is 0600 when it is made, and so are missing
   * folders 0700. Neither waits nor follows a link. Gives the size of the file afterwards. Of what fits only in part,
   * nothing stays.
   */
  append(path: string, content: string): number;
  /** Sets the time of the last change to now. */
  touch(path: string): void;
}
