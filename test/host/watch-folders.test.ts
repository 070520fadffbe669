// Watching the folders of tools.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchFolders } from "../../src/core/host/files/watch-folders.ts";
import { assert, suite } from "../harness.ts";

const test = suite("core/host/files/watch-folders.ts");

test("a file that is written to all the time keeps nobody from hearing of the rest", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-watch-"));
  const ended = new AbortController();
  let writes = 0;
  const busy = setInterval(() => writeFileSync(join(folder, "log.txt"), String(writes++)), 10);
  try {
    await new Promise<void>((resolve, reject) =>
      watchFolders([folder], {
        signal: ended.signal,
        onChange: () => resolve(),
        onTrouble: (path, code) => reject(new Error(`${path}: ${code}`)),
      }),
    );
    assert.ok(writes > 1, String(writes));
  } finally {
    clearInterval(busy);
    ended.abort();
    rmSync(folder, { recursive: true });
  }
});

test("of two folders that do not exist yet in the same place, both are heard of", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-watch-"));
  const ended = new AbortController();
  try {
    await new Promise<void>((resolve, reject) => {
      watchFolders([join(folder, "first"), join(folder, "second")], {
        signal: ended.signal,
        onChange: () => resolve(),
        onTrouble: (path, code) => reject(new Error(`${path}: ${code}`)),
      });
      mkdirSync(join(folder, "second"));
    });
  } finally {
    ended.abort();
    rmSync(folder, { recursive: true });
  }
});

test("what else changes in the place of two such folders is not heard of", async () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-watch-"));
  const ended = new AbortController();
  let writes = 0;
  const busy = setInterval(() => {
    writeFileSync(join(folder, "log.txt"), String(writes++));
    if (writes === 150) mkdirSync(join(folder, "second"));
  }, 10);
  try {
    await new Promise<void>((resolve, reject) =>
      watchFolders([join(folder, "first"), join(folder, "second")], {
        signal: ended.signal,
        onChange: () => resolve(),
        onTrouble: (path, code) => reject(new Error(`${path}: ${code}`)),
      }),
    );
    assert.is(existsSync(join(folder, "second")), true);
  } finally {
    clearInterval(busy);
    ended.abort();
    rmSync(folder, { recursive: true });
  }
});

test.run();
