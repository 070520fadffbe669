// What the processes of one user need to share files: nobody else is in the way, and a process that was killed holds nothing up.

export interface HostShared {
  /** Of this process. */
  readonly processId: number;
  isRunning(processId: number): boolean;
  /** Whether a process above this one was started with the variable, as far as the system tells. */
  isSetAbove(variable: string): boolean;
  /** False where there is something of that name. The file is 0600, missing folders are made 0700. */
  create(path: string, content: string): boolean;
  /** Takes the place of what is there. */
  rename(from: string, to: string): void;
  /**
   * In one write at the end of a regular file, whoever else is writing; it is 0600 when it is made, and so are missing folders 0700.
   * Neither waits nor follows a link. Gives the size of the file afterwards.
   */
  append(path: string, content: string): number;
}
