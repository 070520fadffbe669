// What a confined process sees of the files: opens them, and checks where they really are.
import { closeSync } from "node:fs";
import { delimiter, dirname } from "node:path";
import process from "node:process";
import type { SpawnRequest, SpawnResult } from "../../tool/host.ts";
import type { Mount } from "./bwrap-words.ts";
import type { OpenDescriptors } from "./confined-descriptors.ts";
import { GUARDED_NAMES, type Gap, gapAt } from "./confined-names.ts";
import {
  type OpenPlace,
  exists,
  isWithin,
  folderOfProgram,
  makePlace,
  openPlace,
  realPathOf,
  whyHidden,
} from "./confined-places.ts";
import { notStarted } from "../processes/process-start.ts";
import type { Confinement } from "../../tool/confinement.ts";
import type { Platform } from "../../tool/command.ts";

export interface ConfinedRequest {
  readonly request: SpawnRequest & { readonly confinement: Confinement };
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: Platform;
}

interface Showing {
  readonly open: OpenDescriptors;
  /** Gets the files that were made. */
  readonly made: string[];
  /** Gets the names that are to be guarded and are not there. */
  readonly gaps: Gap[];
  /** Gets the paths of the program that are shown without what is beside them. */
  readonly alone: string[];
  readonly byDescriptor: boolean;
  readonly program: string;
}

/** Opens what the process may see, and checks where it really is. */
export function showPlaces(
  { request }: ConfinedRequest,
  { open, made, gaps, alone, byDescriptor, program }: Showing,
): readonly Mount[] | SpawnResult {
  const { folder, reads, writes } = request.confinement;
  const mounts: Mount[] = [];
  const add = (path: string, place: OpenPlace, isWritable: boolean): void => {
    const from = byDescriptor ? open.add(place.descriptor) : place.path;
    if (!byDescriptor) open.hold(place.descriptor);
    mounts.push({ path, from, isWritable });
  };
  for (const path of [folder, ...reads]) {
    const place = openPlace(path);
    if (!place) {
      if (path === folder) return notStarted("folder-missing", path);
      continue;
    }
    const why = whyHidden(place.path);
    if (why !== undefined) return hidden(`\`${place.path}\` ${why}; run it in a separate folder`);
    add(path, place, false);
  }
  const root = realPathOf(folder);
  for (const written of writes) {
    const path = written.endsWith("/") && written.length > 1 ? written.slice(0, -1) : written;
    const real = isWithin(path, folder) ? root + path.slice(folder.length) : path;
    const before = openPlace(path);
    if (!before && makePlace(real, written.endsWith("/")) && !written.endsWith("/")) made.push(real);
    const place = before ?? openPlace(path);
    if (!place) {
      const parent = dirname(path);
      const why = exists(parent) ? "cannot be made" : `is in \`${parent}\`, which does not exist`;
      return hidden(`\`${path}\` ${why}, so it cannot be written`);
    }
    if (place.path !== real) {
      closeSync(place.descriptor);
      return hidden(`\`${path}\` leads to \`${place.path}\` by a link; \`@writes\` must name the place itself`);
    }
    const why = whyHidden(place.path);
    if (why !== undefined) return hidden(`\`${place.path}\` ${why}, so it cannot be written`);
    add(path, place, true);
    // What other programs run later stays as it is, unless it is named itself.
    for (const name of GUARDED_NAMES) {
      if (writes.some((one) => isWithin(one, `${path}/${name}`))) continue;
      const kept = openPlace(`${path}/${name}`);
      if (kept) add(`${path}/${name}`, kept, false);
      else gaps.push(gapAt(place.descriptor, name));
    }
  }
  const visible = [folder, ...reads, ...writes];
  if (!visible.some((one) => isWithin(request.cwd, one)))
    return hidden(`\`${request.cwd}\` is outside the working folder, which is all that it may see`);
  // A program of its own place, such as one in the home folder: the file alone.
  const real = realPathOf(program);
  for (const path of new Set([real, program])) {
    if (
      isWithin(path, "/usr") ||
      isWithin(path, "/nix/store") ||
      isSystem(path) ||
      visible.some((one) => isWithin(path, one))
    )
      continue;
    const place = openPlace(real);
    if (!place) continue;
    add(path, place, false);
    alone.push(path);
  }
  for (const path of installationOf(program, real)) {
    if (mounts.some((one) => one.path === path) || visible.some((one) => isWithin(path, one))) continue;
    const place = openPlace(path);
    if (!place) continue;
    add(path, place, false);
    if (!path.endsWith("/bin")) alone.length = 0;
  }
  return mounts;
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

function isSystem(path: string): boolean {
  return /^\/(bin|sbin|lib|lib32|lib64)\//.test(path);
}

function hidden(why: string): SpawnResult {
  return notStarted("hidden", why);
}
