// Which files have keys and passwords by their names alone, in a project or anywhere: see grammar/files.yaml.
import { keyTemplates, projectKeys, publishedFolders } from "../../generated/project-keys.ts";

/** Whether a file of this name has keys or passwords. */
export function isProjectKey(name: string): boolean {
  return projectKeys.test(name) && !keyTemplates.test(name);
}

/** Whether package managers fill folders of this name with published code, which has test keys. */
export function isPublishedFolder(name: string): boolean {
  return publishedFolders.has(name);
}
