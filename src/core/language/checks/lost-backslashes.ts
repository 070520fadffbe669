// `src\Shop\Shop.csproj` in a command or a script of bash: outside quotes each backslash is dropped, and nobody is told.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf, inSingleQuotes } from "../findings.ts";
import { bareText } from "./bare-text.ts";
import { type MappedText, spanWithin } from "../syntax/ast.ts";

/** A path of Windows that stands alone as a word. */
const WORD = /(?<=^|[\s=(])(?:[A-Za-z]:\\|\.{1,2}\\)?(?:[\w.-]+\\)+[\w.-]+(?=$|[\s;)])/g;

/** Returns a problem for each path of Windows outside quotes. Texts with a here-document are left alone. */
export function lostBackslashes(text: MappedText): readonly Diagnostic[] {
  if (!text.text.includes("\\") || text.text.includes("<<")) return [];
  const bare = bareText(text.text);
  return [...bare.matchAll(WORD)].flatMap(({ 0: word, index }): Diagnostic[] => {
    if (!/[\w.-]\\[A-Za-z]/.test(word)) return [];
    const span = spanWithin(text, index, index + word.length);
    const message = `\`${word.slice(0, 64)}\` is read as \`${word.replaceAll("\\", "").slice(0, 64)}\`, without its backslashes`;
    const help = ["or write `/`, which works on every platform"];
    return [
      diagnosticOf("operator-in-word", message, {
        at: span,
        help,
        fix: inSingleQuotes(text, index, index + word.length),
      }),
    ];
  });
}
