// What a confined process sees of the files: opens them, and checks where they really are.
import type { ConfinedRequest } from "../../../core/host/processes/plain-run.ts";
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import type { SpawnResult } from "../../../core/tool/host.ts";
import type { OpenDescriptors } from "./confined-descriptors.ts";
import {
  type OpenPlace,
  exists,
  folderOfProgram,
  isFolder,
  isWithin,
  makePlace,
  openPlace,
  realPathOf,
  whyHidden,
  withoutSlash,
} from "./confined-places.ts";
import { findProgram } from "../../../core/host/processes/process-program.ts";
import { notStarted, whyNoProgram } from "../../../core/host/processes/process-start.ts";

interface Showing {
  readonly open: OpenDescriptors;
  /** Gets the files that were made. */
  readonly made: string[];
}

export interface Shown {
  readonly kind: "shown";
  /** The path of the command's program. */
  readonly program: string;
  readonly places: readonly Visible[];
  /** Those in a place that is shown. */
  readonly inner: readonly Visible[];
  /** The working folder, and what may be written. */
  readonly roots: readonly Visible[];
  /** The paths of the program that are shown without what is beside them. */
  readonly alone: readonly string[];
}

export interface Visible extends OpenPlace {
  readonly inside: string;
  readonly isWritable: boolean;
}

/** Places beside the working folder, each of which is a mount: bubblewrap takes at most 9,000 words. */
const PLACES_MAX = 256;

/** Finds the program, opens what the process may see, and checks where it really is. */
export function showPlaces(
  { request, environment, platform }: ConfinedRequest,
  { open, made }: Showing,
): Shown | SpawnResult {
  const { cwd } = request;
  const { folder, reads, writes } = request.confinement;
  const found = findProgram(request.argv[0] ?? "", { platform, cwd, pathVariable: environment["PATH"] ?? "" });
  if (found.kind === "refused") return whyNoProgram(found, cwd);
  const program = found.path;
  const count = reads.length + writes.length;
  if (count > PLACES_MAX)
    return hidden(
      `it would see ${count} places, and a sandbox shows at most ${PLACES_MAX}; name a folder that contains them`,
    );
  const all: Visible[] = [];
  for (const path of [folder, ...reads]) {
    const place = openPlace(path);
    if (place) open.hold(place.descriptor);
    else if (path === folder) return notStarted("folder-missing", path);
    else continue;
    const why = whyHidden(place.path);
    if (why !== undefined) return hidden(`\`${place.path}\` ${why}; run it in a separate folder`);
    all.push({ ...place, inside: path, isWritable: false });
  }
  const root = realPathOf(folder);
  for (const written of writes) {
    const path = withoutSlash(written);
    const real = isWithin(path, folder) ? root + path.slice(folder.length) : path;
    const before = openPlace(path);
    // In a folder that may be written it makes what it needs itself.
    if (!before && writes.some((one) => withoutSlash(one) !== path && isWithin(path, withoutSlash(one)))) continue;
    if (!before && makePlace(real, written.endsWith("/")) && !written.endsWith("/")) made.push(real);
    const place = before ?? openPlace(path);
    if (!place) {
      const parent = dirname(path);
      const why = exists(parent) ? "cannot be made" : `is in \`${parent}\`, which does not exist`;
      return hidden(`\`${path}\` ${why}, so it cannot be written`);
    }
    open.hold(place.descriptor);
    if (place.path !== real)
      return hidden(`\`${path}\` leads to \`${place.path}\` by a link; \`@writes\` must name the place itself`);
    const why = whyHidden(place.path);
    if (why !== undefined) return hidden(`\`${place.path}\` ${why}, so it cannot be written`);
    all.push({ ...place, inside: path, isWritable: true });
  }
  if (!all.some(({ inside }) => isWithin(cwd, inside)))
    return hidden(`\`${cwd}\` is outside the working folder, which is all that it may see`);
  const visible = outermost(all);
  const isInner = ({ inside }: Visible): boolean =>
    visible.some((other) => other.inside !== inside && isWithin(inside, other.inside));
  const { places, alone } = programPlaces(program, visible);
  for (const { descriptor } of places) open.hold(descriptor);
  return {
    kind: "shown",
    program,
    places: [...visible.filter((one) => !isInner(one)), ...places],
    inner: visible.filter(isInner),
    roots: visible.filter((one) => (one.isWritable || one.inside === folder) && isFolder(one.path)),
    alone,
  };
}

/** Removes the files that were made for a process which left them empty. */
export function removeMade(made: readonly string[]): void {
  for (const path of made) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size === 0) rmSync(path, { force: true });
  }
}

/** Opens the folders for `home` and `tmp` in a folder of dottool's own, which are made, and are seen as `inside` says. */
export function privatePlaces(
  folder: string,
  open: OpenDescriptors,
  inside?: Readonly<Record<"home" | "tmp", string>>,
): readonly Visible[] {
  return (["home", "tmp"] as const).map((name) => {
    const path = `${folder}/${name}`;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const place = openPlace(path);
    if (place?.path !== path) throw Object.assign(new Error(path), { code: "ENOTDIR" });
    open.hold(place.descriptor);
    return { ...place, inside: inside?.[name] ?? path, isWritable: true };
  });
}

/** Leaves out what is visible in another place: it would be mounted in a folder that others may change. */
function outermost(all: readonly Visible[]): readonly Visible[] {
  const places = all.map((one) =>
    // A link in a visible folder is visible itself: what it leads to must be.
    all.some((other) => !other.isWritable && isWithin(one.inside, other.inside) && one.path !== inOther(one, other))
      ? { ...one, inside: one.path }
      : one,
  );
  return places.filter(
    (one, index) =>
      !places.some((other, at) => at !== index && covers(other, one) && (at < index || !covers(one, other))),
  );
}

function covers(other: Visible, one: Visible): boolean {
  return (
    (other.isWritable || !one.isWritable) && isWithin(one.inside, other.inside) && one.path === inOther(one, other)
  );
}

/** Where it is if no link is on the way from the other to it. */
function inOther({ inside }: Visible, other: Visible): string {
  return other.path + inside.slice(other.inside.length);
}

/** Returns what is shown of a program outside the system, as in the home folder: its file, or its installation. */
function programPlaces(program: string, visible: readonly Visible[]): Pick<Shown, "places" | "alone"> {
  const places: Visible[] = [];
  let alone: string[] = [];
  const add = (path: string, from: string): boolean => {
    const isVisible = visible.some(({ inside }) => isWithin(path, inside));
    const place = isVisible || places.some(({ inside }) => inside === path) ? undefined : openPlace(from);
    if (place) places.push({ ...place, inside: path, isWritable: false });
    return place !== undefined;
  };
  const real = realPathOf(program);
  for (const path of new Set([real, program]))
    if (!isWithin(path, "/usr") && !isWithin(path, "/nix/store") && !isSystem(path) && add(path, real))
      alone.push(path);
  for (const path of installationOf(program, real)) if (add(path, path) && !path.endsWith("/bin")) alone = [];
  return { places, alone };
}

/** What an interpreter reads of its installation, and a command of a version manager such as pyenv of its own. */
const INSTALLED_NAMES = ["bin", "lib", "lib64", "libexec", "pyvenv.cfg", "version", "versions"];

/**
 * Returns the places of the installation that a program outside the system belongs to, such as `~/.pyenv` or a virtual
 * environment. Only for a program in a folder of the PATH of dottool itself: a definition could name one in a folder
 * whose files it wants to see.
 */
function installationOf(program: string, real: string): readonly string[] {
  if (isWithin(program, "/usr") && isWithin(real, "/usr")) return [];
  const isOnPath = (process.env["PATH"] ?? "").split(delimiter).includes(dirname(program));
  if (!isOnPath) return [];
  const roots = new Set([program, real].flatMap((one) => folderOfProgram(one).filter((root) => root !== dirname(one))));
  return [...roots].flatMap((root) =>
    isWithin(root, "/usr") || isWithin(root, "/nix/store") ? [] : INSTALLED_NAMES.map((name) => `${root}/${name}`),
  );
}

/** Returns what to show of the installations of all programs in folders of PATH outside the system. */
export function installationsOnPath(): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((path) => path.startsWith("/") && exists(path));
  const places = folders.flatMap((folder) => [folder, ...installationOf(`${folder}/-`, `${realPathOf(folder)}/-`)]);
  // A place below `/tmp`, or a link to a folder that holds more, is not shown.
  return [...new Set(places)].filter(
    (path) =>
      [path, realPathOf(path)].every((one) => whyHidden(one) === undefined && !isWithin(one, "/tmp")) &&
      exists(path) &&
      !isWithin(path, "/usr") &&
      !isSystem(`${path}/`),
  );
}

function isSystem(path: string): boolean {
  return /^\/(bin|sbin|lib|lib32|lib64)\//.test(path);
}

function hidden(why: string): SpawnResult {
  return notStarted("hidden", why);
}
