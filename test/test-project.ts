// A folder with files, and the real program running in it, for the tests of the command line.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "./amount.ts";
import { compileCache, program as startedProgram } from "./program.ts";
import { trustFoldersBelow } from "./trust-folders.ts";

export interface ToolRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface ToolRunOptions {
  readonly stdin?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
  /** Relative to the bench's folder. */
  readonly cwd?: string;
}

export interface TestProject {
  /** An absolute path without links. */
  readonly folder: string;
  write(path: string, text: string): void;
  /**
   * Runs the program. It never rejects for an exit code. It trusts the bench's current `.tools`, as a person who works
   * there does. The bench's folder reads `<bench>` in the output.
   */
  run(words: readonly string[], options?: ToolRunOptions): Promise<ToolRun>;
  /** As `run`, in this process: a tenth of the work. See `startingOnce`. */
  here(words: readonly string[], options?: ToolRunOptions): Promise<ToolRun>;
  /** For tests that start the program themselves. */
  trust(): void;
  /** How the program is started, for tests that watch it. */
  readonly program: {
    readonly command: string;
    readonly words: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
  };
  /** As the end of the block does where `using` made the bench. */
  remove(): void;
  [Symbol.dispose](): void;
}

export interface TestProjectOptions {
  /** The default is true. */
  readonly isTrusted?: boolean;
}

interface Home {
  /** dottool's state folder in it. */
  readonly state: string;
  readonly environment: Readonly<Record<string, string>>;
}

function homeIn(folder: string): Home {
  const path = join(folder, "home");
  if (process.platform !== "win32")
    return { state: join(path, ".local", "state", "dottool"), environment: { HOME: path } };
  const { SystemRoot = "", TEMP = "" } = process.env;
  const [APPDATA, LOCALAPPDATA] = [join(path, "AppData", "Roaming"), join(path, "AppData", "Local")];
  return {
    state: join(LOCALAPPDATA, "dottool", "state"),
    environment: { HOME: path, USERPROFILE: path, APPDATA, LOCALAPPDATA, SystemRoot, TEMP },
  };
}

/**
 * Makes a project: `using bench = testProject({…})` removes it where the block ends. Texts are by path. Its own home folder
 * keeps out the files of the machine's user.
 */
export function testProject(
  files: Readonly<Record<string, string>> = {},
  { isTrusted = true }: TestProjectOptions = {},
): TestProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dottool-bench-")));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, "home"));
  for (const [path, text] of Object.entries(files)) write(path, text);
  const home = homeIn(folder);
  const trust = (): void => trustFoldersBelow(folder, home.state);
  if (isTrusted) trust();
  const program = {
    ...startedProgram,
    environment: { PATH: process.env["PATH"] ?? "", ...home.environment, LANG: "C.UTF-8", ...compileCache },
  };
  /** A bench that cannot be written any more stays as it was trusted. */
  const trustAgain = (): void => {
    try {
      trust();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  };
  const run = (words: readonly string[], options: ToolRunOptions = {}): Promise<ToolRun> => {
    if (isTrusted) trustAgain();
    return new Promise((resolve, reject) => {
      const child = spawn(program.command, [...program.words, ...words], {
        cwd: join(folder, options.cwd ?? "."),
        env: { ...program.environment, ...options.environment },
        timeout: HANG_MS_MAX,
      });
      const texts = { stdout: "", stderr: "" };
      child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
      // The program may end before it has read everything.
      child.stdin.on("error", () => undefined).end(options.stdin ?? "");
      child.on("error", reject);
      child.on("close", (exitCode) =>
        resolve({
          stdout: texts.stdout.replaceAll(folder, "<bench>"),
          stderr: texts.stderr.replaceAll(folder, "<bench>"),
          exitCode,
        }),
      );
    });
  };
  const here = async (words: readonly string[], options: ToolRunOptions = {}): Promise<ToolRun> => {
    if (isTrusted) trustAgain();
    const { runHere } = await import("./run-here.ts");
    return runHere(words, folder, {
      stdin: options.stdin ?? "",
      cwd: join(folder, options.cwd ?? "."),
      environment: { ...program.environment, ...options.environment },
    });
  };
  // A resident process logs a call also after its launcher was killed, while the folder is removed.
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { folder, write, trust, run, here, program, remove, [Symbol.dispose]: remove };
}

/**
 * Runs lines of a file's benches: the first line of each command, or of each tool, starts the program; the others run
 * in this process.
 */
export function startingOnce(): (
  bench: TestProject,
  words: readonly string[],
  options?: ToolRunOptions,
) => Promise<ToolRun> {
  const started = new Set<string | undefined>();
  return (bench, words, options) => {
    const name = words.find((word) => !word.startsWith("-"));
    const isFirst = !started.has(name);
    started.add(name);
    return isFirst ? bench.run(words, options) : bench.here(words, options);
  };
}
