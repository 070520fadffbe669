// The executable alone in a temporary folder: an empty environment, no Node, only the programs that a test names.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { packagedFile } from "../run-variables.ts";
import { trustFoldersBelow } from "../trust-folders.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

export interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface PackagedProgram {
  /** The path of the executable. */
  readonly file: string;
  /** The working folder. Neither it nor any folder above has `.tools`. */
  readonly folder: string;
  /** The only folder on PATH, with links to the given programs. */
  readonly programs: string;
  /** Runs words. `environment` is added to PATH and HOME, or replaces them. */
  run(words: readonly string[], environment?: Readonly<Record<string, string>>): Ran;
  /** Runs a line in `sh`, where `dottool` is the executable. */
  shell(line: string): Ran;
  /** Starts a process in a group of its own. */
  start(words: readonly string[]): ChildProcess;
  write(path: string, text: string): void;
  /** Copies a path of the repository. */
  copy(from: string, to: string): void;
  /** The state folder, with the trust in this folder as it is after each `write`, `copy` and `drop`. */
  readonly state: string;
  drop(path: string): void;
  remove(): void;
}

export function openPackaged(programs: readonly string[]): PackagedProgram {
  const root = mkdtempSync(join(tmpdir(), "dottool-packaged-"));
  const folder = join(root, "work");
  const bin = join(root, "bin");
  for (const made of [folder, bin, join(root, "home")]) mkdirSync(made);
  for (const program of programs) symlinkSync(pathOf(program), join(bin, program));
  const file = join(bin, "dottool");
  copyFileSync(builtExecutable(), file);
  const environment = { PATH: bin, HOME: join(root, "home") };
  const state = join(root, "home", ".local", "state");
  const trust = (): void => trustFoldersBelow(folder, join(state, "dottool"));
  const run = (program: string, words: readonly string[], added: Readonly<Record<string, string>> = {}): Ran => {
    const { status, stdout, stderr } = spawnSync(program, words, {
      cwd: folder,
      env: { ...environment, ...added },
      encoding: "utf8",
      timeout: HANG_MS_MAX,
    });
    return { exitCode: status, stdout, stderr };
  };
  return {
    file,
    folder,
    programs: bin,
    run: (words, added) => run(file, words, added),
    shell: (line) => run(join(bin, "sh"), ["-c", line]),
    start: (words) =>
      spawn(file, words, { cwd: folder, env: environment, detached: true, stdio: ["ignore", "pipe", "pipe"] }),
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      trust();
    },
    copy: (from, to) => {
      cpSync(join(repository, from), join(folder, to), { recursive: true, dereference: true });
      trust();
    },
    state,
    drop: (path) => {
      rmSync(join(folder, path));
      trust();
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function builtExecutable(): string {
  if (!existsSync(packagedFile)) throw new Error(`${packagedFile} is not there; run \`npm run package\` first`);
  return packagedFile;
}

function pathOf(program: string): string {
  const found = ["/usr/bin", "/bin"].map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is not installed`);
  return found;
}

/** Returns the ids of processes whose command line contains `mark`. It needs /proc. */
export function processesWith(mark: string): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        return readFileSync(`/proc/${id}/cmdline`, "utf8").includes(mark);
      } catch {
        // The process ended before it could be read.
        return false;
      }
    })
    .map(Number);
}
