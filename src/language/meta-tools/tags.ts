// `tags`: words to find a tool by, and effects.
import type { DefinitionHead, Effect } from "../../tool/definition.ts";
import type { Fields } from "../yaml/fields.ts";

const effects: readonly Effect[] = ["read", "write", "run", "network"];

export function readTags(fields: Fields): Pick<DefinitionHead, "declaredEffects" | "tags"> {
  const words = [...new Set(fields.texts("tags").map(({ text }) => text))];
  return {
    declaredEffects: effects.filter((effect) => words.includes(effect)),
    tags: words.filter((word) => !effects.some((effect) => effect === word)),
  };
}
