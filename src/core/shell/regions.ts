// Parts of a shell script that cannot contain a value; only their ends need to be found.

import { rowOf } from "../text/row-of.ts";
import type { Region, RegionKind } from "./pieces.ts";

/** The nesting limit of regions and substitutions. */
export const REGION_NESTING_MAX = 64;

const openers: readonly (readonly [string, RegionKind, string])[] = [
  ["`", "backquotes", "`"],
  ["$((", "arithmetic", "))"],
  ["((", "arithmetic", "))"],
  ["$[", "arithmetic", "]"],
  ["${", "parameter expansion", "}"],
  ["$'", "ANSI-C quotes", "'"],
];

/**
 * Returns the opening text of the region that begins at `at`, or undefined. In double quotes, `$'` and `((` are plain
 * text.
 */
export function regionOpener(text: string, at: number, isInDouble: boolean): string | undefined {
  const found = openers.find(([opener]) => text.startsWith(opener, at))?.[0];
  return isInDouble && (found === "$'" || found === "((") ? undefined : found;
}

type RegionEnd =
  | Region
  | { readonly kind: "unclosed"; readonly start: number }
  | { readonly kind: "too-deep"; readonly start: number };

/** Finds the end of a region. An opener that is not in the table is zsh's `$name[`. */
export function regionAt(
  text: string,
  opening: { readonly start: number; readonly opener: string; readonly isInDouble: boolean },
): RegionEnd {
  const { start, opener, isInDouble } = opening;
  const [, kind = "backquotes", closer = ""] = openers.find(([known]) => known === opener) ?? ["", "subscript", "]"];
  if (kind === "backquotes" || kind === "ANSI-C quotes") {
    const end = unescaped(text, start + opener.length, closer);
    return end === -1 ? { kind: "unclosed", start } : { kind, start, end: end + 1 };
  }
  // The closers of open brackets, innermost last. `))` closes two of them, one after the other.
  const closers = closer === "))" ? [")", ")"] : [closer];
  let at = start + opener.length;
  while (at < text.length) {
    if (closers.length > REGION_NESTING_MAX) return { kind: "too-deep", start: at };
    const character = text[at] ?? "";
    if (character === closers.at(-1)) {
      closers.pop();
      if (closers.length === 0) return { kind, start, end: at + 1 };
      at++;
    } else at = stepInside(text, at, { closers, isInDouble });
  }
  return { kind: "unclosed", start };
}

function stepInside(
  text: string,
  at: number,
  state: { readonly closers: string[]; readonly isInDouble: boolean },
): number {
  const { closers, isInDouble } = state;
  const isQuoted = closers.includes('"') || isInDouble;
  switch (text[at]) {
    case "\\":
      return at + 2;
    case "'": {
      // In double quotes, an apostrophe is plain text.
      const end = isQuoted ? at : text.indexOf("'", at + 1);
      return end === -1 ? text.length : end + 1;
    }
    case "`": {
      const end = unescaped(text, at + 1, "`");
      return end === -1 ? text.length : end + 1;
    }
    case '"':
      closers.push('"');
      return at + 1;
    case "[":
      if (closers.at(-1) === "]") closers.push("]");
      return at + 1;
    case "(":
      if (closers.at(-1) !== '"') closers.push(")");
      return at + 1;
    case "$":
      if (text[at + 1] === "{") closers.push("}");
      else if (text[at + 1] === "(") closers.push(")");
      else return at + 1;
      return at + 2;
    default:
      return at + 1;
  }
}

function unescaped(text: string, from: number, wanted: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === wanted) return at;
  }
  return -1;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  E: "\x1b",
};

/** Returns the decoded text of `$'…'`. */
export function decodedAnsi(text: string): string {
  return text.replaceAll(/\\(?:x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|.)/gs, (escape) => {
    const code = /^\\[xuU]./.test(escape)
      ? Number.parseInt(escape.slice(2), 16)
      : /^\\[0-7]/.test(escape)
        ? Number.parseInt(escape.slice(1), 8)
        : undefined;
    if (code === undefined) return rowOf(ESCAPES, escape.slice(1)) ?? escape.slice(1);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** Returns how a message names the place. */
export function regionNote(kind: RegionKind): { readonly note: string; readonly help: readonly string[] } {
  switch (kind) {
    case "backquotes":
      return { note: "inside backquotes", help: ["use `$(…)` instead of backquotes"] };
    case "subscript":
      return { note: "in the subscript of an array, which zsh evaluates", help: ["use an `{integer}` parameter"] };
    case "arithmetic":
      return {
        note: "inside arithmetic, where bash and zsh may run the value",
        help: [
          "declare the parameter as `{integer}`",
          "for a nested subshell, put a space between the parentheses: `( (`",
        ],
      };
    case "parameter expansion":
      return { note: "inside `${…}`", help: ["assign the value to a variable first: `x={name}`, then `${x…}`"] };
    case "ANSI-C quotes":
      return { note: "inside `$'…'`", help: ['put it in `"…"`, or outside the quotes'] };
    case "here-document":
      return {
        note: "a here-document with a quoted end is not expanded",
        help: ["remove the quotes from the word after `<<`: the value is put in, and never read again"],
      };
  }
}
