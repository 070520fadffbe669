// A lock of a process that has ended, whose successor ended too while it took the lock over.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { tryLock } from "../../src/core/store/lock-file.ts";
import { assert, suite } from "../harness.ts";

const test = suite("lock-broken");
const host = createNodeHost();

test("tryLock takes a lock of nobody at once, also if whoever was taking it over has ended", () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-lock-"));
  try {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const ended = JSON.stringify({ ...host.shared.identity(), processId: pid, start: "0" });
    writeFileSync(join(folder, "a.lock"), ended);
    writeFileSync(join(folder, "a.lock.break"), ended);
    const lock = tryLock(join(folder, "a.lock"), { host });
    assert.ok(lock?.isHeld());
    assert.equal(readdirSync(folder), ["a.lock"]);
    assert.equal(JSON.parse(readFileSync(join(folder, "a.lock"), "utf8")).processId, process.pid);
    lock?.release();
    assert.equal(readdirSync(folder), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("tryLock leaves the lock to a living process that is taking it over", () => {
  const folder = mkdtempSync(join(tmpdir(), "dottool-lock-"));
  try {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(join(folder, "a.lock"), JSON.stringify({ ...host.shared.identity(), processId: pid, start: "0" }));
    writeFileSync(join(folder, "a.lock.break"), JSON.stringify(host.shared.identity()));
    assert.is(tryLock(join(folder, "a.lock"), { host }), undefined);
    assert.equal(readdirSync(folder).toSorted(), ["a.lock", "a.lock.break"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
