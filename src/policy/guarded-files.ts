// Rules for files that no agreement covers: a call of a model that reaches one of them is asked about each time,
// whatever the tool, and is told why.
import { isAbsolute, relative, sep } from "node:path";
import { shownName } from "../base/shown-name.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy.ts";
import { foundPaths } from "./found-paths.ts";
import { type Access, type GuardedPlace, GuardedPlaces } from "./guarded-places.ts";
import { linksBelow } from "./links-below.ts";
import { type NamedPath, namedPaths } from "./named-paths.ts";
import { type PathWord, pathWords } from "./path-words.ts";

export interface GuardedFilesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute: what lies in them is called. */
  readonly toolFolders: readonly string[];
  /** Texts of commands that were looked at when a call above this one was judged. */
  readonly judged?: ReadonlySet<string> | undefined;
}

export interface GuardedFiles {
  /** One for each file, with its name: an answer is for that file. */
  readonly rules: readonly PolicyRule[];
  /** All texts of the commands that the call is known to run. */
  readonly words: ReadonlySet<string>;
}

/** Paths of one call that are looked up: this takes a second. */
const PARTS_MAX = 20_000;
/** Each has a rule of its own; those behind them share one. */
const RULES_MAX = 20;

export function guardedFiles(call: PreparedCall, options: GuardedFilesOptions): GuardedFiles {
  const named = namedPaths(call, options);
  const reached = named && reachedPlaces(named.paths, options);
  if (!reached)
    return {
      rules: [rule("settings", "it names more files than can be looked at, so each call like this is asked about")],
      words: named?.words ?? new Set(),
    };
  const found = [...reached].map(([path, place]) => ({ path: shownPath(path, options), place }));
  const [first, more] = [found.slice(0, RULES_MAX), found.slice(RULES_MAX)];
  const rules = first.map(({ path, place }) =>
    rule(place.rule, `${path} ${place.why}, so each call that reaches it is asked about`),
  );
  const rest = more.map(({ path }) => path).join(", ");
  return {
    rules: more.length === 0 ? rules : [...rules, rule("settings", `it reaches ${rest} as well, so it is asked about`)],
    words: named.words,
  };
}

function rule(name: string, reason: string): PolicyRule {
  return { name, decision: "ask", asksEachTime: true, reason, matches: () => true };
}

/** By path. Undefined: there are too many to look at. */
function reachedPlaces(
  named: readonly NamedPath[],
  options: GuardedFilesOptions,
): ReadonlyMap<string, GuardedPlace> | undefined {
  const looking: Looking = { host: options.host, places: new GuardedPlaces(options), folders: new Set() };
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
  // `cd ~; cat .netrc`: what a command names is read in the folders that it names, too.
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

/** Scripts say the same word often. */
function unique(named: readonly NamedPath[]): readonly NamedPath[] {
  const keys = new Set<string>();
  return named.filter((path) => {
    const key = JSON.stringify(Object.values(path));
    return !keys.has(key) && keys.add(key);
  });
}

interface Looking {
  readonly host: Host;
  readonly places: GuardedPlaces;
  /** That hold guarded files, and were named by a word: for what a command does in them. */
  readonly folders: Set<string>;
}

interface ReachedPlace {
  readonly path: string;
  readonly place: GuardedPlace;
}

/** Where `@~/.netrc` and the path in it both lead to a place, the path alone is told. */
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

/** The first: other ways of writing the same path say no more. */
function placeOfPart(
  word: NamedPath,
  { text, isWhole }: PathWord,
  { host, places, folders }: Looking,
): ReachedPlace | undefined {
  const paths = foundPaths(text, { host, from: word.from, isPath: word.isPath });
  const above: string[] = [];
  for (const path of paths) {
    const below = isWhole ? places.below(path) : undefined;
    if (below) above.push(path);
    const isReadBelow = below !== undefined && (word.isDeep || text.includes("**"));
    const place =
      placeOf(path, places, { ...word, isWhole }) ??
      (isReadBelow ? { ...below, why: `${below.why}, and all below it may be read` } : undefined) ??
      (word.isFollowing && isWhole ? placeOfLinks(path, places, host) : undefined);
    if (place) return { path, place };
  }
  if (!word.isPath) for (const path of above) folders.add(path);
  return undefined;
}

/** The first place that a link in the folder leads to. */
function placeOfLinks(folder: string, places: GuardedPlaces, host: Host): GuardedPlace | undefined {
  const { paths, isAll } = linksBelow(folder, host);
  for (const path of paths) {
    const place = places.at(path, "read") ?? places.below(path);
    if (place) return { ...place, why: `has a link to \`${shownName(path)}\`, which ${place.why}` };
  }
  return isAll
    ? undefined
    : { rule: "settings", why: "has more entries than can be looked at for links", isPrivate: true };
}

interface Reached {
  readonly access: Access;
  readonly isPath: boolean;
  readonly isWhole: boolean;
}

/** What stands somewhere in a word is often prose, which names what others execute as easily as a path does. */
function placeOf(path: string, places: GuardedPlaces, { access, isPath, isWhole }: Reached): GuardedPlace | undefined {
  const place = places.at(path, isWhole ? access : "read");
  return place && (isPath || place.isPrivate) ? place : undefined;
}

function shownPath(path: string, { host, cwd }: GuardedFilesOptions): string {
  const within = (folder: string): string | undefined => {
    const inner = relative(folder, path);
    return inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? undefined : inner;
  };
  const here = within(cwd);
  const home = within(host.folders.home);
  return `\`${shownName(here !== undefined && here !== "" ? here : home !== undefined && home !== "" ? `~${sep}${home}` : path)}\``;
}
