// Completion and hover for a definition in either language.
import type { AuthorHelp } from "../../core/language/author-help.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import { explained } from "./explained.ts";
import { suggestions } from "./suggestions.ts";
import { explainedKey, suggestedKeys } from "./yaml-words.ts";

export const authorHelp: AuthorHelp = {
  suggestions: (source, ...at) => (isYamlPath(source.path) ? suggestedKeys : suggestions)(source, ...at),
  explained: (source, ...at) => (isYamlPath(source.path) ? explainedKey : explained)(source, ...at),
};
