// The files that decide what may run, and what starts with the user's shell: no yes for a tool covers a call of a model that reaches them.
// A shell's script may say their names in other words; for what runs its arguments, a yes is for these arguments alone anyway.
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Json } from "../schema/json.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy.ts";
import { callViews, type CallView } from "./call-views.ts";
import { realPath } from "./real-path.ts";

export interface OwnFilesOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Absolute: what lies in them is called. */
  readonly toolFolders: readonly string[];
}

export function ownFilesRule(options: OwnFilesOptions): PolicyRule {
  return {
    name: "settings",
    decision: "ask",
    asksEachTime: true,
    reason: "what lies there decides what may run, or holds what was granted, so each call is asked about",
    matches: (call) => reachesOwnFiles(call, options),
  };
}

function reachesOwnFiles(call: PreparedCall, options: OwnFilesOptions): boolean {
  const { host, cwd, toolFolders } = options;
  const { state, config, cache, home } = host.folders;
  const real = (path: string): string => realPath(path, host);
  const kept = [real(state)];
  const deciding = [...kept, ...[config, cache, ...toolFolders].map(real)];
  const here = real(cwd);
  const isAmong = (path: string, folders: readonly string[]): boolean => folders.some((folder) => isWithin(path, folder));
  return (callViews(call, cwd) ?? []).some((view) => {
    const onlyReads = view.effects.length > 0 && view.effects.every((effect) => effect === "read" || effect === "network");
    return pathsIn(view).some((text) => {
      const path = real(resolve(cwd, text));
      return onlyReads ? isAmong(path, kept) : isAmong(path, deciding) || isHiddenAtHome(path, { home: real(home), here });
    });
  });
}

/** `~/.bashrc`, `~/.ssh/…`; unless that is what is worked in. */
function isHiddenAtHome(path: string, { home, here }: { readonly home: string; readonly here: string }): boolean {
  if (!isWithin(path, home)) return false;
  const [first = ""] = relative(home, path).split(sep);
  return first.startsWith(".") && !isWithin(here, join(home, first));
}

function isWithin(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

/** Of parameters that are paths, and the words of a command. */
function pathsIn({ name, tool, arguments: args }: CallView): readonly string[] {
  const declared = (tool?.parameters ?? []).filter(({ schema }) => isPath(schema.type === "array" ? schema.items : schema)).flatMap((parameter) => textsIn(args[parameter.name]));
  return name === "run_command" ? [...declared, ...textsIn(args["argv"]).flatMap((word) => [word, ...(/=(.+)$/s.exec(word)?.slice(1) ?? [])])] : declared;
}

function isPath(schema: { readonly type: string; readonly format?: string }): boolean {
  return schema.type === "string" && schema.format === "path";
}

function textsIn(value: Json | undefined): readonly string[] {
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
  return items.filter((item): item is string => typeof item === "string" && item !== "" && item.length <= PATH_CHARACTERS_MAX);
}

/** As long as Linux takes one. */
const PATH_CHARACTERS_MAX = 4_096;
