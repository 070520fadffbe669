// A working folder beside what no confined process may reach, and commands that try it.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { Confinement } from "../../src/core/tool/confinement.ts";
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
    environment: { PATH: "/usr/bin:/bin", HOME: place.home, ROOT: join(place.folder, "..") },
    ...(isFree
      ? {}
      : {
          confinement: { level: "strict", folder: place.folder, writes: [], reads: [], hosts: [], ...confinement },
        }),
    ...changes,
  });
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

export const full = { sandbox: "full", missing: [] };
