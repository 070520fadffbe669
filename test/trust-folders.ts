// Trusts the tool folders of a test like a person after a review: with the program's own code, in the state folder of
// the test.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readContent, trustContent } from "../src/core/catalog/trusted-content.ts";
import { createNodeHost } from "../src/core/host/node-host.ts";

const DEPTH_MAX = 4;

/**
 * Trusts the present content of every `.tools` below `folder`. `state` is dottool's state folder, if it is not the one
 * of this process.
 */
export function trustFoldersBelow(folder: string, state?: string): void {
  const host = createNodeHost();
  const own = {
    ...host,
    folders: { ...host.folders, state: state ?? host.folders.state, temporary: host.folders.temporary },
  };
  for (const tools of toolFoldersBelow(folder, 0)) {
    const content = readContent(tools, own);
    if (!("problem" in content)) trustContent(content, own);
  }
}

function toolFoldersBelow(folder: string, depth: number): readonly string[] {
  if (depth > DEPTH_MAX) return [];
  try {
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      if (name === "node_modules" || !lstatSync(path).isDirectory()) return [];
      return name === ".tools" ? [path] : toolFoldersBelow(path, depth + 1);
    });
  } catch {
    return [];
  }
}
