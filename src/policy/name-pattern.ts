// Matches paths with the tables of guarded files, component by component, as loosely as any file system compares names.

/** A pattern in which `*` matches any characters of a component. */
export interface PathPattern {
  readonly components: readonly (string | Wildcard)[];
  /** Whether it covers the content of a folder of that name. */
  readonly isFolder: boolean;
}

/** With `fold`, case is ignored. A drive in the pattern stands for every drive. */
export function pathPattern(text: string, fold: boolean): PathPattern {
  const path = text[1] === ":" ? text.slice(2) : text;
  return { components: componentsOf(path, fold).map(componentPattern), isFolder: text.endsWith("/") };
}

/**
 * Returns the names in a path as the loosest file system reads them: Windows drops final dots and spaces and everything
 * after a colon, macOS drops invisible characters. A drive is `c:`.
 */
export function componentsOf(path: string, fold: boolean): readonly string[] {
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

interface PlaceIndexOptions {
  /** Whether patterns are to match from the first name on, or anywhere. */
  readonly at: "start" | "anywhere";
  /** Whether case is ignored, and names are given in lower case. */
  readonly fold: boolean;
}

/**
 * Finds the first of several hundred places. Their `paths` are patterns with `, ` between them. Most names are in none
 * of them, which one look at their text says, so that nothing has to be made of the tables for it.
 */
export class PlaceIndex<T extends { readonly paths: string }> {
  readonly #places: readonly T[];
  readonly #isAtStart: boolean;
  readonly #fold: boolean;
  readonly #text: string;
  readonly #byName = new Map<string, readonly IndexedPattern[]>();

  constructor(places: readonly T[], { at, fold }: PlaceIndexOptions) {
    this.#places = places;
    this.#isAtStart = at === "start";
    this.#fold = fold;
    this.#text = `/${this.#folded(places.map(({ paths }) => paths).join(", ")).replaceAll(", ", "/")}/`;
  }

  find(names: readonly string[]): T | undefined {
    let first = this.#firstOf(this.#patternsOf("*"), names, this.#places.length);
    for (const name of names) if (name !== "*") first = this.#firstOf(this.#patternsOf(name), names, first);
    return this.#places[first];
  }

  /** Returns the first place with a matching pattern, or `before` if none comes before it. */
  #firstOf(patterns: readonly IndexedPattern[], names: readonly string[], before: number): number {
    const matches = this.#isAtStart ? isAtOrIn : isMeant;
    for (const { place, pattern } of patterns) {
      if (place >= before) break;
      if (matches(names, pattern)) return place;
    }
    return before;
  }

  /** Returns the patterns that only a path with this name can match; `*` stands for those that any path may match. */
  #patternsOf(name: string): readonly IndexedPattern[] {
    const known = this.#byName.get(name);
    if (known) return known;
    const found = name === "*" || this.#text.includes(`/${name}/`) ? this.#readPatterns(name) : [];
    this.#byName.set(name, found);
    return found;
  }

  #readPatterns(name: string): readonly IndexedPattern[] {
    const found: IndexedPattern[] = [];
    for (const [place, { paths }] of this.#places.entries())
      if (this.#folded(paths).includes(name))
        for (const path of paths.split(", ")) {
          if (!this.#folded(path).includes(name)) continue;
          const pattern = pathPattern(path, this.#fold);
          // The last name of a file is in each path that it matches, and so is the first one of a folder.
          const key = this.#isAtStart || pattern.isFolder ? pattern.components[0] : pattern.components.at(-1);
          if (key === name || (name === "*" && typeof key !== "string")) found.push({ place, pattern });
        }
    return found;
  }

  #folded(text: string): string {
    return this.#fold ? text.toLowerCase() : text;
  }
}

interface IndexedPattern {
  /** The index of its place. Lists are in the order of the places. */
  readonly place: number;
  readonly pattern: PathPattern;
}
