// `tools/list`, as plain data.
import type { Offer } from "./offered.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { readsOn, readsOnName } from "../../core/tool/base-tool-names.ts";
import { hasApp } from "./app-names.ts";
import { offersHandles } from "./background-after.ts";
import { pageOf } from "./pages.ts";
import type { McpService } from "./service.ts";

/** Returns a page, or undefined for an unknown cursor. */
export async function toolsPage(
  service: Pick<McpService, "offer" | "hasCut">,
  cursor: string | undefined,
  showsApps = false,
): Promise<JsonObject | undefined> {
  const offer = await service.offer();
  const { instead, shown } = offer;
  const own = cursor === undefined ? await ownTools(offer, showsApps) : [];
  if (instead.size > 0)
    return cursor === undefined ? { tools: [...[...instead.values()].map((one) => one.shown), ...own] } : undefined;
  const early = service.hasCut() ? undefined : offer.find(readsOnName);
  const names = early && readsOn(early) ? offer.names.filter((name) => name !== readsOnName) : offer.names;
  const page = pageOf(names, cursor);
  if (!page) return undefined;
  const { items, nextCursor } = page;
  return {
    tools: [...(await shown(items)).map((one) => one.shown), ...own],
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

/** The tools that are not of a definition. */
async function ownTools(offer: Offer, showsApps: boolean): Promise<readonly JsonObject[]> {
  return [
    ...((await offersHandles(offer)) ? [(await import("./check-run.ts")).checkRunTool] : []),
    ...(showsApps && hasApp(offer) ? (await import("./app.ts")).appTools : []),
  ];
}
