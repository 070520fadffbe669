// Ways of reading an output, each made of another one by replacing what matches: without what no reader sees, with
// escapes decoded, without line ends, as digits. Each byte is one character, and has its place in the output.
import { rowOf } from "../../text/row-of.ts";
import { Buffer } from "node:buffer";
import { isHidden } from "../../text/hidden-characters.ts";

export interface View {
  readonly text: string;
  /** Made when something is found, which is rare. */
  places(): Places;
}

/** Where each character begins in the output, and the place after it. */
interface Places {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

type Replacement = "" | ((match: string) => string);

/** Returns the view with each match replaced by a text that is not longer. */
function rewritten(view: View, pattern: RegExp, replacement: Replacement): View {
  // V8 replaces by a text without a call for each match.
  const text = replacement === "" ? view.text.replace(pattern, "") : view.text.replace(pattern, replacement);
  if (text === view.text) return view;
  let places: Places | undefined;
  return { text, places: () => (places ??= placesIn(view, pattern, replacement)) };
}

function placesIn(view: View, pattern: RegExp, replacement: Replacement): Places {
  const before = view.places();
  const starts = new Float64Array(view.text.length);
  const ends = new Float64Array(view.text.length);
  let length = 0;
  let done = 0;
  const keep = (to: number): void => {
    starts.set(before.starts.subarray(done, to), length);
    ends.set(before.ends.subarray(done, to), length);
    length += to - done;
  };
  for (const { 0: match, index } of view.text.matchAll(pattern)) {
    keep(index);
    done = index + match.length;
    const put = replacement === "" ? 0 : replacement(match).length;
    // What is unchanged keeps its places.
    if (put === match.length) done = index;
    else {
      starts.fill(before.starts[index] ?? 0, length, length + put);
      ends.fill(before.ends[done - 1] ?? 0, length, length + put);
      length += put;
    }
  }
  keep(view.text.length);
  return { starts, ends };
}

// Each pattern also matches at the end what may become a match: the text before it is then seen to be unfinished.

/** Controls of a terminal that show nothing, NUL, and characters of UTF-8. */
const UNSEEN =
  /\x1b(?:\[[0-?]{0,64}[ -/]{0,8}(?:[@-~]|$)|[\]PX^_][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\|\x1b?$)|[ -/]+(?:[0-~]|$)|[0-Z\\^-~]|$)|\0|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\xc2-\xf4][\x80-\xbf]{0,2}$/g;

export function visible(view: View): View {
  return rewritten(view, UNSEEN, (match) => {
    const first = match.charCodeAt(0);
    if (first < 0xc0 || match.length < (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)) return "";
    const character = Buffer.from(match, "latin1").toString();
    return isHidden(character.codePointAt(0) ?? 0) ? "" : match;
  });
}

/** Escapes of addresses, mail, JSON, JavaScript, C and HTML. */
const ESCAPES =
  /%(?:[\da-f]{2}|[\da-f]?$)|=(?:[\da-f]{2}|\r?\n|(?:[\da-f]|\r)?$)|\\u[Dd][89ABab][\da-f]{2}(?:\\u[\da-f]{4}|(?:\\(?:u[\da-f]{0,3})?)?$)|\\(?:u[\da-f]{4}|[ux]\{[\da-f]{1,6}\}|x[\da-f]{2}|U[\da-f]{8}|[0-7]{3}|\n|[nrtbfvae]|[!-/:-@[-`{-~]|(?:u[\da-f]{0,3}|[ux]\{[\da-f]{0,6}|x[\da-f]?|U[\da-f]{0,7}|[0-7]{1,2})?$)|&(?:#\d{1,7};|#x[\da-f]{1,6};|(?:amp|lt|gt|quot|apos|sol|nbsp);|(?:#x?[\da-f]{0,7}|[a-z]{0,4})$)/gi;

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  a: "\x07",
  e: "\x1b",
};
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  sol: "/",
  nbsp: " ",
};

export function decoded(view: View): View {
  return rewritten(view, ESCAPES, decodedEscape);
}

function decodedEscape(match: string): string {
  const [kind, second = ""] = match;
  const rest = match.slice(1);
  if (kind === "&") {
    const name = rest.replace(/;$/, "").toLowerCase();
    if (!match.endsWith(";")) return "";
    return (
      rowOf(NAMED, name) ?? bytesOf(name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)))
    );
  }
  if (kind !== "\\") return /^[\da-f]{2}$/i.test(rest) ? String.fromCharCode(Number.parseInt(rest, 16)) : "";
  if (/^[0-7]{3}$/.test(rest)) return String.fromCharCode(Number.parseInt(rest, 8) & 0xff);
  if (/^u[\da-f]{4}\\u[\da-f]{4}$/i.test(rest)) {
    const units = [rest.slice(1, 5), rest.slice(7)].map((digits) => Number.parseInt(digits, 16));
    return Buffer.from(String.fromCharCode(...units)).toString("latin1");
  }
  const [, digits] = /^[ux]\{?([\da-f]{2,8}|[\da-f]+(?=\}))\}?$/i.exec(rest) ?? [];
  if (digits !== undefined && (rest.endsWith("}") || digits.length === { x: 2, u: 4, U: 8 }[second]))
    return second === "x" && !rest.endsWith("}")
      ? String.fromCharCode(Number.parseInt(digits, 16))
      : bytesOf(Number.parseInt(digits, 16));
  if (rest.length !== 1) return "";
  return rowOf(LETTERS, rest) ?? (/[\nuxU0-7]/.test(rest) ? "" : rest);
}

function bytesOf(codePoint: number): string {
  return codePoint > 0x10ffff ? "" : Buffer.from(String.fromCodePoint(codePoint)).toString("latin1");
}

const BREAKS = /[\r\n]+[ \t]*/g;

export function withoutBreaks(text: string): string {
  return text.replaceAll(BREAKS, "");
}

export function joinedLines(view: View): View {
  return rewritten(view, BREAKS, "");
}

/** A blank for each `+`, as in a form of the web. */
export function spaced(view: View): View {
  return view.text.includes("+") ? { ...view, text: view.text.replaceAll("+", " ") } : view;
}

/** Hexadecimal digits in lower case, without what stands between them. */
export function hexDigits(view: View): View {
  return rewritten({ ...view, text: view.text.toLowerCase() }, /0?x|[\s:,;._|'"\\-]+|0$/g, "");
}

/** Digits of base64 in its first alphabet, without white space. */
export function base64Digits(view: View): View {
  const text = view.text.replaceAll("-", "+").replaceAll("_", "/");
  return rewritten({ ...view, text }, /\s+/g, "");
}
