// Matches paths with the tables of guarded files, component by component, as loosely as any file system compares names.

/** A pattern in which `*` matches any characters of a component. */
export interface PathPattern {
  /** The text in its table. */
  readonly path: string;
  readonly components: readonly (string | Wildcard)[];
  /** Whether it covers the content of a folder of that name. */
  readonly isFolder: boolean;
}

/** With `fold`, case is ignored. */
export function pathPattern(text: string, fold: boolean): PathPattern {
  const isFolder = text.endsWith("/");
  return { path: text, components: componentsOf(text, fold).map(componentPattern), isFolder };
}

/**
 * Returns the names in a path as the loosest file system reads them: Windows drops final dots and spaces and everything
 * after a colon, macOS drops invisible characters. A drive is `c:`.
 */
export function componentsOf(path: string, fold: boolean): readonly string[] {
  // Hundreds of patterns are made for the first call of a program, and most are one name.
  const parts = path.includes("\\") ? path.split(/[/\\]/) : path.split("/");
  const names: string[] = [];
  for (const part of parts) if (part !== "") names.push(plainName(part, fold));
  return names;
}

/** Matches a name that every file system takes as it is. */
const SIMPLE_NAME = /^[\x20-\x39\x3b-\x7e]*[\x21-\x2d\x2f-\x39\x3b-\x7e]$/;

function plainName(part: string, fold: boolean): string {
  if (SIMPLE_NAME.test(part)) return fold ? part.toLowerCase() : part;
  const isPlain = /^[\x20-\x7e]*$/.test(part);
  const plain = isPlain ? part : part.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  const name = /^[A-Za-z]:$/.test(plain) ? plain : plain.replace(/:.*$/s, "").replace(/(?<![. ])[. ]+$/, "");
  const kept = name === "" ? plain : name;
  return fold ? kept.toLowerCase() : kept;
}

/**
 * Texts between wildcards. To make and compile several hundred expressions would take most of a program's first call.
 */
type Wildcard = readonly string[];

function componentPattern(text: string): string | Wildcard {
  return text.includes("*") ? text.split("*") : text;
}

function isMatch(name: string, texts: Wildcard): boolean {
  const [first = ""] = texts;
  const last = texts.at(-1) ?? "";
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of texts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

/** Returns whether the path begins with the pattern: it is the place, or is in it. */
export function isAtOrIn(names: readonly string[], { components }: PathPattern): boolean {
  return names.length >= components.length && isHere(names, components, 0);
}

function isHere(names: readonly string[], components: PathPattern["components"], start: number): boolean {
  for (let index = 0; index < components.length; index++)
    if (!isName(names[start + index] ?? "", components[index] ?? "")) return false;
  return true;
}

/** Returns whether the pattern matches a file anywhere: by its last names, or in a matching folder. */
function isMeant(names: readonly string[], { components, isFolder }: PathPattern): boolean {
  const last = names.length - components.length;
  for (let start = isFolder ? 0 : last; start >= 0 && start <= last; start++) {
    if (isHere(names, components, start)) return true;
  }
  return false;
}

function isName(name: string, pattern: string | Wildcard): boolean {
  return typeof pattern === "string" ? name === pattern : isMatch(name, pattern);
}

/**
 * Finds the first of several hundred places without a look at each: by a name that every match has, the last one of a
 * file, the first one of a folder. Patterns that begin or end with a wildcard are always looked at.
 */
export class PlaceIndex<T extends { readonly patterns: readonly PathPattern[] }> {
  readonly #places: readonly T[];
  readonly #byName = new Map<string, IndexedPattern[]>();
  readonly #others: IndexedPattern[] = [];
  readonly #matches: typeof isMeant;

  /** `at` says where a pattern is to match: from the first name on, or anywhere. */
  constructor(places: readonly T[], at: "start" | "anywhere") {
    this.#places = places;
    this.#matches = at === "start" ? isAtOrIn : isMeant;
    for (const [place, { patterns }] of places.entries())
      for (const pattern of patterns) {
        const { components, isFolder } = pattern;
        this.#add(at === "start" || isFolder ? components[0] : components.at(-1), { place, pattern });
      }
  }

  find(names: readonly string[]): T | undefined {
    let first = this.#firstOf(this.#others, names, this.#places.length);
    for (const name of names) {
      const named = this.#byName.get(name);
      if (named) first = this.#firstOf(named, names, first);
    }
    return this.#places[first];
  }

  /** Returns the first place with a matching pattern, or `before` if none comes before it. */
  #firstOf(patterns: readonly IndexedPattern[], names: readonly string[], before: number): number {
    for (const { place, pattern } of patterns) {
      if (place >= before) break;
      if (this.#matches(names, pattern)) return place;
    }
    return before;
  }

  #add(key: string | Wildcard | undefined, found: IndexedPattern): void {
    if (typeof key !== "string") return void this.#others.push(found);
    const known = this.#byName.get(key);
    if (known) known.push(found);
    else this.#byName.set(key, [found]);
  }
}

interface IndexedPattern {
  /** The index of its place. Lists are in the order of the places. */
  readonly place: number;
  readonly pattern: PathPattern;
}
