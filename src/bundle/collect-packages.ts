// The packages of a project as files of a bundle: the definitions of `@team/text` as those of the folder `team`, where
// they have the same names.
import { dirname } from "node:path";
import { readInstalled, toolFolderOf } from "../catalog/installed-packages.ts";
import type { PackageFolder } from "../catalog/package-folder.ts";
import { readTree } from "../catalog/tool-tree.ts";
import type { Host } from "../tool/host.ts";
import type { UnpackedFile } from "../tool/host-bundle.ts";
import { collectFiles, type CollectedFiles, type CollectProblem } from "./collect-files.ts";
import { CONFIGURATION_NAME } from "../catalog/discover.ts";

/** What is of the package and not of its tools. */
const OF_THE_PACKAGE = /^(?:package\.json|dottool\.lock|readme(?:\.\w+)?|licen[cs]e(?:\.\w+)?|changelog(?:\.\w+)?)$/i;

/** `folder` is the project's tool folder, absolute; `own` are the files of it, which come first. */
export function withPackages(folder: string, own: CollectedFiles, host: Host): CollectedFiles | CollectProblem {
  const { packages, problem } = readInstalled(host.instant.realPath(dirname(folder)), host);
  if (problem) return { problem: problem.message, help: problem.help[0] ?? "" };
  const files = new Map(own.files.map((file) => [file.path, file]));
  const leftOut = [...own.leftOut];
  for (const installed of packages) {
    const { path, package: packed } = toolFolderOf(installed, host);
    const fault = packed && faultOf(packed, host);
    if (fault) return fault;
    const collected = collectFiles(path, host);
    if ("problem" in collected) return { ...collected, problem: `\`${installed.name}\`: ${collected.problem}` };
    for (const file of collected.files) {
      if (OF_THE_PACKAGE.test(file.path)) continue;
      if (file.path === CONFIGURATION_NAME) leftOut.push(`\`${CONFIGURATION_NAME}\` of \`${installed.name}\``);
      else if (!add({ ...file, path: `${installed.owner}/${file.path}` }, files))
        leftOut.push(`\`${file.path}\` of \`${installed.name}\`: \`${installed.owner}/${file.path}\` is there already`);
    }
  }
  return { files: [...files.values()], leftOut };
}

function faultOf({ name, root, content, isApproved, plugins }: PackageFolder, host: Host): CollectProblem | undefined {
  const tree = readTree(root, { host });
  if ("problem" in tree || tree.sha256 !== content)
    return { problem: `\`${name}\` is not as it was installed`, help: "`dottool install` puts it back" };
  if (!isApproved)
    return {
      problem: `\`${name}\` is not approved, and everything in a bundle is trusted`,
      help: `\`dottool trust --package ${name}\` shows what it runs, and asks you`,
    };
  return plugins.length === 0
    ? undefined
    : {
        problem: `\`${name}\` has plugins, and a bundle takes only those of its own folder`,
        help: `copy them to \`plugins/\` in the folder, and \`dottool remove ${name}\``,
      };
}

function add(file: UnpackedFile, files: Map<string, UnpackedFile>): boolean {
  const isNew = !files.has(file.path);
  if (isNew) files.set(file.path, file);
  return isNew;
}
