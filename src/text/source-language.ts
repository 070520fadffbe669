// In which language a definition is written, so that a message can name what its author knows.
import type { SourceFile } from "./source.ts";

export type SourceLanguage = "tool" | "yaml";

/** By its ending alone. */
export function languageOf({ path }: SourceFile): SourceLanguage {
  return isYamlPath(path) ? "yaml" : "tool";
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}
