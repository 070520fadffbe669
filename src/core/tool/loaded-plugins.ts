// What a session has of plugins. The feature that loads them is asked for it.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { ForgeJudgeSpec } from "./forge-judge.ts";
import type { TrustedModules } from "./host.ts";
import type { PluginOffers } from "./plugin-offers.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { BaseTool } from "./tool.ts";
import { dirname, sep } from "node:path";
import { pathToFileURL } from "node:url";

export interface PluginDiagnostic extends Diagnostic {
  /** The plugin's path, absolute. */
  readonly plugin: string;
}

/** An approved plugin. With `modules`, only this content of its folder was approved. */
export interface TrustedPlugin {
  /** Absolute. */
  readonly path: string;
  readonly modules?: TrustedModules;
}

export interface LoadedPlugins extends PluginOffers {
  readonly tools: readonly BaseTool[];
  /** Absolute paths, each with the path of the plugin that names it. */
  readonly toolFolders: readonly { readonly path: string; readonly plugin: string }[];
  readonly policyRules: readonly PolicyRule[];
  /** Each with the name of its plugin before its own. */
  readonly forgeJudges: readonly ForgeJudgeSpec[];
  readonly diagnostics: readonly PluginDiagnostic[];
}

export interface UnusedPluginTool {
  readonly name: string;
  /** The plugin's path, absolute. */
  readonly plugin: string;
  /** The plugin's path as it is shown. */
  readonly place: string;
  readonly reason: string;
}

/** The plugins of a session. */
export interface SessionPlugins {
  /** Absent: there are none to load. */
  readonly loaded?: LoadedPlugins;
  readonly diagnostics: readonly PluginDiagnostic[];
  readonly split: { readonly used: readonly BaseTool[]; readonly unused: readonly UnusedPluginTool[] };
}

const running = new Set<string>();

/** `path` is absolute. */
export function noteRunning(path: string): void {
  running.add(path);
}

export function isAnyRunning(): boolean {
  return running.size > 0;
}

/** The plugin whose file, or a file in whose folder, a stack goes through. */
export function pluginIn(stack: string): string | undefined {
  const holds = (path: string): boolean => stack.includes(path) || stack.includes(pathToFileURL(path).href);
  return [...running].find(holds) ?? [...running].find((path) => holds(dirname(path) + sep));
}

/** Returns why an unknown name may still be that of a tool; empty if every plugin is loaded. */
export function unloadedPluginHelp(diagnostics: readonly PluginDiagnostic[]): readonly string[] {
  const unloaded = diagnostics.filter(({ code }) => code === "untrusted-plugin");
  const [first] = unloaded;
  if (!first) return [];
  const count = unloaded.length - 1;
  const others = count === 0 ? "" : count === 1 ? "; 1 more is not loaded" : `; ${count} more are not loaded`;
  return [`${first.message.replace(" is not loaded", " may have it, and is not loaded")}${others}`, ...first.help];
}
