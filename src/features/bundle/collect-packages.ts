// The packages of a project as files of a tool folder that is given to others: the definitions of `@team/text` as those
// of the folder `team`, where they have the same names. A package with plugins is there a second time, whole, in
// `plugins`: plugins import what lies beside them, and no definition is looked for there.
import { Buffer } from "node:buffer";
import { basename, dirname, join, resolve } from "node:path";
import { readInstalled, toolFolderOf } from "../packages/installed-packages.ts";
import type { PackageFolder } from "../../core/catalog/package-folder.ts";
import { readTree } from "../../core/catalog/tool-tree.ts";
import { MANIFEST_NAME, parseManifest } from "../packages/manifest.ts";
import { Refusal } from "../packages/refusal.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { secretIn } from "../../core/text/secret-texts.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { collectFiles, type CollectedFiles, type CollectProblem } from "./collect-files.ts";
import { CONFIGURATION_NAME } from "../../core/catalog/discover.ts";

/** What is of the package and not of its tools. */
const OF_THE_PACKAGE = /^(?:package\.json|dottool\.lock|readme(?:\.\w+)?|licen[cs]e(?:\.\w+)?|changelog(?:\.\w+)?)$/i;

/** Returns the packages of the project whose tool folder this is. */
export function packagesBeside(folder: string, host: Host): ReturnType<typeof readInstalled> {
  return readInstalled(host.instant.realPath(dirname(folder)), host);
}

/** `folder` is the project's tool folder, absolute. Its own files come before those of packages. */
export function collectWithPackages(folder: string, host: Host): CollectedFiles | CollectProblem {
  const own = collectFiles(folder, host);
  if ("problem" in own) return own;
  const { packages, problem } = packagesBeside(folder, host);
  if (problem) return { problem: problem.message, help: problem.help[0] ?? "" };
  const files = new Map(own.files.map((file) => [file.path, file]));
  const manifest = projectManifest(folder, host);
  if (manifest) add(manifest, files);
  const leftOut = [...own.leftOut];
  for (const installed of packages) {
    const { path, package: packed } = toolFolderOf(installed, host);
    const fault = packed && faultOf(packed, host);
    if (fault) return fault;
    const plugins = packed ? pluginFiles(packed, host) : { files: [] };
    if ("problem" in plugins) return plugins;
    const collected = collectFiles(path, host);
    if ("problem" in collected) return { ...collected, problem: `\`${installed.name}\`: ${collected.problem}` };
    for (const file of collected.files) {
      if (OF_THE_PACKAGE.test(file.path)) continue;
      if (file.path === CONFIGURATION_NAME) leftOut.push(`\`${CONFIGURATION_NAME}\` of \`${installed.name}\``);
      else if (!add({ ...file, path: `${installed.owner}/${file.path}` }, files))
        leftOut.push(`\`${file.path}\` of \`${installed.name}\`: \`${installed.owner}/${file.path}\` is there already`);
    }
    for (const file of plugins.files)
      if (!add(file, files))
        return { problem: `\`${file.path}\` is needed for \`${installed.name}\``, help: "give your file another name" };
  }
  return { files: [...files.values()], leftOut };
}

/**
 * Returns what a project that is itself a package says of its tool folder, where the folder says nothing: its name,
 * version and the like, and nothing of its scripts.
 */
function projectManifest(folder: string, host: Host): UnpackedFile | undefined {
  const project = dirname(folder);
  const path = join(project, MANIFEST_NAME);
  if (host.instant.stat(path)?.kind !== "file") return undefined;
  try {
    const json = parseManifest(new TextDecoder().decode(host.instant.readBytes(path, MANIFEST_BYTES_MAX)), path);
    const { tools } = isJsonObject(json["dottool"] ?? null) ? (json["dottool"] as JsonObject) : {};
    if (typeof tools !== "string" || resolve(project, tools) !== folder) return undefined;
    const given = Object.entries(json).filter(([key]) => GIVEN_KEYS.includes(key));
    const text = `${JSON.stringify(Object.fromEntries(given), null, 2)}\n`;
    return secretIn(text) ? undefined : { path: MANIFEST_NAME, bytes: Buffer.from(text), isExecutable: false };
  } catch (error) {
    if (error instanceof Refusal || codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

const MANIFEST_BYTES_MAX = 1024 * 1024;
const GIVEN_KEYS = "name version description author license homepage repository keywords mcpName dependencies".split(
  " ",
);

function faultOf({ name, root, content, isApproved }: PackageFolder, host: Host): CollectProblem | undefined {
  const tree = readTree(root, { host });
  if ("problem" in tree || tree.sha256 !== content)
    return { problem: `\`${name}\` is not as it was installed`, help: "`dottool install` puts it back" };
  return isApproved
    ? undefined
    : {
        problem: `\`${name}\` is not approved, and those who get the output trust everything in it`,
        help: `\`dottool trust --package ${name}\` shows what it runs, and asks you`,
      };
}

const PLUGINS = "plugins";

/** Returns the whole package, and for each plugin a module where plugins are looked for. */
function pluginFiles(
  { name, root, plugins }: PackageFolder,
  host: Host,
): { readonly files: readonly UnpackedFile[] } | CollectProblem {
  if (plugins.length === 0) return { files: [] };
  const whole = collectFiles(root, host);
  if ("problem" in whole) return { ...whole, problem: `\`${name}\`: ${whole.problem}` };
  const copies = whole.files.map((file) => ({ ...file, path: `${PLUGINS}/${name}/${file.path}` }));
  const modules = plugins.map((plugin): UnpackedFile => {
    const called = `${name.replaceAll(/\W+/g, "-")}-${basename(plugin).replace(/\.\w+$/, "")}`.replace(/^-/, "");
    const from = JSON.stringify(`./${name}/${plugin.replace(/^\.\//, "")}`);
    return {
      path: `${PLUGINS}/${called}.ts`,
      bytes: Buffer.from(`export { default } from ${from};\n`),
      isExecutable: false,
    };
  });
  return { files: [...copies, ...modules] };
}

function add(file: UnpackedFile, files: Map<string, UnpackedFile>): boolean {
  const isNew = !files.has(file.path);
  if (isNew) files.set(file.path, file);
  return isNew;
}
