// Matches paths with the tables of guarded files, component by component, as loosely as any file system compares names.

/** A pattern in which `*` matches any characters of a component. */
export interface PathPattern {
  /** The text in its table. */
  readonly path: string;
  readonly components: readonly (string | RegExp)[];
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

/** Returns whether the path begins with the pattern: it is the place, or is in it. */
export function isAtOrIn(names: readonly string[], { components }: PathPattern): boolean {
  return names.length >= components.length && components.every((one, index) => isName(names[index] ?? "", one));
}

/** Returns whether the pattern matches a file anywhere: by its last names, or in a matching folder. */
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
