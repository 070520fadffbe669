// What a server offers its clients, as data.
import type { Tool } from "../../core/tool/tool.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Session } from "../../core/run/session.ts";
import type { PluginOffers } from "../../core/tool/plugin-offers.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import type { AppPage } from "../runs/mcp-app-page.ts";
import type { ModeTools } from "./modes.ts";
import type { OfferedPrompt } from "./offered-prompts.ts";

/** What clients are offered of all tools. */
export interface McpOffered {
  /** The tools' own names; those of untrusted folders are hidden until they are trusted. */
  readonly names: readonly string[];
  /** Whether no other tool can be called. */
  readonly isAll: boolean;
  /** Says in a few lines what there is. */
  readonly instructions: string;
  /** What `tools/list` shows in their place. */
  readonly instead?: ModeTools;
}

export interface OfferedTool {
  readonly tool: Tool;
  /** The tool as `tools/list` shows it. */
  readonly shown: JsonObject;
}

export interface McpSource {
  readonly session: Session;
  offered(): Promise<McpOffered>;
  /** Returns the offers of plugins, once the registry is complete. */
  pluginOffers(): PluginOffers;
  /** Returns what a call would ask models. */
  promptsIn(prepared: PreparedCall): readonly string[];
  /** See `Catalogue.contentKeyOf`. `name` is the tool's own name. */
  contentKeyOf(name: string): string | undefined;
  /** Loads the page for clients that show pages. Absent: there is none. */
  readonly app?: () => Promise<AppPage>;
  /** Whether the tool may be only a prompt, as far as that is known without building it. */
  mayBePrompt(name: string): boolean;
  /** Finds tools, the best match first. */
  search(
    query: string,
  ): Promise<readonly { readonly name: string; readonly title: string; readonly summary: string }[]>;
}

export interface Offer {
  readonly session: Session;
  readonly instructions: string;
  /**
   * The names under which clients know the tools that may be shown, in order. If two tools have the same one, it
   * belongs to the first.
   */
  readonly names: readonly string[];
  /** Finds any callable tool by the name that clients use. */
  find(name: string): Tool | undefined;
  /** Returns the tools of these names, except those with errors and untrusted ones. */
  shown(names: readonly string[]): Promise<readonly OfferedTool[]>;
  /**
   * Returns the tools that were not hidden when they were last asked for. Trust changes with the files, and then there
   * is another offer.
   */
  told(): Promise<ReadonlySet<string>>;
  /**
   * Returns a key that stays the same as long as `tools/list` shows the same for the name, or undefined if it is not
   * known.
   */
  contentKeyOf(name: string): string | undefined;
  /** What `tools/list` would show if the name were not hidden. */
  listed(name: string): JsonObject | undefined;
  /** The tools that `tools/list` shows instead. If empty, it shows each tool. */
  readonly instead: ModeTools;
  /** Returns the prompts in the order of their names. */
  prompts(): Promise<readonly OfferedPrompt[]>;
  readonly resources: PluginOffers["resources"];
  readonly app?: (() => Promise<AppPage>) | undefined;
}
