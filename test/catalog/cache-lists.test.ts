// A list reads only the needed part of a warm cache, and is right whatever happens to the rest.
import { readFileSync, writeFileSync } from "node:fs";
import type { Catalogue } from "../../src/core/catalog/catalogue.ts";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import type { FileFacts } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { toolText } from "./catalogue-bench.ts";
import { cachePath, laterMs, summaryOf, withWarmBench } from "./warm-bench.ts";

const test = suite("cache, for lists");

test("a list reads no definition, and says the same", async () => {
  await withWarmBench(async (bench) => {
    const whole = await bench.open({ laterMs });
    const { instant } = bench.host;
    let readBytes = 0;
    const readStart = (path: string, bytesMax: number): Uint8Array => {
      const bytes = instant.readStart(path, bytesMax);
      readBytes = bytes.length;
      return bytes;
    };
    const neverRead = (path: string): Uint8Array => assert.unreachable(path) as never;
    const list = await bench.open({
      laterMs,
      isForLists: true,
      host: { ...bench.host, instant: { ...instant, readStart, readBytes: neverRead } },
    });
    assert.equal([list.entries, bench.parsed], [whole.entries, []]);
    const definitions = readFileSync(cachePath(bench)).subarray(readBytes).toString();
    assert.ok(/^[0-9a-f]{64}\{"kind":"wrapped","name":\{"value":"a"/.test(definitions));
  });
});

test("a list looks at each file once, for its cache and for its trust", async () => {
  await withWarmBench(async (bench) => {
    const content = readContent(bench.at("work/.tools"), bench.host);
    if ("problem" in content) throw new Error(content.problem);
    trustContent(content, bench.host);
    const looks: string[] = [];
    const { instant } = bench.host;
    const host = {
      ...bench.host,
      instant: {
        ...instant,
        isFileWith: (path: string, facts: FileFacts) => (
          looks.push(path.slice(bench.at("work/.tools/").length)), instant.isFileWith(path, facts)
        ),
      },
    };
    const trustIn = (catalogue: Catalogue): readonly boolean[] =>
      catalogue.folders.filter(({ scope }) => scope === "project").map((folder) => catalogue.trustOf(folder).isTrusted);
    assert.equal(trustIn(await bench.open({ laterMs })), [true]);
    assert.equal(
      [trustIn(await bench.open({ laterMs, isForLists: true, host })), looks],
      [[true], ["a.tool", "b.tool", "o/c.tool"]],
    );
    const list = await bench.open({ laterMs, isForLists: true });
    bench.write("work/.tools/a.tool", toolText("a", "Something else."));
    assert.equal([trustIn(list), trustIn(await bench.open({ laterMs, isForLists: true }))], [[true], [false]]);
  });
});

test("a list that asks for definitions all the same gets them, or is told of the damage", async () => {
  await withWarmBench(async (bench) => {
    assert.equal(summaryOf(await bench.open({ laterMs, isForLists: true })), [
      "a: Print a.",
      "b: Print b.",
      "o/c: Print c.",
    ]);
    const { entries } = await bench.open({ laterMs });
    const whole = readFileSync(cachePath(bench));
    let told = 0;
    for (let at = 1; at < whole.length; at += 97) {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 1;
      writeFileSync(cachePath(bench), copy, { mode: 0o600 });
      const list = await bench.open({ laterMs, isForLists: true });
      assert.equal(list.entries, entries);
      try {
        assert.is(list.definition("a")?.description, "Print a.");
      } catch (error) {
        told++;
        assert.is((error as Error).message, `\`${cachePath(bench)}\` is damaged or has changed; run the command again`);
      }
    }
    assert.ok(told > 0);
  });
});

test("a list parses what has changed, and leaves a whole cache", async () => {
  await withWarmBench(async (bench) => {
    bench.write("work/.tools/a.tool", toolText("a", "Changed since."));
    const list = await bench.open({ laterMs: 2 * laterMs, isForLists: true });
    assert.equal(
      [bench.parsed, list.entries.map((entry) => entry.summary)],
      [[".tools/a.tool"], ["Changed since", "Print b", "Print c"]],
    );
    const later = await bench.open({ laterMs: 2 * laterMs });
    assert.equal([bench.parsed, summaryOf(later)], [[], ["a: Changed since.", "b: Print b.", "o/c: Print c."]]);
  });
});

test("a list of a cache with damaged definitions and a changed file is right", async () => {
  await withWarmBench(async (bench) => {
    const damaged = readFileSync(cachePath(bench));
    damaged[damaged.length - 5] = (damaged[damaged.length - 5] ?? 0) ^ 1;
    writeFileSync(cachePath(bench), damaged, { mode: 0o600 });
    bench.write("work/.tools/a.tool", toolText("a", "Changed since."));
    const list = await bench.open({ laterMs: 2 * laterMs, isForLists: true });
    assert.equal(
      list.entries.map((entry) => entry.summary),
      ["Changed since", "Print b", "Print c"],
    );
    assert.equal(summaryOf(await bench.open({ laterMs: 2 * laterMs })), [
      "a: Changed since.",
      "b: Print b.",
      "o/c: Print c.",
    ]);
  });
});

test("a cut cache is noticed by a list", async () => {
  await withWarmBench(async (bench) => {
    writeFileSync(cachePath(bench), readFileSync(cachePath(bench)).subarray(0, -7), { mode: 0o600 });
    await bench.open({ laterMs, isForLists: true });
    assert.is(bench.parsed.length, 3);
  });
});

test.run();
