// Processes of this program that several others of the same user share. An interface; real in host/sharing/.

export interface HostSharing {
  /**
   * Connects to the process that serves what `key` tells apart, and starts one if there is none. Only callers with the
   * same rights get the same one. Returns undefined if there can be none here.
   */
  join(key: string, start: SharedStart): Promise<SharedLine | undefined>;
  /** Serves others in this process, at the place that it was started for, until the signal aborts. */
  serve(place: string, options: ServeOptions): Promise<void>;
}

export interface SharedStart {
  /** The words for this program; the place follows. Every user can read them. */
  readonly words: readonly string[];
  /** Its standard input. */
  readonly input: string;
}

export interface ServeOptions {
  readonly signal: AbortSignal;
  onMember(line: SharedLine): void;
}

/** A connection of two processes, which carries lines. */
export interface SharedLine {
  /** Is called once. `onClose` follows the last line. */
  listen(onText: (text: string) => void, onClose: () => void): void;
  write(text: string): void;
  /** Sets whether the program keeps running while the connection is open. */
  hold(isHeld: boolean): void;
  close(): void;
}
