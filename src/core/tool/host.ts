// Every way out of the process, as an interface: real in ../host/, in memory in tests.
// File errors are thrown as `{code: "ENOENT" | "EACCES" | …}`, as Node does.
import type { Platform } from "./command.ts";
import type { Confinement, SandboxReport, Unconfined } from "./confinement.ts";
import type { NotStartedReason } from "./failure.ts";
import type { OutputStream } from "./call.ts";
import type { HostQueues } from "./host-queues.ts";
import type { HostBundle } from "./host-bundle.ts";
import type { HostSandbox } from "./host-sandbox.ts";

export interface Host {
  readonly platform: Platform;
  readonly folders: HostFolders;
  readonly files: HostFiles;
  readonly instant: InstantFiles;
  readonly shared: HostShared;
  readonly processes: HostProcesses;
  readonly web: HostWeb;
  readonly server: HostServer;
  readonly watcher: HostWatcher;
  readonly modules: HostModules;
  readonly sandbox: HostSandbox;
  /** Loads what speaks to queues. */
  queues(): Promise<HostQueues>;
  /** The path of the executable that this program is. Absent: it was started from its sources. */
  readonly executable?: string;
  /** The tools inside the executable. Absent: it is dottool itself. */
  readonly bundle?: HostBundle;
  environment(name: string): string | undefined;
  environmentNames(): readonly string[];
  /** Monotonic. */
  nowMs(): number;
  /** ISO 8601, UTC, milliseconds. */
  timestamp(): string;
  /** 128 random bits, as 32 hexadecimal digits. */
  randomId(): string;
  /** Resolves early when the signal aborts. It is never rejected, because nothing awaits many sleeps. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  sha256(bytes: Uint8Array | string): string;
  /** In hexadecimal; with a key, an HMAC. */
  hash(algorithm: HashAlgorithm, text: string, key?: string): string;
  /** Hashes bytes that come in parts. */
  hasher(): Hasher;
  /**
   * Does `work` at once, and throws `{code: "ETIMEDOUT"}` if it takes more processor time than `limitMs`; its `finally`
   * blocks do not run then. On a busy machine it may be stopped and done again, so it must only return a value. It is for regular expressions that can take forever on a few characters. It costs about 0.1 ms, so do
   * many matches in one call.
   */
  runBounded<T>(work: () => T, limitMs: number): T;
}

export type HashAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";

export interface Hasher {
  add(bytes: Uint8Array): void;
  /** Returns the hash of all that was added. Can be called once. */
  sha256(): string;
}

/** Absolute paths. None need exist. */
export interface HostFolders {
  readonly home: string;
  /** `$XDG_CONFIG_HOME/dottool`. */
  readonly config: string;
  /** `$XDG_STATE_HOME/dottool`. */
  readonly state: string;
  /** `$XDG_CACHE_HOME/dottool`. */
  readonly cache: string;
  readonly temporary: string;
}

export type FileKind = "file" | "folder" | "link" | "other";

export interface FileStat {
  readonly kind: FileKind;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** When content or rights last changed. Unlike `mtimeMs`, no program can set it back. */
  readonly ctimeMs: number;
  /** Unix permission bits. */
  readonly mode: number;
  /** Whether the file belongs to the user of this process; always true on Windows. */
  readonly isOwn: boolean;
  /** Whether the file belongs to the superuser; never on Windows. */
  readonly isOfRoot: boolean;
  /** The number of the file in its file system, whatever path led to it. */
  readonly inode: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface WalkOptions {
  /** Whether entries named by a `.gitignore`, `.ignore` or `.git/info/exclude` are left out, and `.git` always. */
  readonly honoursIgnoreFiles: boolean;
  readonly includesHidden: boolean;
  readonly depthMax: number;
  readonly signal: AbortSignal;
  /** Whether a folder of this path, as in `WalkEntry`, is returned but not entered. */
  passesOver?(path: string): boolean;
  /** Called with the path of a folder that is given and may not be entered. */
  onUnreadable?(path: string): void;
}

export interface WalkEntry {
  /** Relative to the folder walked, with `/`. */
  readonly path: string;
  readonly kind: FileKind;
}

export interface HostFiles {
  /** Follows links. Returns undefined if there is nothing. */
  stat(path: string): Promise<FileStat | undefined>;
  /**
   * Reads at most `lengthMax` bytes from `offset`; fewer only at the end. Throws `{code: "EISDIR"}` for folders, and
   * `{code: "EINVAL"}` for FIFOs and devices, without waiting for them.
   */
  readBytes(path: string, range: { readonly offset: number; readonly lengthMax: number }): Promise<Uint8Array>;
  list(folder: string): Promise<readonly FolderEntry[]>;
  /**
   * Walks depth first, sorted by name, without following links. Unreadable folders are skipped, but `folder` itself
   * must be readable. Ends early, without an error, on abort.
   */
  walk(folder: string, options: WalkOptions): AsyncIterable<WalkEntry>;
  /**
   * Writes atomically: temporary file, full write, fsync, rename, fsync of the folder. An existing file keeps owner,
   * group and rights, except setuid and setgid. If it has other names, or its owner cannot be given to a new file, it
   * is written in place, with a copy beside it for the time. A link is followed to its target.
   */
  write(path: string, content: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /**
   * Appends to a regular file: all of the content and synced, or it throws. A missing file is made with `mode`. A link
   * at the end of the path is not followed.
   */
  append(path: string, content: Uint8Array | string, options: { readonly mode: number }): Promise<void>;
  /**
   * Makes a new file that is written in parts and not synced, for caches. Throws `{code: "EEXIST"}` if there is one.
   */
  create(path: string, options: { readonly mode: number }): Promise<FileWriter>;
  makeFolder(path: string, options?: { readonly mode?: number }): Promise<void>;
  /** Makes a new empty folder below `folders.temporary`, mode 0700. */
  makeTemporaryFolder(prefix: string): Promise<string>;
  /** Removes a file, or a folder with its content. A missing one is fine. */
  remove(path: string): Promise<void>;
  realPath(path: string): Promise<string>;
  /** Returns the target of a link, as written there, or undefined if it is not a link. */
  readLink(path: string): Promise<string | undefined>;
}

/** A lock as a writer of a file needs it. */
export interface WriteLock {
  /**
   * The name of the temporary file beside the target. A process that takes over the lock removes it, so that a late
   * rename finds nothing to rename.
   */
  readonly temporaryName: string;
  isHeld(): boolean;
}

/** Writes in sequence. It must be closed. */
export interface FileWriter {
  /** Writes all of it, or throws. */
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface WriteOptions {
  /** The mode of a new file. The default is 0o644. */
  readonly mode?: number;
  /** The content that the file must still have at the last moment. Otherwise it throws `{code: "ESTALE"}`. */
  readonly replaces?: Uint8Array;
  /** Where the replaced file stays, in the same folder; no link is followed. After an error both are as before. */
  readonly formerPath?: string;
  /**
   * The lock under which the file is written. If another process has taken it over, it throws `{code: "ESTALE"}` and
   * changes nothing.
   */
  readonly lock?: WriteLock | undefined;
}

/** Synchronous access for the catalogue: a thousand small looks are three times faster than a thousand awaits. */
export interface FileFacts extends Pick<FileStat, "sizeBytes" | "mtimeMs" | "ctimeMs"> {
  /** Absent: any. */
  readonly inode?: number;
}

export interface InstantFiles {
  /**
   * Follows links. Returns undefined if there is nothing or no right to look. Throws if that is not known: a broken
   * disk, a lost mount.
   */
  stat(path: string): FileStat | undefined;
  /** Whether there is a link, wherever it leads. Undefined: certainly nothing at all is there. */
  isLink(path: string): boolean | undefined;
  /** Returns the target of a link, as written there, or undefined if it is not a link. */
  readLink(path: string): string | undefined;
  /** Whether `stat` would return a file with these facts, which is all that a catalogue asks of thousands of files. */
  isFileWith(path: string, facts: FileFacts): boolean;
  list(folder: string): readonly FolderEntry[];
  /** Like `list`, but without kinds, for folders of a thousand files whose kinds are mostly looked up anyway. */
  names(folder: string): readonly string[];
  /**
   * Reads a regular file of at most `bytesMax`. Throws `{code: "EFBIG"}` above that, and `{code: "EINVAL"}` for FIFOs
   * and devices, without opening them for long.
   */
  readBytes(path: string, bytesMax: number): Uint8Array;
  /** Like `readBytes`, for the given number of bytes at the beginning. */
  readStart(path: string, bytesMax: number): Uint8Array;
  /** Removes a file, for caches. */
  remove(path: string): void;
  /** Throws if it does not exist. */
  realPath(path: string): string;
  /**
   * Replaces a file by a rename. With `isSynced`, which caches need not have, it outlasts a loss of power. The file is
   * 0600, and missing folders are made 0700. Throws if the disk is full.
   */
  replace(path: string, content: Uint8Array | string, options?: { readonly isSynced: boolean }): void;
}

/** A request says what the process may reach, or why it may reach all that this program may. */
export interface SpawnRequest extends ProcessRequest {
  readonly confinement: Confinement | Unconfined;
}

export interface ProcessRequest {
  /**
   * `argv[0]` is a name to look up in `environment.PATH` without empty or relative entries, or a path. Never a shell
   * line.
   */
  readonly argv: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** The whole environment of the process: see `core/base/process-environment.ts`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absent: empty. */
  readonly stdin?: string;
  /**
   * Set if the process gets the terminal of this program: its standard streams, and its process group, so that keys
   * such as Ctrl-C and Ctrl-Z reach it. Nothing of its output is taken then.
   */
  readonly hasTerminal?: true;
  /** Set beside `hasTerminal` if its standard error is taken all the same. */
  readonly takesErrors?: boolean;
  /** Replaces `stdin`: called once, when the process runs. */
  onStart?(input: ProcessInput): void;
  /** Set if the process serves many calls, and so takes none of the places for processes of a call. */
  readonly isLasting?: true;
  /** The client of the call, if there are several. */
  readonly client?: string;
  readonly signal: AbortSignal;
  readonly outputBytesMax: number;
  readonly memoryBytesMax?: number;
  readonly cpuMsMax?: number;
  /** The limit for the whole run, threads included. A sandbox has a limit even if this is absent. */
  readonly processesMax?: number;
  /**
   * Takes output. A returned promise holds the process back until it settles, for sinks that are slower than the
   * process.
   */
  onOutput(stream: OutputStream, bytes: Uint8Array): void | Promise<void>;
}

/** The standard input of a running process. Text for one that has ended is dropped. */
export interface ProcessInput {
  write(text: string): void;
  end(): void;
  /**
   * Sets whether the program runs as long as the process does, as it does at first. Otherwise the process ends with it.
   */
  hold(isHeld: boolean): void;
}

export type SpawnResult =
  | {
      readonly kind: "exited";
      readonly exitCode?: number;
      readonly signalName?: string;
      readonly cutBytes: number;
      readonly stopped?: "aborted" | "output-limit";
      /** Present if the request has a confinement, or a limit of it does not hold here. */
      readonly report?: SandboxReport;
    }
  | { readonly kind: "not-started"; readonly reason: NotStartedReason; readonly detail: string }
  /** The queue was full. */
  | { readonly kind: "busy"; readonly waiting: number };

export interface HostProcesses {
  /**
   * Runs one process in a group of its own, unless it gets the terminal. On abort or a limit: TERM to the group, 2 s,
   * KILL, then every process that carries the run's id in its environment. Resolves when the process has exited, or 250
   * ms later if a child holds its pipes; nothing of it is left then. At most 16 run at once and 1,000 wait. Each client
   * has at least one place, up to
   * 16 more in all, and of the waiting runs the one whose client has fewest is next.
   */
  run(request: SpawnRequest): Promise<SpawnResult>;
  /** Returns the absolute path of an executable, as `run` would find it. */
  find(program: string, pathVariable: string): string | undefined;
  /** Has small programs start the processes from now on, where there are any: one that kills its parent ends alone. */
  startMany?(): Promise<void>;
  /** Stops every run, as an abort of each would, and starts no more. Resolves when nothing is left. */
  endAll(): Promise<void>;
  /** Does the same at once and without TERM: the last resort while the program itself is ending. */
  killAll(): void;
}

export type WebMethod = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface WebRequest {
  readonly url: string;
  readonly method?: WebMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** The limit after decompression. */
  readonly bytesMax: number;
  /** Infinity: none. */
  readonly timeoutMs: number;
  readonly redirectsMax: number;
  /** Hosts (`name` or `name:port`) whose private addresses are allowed. */
  readonly allowedHosts: readonly string[];
  /**
   * Takes the body of the final answer, after redirects, as it comes, decompressed and within `bytesMax`. A returned
   * promise pauses the reading. It never throws.
   */
  onBody?(bytes: Uint8Array, head: WebHead): void | Promise<void>;
  /** Takes the head of that answer, before its body comes. */
  onHead?(head: WebHead): void;
}

export interface WebHead {
  readonly status: number;
  /** Headers with lower-case names. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
}

export type WebResult =
  | {
      readonly kind: "response";
      readonly status: number;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
      readonly isCut: boolean;
    }
  /** The guard refused the request or a hop of it, so it was not made. Another attempt gives the same. */
  | { readonly kind: "refused"; readonly reason: string; readonly help: readonly string[] }
  /** The network, the other side or its certificate failed. `isLost`: a connection that there was broke. */
  | {
      readonly kind: "unreachable";
      readonly reason: string;
      readonly help: readonly string[];
      readonly isLost?: true;
    }
  | { readonly kind: "timeout"; readonly limitMs: number }
  /** `signal` was aborted. */
  | { readonly kind: "cancelled" };

export interface HostWeb {
  /**
   * Fetches under guard: every address of a name is checked, and the checked address is the one that is connected to.
   */
  fetch(request: WebRequest): Promise<WebResult>;
}

export interface HostModules {
  /**
   * Returns the exports of a TypeScript module by absolute path. In it the bare name `dottool` means `api`. Throws what
   * the module throws, or a SyntaxError with the place. With `trusted`, no other file may be imported.
   */
  load(
    path: string,
    api: Readonly<Record<string, unknown>>,
    trusted?: TrustedModules,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** The modules that a person has agreed to run, by content. */
export interface TrustedModules {
  /** An absolute path without links above it. */
  readonly folder: string;
  /** The SHA-256 of each file, by its path within the folder, with `/`. */
  readonly sums: ReadonlyMap<string, string>;
}

export interface HostServer {
  /** Rejects with `{code: "EADDRINUSE"}` and the like. */
  listen(options: ListenOptions): Promise<Listening>;
}

export interface ListenOptions {
  /** A name or an address of this machine. */
  readonly hostname: string;
  /** With 0, any free port. */
  readonly port: number;
  /** The limit of a body. A longer one is answered with 413, and never held as a whole. */
  readonly bodyBytesMax: number;
  /** The time in which a client has to send a request, or gets 408. The default is 30 s. */
  readonly requestMsMax?: number;
  /** Returns the refusal of a request before its body is read, so that strangers use no memory. */
  refuse?(request: Request): Response | undefined | Promise<Response | undefined>;
  /** Answers a request whose body is too long, in the form that its caller reads. */
  tooLong?(request: Request): Response;
  /**
   * Answers a request, whose body `from` has. The signal of the request aborts when the client disconnects. An error is
   * answered with 500.
   */
  onRequest(request: Request, from: Asker): Promise<Response>;
}

export interface Asker {
  readonly address: string;
  /** What the request brings. A `Request` with it would be made for a second time. */
  readonly body: Uint8Array;
}

export interface Listening {
  readonly port: number;
  /** Closes the remaining connections. */
  close(): Promise<void>;
}

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
