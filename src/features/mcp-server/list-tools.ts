// `tools/list`, as plain data.
import type { Offer } from "./offered.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { hasApp } from "./app-names.ts";
import { offersHandles } from "./background-after.ts";
import { pageOf } from "./pages.ts";

/** Returns a page, or undefined for an unknown cursor. */
export async function toolsPage(
  offer: Offer,
  cursor: string | undefined,
  showsApps = false,
): Promise<JsonObject | undefined> {
  const { instead, names, shown } = offer;
  const own = cursor === undefined ? await ownTools(offer, showsApps) : [];
  if (instead.size > 0)
    return cursor === undefined ? { tools: [...[...instead.values()].map((one) => one.shown), ...own] } : undefined;
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
