// The folder that a test runs in: a new empty one, or the definition's. A new folder is removed after the test,
// whatever the test did to it.
import { basename, dirname, join, resolve } from "node:path";
import type { Origin, ToolTest } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";

export interface TestFolder {
  /** Absolute. */
  readonly path: string;
  /** Whether it is to be removed. */
  readonly isTemporary: boolean;
}

const PREFIX = "dottool-test-";

export async function openTestFolder(
  test: ToolTest,
  origin: Origin,
  { host, cwd }: { readonly host: Host; readonly cwd: string },
): Promise<TestFolder> {
  if (test.folder === "definition" && origin.kind === "file" && origin.scope !== "builtin")
    return { path: dirname(resolve(cwd, origin.source.path)), isTemporary: false };
  const path = await host.files.realPath(await host.files.makeTemporaryFolder(PREFIX));
  // Inside the executable there is no folder of definitions, so the test gets one with its own definition.
  if (test.folder === "definition" && origin.kind === "file")
    await host.files.write(join(path, basename(origin.source.path.replace(/^builtin:/, ""))), origin.source.text);
  return { path, isTemporary: true };
}

/** Removes the folder; `makeRemovable` is called for files that their owner may not remove. */
export async function closeTestFolder(
  { path, isTemporary }: TestFolder,
  host: Host,
  makeRemovable: () => Promise<unknown>,
): Promise<void> {
  if (!isTemporary) return;
  try {
    await host.files.remove(path);
  } catch {
    await makeRemovable();
    await host.files.remove(path);
  }
}
