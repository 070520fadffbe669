// What a session has of plugins. The feature that loads them is asked for it.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { ForgeJudgeSpec } from "./forge-judge.ts";
import type { TrustedModules } from "./host.ts";
import type { PluginOffers } from "./plugin-offers.ts";
import type { PolicyRule } from "./policy-rule.ts";
import type { BaseTool } from "./tool.ts";

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
