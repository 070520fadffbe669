// Matches paths with the tables of guarded files, component by component, as loosely as any file system compares names.

const DRIVE = /^[a-z]:/i;

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

/** Texts between wildcards: to compile several hundred expressions would take most of a program's first call. */
type Wildcard = readonly string[];

function isName(name: string, pattern: string | Wildcard): boolean {
  if (typeof pattern === "string") return name === pattern;
  const [first = ""] = pattern;
  const last = pattern.at(-1) ?? "";
  const end = name.length - last.length;
  if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of pattern.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}

interface PlaceIndexOptions {
  /** Whether patterns are to match from the first name on, or anywhere. */
  readonly at: "start" | "anywhere";
  /** Whether case is ignored, and names are given in lower case. */
  readonly fold: boolean;
}

interface PlacedPattern {
  /** The index of its place. */
  readonly place: number;
  /** A `*` matches any characters of a component. */
  readonly components: readonly (string | Wildcard)[];
  /** Whether it covers the content of a folder of that name. */
  readonly isFolder: boolean;
}

/**
 * Finds the first of several hundred places. Their `paths` are patterns with `, ` between them; a drive stands for every
 * drive.
 */
export class PlaceIndex<T extends { readonly paths: string }> {
  readonly #places: readonly T[];
  readonly #isAtStart: boolean;
  /** By the last name of a file, or the first one of a folder, which is in each path that they match. */
  readonly #byName = new Map<string, PlacedPattern[]>();
  /** Those in which this name has a wildcard. */
  readonly #others: PlacedPattern[] = [];

  constructor(places: readonly T[], { at, fold }: PlaceIndexOptions) {
    this.#places = places;
    this.#isAtStart = at === "start";
    for (const [place, { paths }] of places.entries())
      for (const path of paths.split(", ")) {
        const names = componentsOf(path.replace(DRIVE, ""), fold);
        const components = names.map((name) => (name.includes("*") ? name.split("*") : name));
        const isFolder = path.endsWith("/");
        const pattern = { place, components, isFolder };
        const key = (this.#isAtStart || isFolder ? names[0] : names.at(-1)) ?? "";
        const named = this.#byName.get(key);
        if (key.includes("*")) this.#others.push(pattern);
        else if (named) named.push(pattern);
        else this.#byName.set(key, [pattern]);
      }
  }

  find(names: readonly string[]): T | undefined {
    let first = this.#places.length;
    const look = (pattern: PlacedPattern): void => {
      if (pattern.place < first && this.#isMeant(names, pattern)) first = pattern.place;
    };
    for (const name of names) this.#byName.get(name)?.forEach(look);
    this.#others.forEach(look);
    return this.#places[first];
  }

  /** Whether the path begins with the pattern, or has it anywhere: as its last names, or as a folder that it is in. */
  #isMeant(names: readonly string[], { components, isFolder }: PlacedPattern): boolean {
    const last = names.length - components.length;
    const isHere = (start: number): boolean =>
      components.every((component, index) => isName(names[start + index] ?? "", component));
    if (this.#isAtStart) return last >= 0 && isHere(0);
    for (let start = isFolder ? 0 : last; start >= 0 && start <= last; start++) if (isHere(start)) return true;
    return false;
  }
}
