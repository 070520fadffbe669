// The `config.yaml` files of a project that restrict what may run. A project needs trust to do anything, but not to
// deny or ask. Rules that were once trusted stay in force until a person decides again, so no change of the project's
// files removes one. Every call comes through here and most find no such file, so rules-in-force.ts is loaded only when
// there is one.
import type { ProjectFolder, TrustedBefore } from "./rules-in-force.ts";
import { dirname, join } from "node:path";
import { readConfigText, type UserConfig } from "../base/user-config.ts";
import type { ProjectConfig } from "../policy/policy-config.ts";
import { loadPart } from "../tool/feature.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import { findProjectFolder, projectFolderIn } from "./tool-folders.ts";
import { projectRootOf } from "./trust.ts";
import { readRecord, recordFinder, recordTrouble } from "./trust-store.ts";

declare module "../tool/feature.ts" {
  interface Parts {
    /** Returns the rules of the packages that are installed for a folder, and for the user. */
    readonly packageRules: (cwd: string, host: Host) => readonly ProjectConfig[];
  }
}

interface ProjectRulesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

/**
 * Returns the rules of the project around `cwd`. `lookedAt` is the tool folder of another project that is only
 * inspected. It looks again each time, because files change while a program runs. A `--tools` that names the folder
 * does not take its rules away.
 */
export async function projectConfigs(
  lookedAt: ProjectFolder | undefined,
  { host, cwd }: ProjectRulesOptions,
): Promise<readonly ProjectConfig[]> {
  const folder = lookedAt ?? projectFolderAt(cwd, host);
  const root = folder && projectRootOf(folder.path);
  const present = root === undefined ? undefined : configIn(root, host);
  const before = nearestRecord(root === undefined ? cwd : dirname(root), host);
  const outer = root === undefined ? [] : outerConfigs(root, host);
  // The rules inside a team's executable are trusted with it.
  const inside = host.bundle?.config;
  const always: readonly ProjectConfig[] = [
    ...(inside ? [{ ...inside, owner: "project" as const }] : []),
    ...(host.instant.stat(`${host.folders.state}/packages`)
      ? ((await loadPart("packageRules"))?.(cwd, host) ?? [])
      : []),
  ];
  if (!present && outer.length === 0 && (!before || before.record?.hasConfig === false)) return always;
  return [...always, ...(await import("./rules-in-force.ts")).rulesInForce({ folder, present, outer, before }, host)];
}

function projectFolderAt(cwd: string, host: Host): ProjectFolder | undefined {
  const { path } = findProjectFolder(host, cwd);
  return path === undefined ? undefined : { scope: "project", path };
}

function configIn(folder: string, host: Host): UserConfig | undefined {
  const path = join(folder, CONFIGURATION_NAME);
  const read = readConfigText(path, host);
  return read && { path, ...read };
}

/** Returns the settings of the projects around the one with the tool folder `inner`, nearest first. */
function outerConfigs(inner: string, host: Host): readonly UserConfig[] {
  const start = dirname(dirname(inner));
  const outer = start === dirname(inner) ? undefined : findProjectFolder(host, start).path;
  if (outer === undefined) return [];
  const config = configIn(outer, host);
  return [...(config ? [config] : []), ...outerConfigs(outer, host)];
}

/** Returns the nearest record, even of a project whose folder is gone, or of one around a new, untrusted `.tools`. */
export function nearestRecord(start: string, host: Host): TrustedBefore | undefined {
  const mayHaveRecord = recordFinder(host);
  for (let folder = realPathOf(start, host); ; folder = dirname(folder)) {
    const key = projectFolderIn(folder);
    if (mayHaveRecord(key)) {
      const record = readRecord(key, host);
      if (record) return { key, record };
      const trouble = recordTrouble(key, host);
      if (trouble !== undefined) return { key, trouble };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function realPathOf(path: string, host: Host): string {
  try {
    return host.instant.realPath(path);
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return path;
  }
}
