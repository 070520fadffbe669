// What other programs run or obey in a folder: git its hooks, editors and shells their settings, dottool its tools. In
// a folder that a confined process may write, those that exist stay as they are. Those that do not exist cannot be kept
// from it without leaving something in the folder if this program is killed: they are renamed when it has ended.
import { lstatSync, renameSync, statSync } from "node:fs";

export const GUARDED_NAMES = [".git", ".dottool", ".tools", ".envrc", ".vscode"];

/** A name that does not exist yet, or is a link to nothing. */
export interface Gap {
  /** The open descriptor of the folder. */
  readonly folder: number;
  readonly name: string;
  readonly isLink: boolean;
}

export function gapAt(folder: number, name: string): Gap {
  return { folder, name, isLink: isThere(lstatSync, placeOf(folder, name)) };
}

/** Renames what is there now, and says so. Links are renamed themselves, wherever they lead. */
export function closeGaps(gaps: readonly Gap[]): readonly string[] {
  return gaps
    .filter(({ folder, name, isLink }) => isThere(isLink ? statSync : lstatSync, placeOf(folder, name)))
    .map(({ folder, name }) => {
      const to = freeName(folder, name);
      try {
        renameSync(placeOf(folder, name), placeOf(folder, to));
        return `\`${name}\` appeared while it ran, and other programs obey it, so it is called \`${to}\` now`;
      } catch {
        return `\`${name}\` appeared while it ran, other programs obey it, and it cannot be renamed`;
      }
    });
}

function freeName(folder: number, name: string): string {
  for (let number = 1; ; number++) {
    const free = `${name}.from-sandbox${number === 1 ? "" : `-${number}`}`;
    if (!isThere(lstatSync, placeOf(folder, free)) || number === NUMBER_MAX) return free;
  }
}

const NUMBER_MAX = 1_000;

/** The folder that is open, whatever its path leads to by now. */
function placeOf(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}

function isThere(stat: typeof lstatSync, path: string): boolean {
  try {
    return stat(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
