// The rules that packages bring, in the `config.yaml` of their tools. The record of what is installed has their text,
// which counts as a person's own once the package is approved. Until then it can only ask and deny, as can that of the
// version that was approved before: no update and no revoked approval takes a denial away.
import { join } from "node:path";
import { readConfigText } from "../../core/base/user-config.ts";
import { CONFIGURATION_NAME } from "../../core/catalog/discover.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import type { ToolFolder } from "../../core/catalog/tool-folders.ts";
import type { ProjectConfig } from "../../core/policy/policy-config.ts";
import { readRules } from "../../core/policy/read-rules.ts";
import { loadPart } from "../../core/tool/feature.ts";
import type { Host } from "../../core/tool/host.ts";
import { isApproved, recordsFor } from "./installed-packages.ts";
import { Refusal } from "./refusal.ts";

/** Packages of one name count all: one that a repository locks must not stand before the user's own. */
export function packageRules(cwd: string, host: Host): readonly ProjectConfig[] {
  return recordsFor(cwd, host).flatMap(({ packages, problem }) => [
    ...(problem
      ? [
          {
            path: "packages",
            text: "",
            owner: "package" as const,
            trouble: [problem.message, ...problem.help].join("; "),
          },
        ]
      : []),
    ...packages.flatMap((one) => configsOf(one, host)),
  ]);
}

function configsOf(
  { name, version, content, rules, rulesBefore }: InstalledPackage,
  host: Host,
): readonly ProjectConfig[] {
  if (rules === undefined && rulesBefore === undefined) return [];
  const path = `package:${name}@${version}/${CONFIGURATION_NAME}`;
  const wasApproved = isApproved(content, host);
  const before = wasApproved ? undefined : rulesBefore;
  return [
    ...(before === undefined ? [] : [{ path, text: before, owner: "package approved before" as const }]),
    ...(rules === undefined || rules === before
      ? []
      : [{ path, text: rules, owner: wasApproved ? ("package" as const) : ("unapproved package" as const) }]),
  ];
}

/** Returns the text of a package's rules. Throws a `Refusal` if they cannot be read, since every call would be refused. */
export async function rulesIn({ path: folder, shownPath }: ToolFolder, host: Host): Promise<string | undefined> {
  const { text = "", trouble } = readConfigText(join(folder, CONFIGURATION_NAME), host) ?? {};
  const path = `${shownPath}/${CONFIGURATION_NAME}`;
  if (trouble !== undefined) throw new Refusal("definitions", `\`${path}\` ${trouble}`);
  await loadPart("writtenPaths");
  const { rules, problems } = readRules(text, { path, owner: "package", host });
  if (problems[0] !== undefined) throw new Refusal("definitions", `its rules cannot be used: ${problems[0]}`);
  return rules.length === 0 ? undefined : text;
}

/** Returns the packages with the rules of the versions that were approved before them. */
export function withRulesBefore(
  packages: readonly InstalledPackage[],
  before: readonly InstalledPackage[],
  host: Host,
): readonly InstalledPackage[] {
  return packages.map((one) => {
    const former = before.find(({ name }) => name === one.name);
    const isOther = former !== undefined && former.content !== one.content;
    const rulesBefore = isOther && isApproved(former.content, host) ? former.rules : former?.rulesBefore;
    return rulesBefore === undefined ? one : { ...one, rulesBefore };
  });
}
