// `dottool-confine` (scripts/confine/), which holds a command by Landlock: where it is, what it is told, and what it tells.
import { Buffer } from "node:buffer";
import { accessSync, chmodSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type OpenDescriptors, temporary, textAt, zeroEnded } from "./confined-descriptors.ts";
import { whyNotExecuted } from "./confined-verdict.ts";
import { type Refused, refused } from "./sandbox-engine.ts";
import type { SpawnResult } from "../../../core/tool/host.ts";

const ASSET = "confine";
/** Not to be written, from its first moment. */
const MODE = 0o500;

let opened: number | false | undefined;

/**
 * Returns the path by which a process of this program executes it; undefined where there is none, or programs in the
 * folder for temporary files are not executed. It is an open file without a name, so that nobody can change it.
 */
export function confineProgram(): string | undefined {
  opened ??= openProgram();
  return opened === false ? undefined : `/proc/${process.pid}/fd/${opened}`;
}

function openProgram(): number | false {
  let folder: string | undefined;
  try {
    const bytes = programBytes();
    folder = mkdtempSync(join(tmpdir(), "dottool-confine-"));
    const file = join(folder, "dottool-confine");
    writeFileSync(file, bytes, { flag: "wx", mode: MODE });
    chmodSync(file, MODE);
    accessSync(file, constants.X_OK);
    const descriptor = openSync(file, "r");
    return readFileSync(`/proc/self/fd/${descriptor}`).equals(bytes) ? descriptor : false;
  } catch {
    return false;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Throws if there is none. */
function programBytes(): Buffer {
  const sea = process.getBuiltinModule("node:sea");
  if (sea?.isSea()) return Buffer.from(new Uint8Array(sea.getRawAsset(ASSET)));
  return readFileSync(new URL(`../../../../dist/confine-linux-${process.arch}`, import.meta.url));
}

/** What it is told. Numbers are those of descriptors as it has them. */
export interface ConfinePlan {
  /** The lowest version of Landlock. Absent: without Landlock, it only starts the command. */
  readonly versionMin?: number;
  readonly status: number;
  /** See scripts/confine/plan.c. */
  readonly rules: readonly string[];
  /** Set if there is no other wall. */
  readonly alone?: {
    readonly filter: number;
    readonly cwd: number;
    readonly environment: Readonly<Record<string, string>>;
    /** Absolute paths of what may be written, and of what in it may not. */
    readonly writes: readonly string[];
    readonly fixed: readonly string[];
  };
  /** What it closes before the command starts. */
  readonly closes: readonly number[];
}

/** Returns the number of the plan, which is its first word. */
export function writePlan({ versionMin, status, rules, alone, closes }: ConfinePlan, open: OpenDescriptors): number {
  const entries = [
    ...(versionMin === undefined ? [] : [`A${versionMin}`]),
    `T${status}`,
    ...rules.map((rule) => `R${rule}`),
    ...closes.map((number) => `X${number}`),
    ...(alone ? ["F", `S${alone.filter}`, `C${alone.cwd}`] : []),
    ...(alone?.writes ?? []).map((path) => `M${path}`),
    ...(alone?.fixed ?? []).map((path) => `K${path}`),
    ...Object.entries(alone?.environment ?? {}).map(([name, value]) => `E${name}=${value}`),
  ];
  return open.add(temporary(zeroEnded(entries)));
}

export interface ConfineStatus {
  /** That of the kernel's Landlock; 0: it has none. Undefined if it has not begun. */
  readonly version: number | undefined;
  /** Why it did not become the command. */
  readonly failure: SpawnResult | Refused | undefined;
}

/** `program` is the command's. */
export function confineStatus(descriptor: number, program: string): ConfineStatus {
  const [version, failed] = textAt(descriptor)
    .split("\n")
    .map((line) => line.split("="));
  const [what, error] = [failed?.[0] ?? "", Number(failed?.[1])];
  const failure =
    what === "exec"
      ? whyNotExecuted(codes.get(error) ?? "EACCES", program)
      : refused(`Landlock cannot be used: \`${what}\` fails with error ${error}`);
  return {
    version: version?.[1] === undefined ? undefined : Number(version[1]),
    failure: what === "" ? undefined : failure,
  };
}

/** The numbers of the system's errors of execve(2), where they are told apart. */
const codes: ReadonlyMap<number, string> = new Map([
  [2, "ENOENT"],
  [7, "E2BIG"],
  [8, "ENOEXEC"],
]);
