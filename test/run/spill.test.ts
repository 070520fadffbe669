import { readdirSync, readFileSync, statSync, truncateSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { KeptWriter, storeSpill } from "../../src/core/output/kept-file.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { withCommandFixture } from "../base/command-fixture.ts";

const test = suite("spill");

const day = 24 * 60 * 60;
const named = (digit: string): string => `${digit.repeat(32)}.txt`;

test("storeSpill keeps a text for this user alone", () =>
  withCommandFixture(async ({ host, folder }) => {
    const { handle } = await storeSpill(host, "héllo\n");
    const spills = join(folder, "cache/spill");
    const path = join(spills, `${handle}.output`);
    assert.equal(
      [readFileSync(path, "utf8").slice(0, 6), statSync(path).mode & 0o777, statSync(spills).mode & 0o777],
      ["héllo\n", 0o600, 0o700],
    );
  }));

test("storeSpill removes what is older than a week, and nothing that is not its own", () =>
  withCommandFixture(async ({ host, folder }) => {
    await storeSpill(host, "first");
    const spills = join(folder, "cache/spill");
    for (const [name, ageDays] of [
      [named("a"), 6.9],
      [named("b"), 7.1],
      ["notes.txt", 30],
    ] as const) {
      writeFileSync(join(spills, name), "");
      utimesSync(join(spills, name), Date.now() / 1000 - ageDays * day, Date.now() / 1000 - ageDays * day);
    }
    await storeSpill(host, "second");
    const names = readdirSync(spills);
    assert.equal(
      [names.length, names.includes(named("a")), names.includes(named("b")), names.includes("notes.txt")],
      [4, true, false, true],
    );
  }));

test("storeSpill removes the oldest above 200 MiB", () =>
  withCommandFixture(async ({ host, folder }) => {
    await storeSpill(host, "first");
    const spills = join(folder, "cache/spill");
    for (const [digit, ageDays] of [
      ["a", 3],
      ["b", 2],
      ["c", 1],
    ] as const) {
      const path = join(spills, named(digit));
      writeFileSync(path, "");
      // Holes take no space on the disk.
      truncateSync(path, 90 * 1024 * 1024);
      utimesSync(path, Date.now() / 1000 - ageDays * day, Date.now() / 1000 - ageDays * day);
    }
    await storeSpill(host, "second");
    const names = readdirSync(spills);
    assert.equal(
      ["a", "b", "c"].map((digit) => names.includes(named(digit))),
      [false, true, true],
    );
  }));

test("of a text above 200 MiB the beginning is kept, and nothing that fits from behind the first part that does not", async () => {
  const real = memoryHost();
  const sizes: number[] = [];
  const host: Host = {
    ...real,
    sha256: () => "0".repeat(64),
    files: {
      ...real.files,
      create: async (path, options) => ({
        ...(await real.files.create(path, options)),
        write: async ({ length }) => void sizes.push(length),
      }),
    },
  };
  const writer = new KeptWriter(host);
  // A block has 65 of these lines, of 6,001 bytes each: 537 blocks have room.
  for (let count = 0; count < 10; count++) await writer.add(`${"€".repeat(2_000)}\n`.repeat(3_511));
  await writer.add("the end\n");
  const { ends, handle } = await writer.end();
  const keptBytes = sizes.slice(0, -1).reduce((sum, size) => sum + size, 0);
  assert.equal(
    [ends.lines, ends.keptLines, keptBytes, ends.tail.endsWith("the end\n"), handle !== undefined],
    [35_111, 537 * 65, 537 * 65 * 6_001, true, true],
  );
});

test("storeSpill says why a text is lost", () =>
  withCommandFixture(async ({ host, folder }) => {
    writeFileSync(join(folder, "cache"), "a file where the folder should be");
    const { handle, ends } = await storeSpill(host, "text");
    assert.equal([handle, ["ENOTDIR", "EEXIST"].includes(ends.lost ?? "")], [undefined, true]);
  }));

test("a text whose file was removed while it was written has no handle", () =>
  withCommandFixture(async ({ host, folder }) => {
    const writer = new KeptWriter(host);
    await writer.add("line\n".repeat(100_000));
    const spills = join(folder, "cache/spill");
    const names = readdirSync(spills);
    for (const name of names) unlinkSync(join(spills, name));
    const { handle, ends } = await writer.end();
    assert.equal([names.length, handle, ends.lost, ends.lines], [1, undefined, "ENOENT", 100_000]);
  }));

test.run();
