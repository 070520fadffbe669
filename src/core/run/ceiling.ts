// The most that anything reaches which no person has approved, whatever its definition declares: the working folder
// without its guarded files, public hosts, and what the user's own settings show in every sandbox. Tools of unapproved
// packages and `dottool try` run under it.
import type { SandboxSettings } from "../base/sandbox-settings.ts";
import { type Access, GuardedPlaces, type PlaceOptions } from "../policy/guarded-places.ts";
import { realPath } from "../policy/real-path.ts";
import type { Confinement } from "../tool/confinement.ts";

/** `folder` is the working folder, absolute. */
export function ceilingOf(folder: string, settings: Pick<SandboxSettings, "reads"> | undefined): Confinement {
  return {
    level: "strict",
    folder,
    writes: [folder],
    reads: settings?.reads ?? [],
    hosts: ["*"],
    isPublicOnly: true,
  };
}

/** Returns why the working folder itself is none that unapproved code may see, as the end of a sentence. */
export function whyGuarded(options: PlaceOptions): string | undefined {
  const places = new GuardedPlaces(options);
  return places.at(realPath(options.cwd, options.host, places.seen), "read")?.why;
}

/** Returns what is left of a sandbox below the ceiling. Guarded places are not written, even if they are named. */
export function underCeiling(own: Confinement, ceiling: Confinement, options: PlaceOptions): Confinement {
  const places = new GuardedPlaces(options);
  const isGuarded = (path: string, access: Access): boolean =>
    places.at(realPath(path, options.host, places.seen), access) !== undefined;
  const cut = within(own, ceiling);
  const writes = cut.writes.filter((path) => !isGuarded(path, "write"));
  // What is in the working folder is shown with it.
  const isRead = (path: string): boolean =>
    cut.reads.includes(path) || (isIn(path, ceiling.folder) && !isGuarded(path, "read"));
  const withheld = [
    ...own.reads.filter((path) => !isRead(path)).map((path) => `to read \`${path}\``),
    ...own.writes.filter((path) => !writes.includes(path)).map((path) => `to write \`${path}\``),
  ];
  return { ...cut, writes, ...(withheld.length === 0 ? {} : { withheld }) };
}

/** Returns the sandbox of a call within another one. */
export function within(own: Confinement, parent: Confinement): Confinement {
  const isBelow = (path: string): boolean => parent.writes.some((one) => isIn(path, one));
  const allows = (host: string): boolean => parent.hosts.includes("*") || parent.hosts.includes(host);
  const { isBestEffort: _isBestEffort, ...rest } = own;
  return {
    ...rest,
    folder: parent.folder,
    writes: [
      ...own.writes.filter(isBelow),
      ...parent.writes.filter((path) => own.writes.some((one) => path !== one && isIn(path, one))),
    ],
    reads: own.reads.filter((path) => parent.reads.some((one) => isIn(path, one))),
    hosts: own.hosts.includes("*") ? parent.hosts : own.hosts.filter(allows),
    ...(own.isPublicOnly || parent.isPublicOnly ? { isPublicOnly: true as const } : {}),
    ...(own.isBestEffort && parent.isBestEffort ? { isBestEffort: true as const } : {}),
  };
}

function isIn(path: string, folder: string): boolean {
  const base = folder.replace(/(.)\/$/, "$1");
  return path === folder || path === base || path.startsWith(`${base}/`);
}
