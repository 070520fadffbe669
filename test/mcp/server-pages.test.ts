// Long lists over MCP, page by page.
import { pageOf } from "../../src/features/mcp-server/pages.ts";
import { assert, suite } from "../harness.ts";

const test = suite("features/mcp-server/pages.ts");

const all = Array.from({ length: 250 }, (_, index) => index);

test("pages that follow each other hold everything once, in order", () => {
  const seen: number[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page = pageOf(all, cursor);
    seen.push(...(page?.items ?? []));
    cursor = page?.nextCursor;
  }
  assert.equal(seen, all);
});

test("a list that ends with a full page has no further page", () => {
  assert.equal(pageOf(all.slice(0, 200), "after-100"), { items: all.slice(100, 200) });
});

test("a list that became shorter ends; a cursor of no list is none", () => {
  assert.equal(pageOf([1, 2], "after-100"), { items: [] });
  assert.equal(
    ["after-7", "after-", "", "after-9999999", "7"].map((cursor) => pageOf(all, cursor)),
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test.run();
