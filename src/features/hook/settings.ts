// Where the settings of other agents are, and what makes them ask dottool before each tool.
import { join } from "node:path";
import { openCodePlugin } from "../../generated/opencode-plugin.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ClientName } from "./formats.ts";
import { itemOf, type JsonNode, parseJsonText, withItem, withoutItem } from "./json-text.ts";

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
}

/**
 * The line that clients run. They go on when their hook fails, except with the exit code 2: then a client without
 * dottool stops every tool and shows the shell's message.
 */
const lineOf = (client: ClientName): string => `dottool hook ${client} || exit 2`;
const OWN_LINE = /\bdottool(?:\.exe)?["']?\s+hook\s/;

export function hookSettings(client: ClientName, { host, cwd, isProject }: PlaceOptions): HookSettings {
  const { home } = host.folders;
  const folderOf = (variable: string, name: string): string =>
    isProject ? join(cwd, name) : (host.environment(variable) ?? join(home, name));
  switch (client) {
    case "claude":
      return listed(join(folderOf("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), "PreToolUse", {
        matcher: "*",
        hooks: [{ type: "command", command: lineOf(client), timeout: 60 }],
      });
    case "gemini":
      return listed(join(isProject ? cwd : home, ".gemini", "settings.json"), "BeforeTool", {
        matcher: "*",
        hooks: [{ name: "dottool", type: "command", command: lineOf(client), timeout: 60_000 }],
      });
    case "codex":
      return {
        ...listed(join(folderOf("CODEX_HOME", ".codex"), "hooks.json"), "PreToolUse", {
          matcher: "*",
          hooks: [{ type: "command", command: lineOf(client), timeout: 60 }],
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
            hooks: { preToolUse: [{ type: "command", command: "dottool hook copilot", timeoutSec: 60 }] },
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
        openCodePlugin,
      );
  }
}

/** A file that is dottool's alone. */
function owned(path: string, content: string): HookSettings {
  return { path, added: () => content, removed: () => undefined };
}

/** An entry in the list of an event, below `hooks`: the form of Claude Code, Gemini CLI and Codex. */
function listed(path: string, event: string, entry: JsonObject): HookSettings {
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
  const alone = `${json({ hooks: { [event]: [entry] } })}\n`;
  return {
    path,
    added: (text) => {
      if (text === undefined || text.trim() === "") return alone;
      const root = objectOf(parseJsonText(text), "the file");
      const hooks = itemOf(root, "hooks");
      if (!hooks) return withItem(text, root, `"hooks": ${json({ [event]: [entry] })}`);
      const events = objectOf(hooks.value, "`hooks`");
      const list = itemOf(events, event);
      if (!list) return withItem(text, events, `${JSON.stringify(event)}: ${json([entry])}`);
      return ownEntry(text, listOf(list.value, `\`hooks.${event}\``)) ? text : withItem(text, list.value, json(entry));
    },
    removed: (text) => {
      if (text === alone) return undefined;
      for (let rest = text; ; ) {
        const root = rest.trim() === "" ? undefined : objectOf(parseJsonText(rest), "the file");
        const hooks = root && itemOf(root, "hooks");
        const events = hooks && objectOf(hooks.value, "`hooks`");
        const list = events && itemOf(events, event);
        const own = list && ownEntry(rest, listOf(list.value, `\`hooks.${event}\``));
        if (!root || !hooks || !events || !list || !own) return rest;
        // A list goes with its only item.
        if (list.value.items.length > 1) rest = withoutItem(rest, list.value, own);
        else if (events.items.length > 1) rest = withoutItem(rest, events, list);
        else rest = withoutItem(rest, root, hooks);
      }
    },
  };
}

/** Why a file is not changed: the end of a sentence that begins with its name. */
export class SettingsError extends Error {}

function objectOf(node: JsonNode, what: string): JsonNode {
  if (node.kind !== "object") throw new SettingsError(`is not as its client expects: ${what} is not an object`);
  return node;
}

function listOf(node: JsonNode, what: string): JsonNode {
  if (node.kind !== "array") throw new SettingsError(`is not as its client expects: ${what} is not a list`);
  return node;
}

/** Returns the entry that only runs dottool's hook. */
function ownEntry(text: string, list: JsonNode): JsonNode["items"][number] | undefined {
  return list.items.find(({ value }) => {
    if (value.kind !== "object") return false;
    const commands = itemOf(value, "hooks")?.value.items ?? [];
    return (
      commands.length === 1 &&
      commands.every((one) => {
        const line = one.value.kind === "object" ? itemOf(one.value, "command") : undefined;
        return line?.value.kind === "string" && OWN_LINE.test(text.slice(line.value.start, line.value.end));
      })
    );
  });
}
