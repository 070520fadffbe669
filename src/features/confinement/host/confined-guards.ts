// What a confined process may not read or change in the folders that it sees: files with keys are hidden, and what
// other programs obey stays as it is. What did not exist cannot be kept from it without leaving something in the folder
// if this program is killed: it is set aside when the process has ended.
import { closeSync, constants, lstatSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Confinement } from "../../../core/tool/confinement.ts";
import type { OpenDescriptors } from "./confined-descriptors.ts";
import type { Visible } from "./confined-mounts.ts";
import { isFolder, isWithin, openPlace, realPathOf, withoutSlash } from "./confined-places.ts";
import { below, FOLDERS_MAX, type Found, type Obeyed, searchAfter, searchBefore } from "./confined-search.ts";

/** Each takes bubblewrap 0.1 ms and more. */
const GUARDS_MAX = 200;

export interface Guards {
  /** What is mounted over the files that are there; none for an engine that mounts nothing. */
  readonly places: readonly Visible[];
  /** Where the files with keys really are, and what stays as it is. */
  readonly keys: readonly string[];
  readonly fixed: readonly string[];
  /** The paths of files with keys. */
  readonly hidden: readonly string[];
  readonly missing: readonly string[];
  readonly found: Found;
  readonly confinement: Confinement;
  readonly roots: readonly Visible[];
}

/** `open` gets what is to be mounted; absent if nothing is. */
export function guard(roots: readonly Visible[], confinement: Confinement, open?: OpenDescriptors): Guards {
  const found = searchBefore(roots, confinement.writesGit === true);
  const insideOf = (path: string): string | undefined => {
    const root = roots.find((one) => isWithin(path, one.path));
    return root && root.inside + path.slice(root.path.length);
  };
  const keys = found.keys.flatMap(({ root, path }) => {
    const real = realPathOf(below(root.path, path));
    const inside = insideOf(real);
    const isShown = [inside, below(root.inside, path)].some(
      (one) => one !== undefined && isDeclaredKey(one, confinement),
    );
    return inside === undefined || isShown || isFolder(real) || isLink(real) ? [] : [{ inside, real }];
  });
  const hidden = [...new Set(keys.map(({ inside }) => inside))];
  const kept = found.obeyed
    .filter((one) => !isDeclared(one, confinement))
    .flatMap(({ root, kept }) => kept.map((path) => realPathOf(below(root.path, path))))
    .filter((path) => !isLink(path) && roots.some((one) => one.isWritable && isWithin(path, one.path)));
  const masks = hidden.slice(0, GUARDS_MAX).map((inside) => ({ inside, from: "/dev/null", isWritable: false }));
  // Mounted over itself, a repository whose data may change cannot be moved.
  const isData = (one: Obeyed): boolean =>
    confinement.writesGit === true && one.path === ".git" && isFolder(below(one.root.path, ".git"));
  const held = new Set(found.obeyed.filter(isData).map(({ root }) => below(root.path, ".git")));
  const fixed = [...new Set(kept)].flatMap((from) => {
    const inside = insideOf(from);
    return inside === undefined ? [] : [{ inside, from, isWritable: held.has(from) }];
  });
  const isKept = ({ inside }: { readonly inside: string }): boolean =>
    fixed.some((one) => !one.isWritable && isWithin(inside, one.inside));
  // What is mounted later covers what is there: a `.git` that stays as it is shows no settings with a login.
  const all = [...masks.filter((one) => !isKept(one)), ...fixed.slice(0, GUARDS_MAX), ...masks.filter(isKept)];
  const places = (open ? all : []).flatMap(({ inside, from, isWritable }) => {
    const place = openPlace(from, constants.O_NOFOLLOW);
    if (place) open?.hold(place.descriptor);
    return place?.path === from ? [{ ...place, inside, isWritable }] : [];
  });
  const missing = [
    ...(open && hidden.length > masks.length ? [`files with keys can be read: there are ${hidden.length}`] : []),
    ...(open && fixed.length > GUARDS_MAX ? [`repositories can be changed: there are ${fixed.length}`] : []),
    ...(found.isWhole ? [] : [notSearched("keys and repositories")]),
  ];
  return {
    ...{ places, hidden, missing, found, confinement, roots },
    keys: keys.map(({ real }) => real),
    fixed: fixed.filter(({ isWritable }) => !isWritable).map(({ from }) => from),
  };
}

/** Whether it is a link to nothing, once links have been followed. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function notSearched(what: string): string {
  return `of its folders only ${FOLDERS_MAX.toLocaleString("en")} were searched for ${what}`;
}

/** A folder to read that is the working folder, or holds it, says nothing of the keys in it. */
function isDeclaredKey(path: string, { folder, reads, writes }: Confinement): boolean {
  return (
    reads.some((one) => isWithin(path, one) && !isWithin(folder, one)) ||
    writes.some((one) => withoutSlash(one) === path)
  );
}

/** Whether it is named itself, or the repository that it makes one. */
function isDeclared({ root, path }: Obeyed, { writes }: Confinement): boolean {
  const inside = below(root.inside, path);
  return writes.map(withoutSlash).some((one) => {
    const isRepository = one !== root.inside && `${one}/HEAD` === inside;
    return isWithin(one, inside) || isRepository || (basename(one) === ".git" && isWithin(inside, one));
  });
}

/** Renames what other programs would obey now, and says so. Links are renamed themselves, wherever they lead. */
export function setAside({ found, confinement, roots }: Guards): readonly string[] {
  const written = roots.filter(({ isWritable }) => isWritable);
  if (written.length === 0) return [];
  const after = searchAfter(written, found, confinement.writesGit === true);
  const appeared = after.obeyed.filter((one) => !isDeclared(one, confinement));
  // What is in a folder that gets another name comes before it.
  const said = appeared
    .toSorted((one, other) => other.path.length - one.path.length)
    .map((one) => ({ path: one.path, said: renamed(one, written) }))
    .filter(({ path }) => !appeared.some((one) => one.path !== path && isWithin(path, one.path)))
    .map((one) => one.said)
    .toReversed();
  const more = said.length - SAID_MAX;
  return [
    ...said.slice(0, SAID_MAX),
    ...(more > 0 ? [`${more} more appeared, which are called \`….from-sandbox\` now`] : []),
    ...(after.isWhole ? [] : [notSearched("repositories that appeared")]),
  ];
}

const SAID_MAX = 10;

function renamed({ root, path }: Obeyed, roots: readonly Visible[]): string {
  const name = basename(path);
  const inFolder = (one: string): string => below(path.slice(0, -name.length).replace(/\/$/, ""), one);
  const declared = name === "HEAD" ? dirname(path) : path;
  let folder: number | undefined;
  try {
    folder = openBelow(roots.find((one) => one.path === root.path)?.descriptor ?? -1, dirname(path));
    if (folder === undefined) throw new Error("not there");
    const to = freeName(folder, name);
    renameSync(placeOf(folder, name), placeOf(folder, to));
    return `\`${path}\` appeared while it ran, and other programs obey it, so it is called \`${inFolder(to)}\` now; to keep its name, name \`${declared}/\` in \`@writes\`, too`;
  } catch {
    return `\`${path}\` appeared while it ran, other programs obey it, and it cannot be renamed`;
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Opens a folder below another, by no link: another process may have put one there since it was found. */
function openBelow(root: number, path: string): number | undefined {
  let folder: number | undefined;
  for (const name of [".", ...path.split("/")]) {
    const next = openPlace(placeOf(folder ?? root, name), constants.O_NOFOLLOW | constants.O_DIRECTORY);
    if (folder !== undefined) closeSync(folder);
    if (!next) return undefined;
    folder = next.descriptor;
  }
  return folder;
}

function freeName(folder: number, name: string): string {
  for (let number = 1; ; number++) {
    const free = `${name}.from-sandbox${number === 1 ? "" : `-${number}`}`;
    if (!lstatSync(placeOf(folder, free), { throwIfNoEntry: false }) || number === NUMBER_MAX) return free;
  }
}

const NUMBER_MAX = 1_000;

/** The folder that is open, whatever its path leads to by now. */
function placeOf(folder: number, name: string): string {
  return `/proc/self/fd/${folder}/${name}`;
}
