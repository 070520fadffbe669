// Whether a call writes outside of the project, as far as its words tell: for rules with `outside: project`. A path
// counts as what it leads to, and who names a path that cannot be followed counts as outside.
import { dirname } from "node:path";
import { commandFolder } from "../base/command-folder.ts";
import { singleQuoted } from "../base/quote.ts";
import { isJsonObject } from "../schema/json.ts";
import { hasPart, loadedPart } from "../tool/feature.ts";
import type { Host } from "../tool/host.ts";
import type { CallView } from "./call-views.ts";
import { pathsOfCall, writtenWrites } from "./declared-paths.ts";
import { foundPaths } from "./found-paths.ts";
import { accessOf, isCommand, isForStrangers, pathsIn, textsLikePaths } from "./named-paths.ts";
import { projectOf } from "./project.ts";
import { isWithin, realPath } from "./real-path.ts";
import type { MatchContext } from "./rule.ts";

export interface WrittenPath {
  /** Undefined: it is known only at run time. */
  readonly path: string | undefined;
  /** The absolute folder in which it is resolved. Undefined: it is known only at run time. */
  readonly folder: string | undefined;
  /** Whether it is certainly written; otherwise an unknown program gets it. */
  readonly isSure: boolean;
  /** Whether its entry in the folder above goes: for the project's own folder, that is outside. */
  readonly isRemoved?: boolean;
}

declare module "../tool/feature.ts" {
  interface Parts {
    /** Returns what a line for a POSIX shell writes; `cwd` is absolute. */
    readonly writtenPaths: (
      line: string,
      place: { readonly host: Host; readonly cwd: string },
    ) => readonly WrittenPath[];
  }
}

/** Reading a line takes longer with the square of its length. */
const LINE_CHARACTERS_MAX = 16_384;
const known = new WeakMap<readonly CallView[], boolean>();

/** `views` begin with the call as made. */
export function writesOutside(views: readonly CallView[], context: MatchContext): boolean {
  const found = known.get(views) ?? looksOutside(views, context);
  known.set(views, found);
  return found;
}

function looksOutside(views: readonly CallView[], { host, cwd }: MatchContext): boolean {
  const project = projectOf(cwd, host);
  // An author who says that a tool only reads is believed, except where its words certainly write.
  const isReading = views[0] !== undefined && accessOf(views[0]) === "read";
  const isOutside = ({ path, folder, isSure, isRemoved }: WrittenPath): boolean => {
    if (isReading && !isSure) return false;
    if (path === undefined || (folder === undefined && !/^[/~]/.test(path))) return true;
    return foundPaths(path, { host, from: folder ?? cwd, isPath: true }).some((one) => {
      const real = realPath(one, host);
      return (isRemoved && real === project) || (!isWithin(real, project) && (isSure || isPlace(one, host)));
    });
  };
  return views.some((view) => writtenBy(view, { host, cwd }).some(isOutside));
}

function writtenBy(view: CallView, place: MatchContext): readonly WrittenPath[] {
  const sure = (path: string): WrittenPath => ({ path, folder: place.cwd, isSure: true });
  const declared = pathsOfCall(writtenWrites(view.tool?.definition.security), view.arguments, place).map(sure);
  if (isCommand(view)) return [...declared, ...writtenByCommand(view, place)];
  // What a definition does is known from the calls below it.
  const isMade = view.tool === undefined || view.tool.definition.kind === "base";
  if (!isMade || accessOf(view) === "read") return declared;
  const named = view.tool === undefined || isForStrangers(view) ? textsLikePaths(view) : pathsIn(view);
  return [...declared, ...named.map(sure)];
}

function writtenByCommand({ arguments: args }: CallView, { host, cwd }: MatchContext): readonly WrittenPath[] {
  const { argv, command, stdin, env, working_dir: folder } = args;
  const variables = Object.entries(isJsonObject(env) ? env : {}).filter(([name]) => /^\w+$/.test(name));
  const words = [
    ...(Array.isArray(argv) ? [argv.map((word) => singleQuoted(String(word))).join(" ")] : []),
    ...(typeof command === "string" ? [command] : []),
  ];
  const line = [...variables.map(([name, value]) => `export ${name}=${singleQuoted(String(value))}`), ...words].join(
    "\n",
  );
  const whole = typeof stdin === "string" && words.length > 0 ? `${line} <<< ${singleQuoted(stdin)}` : line;
  if (whole.length > LINE_CHARACTERS_MAX || !hasPart("writtenPaths"))
    return [{ path: undefined, folder: cwd, isSure: true }];
  return loadedPart("writtenPaths")(whole, {
    host,
    cwd: typeof folder === "string" ? commandFolder(folder, { cwd, host }) : cwd,
  });
}

/** Whether a word may be a path at all: `/users` and `/api/x` seldom are. */
function isPlace(path: string, host: Host): boolean {
  const above = dirname(path);
  return [path, ...(dirname(above) === above ? [] : [above])].some((one) => host.instant.stat(one) !== undefined);
}
