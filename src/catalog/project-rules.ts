// Which `config.yaml` of a project restrict what may run. Trust decides whether a project may do anything; to deny and to ask, it needs no trust.
// What somebody has trusted once keeps restricting until somebody decides again: no change of the project's files takes a rule away.
import { dirname, join } from "node:path";
import { readConfigText } from "../base/user-config.ts";
import type { ProjectConfig } from "../policy/policy-config.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "./tool-folders.ts";
import { isSameFile, type ToolTree } from "./tool-tree.ts";
import { projectRootOf, trustStateOf } from "./trust.ts";
import { readRecord, readTexts, recordFinder, recordTrouble, textsPath, type TrustRecord } from "./trust-store.ts";

export interface ProjectRulesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

/** `folder`: the project's tool folder; absent where there is none now. Looks anew each time: files change while a program runs. */
export function projectConfigs(folder: Pick<ToolFolder, "scope" | "path" | "isLookedAt"> | undefined, { host, cwd }: ProjectRulesOptions): readonly ProjectConfig[] {
  const root = folder && projectRootOf(folder.path);
  const present = root === undefined ? undefined : presentConfig(join(root, CONFIGURATION_NAME), host);
  const trusted = nearestRecord(root === undefined ? cwd : dirname(root), host);
  // Most projects have no rules, and nobody has trusted any there.
  if (!present && (!trusted || trusted.record?.hasConfig === false)) return [];
  const state = folder && trustStateOf(folder, host);
  if (state?.isTrusted && (!present || isTrustedText(present, state.tree, host))) return present ? [{ ...present, owner: "project" }] : [];
  const before = trusted && configBefore(trusted, host);
  // The same text is said once, by those who have looked at it.
  const isOther = present && (before?.trouble !== undefined || present.trouble !== undefined || present.text !== before?.text);
  return [...(before ? [before] : []), ...(isOther ? [{ ...present, owner: "untrusted" as const }] : [])];
}

type PresentConfig = Pick<ProjectConfig, "path" | "text" | "trouble">;

function presentConfig(path: string, host: Host): PresentConfig | undefined {
  const read = readConfigText(path, host);
  if (read === undefined) return undefined;
  return { path, ...read, ...(read.trouble === undefined ? {} : { trouble: `it ${read.trouble}` }) };
}

/** Swapped since it was looked at, it is not what was trusted. */
function isTrustedText({ path, text, trouble }: PresentConfig, tree: ToolTree | undefined, host: Host): boolean {
  const file = tree?.files.find((one) => one.path === CONFIGURATION_NAME);
  if (!tree || !file || trouble !== undefined) return false;
  if (isSameFile(dirname(path), file, { host, checkedMs: tree.checkedMs })) return true;
  try {
    const bytes = host.instant.readBytes(path, file.sizeBytes);
    return host.sha256(bytes) === file.sha256 && new TextDecoder().decode(bytes) === text;
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return false;
  }
}

interface Trusted {
  /** As `trustKeyOf` gives it. */
  readonly key: string;
  /** Absent where it cannot be read; `trouble` says so. */
  readonly record?: TrustRecord;
  readonly trouble?: string;
}

/** Of a project whose folder is gone, too, and of one around a new `.tools` that nobody has trusted. */
function nearestRecord(start: string, host: Host): Trusted | undefined {
  const mayHaveRecord = recordFinder(host);
  for (let folder = realPathOf(start, host); ; folder = dirname(folder)) {
    const key = join(folder, PROJECT_FOLDER_NAME);
    const record = mayHaveRecord(key) ? readRecord(key, host) : undefined;
    if (record) return { key, record };
    const trouble = mayHaveRecord(key) ? recordTrouble(key, host) : undefined;
    if (trouble !== undefined) return { key, trouble };
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

const AGAIN = "`dottool trust` looks at the project again";

/** With `trouble` where nobody can tell what was trusted: it may deny what is asked for. */
function configBefore({ key, record, trouble }: Trusted, host: Host): ProjectConfig | undefined {
  const path = join(key, CONFIGURATION_NAME);
  const unknown = (reason: string): ProjectConfig => ({ path, text: "", owner: "trusted before", trouble: `${reason}; ${AGAIN}` });
  if (!record) return unknown(trouble ?? "");
  if (record.hasConfig === false) return undefined;
  const texts = readTexts(record, host);
  if (!texts) return unknown(`the rules that were trusted there are in \`${textsPath(key, host)}\`, which cannot be used`);
  if (!Object.hasOwn(texts.sums, CONFIGURATION_NAME)) return undefined;
  const text = Object.hasOwn(texts.texts, CONFIGURATION_NAME) ? texts.texts[CONFIGURATION_NAME] : undefined;
  return text === undefined ? unknown("the rules that were trusted there were too large to store, or not UTF-8") : { path, text, owner: "trusted before" };
}
