// Templates as text. Reading that text gives the same template.
import type { CommandTemplate, Word, WordPlaceholder } from "../../tool/command.ts";
import { SLIP } from "../syntax/reference-slips.ts";
import { CannotWrite } from "./cannot-write.ts";
import { parseReference, REFERENCE } from "../../tool/reference.ts";
import { withoutNeedless } from "../../text/literal-braces.ts";
import type { Template } from "../../tool/template.ts";

/** Writes a template for `@stdin`, `@output` and similar annotations, where every brace may be doubled. */
export function templateText(template: Template): string {
  return withoutNeedless(
    template.parts.map((part) => (typeof part === "string" ? doubledBraces(part) : `{${part.placeholder}}`)).join(""),
  );
}

export function doubledBraces(text: string): string {
  return text.replaceAll(/[{}]/g, (brace) => brace + brace);
}

const MARKS = new RegExp(`(?<!\\$)\\{(${REFERENCE}|${SLIP})\\}`, "g");

/** Returns words for a direct command, or the script for a shell. `hasReferences`: braces may have a path. */
export function commandSource(command: CommandTemplate, { hasReferences = false } = {}): string {
  if (command.kind === "direct") return withoutNeedless(command.words.map(wordSource).join(" "));
  // A script keeps its braces; only what would be read as a placeholder has them doubled.
  return command.parts
    .map((part) =>
      typeof part === "string"
        ? part.replaceAll(MARKS, (mark, written: string) =>
            // A path is a reference only if there are any: one with an unknown beginning would be a mistake then.
            hasReferences || parseReference(written)?.root === written ? `{${mark}}` : mark,
          )
        : placeText(part),
    )
    .join("");
}

/** An option of the command's own has only letters, digits, `-` and `_`, so it needs no quotes. */
function placeText({ placeholder, flag, hasOwnOption }: WordPlaceholder): string {
  if (!hasOwnOption || !flag) return `{${placeholder}}`;
  return flag
    .map(({ parts }) => parts.map((part) => (typeof part === "string" ? part : `{${placeholder}}`)).join(""))
    .join(" ");
}

/** A placeholder in quotes has an empty text before it, and is a word whatever its value. */
function wordSource(word: Word): string {
  if (word.parts.some((part) => typeof part !== "string" && part.isWhole))
    throw new CannotWrite("a list that is one word, as JSON");
  if (word.parts.length === 0) return "''";
  const isQuoted = word.parts.length > 1 && word.parts[0] === "";
  if (isQuoted)
    return `"${word.parts.map((part) => (typeof part === "string" ? doubleQuoted(part) : `{${part.placeholder}}`)).join("")}"`;
  return word.parts.map((part) => (typeof part === "string" ? plainOrQuoted(part) : placeText(part))).join("") || "''";
}

function plainOrQuoted(text: string): string {
  if (text === "") return "";
  if (/^[A-Za-z0-9_\-+./:=%@,^]+$/.test(text)) return text;
  const doubled = doubledBraces(text);
  return text.includes("'") ? `"${doubleQuoted(text)}"` : `'${doubled}'`;
}

function doubleQuoted(text: string): string {
  return doubledBraces(text).replaceAll(/["\\$`]/g, (character) => `\\${character}`);
}
