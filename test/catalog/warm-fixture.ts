// A catalogue of three tools whose cache is warm.
import { cachePathOf } from "../../src/core/catalog/cache.ts";
import type { Catalogue } from "../../src/core/catalog/catalogue.ts";
import { type CatalogueFixture, toolText, withFixture } from "./catalogue-fixture.ts";

/** After the tick in which a file could change unseen. */
export const laterMs = 10_000;
export const three = {
  "work/.tools/a.tool": toolText("a"),
  "work/.tools/b.tool": toolText("b"),
  "work/.tools/o/c.tool": toolText("c"),
};

export function cachePath(bench: CatalogueFixture): string {
  return cachePathOf({ host: bench.host, folder: bench.at("work/.tools") });
}

export function summaryOf(catalogue: Catalogue): readonly string[] {
  return catalogue.names().map((name) => `${name}: ${catalogue.definition(name)?.description}`);
}

export async function withWarmFixture(body: (bench: CatalogueFixture) => Promise<void>): Promise<void> {
  await withFixture(three, async (bench) => {
    await bench.open({ laterMs });
    await body(bench);
  });
}
