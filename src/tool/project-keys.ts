// Which files of a project have keys and passwords, by their names: see grammar/files.yaml.
import { keyTemplates, projectKeys, publishedFolders } from "../generated/project-keys.ts";

export function holdsKeys(name: string): boolean {
  return projectKeys.test(name) && !keyTemplates.test(name);
}

/** Whether package managers fill folders of this name with published code, which has test keys. */
export function isPublishedFolder(name: string): boolean {
  return publishedFolders.has(name);
}
