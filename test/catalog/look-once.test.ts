// A list reads each file of a tool folder once, for what it defines and for its hash. What changes meanwhile must be seen
// by the next one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lookingOnce } from "../../src/core/catalog/look-once.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { InstantFiles } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("look once");
const HOUR_MS = 3_600_000;

/** `laterMs`: how far the clock is ahead of the files. */
function withFile(laterMs: number, use: (file: string, instant: InstantFiles, reads: () => number) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "dottool-look-"));
  const file = join(folder, "a.tool");
  writeFileSync(file, "one");
  const host = createNodeHost();
  let count = 0;
  const counting: InstantFiles = {
    ...host.instant,
    readBytes: (path, bytesMax) => {
      count++;
      return host.instant.readBytes(path, bytesMax);
    },
  };
  const timestamp = (): string => new Date(Date.now() + laterMs).toISOString();
  try {
    use(file, lookingOnce({ instant: counting, timestamp }), () => count);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf(instant: InstantFiles, file: string): string {
  return new TextDecoder().decode(instant.readBytes(file, 1_000));
}

test("a file is read once, and its facts stay those from before it was read", () => {
  withFile(HOUR_MS, (file, instant, reads) => {
    const facts = instant.stat(file);
    assert.is(textOf(instant, file), "one");
    writeFileSync(file, "another");
    assert.is(textOf(instant, file), "one");
    assert.equal(instant.stat(file), facts);
    assert.is(reads(), 1);
    // So whoever compares the facts later sees the change.
    assert.ok(facts);
    assert.not(createNodeHost().instant.isFileWith(file, { ...facts, inode: facts.inode ?? 0 }));
    assert.throws(() => instant.readBytes(file, 2), /more than 2 bytes/);
  });
});

test("a file that was written just now, or was read without a look at it, is read again", () => {
  withFile(0, (file, instant, reads) => {
    instant.stat(file);
    assert.is(textOf(instant, file), "one");
    writeFileSync(file, "two");
    assert.is(textOf(instant, file), "two");
    assert.is(reads(), 2);
  });
  withFile(HOUR_MS, (file, instant, reads) => {
    assert.is(textOf(instant, file), "one");
    assert.is(textOf(instant, file), "one");
    assert.is(reads(), 2);
  });
});

test("a list that reads no definition does not ask for the time, with which it could not be cached", () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-look-"));
  const timestamp = (): string => assert.unreachable("the time") as never;
  const instant = lookingOnce({ instant: createNodeHost().instant, timestamp });
  try {
    for (const name of ["config.yaml", "script.sh"]) {
      const file = join(folder, name);
      writeFileSync(file, "one");
      instant.stat(file);
      assert.is(textOf(instant, file), "one");
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
