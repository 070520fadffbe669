// Paths of the tables of guarded files, matched component by component, as a file system that is loose about names
// would.

/** `*` stands for any characters of a component. */
export interface PathPattern {
  /** As it is written in its table. */
  readonly path: string;
  readonly components: readonly (string | RegExp)[];
  /** It covers what is in a folder of that name. */
  readonly isFolder: boolean;
}

/** `fold`: letters of either case are the same. */
export function pathPattern(text: string, fold: boolean): PathPattern {
  const isFolder = text.endsWith("/");
  return { path: text, components: componentsOf(text, fold).map(componentPattern), isFolder };
}

/**
 * The names in a path as the loosest file system reads them: Windows drops dots and blanks at the end and what
 * follows a colon, macOS what cannot be seen. A drive is `c:`.
 */
export function componentsOf(path: string, fold: boolean): readonly string[] {
  return path
    .split(/[\\/]+/)
    .filter((part) => part !== "")
    .map((part) => plainName(part, fold));
}

function plainName(part: string, fold: boolean): string {
  const isPlain = /^[\x20-\x7e]*$/.test(part);
  const plain = isPlain ? part : part.normalize("NFKC").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  const name = /^[A-Za-z]:$/.test(plain) ? plain : plain.replace(/:.*$/s, "").replace(/(?<![. ])[. ]+$/, "");
  const kept = name === "" ? plain : name;
  return fold ? kept.toLowerCase() : kept;
}

function componentPattern(text: string): string | RegExp {
  if (!text.includes("*")) return text;
  return new RegExp(
    `^${text
      .split("*")
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "su",
  );
}

/** Whether the pattern begins the path: it is the place, or lies in it. */
export function isAtOrIn(names: readonly string[], { components }: PathPattern): boolean {
  return names.length >= components.length && components.every((one, index) => isName(names[index] ?? "", one));
}

/** Whether a file of these names is meant, wherever it is: by its last names, or in a folder that is meant. */
export function isMeant(names: readonly string[], { components, isFolder }: PathPattern): boolean {
  const last = names.length - components.length;
  for (let start = isFolder ? 0 : last; start >= 0 && start <= last; start++) {
    if (components.every((one, index) => isName(names[start + index] ?? "", one))) return true;
  }
  return false;
}

function isName(name: string, pattern: string | RegExp): boolean {
  return typeof pattern === "string" ? name === pattern : pattern.test(name);
}
