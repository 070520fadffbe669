// `tools/list`.
import type { Offer } from "./offered.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { readsOn, readsOnName } from "../../core/tool/base-tool-names.ts";
import { hasApp } from "./app-names.ts";
import { offersHandles } from "./background-after.ts";
import { type OpenRequest, showsPages } from "./open-request.ts";
import { knownPage, unknownCursor } from "./pages.ts";
import type { Served } from "./served.ts";

export async function listTools(request: OpenRequest, { service }: Served): Promise<JsonObject> {
  const { cursor } = request.params;
  const offer = await service.offer();
  const showsApps = showsPages(request);
  const { instead, shown } = offer;
  const own = cursor === undefined ? await ownTools(offer, showsApps) : [];
  if (instead.size > 0)
    return cursor === undefined
      ? { tools: [...[...instead.values()].map((one) => one.shown), ...own] }
      : unknownCursor(cursor);
  const early = service.hasCut() ? undefined : offer.find(readsOnName);
  const names = early && readsOn(early) ? offer.names.filter((name) => name !== readsOnName) : offer.names;
  const { items, nextCursor } = knownPage(names, cursor);
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
