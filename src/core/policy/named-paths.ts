// The files that a call names, as far as that is known before it runs: values of parameters that are paths, words of
// commands that values are a part of, and texts for programs that are not known here.
import { isAbsolute } from "node:path";
import { baseToolNames } from "../tool/base-tool-names.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { ParameterSchema } from "../schema/parameter.ts";
import type { Host } from "../tool/host.ts";
import { isRemoteName } from "../tool/remote-name.ts";
import type { PreparedCall } from "../tool/tool.ts";
import { type CallView, callViews } from "./call-views.ts";
import { commandPaths, commandTexts, type NamedPath } from "./command-paths.ts";
import { pathsOfCall, writtenReads, writtenWrites } from "./declared-paths.ts";
import type { Access } from "./guarded-places.ts";

interface NamedPaths {
  readonly paths: readonly NamedPath[];
  /** All texts of the commands that the call is known to run. */
  readonly words: ReadonlySet<string>;
}

interface NamingOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  /** Texts of commands that have been checked. */
  readonly judged?: ReadonlySet<string> | undefined;
}

const PATHS_MAX = 20_000;

/** Returns undefined if there are too many to check. */
export function namedPaths(
  call: PreparedCall,
  { cwd, host, judged = new Set() }: NamingOptions,
): NamedPaths | undefined {
  const views = callViews(call, cwd);
  const [made] = views ?? [];
  if (!views || !made) return undefined;
  // Words that change with the values come from the caller. The others are the author's, which an approval covers.
  const others = isCommand(made) ? [] : viewsOfOthers(call, cwd);
  const authors = {
    words: new Set([...judged, ...textsOfCommands(others)]),
    paths: new Set(others.flatMap((view) => pathsIn(view))),
  };
  const words = new Set(textsOfCommands(views));
  const isUnread = views.some(isForStrangers);
  // A server works in a folder of its own, and many have files that are not on this machine.
  const isRemote = isUnread && views.every((view) => !isForStrangers(view) || isRemoteName(view.name));
  const shared = {
    cwd,
    host,
    access: accessOf(made),
    isAuthors: (text: string) => authors.words.has(text),
  };
  const paths: NamedPath[] = [];
  for (const [index, view] of views.entries()) {
    const access = accessOf(view);
    const add = (text: string, isPath: boolean): unknown =>
      paths.push({ text, from: cwd, access, isDeep: isUnread, isFollowing: false, isPath });
    if (isCommand(view))
      for (const path of commandPaths(view.arguments, { ...shared, isMade: index === 0 })) paths.push(path);
    else for (const text of pathsIn(view)) if (access === "write" || !authors.paths.has(text)) add(text, true);
    for (const path of confinementPaths(view, { cwd, host })) paths.push(path);
    if (index === 0 && !isCommand(view) && (isUnread || words.size > 0))
      for (const text of textsLikePaths(view))
        if (!words.has(text) && !(isRemote && isRelative(text))) add(text, isUnread);
    if (paths.length > PATHS_MAX) return undefined;
  }
  return { paths, words };
}

/** Returns the places that the sandbox of the call shows, whoever wrote them: a program may use all that is below. */
function confinementPaths(
  { tool, arguments: args }: CallView,
  place: { readonly cwd: string; readonly host: Host },
): readonly NamedPath[] {
  const security = tool?.definition.security;
  if (!security) return [];
  const shared = { from: place.cwd, isDeep: true, isFollowing: false, isPath: true };
  return [
    ...pathsOfCall(writtenReads(security), args, place).map((text) => ({ ...shared, text, access: "read" as const })),
    ...pathsOfCall(writtenWrites(security), args, place).map((text) => ({ ...shared, text, access: "write" as const })),
  ];
}

export function accessOf({ effects }: CallView): Access {
  return effects.length > 0 && effects.every((effect) => effect === "read" || effect === "network") ? "read" : "write";
}

export function isCommand({ name, tool }: CallView): boolean {
  return name === "run_command" && (tool === undefined || tool.definition.kind === "base");
}

/** Returns whether a plugin, a server, or the Python of a step gets the texts. */
export function isForStrangers({ name, tool, arguments: args }: CallView): boolean {
  if (!tool) return Array.isArray(args["argv"]) && args["argv"][0] === "python3";
  const { kind, origin } = tool.definition;
  return kind === "base" && !(origin.kind === "base" && baseToolNames().includes(name));
}

function isRelative(text: string): boolean {
  return !isAbsolute(text) && !/^(?:~|file:)/i.test(text);
}

function textsOfCommands(views: readonly CallView[]): readonly string[] {
  return views.filter(isCommand).flatMap(({ arguments: args }) => commandTexts(args));
}

/** Returns the calls that the same tool would make with other values. */
function viewsOfOthers(call: PreparedCall, cwd: string): readonly CallView[] {
  try {
    const args = Object.fromEntries(
      Object.entries(call.arguments).map(([name, value]) => [
        name,
        otherValue(value, call.tool.parameters.find((one) => one.name === name)?.schema),
      ]),
    );
    return callViews({ ...call, arguments: args }, cwd) ?? [];
  } catch {
    // Then no word counts as the author's.
    return [];
  }
}

const MARK = "\uE000";

/** Returns another value; a choice stays, because the author wrote all of them. */
function otherValue(value: Json, schema: ParameterSchema | undefined): Json {
  if (typeof value === "string") return schema?.type === "string" && schema.choices ? value : `${value}${MARK}`;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value))
    return value.map((item: Json) => otherValue(item, schema?.type === "array" ? schema.items : undefined));
  if (!isJsonObject(value)) return value;
  const properties = schema?.type === "object" ? schema.properties : [];
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      otherValue(item, properties.find((one) => one.name === name)?.schema),
    ]),
  );
}

/** Returns the values of parameters that are paths, at any depth. */
export function pathsIn({ tool, arguments: args }: CallView): readonly string[] {
  return (tool?.parameters ?? []).flatMap(({ name, schema }) => pathValues(args[name], schema));
}

function pathValues(value: Json | undefined, schema: ParameterSchema): readonly string[] {
  if (schema.type === "array")
    return Array.isArray(value)
      ? value.flatMap((item: Json) => pathValues(item, schema.items))
      : pathValues(value, schema.items);
  if (schema.type === "object")
    return isJsonObject(value ?? null)
      ? schema.properties.flatMap((one) => pathValues((value as JsonObject)[one.name], one.schema))
      : [];
  return schema.type === "string" && schema.format === "path" && typeof value === "string" ? [value] : [];
}

const NAMES_PATHS = /path|file|folder|dir|target|dest|source|uri|root/i;

/** Returns arguments of one line that look like a path, and any whose name says that it is one. */
export function textsLikePaths({ tool, arguments: args }: CallView): readonly string[] {
  const found: string[] = [];
  const look = (value: Json, name: string): void => {
    if (typeof value === "string") {
      if (!value.includes("\n") && (/[/\\]|^[.~]/.test(value) || NAMES_PATHS.test(name))) found.push(value);
    } else if (Array.isArray(value)) for (const item of value as readonly Json[]) look(item, name);
    else if (isJsonObject(value)) for (const [inner, item] of Object.entries(value)) look(item, inner);
  };
  for (const [name, value] of Object.entries(args)) {
    const schema = tool?.parameters.find((one) => one.name === name)?.schema;
    if (!(schema?.type === "string" && schema.choices)) look(value, name);
  }
  return found;
}
