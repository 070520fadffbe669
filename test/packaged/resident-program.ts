// A resident process and its launcher, for tests: a home, a project with tools, and the executable.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { packagedFile } from "../run-variables.ts";
import { trustFoldersBelow } from "../trust-folders.ts";

const tools = {
  facts: [
    "@shell sh",
    "@command umask; ulimit -n; pwd; env | grep -v -e RUN_ID -e '^_=' | sort; grep -e SigBlk -e SigIgn /proc/self/status",
  ],
  inherits: ["@env-inherit yes", "@command env"],
  fails: ["@shell sh", "@command echo out; echo err >&2; exit 7"],
  waits: ["@command sleep {seconds}", "@param seconds {number} [required] How long"],
  leaves: ["@shell sh", "@command setsid sleep 98761 & sleep 98761"],
  says: ["@shell sh", "@command echo {word}; sleep 0.05", "@param word {string} [required] What"],
  keeps: [
    "@shell sh",
    "@command seq 1 50000 > {file}.part; sleep 0.05; mv {file}.part {file}; echo kept",
    "@param file {string} [required] Where",
  ],
  stays: [
    "@shell sh",
    "@command trap '' TERM; setsid sh -c 'trap \"\" TERM; sleep 98764; sleep 98764' & sleep 98764; wait",
  ],
  much: ["@command seq 1 100000"],
  counts: ["@step one runs\n    echo one", "@step two runs\n    echo two {one}"],
  endless: ["@command yes", "@limit output=1GB"],
};

export type Result = readonly [exitCode: number | null, stdout: string, stderr: string];

export interface Place {
  readonly root: string;
  readonly executable: string;
  readonly launcher: string;
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  run(file: string, words: readonly string[], environment?: Readonly<Record<string, string>>): Result;
  start(words: readonly string[], environment?: Readonly<Record<string, string>>): ChildProcess;
  status(): {
    readonly state: string;
    readonly pid: number;
    readonly calls: number;
    readonly running: number;
    readonly ordinaryWay: number;
  };
  remove(): void;
}

/** A home, a project with the tools, and the executable with its launcher. */
export function open(): Place {
  if (process.platform !== "linux") leaveOut("a resident process works on Linux alone");
  needPrograms(process.arch === "arm64" ? "aarch64-linux-gnu-gcc" : "x86_64-linux-gnu-gcc");
  const root = mkdtempSync(join(tmpdir(), "dottool-resident-"));
  const [home, runtime, project] = ["home", "runtime", "project"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, runtime, join(project, ".tools")]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, lines] of Object.entries(tools))
    writeFileSync(
      join(project, ".tools", `${name}.tool`),
      `Does it.\n\n@title It\n@name ${name}\n${lines[0]?.startsWith("@step") ? "" : "@wrapped run_command\n"}${lines.join("\n")}\n@tags read\n`,
    );
  trustFoldersBelow(project, join(home, ".local/state/dottool"));
  const executable = join(root, "dottool-itself");
  const launcher = join(root, "dottool");
  symlinkSync(packagedFile, executable);
  const environment = { PATH: "/usr/bin:/bin", HOME: home, XDG_RUNTIME_DIR: runtime };
  const run: Place["run"] = (file, words, added = {}) => {
    const { status, stdout, stderr } = spawnSync(file, words, {
      cwd: project,
      env: { ...environment, ...added },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: HANG_MS_MAX,
    });
    return [status, stdout, stderr];
  };
  assert.is(run(executable, ["resident", "launcher", launcher])[0], 0);
  return {
    root,
    executable,
    launcher,
    project,
    environment,
    run,
    start: (words, added = {}) =>
      spawn(launcher, words, { cwd: project, env: { ...environment, ...added }, stdio: ["ignore", "pipe", "pipe"] }),
    status: () => JSON.parse(run(executable, ["resident", "status", "--json"])[1]) as ReturnType<Place["status"]>,
    remove: () => {
      run(executable, ["resident", "stop"]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Runs a test with a resident process, which is stopped afterwards. */
export async function withResident(body: (place: Place) => void | Promise<void>): Promise<void> {
  const place = open();
  try {
    assert.is(place.run(place.executable, ["resident", "start"])[0], 0);
    await body(place);
  } finally {
    place.remove();
  }
}

export async function ended(child: ChildProcess): Promise<Result> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (text: string) => void (texts[name] += text));
  await once(child, "close");
  return [child.exitCode, texts.stdout, texts.stderr];
}

/** Waits until `isSo`, which the time limit of the test bounds. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => void setTimeout(resolve, 5));
}
