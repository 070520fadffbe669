// Which `config.yaml` of a project restrict what may run. Trust decides whether a project may do anything; to deny and
// to ask, it needs no trust. What somebody has trusted once keeps restricting until somebody decides again: no change
// of the project's files takes a rule away. Every call comes through here, and most find nothing: rules-in-force.ts
// loads when there is something.
import { dirname, join } from "node:path";
import { readConfigText } from "../base/user-config.ts";
import type { ProjectConfig } from "../policy/policy-config.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "./tool-folders.ts";
import { projectRootOf } from "./trust.ts";
import { readRecord, recordFinder, recordTrouble, type TrustRecord } from "./trust-store.ts";

export interface ProjectRulesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

export type ProjectFolder = Pick<ToolFolder, "scope" | "path" | "isLookedAt">;

export interface TrustedBefore {
  /** As `trustKeyOf` gives it. */
  readonly key: string;
  /** Absent where it cannot be read; `trouble` says so. */
  readonly record?: TrustRecord;
  readonly trouble?: string;
}

/**
 * `folder`: the project's tool folder; absent where there is none now. Looks anew each time: files change while a
 * program runs.
 */
export async function projectConfigs(
  folder: ProjectFolder | undefined,
  { host, cwd }: ProjectRulesOptions,
): Promise<readonly ProjectConfig[]> {
  const root = folder && projectRootOf(folder.path);
  const path = root === undefined ? undefined : join(root, CONFIGURATION_NAME);
  const read = path === undefined ? undefined : readConfigText(path, host);
  const before = nearestRecord(root === undefined ? cwd : dirname(root), host);
  if (!read && (!before || before.record?.hasConfig === false)) return [];
  const present = path === undefined || read === undefined ? undefined : { path, ...read };
  return (await import("./rules-in-force.ts")).rulesInForce({ folder, present, before }, host);
}

/** Of a project whose folder is gone, too, and of one around a new `.tools` that nobody has trusted. */
function nearestRecord(start: string, host: Host): TrustedBefore | undefined {
  const mayHaveRecord = recordFinder(host);
  for (let folder = realPathOf(start, host); ; folder = dirname(folder)) {
    const key = join(folder, PROJECT_FOLDER_NAME);
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
