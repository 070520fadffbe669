// Matches paths with the tables of guarded files, component by component, as loosely as any file system compares names.

/** A pattern in which `*` matches any characters of a component. */
export interface PathPattern {
  readonly components: readonly (string | Wildcard)[];
  /** Whether it covers the content of a folder of that name. */
  readonly isFolder: boolean;
}

const DRIVE = /^[a-z]:/i;

/** With `fold`, case is ignored. A drive in the pattern stands for every drive. */
export function pathPattern(text: string, fold: boolean): PathPattern {
  const path = text.replace(DRIVE, "");
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

/** Beyond this, what is known is forgotten: the names may be anybody's. */
const KNOWN_NAMES_MAX = 10_000;

/**
 * Finds the first of several hundred places. Their `paths` are patterns with `, ` between them. Most names are in none
 * of them, which one look at their text says, so that nothing has to be made of the tables for it.
 */
export class PlaceIndex<T extends { readonly paths: string }> {
  readonly #places: readonly T[];
  readonly #isAtStart: boolean;
  readonly #fold: boolean;
  readonly #text: string;
  readonly #byName = new Map<string, readonly PlacedPattern[]>();
  #withWildcards: readonly PlacedText[] | undefined;

  constructor(places: readonly T[], { at, fold }: PlaceIndexOptions) {
    this.#places = places;
    this.#isAtStart = at === "start";
    this.#fold = fold;
    this.#text = `/${this.#folded(places.map(({ paths }) => paths).join(", ")).replaceAll(", ", "/")}/`;
  }

  find(names: readonly string[]): T | undefined {
    const matches = this.#isAtStart ? isAtOrIn : isMeant;
    let first = this.#places.length;
    for (const name of names)
      for (const { place, pattern } of this.#patternsOf(name)) {
        if (place >= first) break;
        if (matches(names, pattern)) first = place;
      }
    return this.#places[first];
  }

  /** Returns the patterns whose key, which is in each path that they match, matches the name. */
  #patternsOf(name: string): readonly PlacedPattern[] {
    const known = this.#byName.get(name);
    if (known) return known;
    this.#withWildcards ??= this.#textsWhere((path) => path.includes("*"));
    const literal = this.#text.includes(`/${name}/`)
      ? this.#textsWhere((path) => path.includes(name) && !path.includes("*"))
      : [];
    const wild = this.#withWildcards.filter(({ key }) => key[0] === "*" || key[0] === name[0]);
    const found = [...literal, ...wild]
      .filter(({ key }) => isName(name, componentPattern(key)))
      .map(({ place, path }) => ({ place, pattern: pathPattern(path, this.#fold) }))
      .sort((one, other) => one.place - other.place);
    if (this.#byName.size === KNOWN_NAMES_MAX) this.#byName.clear();
    this.#byName.set(name, found);
    return found;
  }

  #textsWhere(isWanted: (path: string) => boolean): readonly PlacedText[] {
    return this.#places.flatMap(({ paths }, place) => {
      const texts = this.#folded(paths);
      return isWanted(texts) || texts.includes("*")
        ? texts
            .split(", ")
            .filter(isWanted)
            .map((path) => ({ place, path, key: this.#keyOf(path) }))
        : [];
    });
  }

  /** Returns the last name of a file, or the first one of a folder. */
  #keyOf(path: string): string {
    const names = path
      .replace(DRIVE, "")
      .split("/")
      .filter((name) => name !== "");
    return (this.#isAtStart || path.endsWith("/") ? names[0] : names.at(-1)) ?? "";
  }

  #folded(text: string): string {
    return this.#fold ? text.toLowerCase() : text;
  }
}

interface PlacedText {
  /** The index of its place. */
  readonly place: number;
  readonly path: string;
  readonly key: string;
}

interface PlacedPattern {
  readonly place: number;
  readonly pattern: PathPattern;
}
