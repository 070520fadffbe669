// A definition's command as text for a person. The shown text is never run.
import { quoteWord } from "../../core/base/quote.ts";
import type { CommandTemplate, Word } from "../../core/tool/command.ts";

/** `find {arguments} -type f`, or the script. */
export function commandText(command: CommandTemplate): string {
  if (command.kind === "direct") return command.words.map(wordText).join(" ");
  return command.parts.map((part) => (typeof part === "string" ? part : `{${part.placeholder}}`)).join("");
}

function wordText(word: Word): string {
  return word.parts
    .map((part) => (typeof part === "string" ? (part === "" ? "" : quoteWord(part)) : `{${part.placeholder}}`))
    .join("");
}
