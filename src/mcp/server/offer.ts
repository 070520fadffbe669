// What is offered to clients: the tools of one snapshot of the folders. A change makes a new one, and calls that run stay with theirs.
import { unofferedNames } from "../../base/base-tool-names.ts";
import { apiName } from "../../dialects/api-name.ts";
import { toMcpTool } from "../../dialects/mcp.ts";
import type { Session } from "../../run/session.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { Tool } from "../../tool/tool.ts";

export interface Offer {
  readonly session: Session;
  /** As `tools/list` shows them, in the order of their names. */
  readonly tools: readonly JsonObject[];
  /** By the name that clients use. Where two tools come to one name, the first has it. */
  readonly byName: ReadonlyMap<string, Tool>;
}

export async function makeOffer(session: Session): Promise<Offer> {
  const { registry } = session;
  await registry.complete();
  const byName = new Map<string, Tool>();
  for (const name of registry.names()) {
    const tool = unofferedNames.includes(name) ? undefined : registry.find(name);
    if (tool && !byName.has(apiName(name))) byName.set(apiName(name), tool);
  }
  const names = [...byName.keys()].sort();
  const tools = names.flatMap((name) => {
    const tool = byName.get(name);
    return tool ? [toMcpTool(tool)] : [];
  });
  return { session, tools, byName };
}
