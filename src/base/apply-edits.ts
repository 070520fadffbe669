// Replacements in a text: each text is found exactly once, in order, and all are replaced or none. If one is not found,
// the failure shows what is there instead.
import { distance } from "fastest-levenshtein";
import { asSpelledOut, forModels, spelledOut } from "../text/hidden-characters.ts";

export interface Edit {
  readonly search: string;
  readonly replace: string;
}

export type AppliedEdits = { readonly text: string } | { readonly problem: string; readonly help: readonly string[] };

const LINES_NAMED_MAX = 10;

export function applyEdits(original: string, edits: readonly Edit[]): AppliedEdits {
  const endsLinesWithCrLf = /\r\n/.test(original) && !/(?<!\r)\n/.test(original);
  let text = original;
  for (const [index, given] of edits.entries()) {
    const edit = asThere(
      text,
      endsLinesWithCrLf ? { search: withCrLf(given.search), replace: withCrLf(given.replace) } : given,
    );
    const places = findAll(text, edit.search);
    const [place] = places;
    const name = edits.length === 1 ? "`search`" : `\`edits[${index}].search\``;
    if (place === undefined)
      return {
        problem: `${name} was not found${index > 0 ? ", after the edits before it" : ""}`,
        help: whatIsThere(text, edit.search),
      };
    if (places.length > 1) {
      const lines = places.slice(0, LINES_NAMED_MAX).map((at) => lineOf(text, at));
      const more = places.length > LINES_NAMED_MAX ? " and more" : "";
      const count =
        places.length === PLACES_MAX ? `more than ${(PLACES_MAX - 1).toLocaleString("en")}` : String(places.length);
      return {
        problem: `${name} was found ${count} times, in lines ${lines.join(", ")}${more}`,
        help: ["add lines around the text until it is unique"],
      };
    }
    text = text.slice(0, place) + edit.replace + text.slice(place + edit.search.length);
  }
  return { text };
}

/**
 * Returns the text with invisible characters as in the file: `read_file` spells them out as `\u{202e}`. A text that is
 * spelled so in the file itself is found, too.
 */
function asThere(text: string, edit: Edit): Edit {
  const search = asSpelledOut(edit.search);
  return search === edit.search || text.includes(edit.search) ? edit : { search, replace: asSpelledOut(edit.replace) };
}

function withCrLf(text: string): string {
  return text.replaceAll(/(?<!\r)\n/g, "\r\n");
}

const PLACES_MAX = 1_001;

/** Finds all places, also overlapping ones, since either may be meant. */
function findAll(text: string, search: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(search); at !== -1 && places.length < PLACES_MAX; at = text.indexOf(search, at + 1))
    places.push(at);
  return places;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

const COMPARED_LINES_MAX = 50_000;
const COMPARED_CHARACTERS_MAX = 200;
const WANTED_LINES_MAX = 1_000;

/** Returns the place where the search gets furthest, or else the line most similar to its first. */
function whatIsThere(text: string, search: string): readonly string[] {
  const lines = text.split("\n", COMPARED_LINES_MAX).map(folded);
  const all = search.split("\n");
  const skipped = all.findIndex((line) => line.trim() !== "");
  if (skipped === -1) return [];
  const wanted = all.slice(skipped, skipped + WANTED_LINES_MAX).map(folded);
  let best: { readonly from: number; readonly matching: number } | undefined;
  for (const [from, line] of lines.entries()) {
    if (line !== wanted[0]) continue;
    let matching = 1;
    while (matching < wanted.length && lines[from + matching] === wanted[matching]) matching++;
    if (!best || matching > best.matching) best = { from, matching };
  }
  const exact = text.split("\n", COMPARED_LINES_MAX);
  if (!best) return nearestLine(lines, exact, wanted[0] ?? "");
  if (best.matching === wanted.length) {
    const end = best.from + wanted.length;
    const there = exact.slice(best.from, end).join("\n");
    const differs = forModels(there) === there ? "white space differs" : "white space or invisible characters differ";
    return [`only ${differs}; the file has, from line ${best.from + 1}: ${shown(there)}`];
  }
  const at = best.from + best.matching;
  const isPastEnd = exact[at] === undefined || (at === exact.length - 1 && exact[at] === "");
  const there = isPastEnd ? "the file ends" : `the file has ${shown(exact[at] ?? "")}`;
  return [
    `it matches from line ${best.from + 1} on, but in line ${at + 1}, where \`search\` has ${shown(all[skipped + best.matching] ?? "")}, ${there}`,
  ];
}

function nearestLine(lines: readonly string[], exact: readonly string[], wanted: string): readonly string[] {
  let nearest: { readonly at: number; readonly edits: number } | undefined;
  const short = wanted.slice(0, COMPARED_CHARACTERS_MAX);
  for (const [at, line] of lines.entries()) {
    const lengthDifference = Math.abs(Math.min(line.length, COMPARED_CHARACTERS_MAX) - short.length);
    if (line === "" || lengthDifference >= (nearest?.edits ?? short.length)) continue;
    const edits = distance(line.slice(0, COMPARED_CHARACTERS_MAX), short);
    if (edits < (nearest?.edits ?? short.length)) nearest = { at, edits };
  }
  return nearest === undefined
    ? []
    : [`the nearest match is line ${nearest.at + 1}: ${shown(exact[nearest.at] ?? "")}`];
}

/** Folds white space and invisible characters. Lines that differ only in these are told apart last. */
function folded(line: string): string {
  return forModels(line).trim().replaceAll(/\s+/g, " ");
}

/** Shows a text as a JSON string, so that tabs and blanks at its ends can be seen and copied. */
function shown(text: string): string {
  return spelledOut(JSON.stringify(text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text));
}
