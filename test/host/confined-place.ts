// A working folder beside what no confined process may reach, and commands that try it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Confinement, SandboxReport } from "../../src/core/tool/confinement.ts";
import { confineProgram } from "../../src/features/confinement/host/confine-program.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { runWithoutNamespaces } from "./confined-without-namespaces.ts";
import type { SpawnRequest } from "../../src/core/tool/host.ts";
import { processFixture, type Ran } from "./process-fixture.ts";

export interface Place {
  /** The working folder. */
  readonly folder: string;
  /** Beside it, with a file `canary`. */
  readonly outside: string;
  readonly home: string;
}

export async function inPlace(work: (place: Place) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "confined-")));
  const place = { folder: join(root, "work"), outside: join(root, "outside"), home: join(root, "home") };
  for (const path of Object.values(place)) mkdirSync(path);
  writeFileSync(join(place.outside, "canary"), CANARY);
  writeFileSync(join(place.home, "key"), CANARY);
  const before = process.env["HOME"];
  process.env["HOME"] = place.home;
  try {
    await work(place);
  } finally {
    if (before === undefined) delete process.env["HOME"];
    else process.env["HOME"] = before;
    rmSync(root, { recursive: true, force: true });
  }
}

export const CANARY = "canary-1789";

interface Tried {
  readonly confinement?: Partial<Confinement>;
  readonly isFree?: true;
  readonly changes?: Partial<SpawnRequest>;
}

export async function attack(
  argv: readonly string[],
  place: Place,
  { confinement, isFree, changes }: Tried = {},
): Promise<Ran> {
  return processFixture().run(argv, {
    cwd: place.folder,
    environment: environmentIn(place),
    ...(isFree ? {} : { confinement: { ...strictIn(place), ...confinement } }),
    ...changes,
  });
}

/** The same where there are no namespaces. */
async function attackAlone(argv: readonly string[], place: Place, tried: Tried = {}): Promise<Ran> {
  if (tried.isFree) return attack(argv, place, tried);
  const { confinement, changes } = tried;
  return runWithoutNamespaces({
    argv,
    cwd: place.folder,
    environment: environmentIn(place),
    confinement: { ...strictIn(place), ...confinement },
    ...changes,
  });
}

function environmentIn(place: Place): Readonly<Record<string, string>> {
  return { PATH: "/usr/bin:/bin", HOME: place.home, ROOT: join(place.folder, "..") };
}

function strictIn({ folder }: Place): Confinement {
  return { level: "strict", folder, writes: [], reads: [], hosts: [] };
}

/** What may hold a process on Linux. */
export interface Walls {
  readonly name: string;
  readonly isAlone: boolean;
  readonly attack: typeof attack;
  /** What they always report. */
  readonly report: SandboxReport;
  readonly needs: readonly string[];
}

export const both: Walls = {
  name: "in bubblewrap and Landlock",
  isAlone: false,
  attack,
  report: { sandbox: "full", missing: [], engines: ["bubblewrap", "Landlock"] },
  needs: ["bwrap"],
};

export const alone: Walls = {
  name: "in Landlock alone",
  isAlone: true,
  attack: attackAlone,
  report: {
    sandbox: "partial",
    missing: ["Landlock holds it alone, so it can find out which files exist, and their sizes and times"],
    engines: ["Landlock"],
  },
  needs: ["unshare"],
};

/** Leaves a test out where the machine has not what it needs. */
export function needWalls(walls: Walls, ...programs: readonly string[]): void {
  needPrograms(...walls.needs, ...programs);
  if (confineProgram() === undefined) leaveOut("`dottool-confine` is not built");
}

/** Returns what has held it, without what was kept from it. */
export function reportOf({ result }: Pick<Ran, "result">): SandboxReport | undefined {
  if (result.kind !== "exited" || !result.report) return undefined;
  const { blocked: _blocked, ...report } = result.report;
  return report;
}

export const sh = (script: string): readonly string[] => ["sh", "-c", script];
export const python = (script: string): readonly string[] => ["/usr/bin/python3", "-c", script];

export function isThere(path: string): boolean {
  try {
    return readFileSync(path, "utf8").includes(CANARY);
  } catch {
    return false;
  }
}

export const full = both.report;

/** Starts a program that finds no Landlock, as on an older kernel: landlock_create_ruleset(2) fails with ENOSYS. */
export const withoutLandlock = python(
  `import ctypes, os, struct, sys
rules = b"".join(struct.pack("HBBI", *one) for one in [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (6, 0, 0, 0x50026), (6, 0, 0, 0x7fff0000)])
memory = ctypes.create_string_buffer(rules)
ctypes.CDLL(None).prctl(22, 2, struct.pack("HxxxxxxP", 4, ctypes.addressof(memory)), 0, 0)
os.execv(sys.argv[1], sys.argv[1:])`,
);
