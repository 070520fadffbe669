// Files of a package that look like definitions and are not read as tools: an author may have meant them.
import { join } from "node:path";
import { CONFIGURATION_NAME, DEFINITION_ENDING, SORTING_DEPTH_MAX } from "../../core/catalog/discover.ts";
import type { Host } from "../../core/tool/host.ts";
import { PACKAGE_FILES_MAX } from "./host/packed-file.ts";

export const readingRule = `tools are the \`.tool\` files in the folder of the tools and up to ${SORTING_DEPTH_MAX} folders below it, and the YAML files in it; hidden folders are not read`;

interface PackagePlace {
  /** Absolute: the folder of the package. */
  readonly root: string;
  /** The folder of its definitions within the package; empty for the package itself. */
  readonly tools: string;
}

/** `read` are the paths of definitions that are read. All paths are within the package. */
export function leftOut(read: ReadonlySet<string>, { root, tools }: PackagePlace, host: Host): readonly string[] {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(), looked = 0; folder !== undefined; folder = folders.pop())
    for (const { name, kind } of host.instant.list(join(root, folder))) {
      if (++looked > PACKAGE_FILES_MAX) return found;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "folder") folders.push(path);
      else if (isMeant(path, name, tools) && !read.has(path)) found.push(path);
    }
  return found.sort();
}

/** Outside the folder of the tools, a YAML file is another program's. */
function isMeant(path: string, name: string, tools: string): boolean {
  if (name === CONFIGURATION_NAME || !DEFINITION_ENDING.test(name)) return false;
  return name.endsWith(".tool") || (!path.split("/").some(isHidden) && (tools === "" || path.startsWith(`${tools}/`)));
}

function isHidden(part: string): boolean {
  return part.startsWith(".");
}
