// The tables of guarded files in grammar/files.yaml, prepared for matching when a call first needs one of them.
import {
  executedFiles,
  keyFilesAtHome,
  keyFilesByName,
  keyFilesOfMachine,
  machineFolders,
  publishedCodeAtHome,
} from "../../generated/guarded-files.ts";
import { PlaceIndex } from "./name-pattern.ts";

/** `home` and `published` match names within a home folder, `machine` and `folders` from the root, the others the last. */
const TABLES = {
  home: { places: keyFilesAtHome, at: "start" },
  machine: { places: keyFilesOfMachine, at: "start" },
  names: { places: keyFilesByName, at: "anywhere" },
  published: { places: [publishedCodeAtHome], at: "start" },
  folders: { places: [machineFolders], at: "start" },
  /** Names are given in lower case. */
  executed: { places: executedFiles, at: "anywhere" },
} as const;
type Table = keyof typeof TABLES;
type Index<T extends Table> = PlaceIndex<(typeof TABLES)[T]["places"][number]>;

const made = new Map<string, unknown>();

/** With `fold`, case is ignored, and names are given in lower case. */
export function guardedNames<T extends Table>(table: T, fold: boolean): Index<T> {
  const key = `${table} ${fold}`;
  const { places, at } = TABLES[table];
  if (!made.has(key)) made.set(key, new PlaceIndex<{ readonly paths: string }>(places, { at, fold }));
  return made.get(key) as Index<T>;
}

interface PlacedPath {
  readonly path: string;
  readonly holds: string;
}

const paths = new Map<string, readonly PlacedPath[]>();

/** The paths of `home` that are not in a hidden folder, or those of `machine`, which only the superuser reads. */
export function placedPaths(table: "home" | "machine"): readonly PlacedPath[] {
  const isOne = (path: string): boolean => (table === "home" ? !/^\.|\*/.test(path) : path.startsWith("/"));
  const found =
    paths.get(table) ??
    TABLES[table].places.flatMap(({ holds, paths: all }) =>
      all.split(", ").flatMap((path) => (isOne(path) ? [{ path: path.replaceAll("*", ""), holds }] : [])),
    );
  paths.set(table, found);
  return found;
}
