// A host in memory for unit tests: files in a map, a clock that the test moves, ids that count, and no processes or web
// except those of the test.
import { createHash, createHmac } from "node:crypto";
import { dirname, posix } from "node:path";
import type {
  FileKind,
  FileStat,
  FolderEntry,
  Host,
  HostFiles,
  HostModules,
  HostProcesses,
  HostShared,
  HostWeb,
  InstantFiles,
  WalkEntry,
  WalkOptions,
} from "../src/core/tool/host.ts";
import type { HostSandbox } from "../src/core/tool/host-sandbox.ts";

export interface MemoryHostOptions {
  /** Texts by absolute path. A path that ends in `/` is an empty folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly processes?: Partial<HostProcesses>;
  readonly web?: HostWeb;
  readonly modules?: HostModules;
  readonly sandbox?: HostSandbox;
}

export interface MemoryHost extends Host {
  /** Moves the clock and ends the sleeps that are over. */
  advance(elapsedMs: number): void;
  /** Returns every file as text, sorted by path. */
  texts(): Readonly<Record<string, string>>;
}

export function memoryHost(options: MemoryHostOptions = {}): MemoryHost {
  const disk = new MemoryDisk();
  for (const [path, text] of Object.entries(options.files ?? {})) {
    if (path.endsWith("/")) disk.makeFolder(path);
    else disk.write(path, text);
  }
  const environment = options.environment ?? {};
  const clock = new MemoryClock();
  let ids = 0;
  const randomId = (): string => (++ids).toString(16).padStart(32, "0");
  return {
    platform: "linux",
    folders: {
      home: "/home/ana",
      config: "/home/ana/.config/dottool",
      state: "/home/ana/.local/state/dottool",
      cache: "/home/ana/.cache/dottool",
      temporary: "/tmp",
    },
    files: disk.files(() => `/tmp/${randomId().slice(-4)}`),
    instant: disk.instant(),
    shared: disk.shared(),
    processes: {
      run: async () => ({ kind: "not-started", reason: "program-missing", detail: "there are no processes in memory" }),
      find: () => undefined,
      endAll: async () => undefined,
      killAll: () => undefined,
      ...options.processes,
    },
    server: { listen: async () => Promise.reject(new Error("nobody connects to memory")) },
    watcher: { watch: () => undefined },
    web: options.web ?? { fetch: async () => ({ kind: "refused", reason: "there is no web in memory", help: [] }) },
    modules: options.modules ?? { load: async (path) => Promise.reject(fault("ERR_MODULE_NOT_FOUND", path)) },
    queues: () => Promise.reject(new Error("no queues in memory")),
    sandbox: options.sandbox ?? {
      run: async () => ({ kind: "crashed", error: fault("ENOSYS", "there is no sandbox in memory"), log: "" }),
      eraseTypes: async (code) => ({ kind: "erased", code }),
    },
    environment: (name) => environment[name],
    environmentNames: () => Object.keys(environment),
    nowMs: () => clock.nowMs,
    timestamp: () => new Date(Date.UTC(2026, 0, 1) + clock.nowMs).toISOString(),
    randomId,
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    hash: (algorithm, text, key) =>
      (key === undefined ? createHash(algorithm) : createHmac(algorithm, key)).update(text).digest("hex"),
    sha256: (bytes) => createHash("sha256").update(bytes).digest("hex"),
    hasher: () => {
      const hash = createHash("sha256");
      return { add: (bytes) => void hash.update(bytes), sha256: () => hash.digest("hex") };
    },
    runBounded: (work) => work(),
    advance: (elapsedMs) => clock.advance(elapsedMs),
    texts: () => disk.texts(),
  };
}

class MemoryClock {
  nowMs = 0;
  readonly #sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const sleeper = { untilMs: this.nowMs + delayMs, wake: resolve };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        resolve();
      });
    });
  }

  advance(elapsedMs: number): void {
    this.nowMs += elapsedMs;
    for (const sleeper of this.#sleepers) {
      if (sleeper.untilMs > this.nowMs) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }
}

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  readonly mtimeMs: number;
}

class MemoryDisk {
  readonly #files = new Map<string, MemoryFile>();
  readonly #folders = new Set(["/"]);
  #writes = 0;

  write(path: string, content: Uint8Array | string, mode = 0o644): void {
    const folder = dirname(path);
    if (!this.#folders.has(folder)) this.makeFolder(folder);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    this.#files.set(path, { bytes, mode: this.#files.get(path)?.mode ?? mode, mtimeMs: ++this.#writes });
  }

  makeFolder(path: string): void {
    for (let folder = posix.resolve(path); !this.#folders.has(folder); folder = dirname(folder))
      this.#folders.add(folder);
  }

  texts(): Readonly<Record<string, string>> {
    const paths = [...this.#files.keys()].sort();
    return Object.fromEntries(paths.map((path) => [path, new TextDecoder().decode(this.#files.get(path)?.bytes)]));
  }

  /** Returns the sharing of a single process. */
  shared(): HostShared {
    return {
      processId: 1,
      identity: () => ({ processId: 1, start: "1" }),
      isRunning: ({ processId, start }) => processId === 1 && (start === undefined || start === "1"),
      interrupt: () => false,
      isSetInAncestor: () => false,
      create: (path, content) => !this.#stat(path) && (this.write(path, content, 0o600), true),
      rename: (from, to) => {
        this.#files.set(to, this.#read(from));
        this.#files.delete(from);
      },
      append: (path, content) => {
        this.write(path, new TextDecoder().decode(this.#files.get(path)?.bytes) + content, 0o600);
        return this.#read(path).bytes.length;
      },
      touch: (path) => this.write(path, this.#read(path).bytes),
    };
  }

  instant(): InstantFiles {
    return {
      stat: (path) => this.#stat(path),
      isLink: () => false,
      readLink: () => undefined,
      isFileWith: (path, { sizeBytes, mtimeMs, ctimeMs }) => {
        const found = this.#stat(path);
        return (
          found?.kind === "file" &&
          found.sizeBytes === sizeBytes &&
          found.mtimeMs === mtimeMs &&
          found.ctimeMs === ctimeMs
        );
      },
      list: (path) => this.#list(path),
      names: (path) => this.#list(path).map(({ name }) => name),
      readBytes: (path, bytesMax) => {
        const { bytes } = this.#read(path);
        if (bytes.length > bytesMax) throw fault("EFBIG", path);
        return bytes;
      },
      readStart: (path, bytesMax) => this.#read(path).bytes.slice(0, bytesMax),
      remove: (path) => void this.#files.delete(path),
      realPath: (path) => path,
      replace: (path, content) => this.write(path, content),
    };
  }

  files(newTemporaryPath: () => string): HostFiles {
    return {
      stat: async (path) => this.#stat(path),
      readBytes: async (path, { offset, lengthMax }) => this.#read(path).bytes.slice(offset, offset + lengthMax),
      list: async (path) => this.#list(path),
      walk: (path, options) => this.#walk(path, options),
      write: async (path, content, options) => {
        if (!this.#folders.has(dirname(path))) throw fault("ENOENT", path);
        if (this.#folders.has(path)) throw fault("EISDIR", path);
        this.write(path, content, options?.mode);
      },
      append: async (path, content, { mode }) => {
        if (!this.#folders.has(dirname(path))) throw fault("ENOENT", path);
        const before = this.#files.get(path);
        const added = typeof content === "string" ? content : new TextDecoder().decode(content);
        this.write(
          path,
          `${before === undefined ? "" : new TextDecoder().decode(before.bytes)}${added}`,
          before?.mode ?? mode,
        );
      },
      create: async (path, { mode }) => {
        if (!this.#folders.has(dirname(path))) throw fault("ENOENT", path);
        if (this.#stat(path)) throw fault("EEXIST", path);
        this.write(path, "", mode);
        return {
          write: async (bytes) => this.write(path, Buffer.concat([this.#read(path).bytes, bytes])),
          close: async () => undefined,
        };
      },
      makeFolder: async (path) => this.makeFolder(path),
      makeTemporaryFolder: async (prefix) => {
        const path = newTemporaryPath().replace("/tmp/", `/tmp/${prefix}`);
        this.makeFolder(path);
        return path;
      },
      remove: async (path) => {
        for (const name of this.#files.keys())
          if (name === path || name.startsWith(`${path}/`)) this.#files.delete(name);
        for (const name of this.#folders) if (name === path || name.startsWith(`${path}/`)) this.#folders.delete(name);
      },
      realPath: async (path) => {
        if (!this.#stat(path)) throw fault("ENOENT", path);
        return posix.resolve(path);
      },
      readLink: async () => undefined,
    };
  }

  #stat(path: string): FileStat | undefined {
    const clean = posix.resolve(path);
    const file = this.#files.get(clean);
    if (file)
      return {
        kind: "file",
        sizeBytes: file.bytes.length,
        mtimeMs: file.mtimeMs,
        ctimeMs: file.mtimeMs,
        mode: file.mode,
        isOwn: true,
        isOfRoot: false,
        inode: 1,
      };
    return this.#folders.has(clean)
      ? { kind: "folder", sizeBytes: 0, mtimeMs: 0, ctimeMs: 0, mode: 0o755, isOwn: true, isOfRoot: false, inode: 1 }
      : undefined;
  }

  #read(path: string): MemoryFile {
    const file = this.#files.get(posix.resolve(path));
    if (!file) throw fault(this.#folders.has(posix.resolve(path)) ? "EISDIR" : "ENOENT", path);
    return file;
  }

  #list(path: string): readonly FolderEntry[] {
    const folder = posix.resolve(path);
    if (!this.#folders.has(folder)) throw fault(this.#files.has(folder) ? "ENOTDIR" : "ENOENT", path);
    const within = (paths: Iterable<string>, kind: FileKind): FolderEntry[] =>
      [...paths]
        .filter((name) => name !== "/" && dirname(name) === folder)
        .map((name) => ({ name: posix.basename(name), kind }));
    return [...within(this.#files.keys(), "file"), ...within(this.#folders, "folder")].sort((a, b) =>
      a.name < b.name ? -1 : 1,
    );
  }

  /** Walks without reading ignore files. `.git` is left out where they are to be honoured. */
  async *#walk(path: string, options: WalkOptions, prefix = ""): AsyncGenerator<WalkEntry, void, undefined> {
    if (options.depthMax < 1 || options.signal.aborted) return;
    for (const { name, kind } of this.#list(path)) {
      if ((name.startsWith(".") && !options.includesHidden) || (name === ".git" && options.honoursIgnoreFiles))
        continue;
      yield { path: prefix + name, kind };
      if (kind === "folder" && !options.passesOver?.(`${prefix}${name}`))
        yield* this.#walk(posix.join(path, name), { ...options, depthMax: options.depthMax - 1 }, `${prefix}${name}/`);
    }
  }
}

function fault(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: '${path}'`), { code });
}
