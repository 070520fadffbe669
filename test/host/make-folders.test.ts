import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolders } from "../../src/core/host/files/make-folders.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { assert, suite } from "../harness.ts";

const test = suite("make-folders");

function inTemporaryFolder(work: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "dottool-folders-"));
  try {
    work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function codeThrownBy(work: () => void): string | undefined {
  try {
    work();
  } catch (error) {
    return codeOf(error);
  }
  return undefined;
}

test("makeFolders makes the parents too, and takes folders that are there", () =>
  inTemporaryFolder((folder) => {
    makeFolders(join(folder, "a/b/c"), 0o700);
    makeFolders(join(folder, "a/b/c"), 0o700);
    assert.equal(
      ["a", "a/b", "a/b/c"].map((path) => statSync(join(folder, path)).mode & 0o777),
      [0o700, 0o700, 0o700],
    );
  }));

test("makeFolders says what is in the way", () =>
  inTemporaryFolder((folder) => {
    writeFileSync(join(folder, "file"), "");
    assert.is(
      codeThrownBy(() => makeFolders(join(folder, "file"))),
      "EEXIST",
    );
    assert.is(
      codeThrownBy(() => makeFolders(join(folder, "file/below"))),
      "ENOTDIR",
    );
  }));

test("makeFolders comes back from a file system that makes no folders", () => {
  if (!existsSync("/proc/self")) return;
  assert.is(
    codeThrownBy(() => makeFolders("/proc/dottool/definitions")),
    "ENOENT",
  );
});

test.run();
