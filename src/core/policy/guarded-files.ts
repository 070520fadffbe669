// Rules for files that no approval covers: a model's call that reaches one of them needs approval each time, whatever
// the tool, and the question says why.
import { isAbsolute, join, relative, sep } from "node:path";
import { shownName } from "../base/shown-name.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy-rule.ts";
import type { PreparedCall } from "../tool/tool.ts";
import type { NamedPath } from "./command-paths.ts";
import { foundPaths } from "./found-paths.ts";
import { type Access, type GuardedPlace, GuardedPlaces, listOrNothing } from "./guarded-places.ts";
import { namedPaths } from "./named-paths.ts";
import { type PathWord, pathWords } from "./path-words.ts";
import { isWithin, realPath } from "./real-path.ts";

interface GuardedFilesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** The folders of the called tools, absolute. */
  readonly toolFolders: readonly string[];
  /** Texts of commands that were checked when a parent call was judged. */
  readonly judged?: ReadonlySet<string> | undefined;
  /** Returns places that other calls use as well. */
  readonly places?: (() => GuardedPlaces) | undefined;
}

export interface GuardedFiles {
  /** One rule for each file, with its name: an answer covers that file. */
  readonly rules: readonly PolicyRule[];
  /** All texts of the commands that the call is known to run. */
  readonly words: ReadonlySet<string>;
}

/** The limit of paths that are looked up for one call, which takes a second. */
const PARTS_MAX = 20_000;
/** The limit of files with a rule of their own; further files share one. */
const RULES_MAX = 20;

export function guardedFiles(call: PreparedCall, options: GuardedFilesOptions): GuardedFiles {
  const named = namedPaths(call, options);
  const reached = named && reachedPlaces(named.paths, options);
  if (!reached)
    return {
      rules: [rule("settings", "it names more files than can be checked, so each such call needs approval")],
      words: named?.words ?? new Set(),
    };
  const found = [...reached].map(([path, place]) => ({ path: shownPath(path, options), place }));
  const [first, more] = [found.slice(0, RULES_MAX), found.slice(RULES_MAX)];
  const rules = first.map(({ path, place }) =>
    rule(place.rule, `${path} ${place.why}, so each call that uses it needs approval`),
  );
  const rest = more.map(({ path }) => path).join(", ");
  return {
    rules: more.length === 0 ? rules : [...rules, rule("settings", `it also uses ${rest}, so it needs approval`)],
    words: named.words,
  };
}

function rule(name: string, reason: string): PolicyRule {
  return { name, decision: "ask", asksEachTime: true, reason, matches: () => true };
}

/** Returns the reached places by path; undefined if there are too many paths. */
function reachedPlaces(
  named: readonly NamedPath[],
  options: GuardedFilesOptions,
): ReadonlyMap<string, GuardedPlace> | undefined {
  const looking: Looking = {
    host: options.host,
    places: options.places?.() ?? new GuardedPlaces(options),
    folders: new Set(),
  };
  const reached = new Map<string, GuardedPlace>();
  let count = 0;
  const words: (NamedPath & { readonly parts: readonly PathWord[] })[] = [];
  for (const path of unique(named)) {
    const parts = path.isPath ? [{ text: path.text, isWhole: true }] : pathWords(path.text);
    if (!parts) return undefined;
    count += parts.length;
    if (count > PARTS_MAX) return undefined;
    words.push({ ...path, parts: path.isLine ? parts.filter(({ isWhole }) => !isWhole) : parts });
  }
  for (const word of words) for (const { path, place } of placesOfWord(word, looking)) reached.set(path, place);
  // `cd ~; cat .netrc`: paths in a command are resolved in the folders that it names, too.
  for (const folder of looking.folders) {
    for (const word of words.filter(({ isPath }) => !isPath)) {
      const inFolder = {
        ...word,
        from: folder,
        parts: word.parts.filter(({ text }) => !isAbsolute(text) && !text.startsWith("..")),
      };
      for (const { path, place } of placesOfWord(inFolder, { ...looking, folders: new Set() }))
        reached.set(path, place);
    }
  }
  return reached;
}

/** Removes duplicates: scripts repeat words. */
function unique(named: readonly NamedPath[]): readonly NamedPath[] {
  if (named.length < 2) return named;
  const keys = new Set<string>();
  return named.filter((path) => {
    const key = JSON.stringify(Object.values(path));
    return !keys.has(key) && keys.add(key);
  });
}

interface Looking {
  readonly host: Host;
  readonly places: GuardedPlaces;
  /** The folders with guarded files that a word names: a command may work in them. */
  readonly folders: Set<string>;
}

interface ReachedPlace {
  readonly path: string;
  readonly place: GuardedPlace;
}

/** Returns the places of a word. If `@~/.netrc` and the path in it lead to the same place, only the path is named. */
function placesOfWord(
  word: NamedPath & { readonly parts: readonly PathWord[] },
  looking: Looking,
): readonly ReachedPlace[] {
  const found = word.parts.flatMap((part) => {
    const place = placeOfPart(word, part, looking);
    return place ? [{ ...place, text: part.text }] : [];
  });
  return found.filter(({ text }) => !found.some((other) => other.text !== text && text.includes(other.text)));
}

/** Returns the first place: other spellings of the same path add nothing. */
function placeOfPart(
  word: NamedPath,
  { text, isWhole }: PathWord,
  { host, places, folders }: Looking,
): ReachedPlace | undefined {
  const paths = foundPaths(text, { host, from: word.from, isPath: word.isPath, seen: places.seen });
  const above: string[] = [];
  const isReadBelow = word.isDeep || text.includes("**");
  for (const path of paths) {
    // What is below it only counts where it may be read, or where a command may work in it.
    const below = isWhole && (isReadBelow || !word.isPath) ? places.below(path) : undefined;
    if (below || (isWhole && !word.isPath && places.holdsProjectKeys(path))) above.push(path);
    const place =
      placeOf(path, places, { ...word, isWhole }) ??
      (below && isReadBelow ? { ...below, why: `${below.why}, and everything below it may be read` } : undefined) ??
      (word.isFollowing && isWhole ? placeOfLinks(path, places, host) : undefined);
    if (place) return { path, place };
  }
  if (!word.isPath) for (const path of above) folders.add(path);
  return undefined;
}

/** Returns the first place that a link in the folder leads to. */
function placeOfLinks(folder: string, places: GuardedPlaces, host: Host): GuardedPlace | undefined {
  const { paths, isAll } = linksBelow(folder, host);
  for (const path of paths) {
    const place = places.at(path, "read") ?? places.below(path);
    if (place) return { ...place, why: `has a link to \`${shownName(path)}\`, which ${place.why}` };
  }
  return isAll ? undefined : { rule: "settings", why: "has too many entries to check for links", isPrivate: true };
}

interface Reached {
  readonly access: Access;
  readonly isPath: boolean;
  readonly isWhole: boolean;
}

/** Text inside a word is often prose, which may name executed files without being a path. */
function placeOf(path: string, places: GuardedPlaces, { access, isPath, isWhole }: Reached): GuardedPlace | undefined {
  const place = places.at(path, isWhole ? access : "read", !isPath);
  return place && (isPath || place.isPrivate) ? place : undefined;
}

function shownPath(path: string, { host, cwd }: GuardedFilesOptions): string {
  const inner = (folder: string): string | undefined =>
    isWithin(path, folder) && path !== folder ? relative(folder, path) : undefined;
  const inHome = inner(host.folders.home);
  return `\`${shownName(inner(cwd) ?? (inHome === undefined ? path : `~${sep}${inHome}`))}\``;
}

/** The limit of a call: listing so many entries takes half a second. */
const ENTRIES_MAX = 100_000;

/**
 * Returns the real paths that links in the folder lead to. `isAll` is false if there are too many entries to find every
 * link.
 */
function linksBelow(folder: string, host: Host): { readonly paths: readonly string[]; readonly isAll: boolean } {
  const folders = [folder];
  const paths: string[] = [];
  let entries = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const { name, kind } of listOrNothing(at, host)) {
      if (++entries > ENTRIES_MAX) return { paths, isAll: false };
      if (kind === "folder") folders.push(join(at, name));
      if (kind === "link") paths.push(realPath(join(at, name), host));
    }
  }
  return { paths, isAll: true };
}
