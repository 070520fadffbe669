// The files of a folder that npm would publish: `files`, `.npmignore` and `.gitignore` decide, as authors know it.
import packlist from "npm-packlist";

export async function packedPaths(
  folder: string,
  manifest: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const { files } = manifest;
  const known = { ...(Array.isArray(files) ? { files: files.filter((one) => typeof one === "string") } : {}) };
  return (await packlist({ path: folder, package: known, isProjectRoot: true, edgesOut: new Map() })).sort();
}
