// The folders in which the commands of a script may run. A `cd` may fail, may not run at all, or may count in a shell of
// its own only, as in brackets: then the folders before it count too.
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type CommandGroup, type CommandWord, literalText, type SimpleCommand } from "../../core/shell/pieces.ts";
import type { Host } from "../../core/tool/host.ts";
import { textOf } from "../../core/policy/known-words.ts";

/** Absolute paths. Undefined: a folder that is known only at run time. */
export type PossibleFolders = readonly (string | undefined)[];

const FOLDERS_MAX = 8;

interface GroupState {
  now: PossibleFolders;
  /** Those that count again after a list with `&&`. */
  skipped: PossibleFolders;
}

type Place = Pick<SimpleCommand, "group" | "flow">;

/** The folders of one shell. */
export class RanFolders {
  readonly #start: PossibleFolders;
  readonly #groups = new Map<CommandGroup | undefined, GroupState>();
  /** Every folder so far, to which `cd -` and `popd` may lead back. */
  #all: PossibleFolders;

  constructor(start: PossibleFolders) {
    this.#start = start;
    this.#all = start;
  }

  get all(): PossibleFolders {
    return this.#all;
  }

  /** Is called once for each command, in the order of the script. */
  at({ group, flow }: Place): PossibleFolders {
    const state = this.#of(group);
    if (flow !== "then") {
      state.now = union(state.now, state.skipped);
      state.skipped = [];
    }
    return state.now;
  }

  /** `isSure` is whether the change cannot fail. */
  change({ group, flow }: Place, to: PossibleFolders, isSure: boolean): void {
    const state = this.#of(group);
    const before = state.now;
    state.now = flow === "apart" ? union(before, to) : to;
    if (flow === "then" || flow === "inner") state.skipped = union(state.skipped, before);
    else if (flow === undefined && !isSure) state.skipped = before;
    this.#all = union(this.#all, to);
    let inner = group;
    while (inner?.outer && (inner.kind === "group" || inner.kind === "function")) {
      const outer = this.#of(inner.outer);
      outer.now = union(outer.now, to);
      inner = inner.outer;
    }
  }

  #of(group: CommandGroup | undefined): GroupState {
    const known = this.#groups.get(group);
    if (known) return known;
    const outer = group?.outer ? this.#of(group.outer) : undefined;
    const made = { now: outer ? union(outer.now, outer.skipped) : this.#start, skipped: [] };
    this.#groups.set(group, made);
    return made;
  }
}

interface Changing {
  readonly host: Host;
  readonly folders: PossibleFolders;
  /** Those that the shell has been in. */
  readonly all: PossibleFolders;
  readonly variables: Map<string, string | undefined>;
}

/** Returns where `cd`, `pushd` or `popd` leads, and whether it cannot fail. */
export function changedFolders(
  name: string,
  args: readonly CommandWord[],
  { host, folders, all, variables }: Changing,
): { readonly to: PossibleFolders; readonly isSure: boolean } {
  const word = args.find((one) => !/^-./.test(literalText(one) ?? ""));
  const text = word ? textOf(word, { given: [], positions: [], variables }) : "~";
  if (/^\$\(git rev-parse --show-toplevel\)$/.test(writtenIn(word)))
    return { to: folders.map((one) => (one === undefined ? one : topOf(one, host))), isSure: true };
  // The shell was in a folder before this line.
  if (text === "-" && all.length === 1) return { to: [undefined], isSure: false };
  if (name === "popd" || text === "-" || (name === "pushd" && (!word || text?.startsWith("+"))))
    return { to: all, isSure: false };
  // With CDPATH, `cd x` may lead elsewhere.
  const isSearched = variables.has("CDPATH") || host.environment("CDPATH") !== undefined;
  const path = text?.replace(/^~(?=\/|$)/, host.folders.home);
  if (path === undefined || /^~|[*?[]/.test(path) || (isSearched && !/^(?:\.{0,2}\/|\.{1,2}$)/.test(path)))
    return { to: [undefined], isSure: false };
  const to = folders.map((one) => (one !== undefined || isAbsolute(path) ? resolve(one ?? "/", path) : undefined));
  return { to, isSure: to.every((one) => one !== undefined && host.instant.stat(one)?.kind === "folder") };
}

function writtenIn(word: CommandWord | undefined): string {
  const [only, ...others] = word?.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "") ?? [];
  return only?.kind === "expansion" && others.length === 0 ? only.text : "";
}

/** Returns the folder of the repository. */
function topOf(folder: string, host: Host): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (host.instant.stat(join(at, ".git")) !== undefined) return at;
    if (dirname(at) === at) return undefined;
  }
}

function union(some: PossibleFolders, others: PossibleFolders): PossibleFolders {
  const all = [...new Set([...some, ...others])];
  return all.length > FOLDERS_MAX ? [undefined] : all;
}
