// What Landlock lets a process do with files, as rules of `dottool-confine`. A rule holds for a file, or a folder and
// all that is in it, and rules only allow. So a folder with something guarded in it is listed, and what else is in it
// has rules of its own: nothing new can be made there.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { OpenDescriptors } from "./confined-descriptors.ts";
import type { Guards } from "./confined-guards.ts";
import { realPathOf, systemPlaces } from "./confined-places.ts";
import type { Visible } from "./confined-mounts.ts";

/** Each takes some 5 µs. */
const RULES_MAX = 4_096;

export interface FileRules {
  readonly rules: readonly string[];
  /** The folders that may be written, and in which nothing can be made: their paths for the process. */
  readonly closed: readonly string[];
}

/** Of /proc what is about the machine, and nothing about processes, which would show those of others. */
const MACHINE = ["cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version"];
const DEVICES = ["null", "zero", "full", "random", "urandom"];

/** Returns undefined if there are too many. */
export function fileRules(
  places: readonly Visible[],
  { keys, fixed }: Pick<Guards, "keys" | "fixed">,
  open: OpenDescriptors,
): FileRules | undefined {
  const rules = [...MACHINE.map((name) => `r-:/proc/${name}`), ...DEVICES.map((name) => `d-:/dev/${name}`)];
  const closed: string[] = [];
  const isKey = new Set(keys);
  const isFixed = new Set(fixed);
  const aboveKeys = foldersAbove(keys);
  const aboveFixed = foldersAbove(fixed);
  const visit = (folder: string, at: Visible, below: string): void => {
    const path = at.path + below;
    if (isKey.has(path) || rules.length > RULES_MAX) return;
    const isWritable = at.isWritable && !isFixed.has(path);
    const rule = `${folder}:${folder === "-" ? path : below.slice(1)}`;
    if (!aboveKeys.has(path) && !(isWritable && aboveFixed.has(path))) {
      rules.push((isWritable ? "w" : "r") + rule);
      return;
    }
    rules.push(`l${rule}`);
    if (isWritable) closed.push(at.inside + below);
    for (const name of namesIn(path)) visit(folder, { ...at, isWritable }, `${below}/${name}`);
  };
  const { system, files } = systemPlaces();
  for (const path of new Set([...system, ...files].map(realPathOf)))
    visit("-", { descriptor: -1, path, inside: path, isWritable: false }, "");
  for (const place of places) visit(String(open.add(place.descriptor)), place, "");
  return rules.length > RULES_MAX ? undefined : { rules, closed };
}

function foldersAbove(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  return folders;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
