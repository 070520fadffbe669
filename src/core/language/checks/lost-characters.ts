// `--data={"a": "{x}"}` in a command or a script: outside quotes each double quote is dropped, as a shell does, and no JSON
// is left.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf, inSingleQuotes } from "../findings.ts";
import { type MappedText, spanWithin } from "../syntax/ast.ts";
import { bareText, QUOTED } from "./bare-text.ts";

/** Matches the beginning of a JSON object or list, perhaps in double quotes, which its own then end. */
const START = /"?[[\s]{0,8}(?:\{\s{0,8}"[\w.$-]{1,64}"\s{0,8}:|\["[^"\n]{0,64}"\s{0,8},)/g;
/** Matches what may stand before it in its word. */
const BEFORE = /(?:^|\s)(?:--?[\w.-]+=?|[\w.-]+=)?$/;
const BEFORE_CHARACTERS_MAX = 64;

/** Returns a problem for the first JSON text outside quotes. Texts with a here-document are left alone. */
export function lostQuotes(text: MappedText): readonly Diagnostic[] {
  const whole = text.text;
  if (!whole.includes('"') || whole.includes("<<")) return [];
  const quoted = new Set([...whole.matchAll(QUOTED)].map(({ index }) => index));
  const bare = bareText(whole);
  const problems = [...whole.matchAll(START)].flatMap(({ 0: found, index }): readonly Diagnostic[] => {
    const start = index + found.search(/\S/);
    const isOutside = whole[start] === '"' ? quoted.has(start) : bare[start] === whole[start];
    if (!isOutside || !BEFORE.test(whole.slice(Math.max(0, start - BEFORE_CHARACTERS_MAX), start))) return [];
    return [
      diagnosticOf("operator-in-word", `\`${found.trim()}\` would lose its double quotes, as in a shell`, {
        at: spanWithin(text, start, index + found.length),
        help: [
          'put the JSON in single quotes; where it has such quotes, put it in double quotes with `\\"` for each of its own',
        ],
      }),
    ];
  });
  return problems.slice(0, 1);
}

// `src\Shop\Shop.csproj` in a command or a script of bash: outside quotes each backslash is dropped, and nobody is told.

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
