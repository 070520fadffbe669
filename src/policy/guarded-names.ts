// The tables of guarded files in grammar/files.yaml, prepared for matching when a call first needs one of them.
import {
  executedFiles,
  keyFilesAtHome,
  keyFilesByName,
  keyFilesOfMachine,
  machineFolders,
  publishedCodeAtHome,
} from "../generated/guarded-files.ts";
import type { KeyFiles } from "./files-rows.ts";
import { type PathPattern, pathPattern, PlaceIndex } from "./name-pattern.ts";

interface NamedPlace {
  readonly patterns: readonly PathPattern[];
  /** What the files hold, or which program executes them. */
  readonly what: string;
}

interface ExecutedPlace extends NamedPlace {
  readonly isPrivate: boolean;
}

interface PlacedPath {
  readonly path: string;
  readonly what: string;
}

export class GuardedNames {
  readonly #folds: boolean;
  readonly #made = new Map<string, unknown>();

  /** With `folds`, case is ignored, and names are given in lower case. */
  constructor(folds: boolean) {
    this.#folds = folds;
  }

  /** Places by the names within a home folder. */
  get home(): PlaceIndex<NamedPlace> {
    return this.#once("home", () => new PlaceIndex(this.#keys(keyFilesAtHome), "start"));
  }

  /** Places by the names from the root. */
  get machine(): PlaceIndex<NamedPlace> {
    return this.#once("machine", () => new PlaceIndex(this.#keys(keyFilesOfMachine), "start"));
  }

  /** Places by the last name. */
  get names(): PlaceIndex<NamedPlace> {
    return this.#once("names", () => new PlaceIndex(this.#keys(keyFilesByName), "anywhere"));
  }

  /** Patterns within a home folder. */
  get published(): readonly PathPattern[] {
    return this.#once("published", () => this.#patterns(publishedCodeAtHome));
  }

  /** Places by the last names, in lower case. */
  get executed(): PlaceIndex<ExecutedPlace> {
    return this.#once("executed", () => {
      const places = executedFiles.map(({ names, why, isPrivate = false }) => {
        return { patterns: names.map((name) => pathPattern(name, true)), what: why, isPrivate };
      });
      return new PlaceIndex(places, "anywhere");
    });
  }

  /** Folders by the names from the root. */
  get folders(): PlaceIndex<{ readonly patterns: readonly PathPattern[] }> {
    return this.#once("folders", () => new PlaceIndex([{ patterns: this.#patterns(machineFolders) }], "start"));
  }

  /** The paths of `home` that are not in a hidden folder. */
  get visible(): readonly PlacedPath[] {
    return this.#once("visible", () => placedPaths(keyFilesAtHome, (path) => !/^\.|\*/.test(path)));
  }

  /** The paths of `machine`, which only the superuser reads, without their wildcards. */
  get ofRoot(): readonly PlacedPath[] {
    return this.#once("ofRoot", () => placedPaths(keyFilesOfMachine, (path) => path.startsWith("/")));
  }

  #keys(tables: readonly KeyFiles[]): readonly NamedPlace[] {
    return tables.map(({ holds, paths }) => ({ patterns: this.#patterns(paths), what: holds }));
  }

  #patterns(paths: readonly string[]): readonly PathPattern[] {
    return paths.map((path) => pathPattern(path[1] === ":" ? path.slice(2) : path, this.#folds));
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}

function placedPaths(tables: readonly KeyFiles[], isOne: (path: string) => boolean): readonly PlacedPath[] {
  return tables.flatMap(({ holds, paths }) =>
    paths.filter(isOne).map((path) => ({ path: path.replaceAll("*", ""), what: holds })),
  );
}

const made = new Map<boolean, GuardedNames>();

export function guardedNames(folds: boolean): GuardedNames {
  const known = made.get(folds) ?? new GuardedNames(folds);
  made.set(folds, known);
  return known;
}
