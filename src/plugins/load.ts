// Loads the plugins of the tool folders. A broken one is one diagnostic and never stops the others.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Host } from "../tool/host.ts";
import type { PolicyRule } from "../tool/policy.ts";
import type { BaseTool } from "../tool/tool.ts";
import { dirname, resolve } from "node:path";
import * as api from "./api.ts";
import { type CheckedContribution, checkContribution, checkPlugin } from "./check-contribution.ts";

export interface LoadedPlugins {
  readonly tools: readonly BaseTool[];
  /** Absolute. */
  readonly toolFolders: readonly string[];
  readonly policyRules: readonly PolicyRule[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A plugin that has not answered by then is broken. */
const LOAD_MS_MAX = 10_000;

/** One after the other, in the order given, so that the result does not depend on who is faster. */
export async function loadPlugins(paths: readonly string[], host: Host): Promise<LoadedPlugins> {
  const tools: BaseTool[] = [];
  const toolFolders: string[] = [];
  const policyRules: PolicyRule[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const loaded = await loadOne(path, host);
    if ("problem" in loaded) {
      diagnostics.push(loaded.problem);
      continue;
    }
    tools.push(...loaded.tools.map((tool) => stamped(tool, loaded.name, path)));
    toolFolders.push(...loaded.toolFolders.map((folder) => resolve(dirname(path), folder)));
    policyRules.push(...loaded.policyRules);
  }
  return { tools, toolFolders, policyRules, diagnostics };
}

async function loadOne(path: string, host: Host): Promise<CheckedContribution | { readonly problem: Diagnostic }> {
  try {
    const exports = await inTime(host.modules.load(path, api), host);
    const plugin = checkPlugin(exports["default"]);
    if ("fault" in plugin) return { problem: broken(path, plugin.fault) };
    const contribution = checkContribution(plugin.name, await inTime(Promise.resolve(plugin.contribute()), host));
    return "fault" in contribution ? { problem: broken(path, contribution.fault) } : contribution;
  } catch (error) {
    return { problem: broken(path, error instanceof Error ? placeOf(error, path) : String(error)) };
  }
}

async function inTime<T>(promise: Promise<T>, host: Host): Promise<T> {
  const done = new AbortController();
  const late = host.sleep(LOAD_MS_MAX, done.signal).then(() => {
    if (!done.signal.aborted) throw new Error(`not loaded after ${LOAD_MS_MAX / 1000} s`);
    return promise;
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    done.abort();
  }
}

/** The message and, where the stack says it, the line and column in the plugin. */
function placeOf(error: Error, path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const place = new RegExp(`${name.replaceAll(/[^\w]/g, "\\$&")}:(\\d+)(?::(\\d+))?`).exec(error.stack ?? "");
  const [headline] = error.message.split("\n");
  return place ? `${headline} (line ${place[1]}${place[2] === undefined ? "" : `, column ${place[2]}`})` : `${headline}`;
}

function stamped(tool: BaseTool, plugin: string, path: string): BaseTool {
  return Object.freeze<BaseTool>({ ...tool, definition: { ...tool.definition, origin: { kind: "plugin", plugin, path } } });
}

function broken(path: string, why: string): Diagnostic {
  const source = { path, text: "" };
  return {
    code: "broken-plugin",
    severity: "error",
    message: `the plugin \`${path}\` cannot be used: ${why}`,
    at: { span: { source, start: 0, end: 0 }, text: "" },
    related: [],
    help: ["the other tools keep working; `plugins/README.md` shows a whole plugin"],
  };
}
