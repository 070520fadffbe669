// The files that decide what may run, and what starts with the user's shell: no yes for a tool covers a call of a model that reaches them.
// A program that is given a path in other words gets past this, as a shell's script does.
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

function reachesOwnFiles(call: PreparedCall, { host, cwd, toolFolders }: OwnFilesOptions): boolean {
  const reached = (callViews(call, cwd) ?? []).flatMap((view, index) => pathsIn(view, index === 0).map((path) => ({ path, onlyReads: onlyReads(view) })));
  if (reached.length === 0) return false;
  const real = (path: string): string => realPath(path, host);
  const { state, config, cache, home } = host.folders;
  const kept = [real(state)];
  const deciding = [...kept, ...[config, cache, ...toolFolders].map(real)];
  const place = { home: real(home), here: real(cwd) };
  const isAmong = (path: string, folders: readonly string[]): boolean => folders.some((folder) => isWithin(path, folder));
  return reached.some(({ path: text, onlyReads: isLook }) => {
    const path = real(resolve(cwd, text));
    return isLook ? isAmong(path, kept) : isAmong(path, deciding) || isHiddenAtHome(path, place);
  });
}

function onlyReads({ effects }: CallView): boolean {
  return effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network");
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

/**
 * Of parameters that are paths, and of the call as it was made any text that looks like one. The words of a command are its author's, which a yes holds
 * to; what `run_command` is given itself, a yes is for alone.
 */
function pathsIn({ name, tool, arguments: args }: CallView, isMade: boolean): readonly string[] {
  if (name === "run_command") return [];
  return (tool?.parameters ?? []).flatMap(({ name: given, schema }) => {
    const texts = textsIn(args[given]);
    return isPath(schema.type === "array" ? schema.items : schema) ? texts : isMade ? texts.filter((text) => /^[^\n]*[\/\\][^\n]*$/.test(text)) : [];
  });
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
