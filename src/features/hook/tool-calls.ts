// The tools of other agents as calls of ours, so that one policy holds for both: their shell is `run_command`, their
// file tools are `read_file`, `edit_file` and so on.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { hookTools } from "../../generated/hook-tools.ts";

export interface MeantCall {
  /** Our tool's name, or `mcp:SERVER/TOOL`, or the name as given. */
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Whether it is one of our tools. */
  readonly isKnown: boolean;
}

type ToolRow = (typeof hookTools)[number];

const rowOfName = new Map(hookTools.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)));
const PATCHES = new Set(["apply_patch", "patch"]);
/** Tools that type into a command that runs, which may be a shell. */
const TYPING = new Set(["write_stdin", "write_bash", "write_powershell"]);
/** The limit of calls that one call stands for: the files of a patch, the addresses in a prompt. */
const CALLS_MAX = 200;

/**
 * Returns the calls that a call of a client stands for: a patch changes several files. Undefined: it cannot be told.
 */
export function meantCalls(name: string, args: JsonObject): readonly MeantCall[] | undefined {
  if (PATCHES.has(name)) return patchedFiles(args);
  if (TYPING.has(name)) return typedLines(name, args);
  if (name === "batch") return batchedCalls(args);
  const row = rowOfName.get(name);
  if (!row) return [{ tool: remoteName(name) ?? name, arguments: args, isKnown: false }];
  const given = argumentsOf(row, args);
  if (!given) return undefined;
  switch (row.tool) {
    case "run_command": {
      const { command, ...more } = given;
      if (Array.isArray(command) && command.every((word) => typeof word === "string"))
        return [{ tool: row.tool, arguments: { ...more, argv: command }, isKnown: true }];
      return typeof command === "string" ? [{ tool: row.tool, arguments: given, isKnown: true }] : undefined;
    }
    case "web_fetch": {
      // Gemini CLI gives a prompt with addresses in it.
      const found = typeof given["url"] === "string" ? [given["url"]] : urlsIn(args["prompt"]);
      return found.slice(0, CALLS_MAX).map((url) => ({ tool: row.tool, arguments: { url }, isKnown: true }));
    }
    case "find_files":
      return [{ tool: row.tool, arguments: { ...given, patterns: listOf(given["patterns"]) }, isKnown: true }];
    case "edit_file":
      return fileCalls(row.tool, { ...given, edits: editsOf(args) });
    case "read_file":
    case "write_file":
      return fileCalls(row.tool, given);
    default:
      return [{ tool: row.tool, arguments: given, isKnown: true }];
  }
}

/**
 * Returns the arguments of a call of the client's shell with another line; undefined if it is not a POSIX shell's line.
 */
export function withLine(name: string, args: JsonObject, line: string): JsonObject | undefined {
  const names = /^powershell$/i.test(name) ? undefined : rowOfName.get(name)?.arguments["command"]?.split(" ");
  if (!names) return undefined;
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, names.includes(key) && value !== null ? line : value]),
  );
}

/** Keys have names: `rm x{enter}`. Nothing is typed where a command is only waited for. */
function typedLines(name: string, args: JsonObject): readonly MeantCall[] | undefined {
  const typed = [args["chars"], args["input"]].filter((one) => one !== undefined && one !== null && one !== "");
  const [text, ...others] = typed;
  if (text === undefined) return [{ tool: name, arguments: args, isKnown: false }];
  if (typeof text !== "string" || others.length > 0) return undefined;
  const command = text.replaceAll(/\{(?:enter|return)\}/gi, "\n").replaceAll(/\{[a-z]+\}/gi, "");
  return [{ tool: "run_command", arguments: { command }, isKnown: true }];
}

/** The calls that opencode makes for one, without asking its plugins about each. */
function batchedCalls({ tool_calls: calls }: JsonObject): readonly MeantCall[] | undefined {
  if (!Array.isArray(calls) || calls.length > CALLS_MAX) return undefined;
  const meant = (calls as readonly Json[]).map((call) =>
    isJsonObject(call) && typeof call["tool"] === "string" && call["tool"] !== "batch"
      ? meantCalls(call["tool"], objectOf(call["parameters"]) ?? {})
      : undefined,
  );
  return meant.every((one) => one !== undefined) ? meant.flat() : undefined;
}

/** Returns undefined if two names of one argument have different values, of which the client may use either. */
function argumentsOf(row: ToolRow, args: JsonObject): JsonObject | undefined {
  const found: Record<string, Json> = {};
  for (const [ours, theirs] of Object.entries(row.arguments)) {
    const given = theirs.split(" ").filter((one) => Object.hasOwn(args, one) && args[one] !== null);
    const [first, ...others] = given;
    if (first === undefined) continue;
    if (others.some((other) => JSON.stringify(args[other]) !== JSON.stringify(args[first]))) return undefined;
    found[ours] = args[first] ?? null;
  }
  return found;
}

/** Returns one call for each file. */
function fileCalls(tool: string, given: JsonObject): readonly MeantCall[] | undefined {
  const files = listOf(given["file_path"]);
  if (files.length === 0 || files.length > CALLS_MAX || !files.every((file) => typeof file === "string"))
    return undefined;
  return files.map((file) => ({ tool, arguments: { ...given, file_path: file }, isKnown: true }));
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function editsOf({ edits, old_string, new_string, oldString, newString, old_str, new_str }: JsonObject): Json {
  if (Array.isArray(edits)) return edits;
  return [{ search: old_string ?? oldString ?? old_str ?? "", replace: new_string ?? newString ?? new_str ?? "" }];
}

function urlsIn(value: Json | undefined): readonly string[] {
  return typeof value === "string" ? (value.match(/[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`]+/gi) ?? []) : [];
}

/** Matches the lines that name files in the patches of Codex. */
const PATCHED = /^\s*\*\*\* (?:(Add|Update|Delete) File|Move to): (.+)$/gim;

function patchedFiles(args: JsonObject): readonly MeantCall[] | undefined {
  const text = ["command", "input", "patch", "patchText", "patch_text"]
    .map((name) => args[name])
    .find((one) => typeof one === "string");
  const files = typeof text === "string" ? [...text.matchAll(PATCHED)].map(([, , path = ""]) => path.trim()) : [];
  if (files.length === 0 || files.length > CALLS_MAX) return undefined;
  return [...new Set(files)].map((path) => ({
    tool: "write_file",
    arguments: { file_path: path, content: text ?? "" },
    isKnown: true,
  }));
}

function remoteName(name: string): string | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : `mcp:${server}/${tool}`;
}

/** Returns arguments that may come as JSON text. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value ?? null)) return value as JsonObject;
  if (typeof value !== "string") return undefined;
  try {
    const parsed = JSON.parse(value) as Json;
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
