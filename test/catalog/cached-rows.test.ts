// Columns return the rows that they were made of, in any order.
import {
  columnsOf,
  finderIn,
  type NewRow,
  startOf,
  summaryIn,
  type Words,
} from "../../src/core/catalog/cached-rows.ts";
import type { DefinitionSummary } from "../../src/core/catalog/entry.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cached-rows");

function rowOf(path: string, more: Partial<DefinitionSummary> = {}): NewRow {
  const seed = path.charCodeAt(0);
  const file = {
    relativePath: path,
    sizeBytes: seed,
    mtimeMs: seed + 0.25,
    ctimeMs: seed + 0.5,
    inode: seed + 7,
    checkedMs: seed + 0.75,
    errorCount: seed % 3,
    warningCount: seed % 5,
    name: `name of ${path}`,
    row: -1,
  };
  const summary = {
    name: file.name,
    title: `Title of ${path}`,
    summary: `Does ${path}.`,
    effects: [],
    tags: [],
    keywords: [],
    requires: [],
    nameStart: seed,
    nameEnd: seed + 1,
    line: seed + 2,
    ...more,
  };
  return { file, summary, lengthBytes: seed };
}

const rows = [
  rowOf("a.tool"),
  rowOf("b.tool", { tags: ["logs"], category: "text" }),
  rowOf("o/a.tool"),
  rowOf("o/tool.yaml", { tags: ["logs"], category: "text" }),
  rowOf("z.tool", { standsOn: ["grep"] }),
];
const { facts, words } = columnsOf(rows);
const written = {
  folder: "/tools",
  key: "1",
  relativePaths: rows.map(({ file }) => file.relativePath),
  names: rows.map(({ file }) => file.name),
  facts,
};

test("finderIn finds every row in any order, and no other", () => {
  const paths = written.relativePaths;
  for (const order of [paths, [...paths].reverse(), ["z.tool", "a.tool", "b.tool", "b.tool"]]) {
    const find = finderIn(written);
    assert.equal(
      order.map((path) => find(path)?.row),
      order.map((path) => paths.indexOf(path)),
    );
  }
  const find = finderIn(written);
  assert.equal(
    ["", "a", "a.tool", "aa.tool", "o/b.tool", "z.tool", "zz", "o/a.tool"].map((path) => find(path)?.row),
    [undefined, undefined, 0, undefined, undefined, 4, undefined, 2],
  );
  assert.is(finderIn({ ...written, relativePaths: [] })("a.tool"), undefined);
});

test("finderIn gives the facts that were written", () => {
  const find = finderIn(written);
  const facts = rows.map(({ file }) => {
    const found = find(file.relativePath);
    return (
      found && {
        relativePath: found.relativePath,
        sizeBytes: found.sizeBytes,
        mtimeMs: found.mtimeMs,
        ctimeMs: found.ctimeMs,
        inode: found.inode,
        checkedMs: found.checkedMs,
        errorCount: found.errorCount,
        warningCount: found.warningCount,
        name: found.name,
      }
    );
  });
  assert.equal(
    facts,
    rows.map(({ file: { row: _, ...file } }) => file),
  );
});

test("summaryIn gives the summaries that were written, and keeps once what they share", () => {
  const read = JSON.parse(words) as Words;
  assert.equal(
    rows.map((_, row) => summaryIn(written, read, row)),
    rows.map(({ summary }) => summary),
  );
  assert.is(read.kinds.length, 3);
  assert.is(summaryIn(written, { ...read, kinds: [] }, 0), undefined);
});

test("startOf is where the rows before end", () => {
  assert.equal(
    rows.map((_, row) => startOf(row, facts)),
    rows.map((_, row) => rows.slice(0, row).reduce((sum, { lengthBytes }) => sum + lengthBytes, 0)),
  );
});

test.run();
