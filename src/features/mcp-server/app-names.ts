// The names of the MCP App, for those that look for them without loading it.
import type { Json, JsonObject } from "../../core/schema/json.ts";

const UI_EXTENSION = "io.modelcontextprotocol/ui";

export const APP_URI = "ui://dottool/runs";
/** Opens the page. */
export const SHOW_RUNS = "show_runs";
/** What the page asks with. */
export const RUNS_PAGE = "runs_page";

/** Whether a client with these capabilities shows pages. */
export function showsApps(capabilities: { readonly extensions?: unknown } | JsonObject | undefined): boolean {
  const extensions = (capabilities as { readonly extensions?: Readonly<Record<string, Json>> } | undefined)?.extensions;
  return typeof extensions === "object" && extensions !== null && extensions[UI_EXTENSION] !== undefined;
}

/** Whether the page can be offered: its tools have the names of no other ones. */
export function hasApp({ app, find }: { readonly app?: unknown; find(name: string): unknown }): boolean {
  return app !== undefined && !find(SHOW_RUNS) && !find(RUNS_PAGE);
}
