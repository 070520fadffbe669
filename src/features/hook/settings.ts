// Where the settings of other agents are, and what makes them ask dottool before each tool.
import { join } from "node:path";
import { openCodePlugin } from "../../generated/opencode-plugin.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ClientName } from "./formats.ts";

export interface HookSettings {
  /** Absolute. */
  readonly path: string;
  /** Returns the text with the hook; the same text if it is there already. */
  added(text: string | undefined): string;
  /**
   * Returns the text without the hook; the same text if it is not there, and undefined if `added` has made the file.
   */
  removed(text: string): string | undefined;
  /** What a person has to do besides, as a whole sentence. */
  readonly note?: string;
}

interface PlaceOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
  readonly isProject: boolean;
  readonly isContained?: boolean;
}

/**
 * The line that clients run. They go on when their hook fails, except with the exit code 2: then a client without
 * dottool stops every tool and shows the shell's message.
 */
const lineOf = (client: ClientName, isContained: boolean): string =>
  `dottool hook ${client}${isContained ? " --contained" : ""} || exit 2`;
const OWN_LINE = /\bdottool(?:\.exe)?["']?\s+hook\s/;

export function hookSettings(
  client: ClientName,
  { host, cwd, isProject, isContained = false }: PlaceOptions,
): HookSettings {
  const { home } = host.folders;
  const line = lineOf(client, isContained);
  const folderOf = (variable: string, name: string): string =>
    isProject ? join(cwd, name) : (host.environment(variable) ?? join(home, name));
  switch (client) {
    case "claude":
      return listed(join(folderOf("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), "PreToolUse", {
        matcher: "*",
        hooks: [{ type: "command", command: line, timeout: 60 }],
      });
    case "gemini":
      return listed(join(isProject ? cwd : home, ".gemini", "settings.json"), "BeforeTool", {
        matcher: "*",
        hooks: [{ name: "dottool", type: "command", command: line, timeout: 60_000 }],
      });
    case "codex":
      return {
        ...listed(join(folderOf("CODEX_HOME", ".codex"), "hooks.json"), "PreToolUse", {
          matcher: "*",
          hooks: [{ type: "command", command: line, timeout: 60 }],
        }),
        note: "Codex asks you once, with `/hooks`, whether it may run the hook.",
      };
    case "copilot":
      return owned(
        isProject
          ? join(cwd, ".github", "hooks", "dottool.json")
          : join(host.environment("COPILOT_HOME") ?? join(home, ".copilot"), "hooks", "dottool.json"),
        `${JSON.stringify(
          {
            version: 1,
            hooks: { preToolUse: [{ type: "command", command: line.replace(" || exit 2", ""), timeoutSec: 60 }] },
          },
          undefined,
          2,
        )}\n`,
      );
    case "opencode":
      return owned(
        isProject
          ? join(cwd, ".opencode", "plugins", "dottool.js")
          : join(host.environment("XDG_CONFIG_HOME") ?? join(home, ".config"), "opencode", "plugins", "dottool.js"),
        isContained
          ? openCodePlugin.replace('["hook", "opencode"]', '["hook", "opencode", "--contained"]')
          : openCodePlugin,
      );
  }
}

/** A file that is dottool's alone. */
function owned(path: string, content: string): HookSettings {
  return { path, added: () => content, removed: () => undefined };
}

/** An entry in the list of an event, below `hooks`: the form of Claude Code, Gemini CLI and Codex. */
function listed(path: string, event: string, entry: JsonObject): HookSettings {
  const alone = `${JSON.stringify({ hooks: { [event]: [entry] } }, undefined, 2)}\n`;
  const read = (text: string): ReadSettings => {
    const root = objectIn(text, `the entry below \`hooks.${event}\` is ${JSON.stringify(entry)}`);
    const hooks = root["hooks"] ?? {};
    if (!isJsonObject(hooks)) throw new SettingsError("is not as its client expects: `hooks` is not an object");
    const list = hooks[event] ?? [];
    if (!Array.isArray(list)) throw new SettingsError(`is not as its client expects: \`hooks.${event}\` is not a list`);
    return { root, hooks, list: list as readonly Json[] };
  };
  return {
    path,
    added: (text) => {
      if (text === undefined || text.trim() === "") return alone;
      const { root, hooks, list } = read(text);
      const at = list.findIndex(isOwnEntry);
      if (at !== -1 && JSON.stringify(list[at]) === JSON.stringify(entry)) return text;
      const next = at === -1 ? [...list, entry] : list.with(at, entry);
      return writtenAs(text, { ...root, hooks: { ...hooks, [event]: next } });
    },
    removed: (text) => {
      if (text === alone) return undefined;
      if (text.trim() === "") return text;
      const { root, hooks, list } = read(text);
      const others = list.filter((one) => !isOwnEntry(one));
      if (others.length === list.length) return text;
      // A list goes with its only item.
      const { [event]: _list, ...otherEvents } = hooks;
      const left = others.length > 0 ? { ...hooks, [event]: others } : otherEvents;
      const { hooks: _hooks, ...otherNames } = root;
      return writtenAs(text, Object.keys(left).length > 0 ? { ...root, hooks: left } : otherNames);
    },
  };
}

interface ReadSettings {
  readonly root: JsonObject;
  readonly hooks: JsonObject;
  readonly list: readonly Json[];
}

/** Why a file is not changed: the end of a sentence that begins with its name. */
export class SettingsError extends Error {}

const STRING_OR_BLANKS = /"(?:[^"\\]|\\.)*"|\s+/g;

/** Reads settings of which nothing but blanks is lost when they are written again: no comment, and no name twice. */
function objectIn(text: string, help: string): JsonObject {
  let root: Json | undefined;
  try {
    root = JSON.parse(text) as Json;
  } catch {
    // Some clients accept comments.
  }
  const plain = text.replaceAll(STRING_OR_BLANKS, (part) => (part.startsWith('"') ? part : ""));
  if (root === undefined) throw new SettingsError(`is not JSON without comments, so change it yourself: ${help}`);
  if (JSON.stringify(root) !== plain)
    throw new SettingsError(`would lose something, such as a name that is there twice, so change it yourself: ${help}`);
  if (!isJsonObject(root)) throw new SettingsError("is not as its client expects: the file is not an object");
  return root;
}

/** Returns the text of the settings with the indentation, the line ends and the end of the text before. */
function writtenAs(before: string, root: JsonObject): string {
  const unit = /\n([ \t]+)\S/.exec(before)?.[1] ?? "  ";
  const text = JSON.stringify(root, undefined, unit) + (/\s*$/.exec(before)?.[0].replaceAll("\r", "") ?? "");
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

/** Whether the entry only runs dottool's hook. */
function isOwnEntry(entry: Json): boolean {
  const hooks = isJsonObject(entry) ? entry["hooks"] : undefined;
  const [only, ...others] = Array.isArray(hooks) ? (hooks as readonly Json[]) : [];
  const line = isJsonObject(only ?? null) ? (only as JsonObject)["command"] : undefined;
  return others.length === 0 && typeof line === "string" && OWN_LINE.test(line);
}
