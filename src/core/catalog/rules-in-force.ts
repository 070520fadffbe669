// The texts whose rules count in a project: the present one, and if that is not trusted, the one that was trusted last.
import type { ToolFolder } from "./tool-folders.ts";
import type { TrustRecord } from "./trust-store.ts";
import { dirname, join } from "node:path";
import type { UserConfig } from "../base/user-config.ts";
import type { ProjectConfig } from "../policy/policy-config.ts";
import { isUnanswered } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { CONFIGURATION_NAME } from "./discover.ts";
import { isAccepted } from "./partly-trusted.ts";
import { hasSameFacts } from "./tool-tree.ts";
import type { TrustState } from "./trust-state.ts";
import { trustStateOf } from "./trust.ts";
import { readTrustedTexts, textsPath } from "./trust-store.ts";

interface ProjectState {
  readonly folder: ProjectFolder | undefined;
  /** Absent if there is no such file. `trouble` is the end of a sentence. */
  readonly present: UserConfig | undefined;
  /** The settings of the projects around this one, nearest first. */
  readonly outer: readonly UserConfig[];
  readonly before: TrustedBefore | undefined;
}

export function rulesInForce(
  { folder, present, outer, before: trusted }: ProjectState,
  host: Host,
): readonly ProjectConfig[] {
  const state = folder && trustStateOf(folder, host);
  if (present ? isTrustedText(present, state, host) : state?.isTrusted)
    return present ? [{ ...present, owner: "project" }] : [];
  const before = trusted && configBefore(trusted, { host, help: folder ? AGAIN : FORGET });
  // The same text is reported once, as the trusted one.
  const others = [...(present ? [present] : []), ...outer].filter(
    ({ text, trouble }) => before?.trouble !== undefined || trouble !== undefined || text !== before?.text,
  );
  return [
    ...(before ? [before] : []),
    ...others.map(({ path, text, trouble }) => ({
      path,
      text,
      owner: "untrusted" as const,
      ...(trouble === undefined ? {} : { trouble: `it ${trouble}` }),
    })),
  ];
}

/** Returns whether the text is the trusted one: it may have been swapped since it was checked. */
function isTrustedText({ path, text, trouble }: UserConfig, state: TrustState | undefined, host: Host): boolean {
  const part = state && "part" in state ? state.part : undefined;
  const tree = state?.isTrusted ? state.tree : part?.tree;
  const file = tree?.files.find((one) => one.path === CONFIGURATION_NAME);
  if (!tree || !file || trouble !== undefined) return false;
  if (part && !isAccepted(file.path, file.sha256, part.accepted)) return false;
  if (hasSameFacts(dirname(path), file, { host, checkedMs: tree.checkedMs })) return true;
  try {
    const bytes = host.instant.readBytes(path, file.sizeBytes);
    return host.sha256(bytes) === file.sha256 && new TextDecoder().decode(bytes) === text;
  } catch (error) {
    if (isUnanswered(error)) throw error;
    return false;
  }
}

const AGAIN = "`dottool trust` reviews the project again";
const FORGET = "`dottool untrust` forgets the project";

/**
 * Returns the rules from before, with `trouble` if the trusted text is not known, since it may deny what is asked for.
 */
function configBefore(
  { key, record, trouble }: TrustedBefore,
  { host, help }: { readonly host: Host; readonly help: string },
): ProjectConfig | undefined {
  const path = join(key, CONFIGURATION_NAME);
  const unknown = (reason: string): ProjectConfig => ({
    path,
    text: "",
    owner: "trusted before",
    trouble: `${reason}; ${help}`,
  });
  if (!record) return unknown(trouble ?? "");
  if (record.hasConfig === false) return undefined;
  const texts = readTrustedTexts(record, host);
  if (!texts) return unknown(`the trusted rules are in \`${textsPath(key, host)}\`, which cannot be used`);
  if (!Object.hasOwn(texts.sums, CONFIGURATION_NAME)) return undefined;
  const text = Object.hasOwn(texts.texts, CONFIGURATION_NAME) ? texts.texts[CONFIGURATION_NAME] : undefined;
  return text === undefined
    ? unknown("the trusted rules were too large to store, or not UTF-8")
    : { path, text, owner: "trusted before" };
}

export type ProjectFolder = Pick<ToolFolder, "scope" | "path" | "isLookedAt">;

export interface TrustedBefore {
  /** The key from `trustKeyOf`. */
  readonly key: string;
  /** Absent if it cannot be read; `trouble` says so. */
  readonly record?: TrustRecord;
  readonly trouble?: string;
}
