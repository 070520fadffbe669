// What is offered to clients: the tools, prompts and resources of one snapshot of the folders. A change makes a new one, and calls that
// run stay with theirs.
import { unofferedNames } from "../../base/base-tool-names.ts";
import { apiName } from "../../dialects/api-name.ts";
import { distinctTools } from "../../dialects/distinct-tools.ts";
import { toMcpTool } from "../../dialects/mcp.ts";
import type { PluginOffers } from "../../plugins/prompt.ts";
import type { Session } from "../../run/session.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { PreparedCall } from "../../tool/call.ts";
import type { Tool } from "../../tool/tool.ts";
import type { Mode, ModeTools } from "./modes.ts";
import { type OfferedPrompt, offeredPrompts } from "./offered-prompts.ts";

/** Where the tools come from. */
export interface McpSource {
  readonly session: Session;
  /** Once the registry is complete. */
  pluginOffers(): PluginOffers;
  /** What a call would ask models. */
  promptsIn(prepared: PreparedCall): readonly string[];
  /** Best match first. */
  search(query: string): Promise<readonly { readonly name: string; readonly title: string; readonly summary: string }[]>;
}

export interface Offer {
  readonly session: Session;
  /** As `tools/list` shows them where it shows all, in the order of their names. */
  readonly tools: readonly JsonObject[];
  /** What `tools/list` shows instead. */
  readonly instead: ModeTools;
  /** By the name that clients use. Where two tools come to one name, the first has it. */
  readonly byName: ReadonlyMap<string, Tool>;
  /** How many tools are left out until a person trusts the folder that they are in. */
  readonly untrusted: number;
  /** In the order of their names. */
  readonly prompts: readonly OfferedPrompt[];
  readonly resources: PluginOffers["resources"];
}

export async function makeOffer(source: McpSource, mode: Mode): Promise<Offer> {
  const { session } = source;
  const { registry } = session;
  await registry.complete();
  const byName = new Map<string, Tool>();
  for (const name of registry.names()) {
    const tool = unofferedNames.includes(name) ? undefined : registry.find(name);
    if (tool && !byName.has(apiName(name))) byName.set(apiName(name), tool);
  }
  // What nobody has trusted is not told of: its very words may be meant for the model. A call of it says what is missing.
  const trusted: [string, Tool][] = [];
  for (const [name, tool] of byName) if (!(await session.distrust?.(tool.definition.name.value))) trusted.push([name, tool]);
  const distinct = new Set(distinctTools(trusted.map(([, tool]) => tool)));
  const named = trusted.filter(([, tool]) => distinct.has(tool)).sort(([one], [other]) => (one < other ? -1 : 1));
  const { prompts, resources } = source.pluginOffers();
  const tools = named.map(([, tool]) => toMcpTool(tool));
  const offer = { session, byName, untrusted: byName.size - trusted.length, tools, prompts: offeredPrompts({ named, prompts, source }), resources };
  return mode === "full" ? { ...offer, instead: new Map() } : (await import("./modes.ts")).withMode(mode, { offer, source, tools: named.map(([, tool]) => tool) });
}
