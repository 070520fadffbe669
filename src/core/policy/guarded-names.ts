// The tables of guarded files in grammar/files.yaml, prepared for matching when a call first needs one of them.
import {
  executedFiles,
  keyFilesAtHome,
  keyFilesByName,
  keyFilesOfMachine,
  machineFolders,
  publishedCodeAtHome,
} from "../../generated/guarded-files.ts";
import type { ExecutedFiles, KeyFiles } from "./files-rows.ts";
import { PlaceIndex } from "./name-pattern.ts";

interface PlacedPath {
  readonly path: string;
  readonly holds: string;
}

export class GuardedNames {
  readonly #fold: boolean;
  readonly #made = new Map<string, unknown>();

  /** `fold` ignores case; names are then given in lower case. */
  constructor(fold: boolean) {
    this.#fold = fold;
  }

  /** Places by the names within a home folder. */
  get home(): PlaceIndex<KeyFiles> {
    return this.#once("home", () => new PlaceIndex(keyFilesAtHome, { at: "start", fold: this.#fold }));
  }

  /** Places by the names from the root. */
  get machine(): PlaceIndex<KeyFiles> {
    return this.#once("machine", () => new PlaceIndex(keyFilesOfMachine, { at: "start", fold: this.#fold }));
  }

  /** Places by the last name. */
  get names(): PlaceIndex<KeyFiles> {
    return this.#once("names", () => new PlaceIndex(keyFilesByName, { at: "anywhere", fold: this.#fold }));
  }

  /** Published code by the names within a home folder. */
  get published(): PlaceIndex<{ readonly paths: string }> {
    return this.#once("published", () => new PlaceIndex([publishedCodeAtHome], { at: "start", fold: this.#fold }));
  }

  /** Places by the last names, in lower case. */
  get executed(): PlaceIndex<ExecutedFiles> {
    return this.#once("executed", () => new PlaceIndex(executedFiles, { at: "anywhere", fold: true }));
  }

  /** Folders by the names from the root. */
  get folders(): PlaceIndex<{ readonly paths: string }> {
    return this.#once("folders", () => new PlaceIndex([machineFolders], { at: "start", fold: this.#fold }));
  }

  /** The paths of `home` that are not in a hidden folder. */
  get visible(): readonly PlacedPath[] {
    return this.#once("visible", () => placedPaths(keyFilesAtHome, (path) => !/^\.|\*/.test(path)));
  }

  /** The paths of `machine`, which only the superuser reads, without their wildcards. */
  get ofRoot(): readonly PlacedPath[] {
    return this.#once("ofRoot", () => placedPaths(keyFilesOfMachine, (path) => path.startsWith("/")));
  }

  #once<T>(name: string, make: () => T): T {
    if (!this.#made.has(name)) this.#made.set(name, make());
    return this.#made.get(name) as T;
  }
}

function placedPaths(tables: readonly KeyFiles[], isOne: (path: string) => boolean): readonly PlacedPath[] {
  return tables.flatMap(({ holds, paths }) =>
    paths
      .split(", ")
      .filter(isOne)
      .map((path) => ({ path: path.replaceAll("*", ""), holds })),
  );
}

const made = new Map<boolean, GuardedNames>();

export function guardedNames(fold: boolean): GuardedNames {
  const known = made.get(fold) ?? new GuardedNames(fold);
  made.set(fold, known);
  return known;
}
