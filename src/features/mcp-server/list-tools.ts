// `tools/list`.
import type { JsonObject } from "../../core/schema/json.ts";
import { readsOn, readsOnName } from "../../core/tool/base-tool-names.ts";
import { offersHandles } from "./background-after.ts";
import type { OpenRequest } from "./open-request.ts";
import { knownPage, unknownCursor } from "./pages.ts";
import type { Served } from "./served.ts";

export async function listTools({ params: { cursor } }: OpenRequest, { service }: Served): Promise<JsonObject> {
  const offer = await service.offer();
  const { instead, shown } = offer;
  const own =
    cursor === undefined && (await offersHandles(offer)) ? [(await import("./check-run.ts")).checkRunTool] : [];
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
