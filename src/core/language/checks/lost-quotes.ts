// `--data={"a": "{x}"}` in a command or a script: outside quotes each double quote is dropped, as a shell does, and no JSON
// is left.
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import { type MappedText, spanWithin } from "../syntax/ast.ts";
import { inSingleQuotes } from "../findings.ts";
import { bareText, QUOTED } from "./bare-text.ts";

/** Matches where JSON may begin, perhaps in double quotes, which its own then end. */
const START = /"?(?:\{\s*"|\["|\[\{)/g;
/** Matches what may stand before it in its word. */
const BEFORE = /(?:^|\s)((?:--?[\w.-]+=?|[\w.-]+=)?)$/;
const BEFORE_CHARACTERS_MAX = 64;
/** JSON on the line of a command is shorter. */
const JSON_CHARACTERS_MAX = 4096;
/** The limit of places that are looked at. */
const PLACES_MAX = 100;

/** Returns a problem for each JSON text outside quotes. Texts with a here-document are left alone. */
export function lostQuotes(text: MappedText): readonly Diagnostic[] {
  const whole = text.text;
  if (!whole.includes('"') || whole.includes("<<")) return [];
  const quoted = new Set([...whole.matchAll(QUOTED)].map(({ index }) => index));
  const bare = bareText(whole);
  const found: Diagnostic[] = [];
  let from = 0;
  for (const { index, 0: first } of [...whole.matchAll(START)].slice(0, PLACES_MAX)) {
    const isQuoted = first.startsWith('"');
    const [, before] = BEFORE.exec(whole.slice(Math.max(0, index - BEFORE_CHARACTERS_MAX), index)) ?? [];
    if (before === undefined || index < from || (isQuoted ? !quoted.has(index) : bare[index] !== whole[index]))
      continue;
    const end = endOfJson(whole, isQuoted ? index + 1 : index);
    if (end === undefined || (isQuoted && whole[end] !== '"')) continue;
    from = isQuoted ? end + 1 : end;
    if (!/[\s;)&|]/.test(whole[from] ?? " ")) continue;
    // `["abc"]` is a pattern of a shell, too.
    const json = whole.slice(isQuoted ? index + 1 : index, end);
    if (json.startsWith('["') && (!json.includes(",") || whole[from] === ")")) continue;
    found.push(isQuoted ? inDoubleQuotes(text, index, end) : unquoted(text, index - before.length, end));
  }
  return found;
}

/** Returns undefined if the text there is no JSON. */
function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < Math.min(text.length, start + JSON_CHARACTERS_MAX); at++) {
    const sign = text[at] ?? "";
    if (sign === '"') isString = !isString;
    else if (isString && sign === "\\") at++;
    else if (!isString && /[{[]/.test(sign)) depth++;
    else if (!isString && /[}\]]/.test(sign) && --depth === 0) {
      const json = text.slice(start, at + 1).replaceAll(/\{[A-Za-z_][\w-]*\}/g, "0");
      return json.includes('"') && isJson(json) ? at + 1 : undefined;
    }
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unquoted(text: MappedText, start: number, end: number): Diagnostic {
  return problem(text, { start, end }, inSingleQuotes(text, start, end));
}

/** `end` is the place of the quote behind it. */
function inDoubleQuotes(text: MappedText, start: number, end: number): Diagnostic {
  const { title, edits } = inSingleQuotes(text, start, end);
  const replaced = edits.map((edit, one) => {
    const at = one === 0 ? start : end;
    return { ...edit, span: spanWithin(text, at, at + 1) };
  });
  return problem(text, { start, end: end + 1 }, { title, edits: replaced });
}

function problem(text: MappedText, { start, end }: { start: number; end: number }, fix: Fix): Diagnostic {
  const word = text.text.slice(start, end);
  const isPlain = !/['$`]/.test(word);
  return {
    code: "operator-in-word",
    severity: "error",
    message: `${word.length <= 64 ? `\`${word}\`` : "this JSON"} would lose its double quotes, as in a shell`,
    at: { span: spanWithin(text, start, end), text: "" },
    related: [],
    help: isPlain ? [] : ['put it in double quotes, and write `\\"` for each of its own'],
    ...(isPlain ? { fix } : {}),
  };
}
