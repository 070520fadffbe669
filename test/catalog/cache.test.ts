// A warm catalogue parses nothing, and nothing that happens to the cache or to the files makes it wrong.
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { cachePathOf } from "../../src/core/catalog/cache.ts";
import { assert, suite } from "../harness.ts";
import { toolText, withFixture } from "./catalogue-fixture.ts";
import { cachePath, laterMs, summaryOf, three, withWarmFixture } from "./warm-fixture.ts";

const test = suite("cache");

test("a warm catalogue parses nothing and says the same", async () => {
  await withFixture(three, async (bench) => {
    const cold = await bench.open({ laterMs });
    assert.equal(bench.parsed, [".tools/a.tool", ".tools/b.tool", ".tools/o/c.tool"]);
    const warm = await bench.open({ laterMs });
    assert.equal(bench.parsed, []);
    assert.equal(warm.entries, cold.entries);
    assert.equal(summaryOf(warm), ["a: Print a.", "b: Print b.", "o/c: Print c."]);
  });
});

test("the cache is the user's alone", async () => {
  await withWarmFixture(async (bench) => {
    assert.is(statSync(cachePath(bench)).mode & 0o777, 0o600);
    assert.equal(readdirSync(bench.at("cache/definitions")).length, 1);
  });
});

test("a changed, a new and a removed file are seen, and the others stay", async () => {
  await withWarmFixture(async (bench) => {
    bench.write("work/.tools/a.tool", toolText("a", "Changed since."));
    bench.write("work/.tools/d.tool", toolText("d"));
    rmSync(bench.at("work/.tools/b.tool"));
    const catalogue = await bench.open({ laterMs: 2 * laterMs });
    assert.equal(bench.parsed, [".tools/a.tool", ".tools/d.tool"]);
    assert.equal(summaryOf(catalogue), ["a: Changed since.", "d: Print d.", "o/c: Print c."]);
    await bench.open({ laterMs: 2 * laterMs });
    assert.equal(bench.parsed, []);
  });
});

test("a file that changes with its size and date kept is seen", async () => {
  await withWarmFixture(async (bench) => {
    const path = bench.at("work/.tools/a.tool");
    utimesSync(path, 1_000, 1_000);
    await bench.open({ laterMs });
    const before = statSync(path);
    // Deno reports whole seconds.
    while (statSync(path).ctimeMs === before.ctimeMs) {
      bench.write("work/.tools/a.tool", toolText("a", "Wrong a."));
      utimesSync(path, 1_000, 1_000);
    }
    assert.equal([statSync(path).size, statSync(path).mtimeMs], [before.size, before.mtimeMs]);
    assert.is((await bench.open({ laterMs })).definition("a")?.description, "Wrong a.");
  });
});

test("a file that was cached as young as the clock's tick is looked at again", async () => {
  await withFixture({ "work/.tools/a.tool": toolText("a") }, async (bench) => {
    await bench.open();
    let looks = 0;
    const host = { ...bench.host, sha256: (bytes: Uint8Array | string) => (looks++, bench.host.sha256(bytes)) };
    await bench.open({ host });
    assert.equal([looks, bench.parsed], [1, []]);
    await bench.open({ host, laterMs });
    assert.equal([looks, bench.parsed], [2, []]);
    // Only now is it known to have been the same well after it was written.
    await bench.open({ host, laterMs });
    assert.equal([looks, bench.parsed], [2, []]);
  });
});

test("a damaged, cut, empty or foreign cache is made anew", async () => {
  await withWarmFixture(async (bench) => {
    const whole = readFileSync(cachePath(bench));
    const damaged = (at: number): Buffer => {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 0x80;
      return copy;
    };
    const contents = [
      damaged(0),
      damaged(16),
      damaged(30),
      damaged(200),
      whole.subarray(0, whole.length - 7),
      whole.subarray(0, 100),
      Buffer.alloc(0),
      Buffer.concat([whole, Buffer.from("\0")]),
      Buffer.from("{}"),
      Buffer.alloc(5000),
    ];
    for (const content of contents) {
      writeFileSync(cachePath(bench), content, { mode: 0o600 });
      const catalogue = await bench.open({ laterMs });
      assert.equal([bench.parsed.length, summaryOf(catalogue)], [3, ["a: Print a.", "b: Print b.", "o/c: Print c."]]);
      await bench.open({ laterMs });
      assert.equal(bench.parsed, []);
    }
  });
});

test("any byte of a cache that is turned is noticed", async () => {
  await withWarmFixture(async (bench) => {
    const whole = readFileSync(cachePath(bench));
    const right = ["a: Print a.", "b: Print b.", "o/c: Print c."];
    for (let at = 1; at < whole.length; at += 97) {
      const copy = Buffer.from(whole);
      copy[at] = (copy[at] ?? 0) ^ 1;
      writeFileSync(cachePath(bench), copy, { mode: 0o600 });
      assert.equal([summaryOf(await bench.open({ laterMs })), bench.parsed.length], [right, 3]);
    }
  });
});

test("a cache that others can write, another program's, and another folder's are not used", async () => {
  await withWarmFixture(async (bench) => {
    chmodSync(cachePath(bench), 0o660);
    await bench.open({ laterMs });
    assert.is(bench.parsed.length, 3);
    await bench.open({ laterMs, cacheKey: "another" });
    assert.is(bench.parsed.length, 3);
    await bench.open({ laterMs, cacheKey: "another" });
    assert.is(bench.parsed.length, 0);
    cpSync(bench.at("work"), bench.at("copy"), { recursive: true, preserveTimestamps: true });
    cpSync(cachePath(bench), cachePathOf({ host: bench.host, folder: bench.at("copy/.tools") }));
    await bench.open({ laterMs, cacheKey: "another", cwd: "copy" });
    assert.is(bench.parsed.length, 3);
  });
});

test("a cache that belongs to another user is not used", async () => {
  await withWarmFixture(async (bench) => {
    const { instant } = bench.host;
    const foreign = {
      ...instant,
      stat: (path: string) => {
        const facts = instant.stat(path);
        return facts && { ...facts, isOwn: false };
      },
    };
    await bench.open({ laterMs, host: { ...bench.host, instant: foreign } });
    assert.is(bench.parsed.length, 3);
  });
});

test("a cache that cannot be written changes nothing", async () => {
  await withFixture(three, async (bench) => {
    bench.write("cache", "a file where the folder should be");
    for (let round = 0; round < 2; round++) {
      const catalogue = await bench.open({ laterMs });
      assert.equal([bench.parsed.length, catalogue.names(), catalogue.folderDiagnostics], [3, ["a", "b", "o/c"], []]);
    }
  });
});

test("a full disk changes nothing", async () => {
  await withFixture(three, async (bench) => {
    const full = {
      ...bench.host.instant,
      replace: () => {
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
    };
    assert.equal((await bench.open({ laterMs, host: { ...bench.host, instant: full } })).names(), ["a", "b", "o/c"]);
  });
});

test("many catalogues that open at once leave one whole cache", async () => {
  await withFixture(three, async (bench) => {
    const opened = await Promise.all(Array.from({ length: 20 }, () => bench.open({ laterMs })));
    for (const catalogue of opened) assert.equal(catalogue.names(), ["a", "b", "o/c"]);
    await bench.open({ laterMs });
    assert.equal(bench.parsed, []);
    assert.equal(readdirSync(bench.at("cache/definitions")).length, 1);
  });
});

test("a broken definition is cached, and parsed again when asked what is wrong", async () => {
  await withFixture(
    { "work/.tools/a.tool": "@name a\n@wrapped run_command\n@command echo {x}\n", "work/.tools/b.tool": toolText("b") },
    async (bench) => {
      const cold = await (await bench.open({ laterMs })).diagnostics();
      const warm = await bench.open({ laterMs });
      assert.equal(bench.parsed, []);
      const again = await warm.diagnostics();
      assert.equal(bench.parsed, [".tools/a.tool"]);
      assert.equal(bench.lines(again), bench.lines(cold));
      assert.ok(again.some((one) => one.code === "unknown-placeholder"));
    },
  );
});

test("a definition that moves to another folder takes its own name there", async () => {
  await withWarmFixture(async (bench) => {
    renameSync(bench.at("work/.tools/o"), bench.at("work/.tools/p"));
    assert.equal((await bench.open({ laterMs: 2 * laterMs })).names(), ["a", "b", "p/c"]);
  });
});

test("the text of a revived definition is read when it is asked for", async () => {
  await withWarmFixture(async (bench) => {
    const catalogue = await bench.open({ laterMs });
    const reads: string[] = [];
    const { instant } = bench.host;
    const host = {
      ...bench.host,
      instant: {
        ...instant,
        readBytes: (path: string, bytesMax: number) => (
          reads.push(path.slice(bench.root.length).replaceAll("\\", "/")), instant.readBytes(path, bytesMax)
        ),
      },
    };
    const watched = await bench.open({ laterMs, host });
    const definition = watched.definition("a");
    assert.equal(
      reads.map((path) => path.startsWith("/cache/")),
      [true],
    );
    assert.is(definition?.name.span.source.text, toolText("a"));
    assert.equal(reads.slice(1), ["/work/.tools/a.tool"]);
    const span = catalogue.definition("a")?.name.span;
    assert.is(span?.source.text.slice(span.start, span.end), "a");
    rmSync(join(bench.at("work/.tools"), "b.tool"));
    assert.is(catalogue.definition("b")?.name.span.source.text, "");
  });
});

test("caches that are older than a month are removed when one is written, and nothing else is", async () => {
  await withFixture(
    { ...three, "old/.tools/x.tool": toolText("x"), "stays/.tools/y.tool": toolText("y") },
    async (bench) => {
      for (const cwd of ["old", "stays"]) await bench.open({ cwd, laterMs });
      const pathIn = (folder: string): string =>
        cachePathOf({ host: bench.host, folder: bench.at(`${folder}/.tools`) });
      bench.write("cache/definitions/notes.txt", "mine");
      for (const path of [pathIn("old"), bench.at("cache/definitions/notes.txt")]) utimesSync(path, 1_000, 1_000);
      await bench.open({ laterMs });
      assert.equal(
        [pathIn("old"), pathIn("stays"), pathIn("work"), bench.at("cache/definitions/notes.txt")].map((path) =>
          existsSync(path),
        ),
        [false, true, true, true],
      );
    },
  );
});

test.run();
