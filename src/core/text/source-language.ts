// The language of a definition, so that messages use words that its author knows.
import type { SourceFile } from "./source.ts";

type SourceLanguage = "tool" | "yaml";

export function languageOf({ path }: SourceFile): SourceLanguage {
  return isYamlPath(path) ? "yaml" : "tool";
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/i.test(path);
}
