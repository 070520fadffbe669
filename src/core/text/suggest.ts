// "Did you mean": the known names nearest to a mistyped one.
import { distance } from "fastest-levenshtein";

const NAMES_MAX = 3;
/** The limit of a name; no one mistypes a longer one. */
const NAME_CHARACTERS_MAX = 1_000;

interface NearestOptions {
  /** The default is a third of the longer name's length, at least one. */
  readonly editsMax?: number;
}

/** Returns the nearest names first. They differ only by case, or by few edits. */
export function nearestNames(wanted: string, known: Iterable<string>, options: NearestOptions = {}): readonly string[] {
  if (wanted.length > NAME_CHARACTERS_MAX) return [];
  const folded = fold(wanted);
  const ranked: { name: string; edits: number; exactEdits: number }[] = [];
  for (const name of known) {
    const other = fold(name);
    const editsMax = options.editsMax ?? Math.max(1, Math.floor(Math.max(folded.length, name.length) / 3));
    // For most names, the lengths are enough to see a difference.
    const edits =
      Math.abs(folded.length - other.length) > editsMax ? Number.POSITIVE_INFINITY : editsBetween(folded, other);
    if (edits <= editsMax) ranked.push({ name, edits, exactEdits: distance(wanted, name) });
  }
  return ranked
    .sort((a, b) => a.edits - b.edits || a.exactEdits - b.exactEdits || (a.name < b.name ? -1 : 1))
    .slice(0, NAMES_MAX)
    .map((entry) => entry.name);
}

/** The limit of edits of a slip; a name that differs more is another name. */
const SLIP_EDITS_MAX = 2;

/**
 * Returns the name that is surely meant, so that a repair may write it: it differs by one or two letters, no other name
 * is as near, and no number in it is another one.
 */
export function sureName(wanted: string, known: Iterable<string>): string | undefined {
  const [first, second] = nearestNames(wanted, known);
  if (first === undefined || !isSlip(wanted, first)) return undefined;
  return second !== undefined && isAsNear(wanted, second, first) ? undefined : first;
}

function isSlip(wanted: string, name: string): boolean {
  const digits = (text: string): string => text.replaceAll(/\D+/g, " ").trim();
  return editsBetween(fold(wanted), fold(name)) <= SLIP_EDITS_MAX && digits(wanted) === digits(name);
}

function isAsNear(wanted: string, name: string, nearest: string): boolean {
  return (
    editsBetween(fold(wanted), fold(name)) === editsBetween(fold(wanted), fold(nearest)) &&
    distance(wanted, name) === distance(wanted, nearest)
  );
}

function fold(name: string): string {
  const lower = name.toLowerCase();
  return /[-_]/.test(lower) ? lower.replaceAll(/[-_]/g, "") : lower;
}

/** Returns the number of edits. Letters in another order count as one mistake, the most common one. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && sorted(a) === sorted(b) ? 1 : edits;
}

function sorted(text: string): string {
  return [...text].sort().join("");
}

const PREFIXES_MAX = 8;

/**
 * Returns the name, and its rest after each mark that servers and APIs put between their names and a tool's:
 * `mcp__files__read` gives `files__read` and `read` too.
 */
export function namesWithoutPrefix(name: string): readonly string[] {
  const forms = [name];
  for (const { index, 0: mark } of name.matchAll(/__|[./:]|^(?:mcp|dottool|functions?|tools?|default_api)[-_]/g)) {
    const rest = name.slice(index + mark.length);
    if (rest !== "" && forms.length < PREFIXES_MAX) forms.push(rest);
  }
  const owner = /^([^_]+(?:_[^_]+)*)__(.+)$/.exec(name);
  return owner ? [name, `${owner[1]}/${owner[2]}`, ...forms.slice(1)] : forms;
}

/** Returns `; did you mean ...?` with the names in backquotes, or an empty text. */
export function didYouMean(wanted: string, known: Iterable<string>): string {
  const names = nearestNames(wanted, known);
  return names.length === 0 ? "" : `; did you mean ${names.map((name) => `\`${name}\``).join(" or ")}?`;
}
