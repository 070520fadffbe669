import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedFiles } from "../../src/core/host/files/shared-files.ts";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";

const test = suite("shared-files");

function withFolder(body: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "dottool-shared-"));
  try {
    body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function codeFrom(work: () => unknown): string {
  try {
    work();
    return "none";
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
}

test("a file is appended to, made for its user alone, and its size is told", () =>
  withFolder((folder) => {
    const path = join(folder, "new/log");
    assert.equal(
      [sharedFiles.append(path, "one\n"), sharedFiles.append(path, "två\n"), readFileSync(path, "utf8")],
      [4, 9, "one\ntvå\n"],
    );
    assert.equal([statSync(path).mode & 0o777, statSync(join(folder, "new")).mode & 0o777], [0o600, 0o700]);
  }));

test("append neither follows a link nor waits for a pipe", () =>
  withFolder((folder) => {
    writeFileSync(join(folder, "target"), "");
    symlinkSync(join(folder, "target"), join(folder, "link"));
    mkdirSync(join(folder, "folder"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    assert.equal(
      ["link", "folder", "pipe"].map((name) => codeFrom(() => sharedFiles.append(join(folder, name), "x"))),
      ["ELOOP", "EISDIR", "ENXIO"],
    );
    assert.is(readFileSync(join(folder, "target"), "utf8"), "");
  }));

test("of all who make a file one does, and a link in its place stays", () =>
  withFolder((folder) => {
    const path = join(folder, "lock");
    symlinkSync(join(folder, "elsewhere"), join(folder, "dangling"));
    assert.equal(
      [
        sharedFiles.create(path, "a"),
        sharedFiles.create(path, "b"),
        readFileSync(path, "utf8"),
        sharedFiles.create(join(folder, "dangling"), "c"),
      ],
      [true, false, "a", false],
    );
  }));

test("a file is made where names can be added and none removed", () =>
  withFolder((folder) => {
    const path = join(folder, "lock");
    const [chattr = ""] = needPrograms("chattr");
    if (spawnSync(chattr, ["+a", folder]).status !== 0) leaveOut("no folder here can be for adding alone");
    try {
      assert.equal(
        [sharedFiles.create(path, "a"), readFileSync(path, "utf8"), sharedFiles.create(path, "b")],
        [true, "a", false],
      );
    } finally {
      spawnSync(chattr, ["-a", folder]);
    }
  }));

test("isRunning tells a process that runs from one that is gone, that has another one's id, and that it knows nothing of", async () => {
  const { processId, ...here } = sharedFiles.identity();
  const child = spawn("sleep", ["60"]);
  const { start: _own, ...place } = here;
  const other = { processId: child.pid ?? 0, ...place };
  const before = sharedFiles.isRunning(other);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.on("close", resolve));
  const looks = [
    other,
    { processId, ...here },
    { ...place, processId: 1 },
    { processId, ...here, start: "1" },
    { processId, ...here, boot: "other" },
    { processId, ...here, namespace: "pid:[1]" },
    { processId },
  ];
  const reused = here.start === undefined;
  const foreign = here.boot === undefined ? true : undefined;
  assert.equal(
    [before, ...looks.map(sharedFiles.isRunning)],
    [true, false, true, true, reused, undefined, undefined, foreign],
  );
});

test.run();
