// Locks between real processes, and locks of processes that have ended.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { type Lock, takeLock, tryLock } from "../../src/core/store/lock-file.ts";
import { assert, suite } from "../harness.ts";

const test = suite("lock-file");
const host = createNodeHost();
const holder = fileURLToPath(new URL("lock-holder.ts", import.meta.url));

async function inFolder(body: (folder: string, lock: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-lock-"));
  try {
    await body(folder, join(folder, "a.lock"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function said(child: ChildProcess): Promise<readonly string[]> {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => void (text += chunk));
  return new Promise((resolve) => child.on("close", () => resolve(text.trim().split("\n"))));
}

/** A process of another container that shares the folder: it cannot tell whether a holder runs. */
const elsewhere = { ...host, shared: { ...host.shared, isRunning: () => undefined } };

const startHolder = (...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [holder, ...words], { stdio: ["ignore", "pipe", "inherit"] });

async function addOne(lockPath: string, path: string, isEmpty: () => boolean): Promise<void> {
  const lock = await takeLock(lockPath, { host, folder: join(path, ".."), waitMsMax: 60_000 });
  try {
    assert.ok(isEmpty());
    await host.files.write(path, String(Number(readFileSync(path, "utf8")) + 1), { lock });
  } finally {
    lock.release();
  }
}

test("a lock that cannot be read once it is made is made again, and nobody waits for it", () =>
  inFolder(async (folder, lock) => {
    let reads = 0;
    const readBytes: typeof host.instant.readBytes = (path, bytesMax) => {
      if (path === lock && ++reads === 1) throw Object.assign(new Error("EIO"), { code: "EIO" });
      return host.instant.readBytes(path, bytesMax);
    };
    const failing = { ...host, instant: { ...host.instant, readBytes } };
    const taken = await takeLock(lock, { host: failing, folder, waitMsMax: 5_000 });
    assert.equal([taken.isHeld(), reads], [true, 3]);
    taken.release();
    assert.equal(readdirSync(folder), []);
  }));

test("300 that wait in one process and three other processes are served one after the other", () =>
  inFolder(async (folder, lock) => {
    const path = join(folder, "number");
    writeFileSync(path, "0");
    const children = [1, 2, 3].map(() => said(startHolder(lock, path, "20")));
    await Promise.all(Array.from({ length: 300 }, () => addOne(lock, path, () => existsSync(lock))));
    assert.equal(
      (await Promise.all(children)).flat().filter((line) => line !== "wrote"),
      [],
    );
    assert.equal([readFileSync(path, "utf8"), readdirSync(folder)], ["360", ["number"]]);
  }));

test("a lock that nobody holds is taken: an empty, a broken, a dead one, one of a reused process id, of a system before, from the future", () =>
  inFolder((folder, lock) => {
    const here = host.shared.identity();
    const old = new Date(Date.now() - 30_000);
    const future = new Date(Date.now() + 86_400_000);
    const left: readonly (readonly [name: string, make: () => void, at?: Date])[] = [
      ["empty", () => writeFileSync(lock, ""), old],
      ["of the kind before", () => writeFileSync(lock, String(process.pid)), old],
      ["garbage", () => writeFileSync(lock, "\0\xff{"), old],
      ["too long", () => writeFileSync(lock, " ".repeat(100_000)), old],
      ["dead", () => writeFileSync(lock, JSON.stringify({ ...here, processId: 2 ** 22 + 1 }))],
      ...(here.start === undefined
        ? []
        : [["reused", () => writeFileSync(lock, JSON.stringify({ ...here, start: "1" }))] as const]),
      ["of a system before", () => writeFileSync(lock, JSON.stringify({ ...here, boot: "before" })), old],
      ["of another container", () => writeFileSync(lock, JSON.stringify({ ...here, namespace: "pid:[1]" })), old],
      ["from the future", () => writeFileSync(lock, JSON.stringify({ ...here, namespace: "pid:[1]" })), future],
      ["empty from the future", () => writeFileSync(lock, ""), future],
      [
        "held for too long, of a system that tells no start",
        () => writeFileSync(lock, JSON.stringify({ ...here, start: undefined })),
        old,
      ],
      ["a folder", () => mkdirSync(join(lock, "in it"), { recursive: true }), old],
      ["a pipe", () => void execFileSync("mkfifo", [lock]), old],
      ["a link to nothing", () => symlinkSync(join(folder, "gone"), lock)],
      ["a link to itself", () => symlinkSync(lock, lock)],
      ["of no process", () => writeFileSync(lock, JSON.stringify({ ...here, processId: 0 })), old],
      ["unreadable", () => (writeFileSync(lock, ""), chmodSync(lock, 0)), old],
      [
        "with a breaker that was killed",
        () => (
          writeFileSync(lock, ""), writeFileSync(`${lock}.break`, JSON.stringify({ ...here, processId: 2 ** 22 + 1 }))
        ),
        old,
      ],
      [
        "with a breaker that is empty",
        () => (writeFileSync(lock, ""), writeFileSync(`${lock}.break`, ""), utimesSync(`${lock}.break`, old, old)),
        old,
      ],
    ];
    const untaken = left.filter(([, make, at]) => {
      make();
      if (at) utimesSync(lock, at, at);
      // The first try may remove what another process left.
      const taken = tryLock(lock, { host }) ?? tryLock(lock, { host });
      taken?.release();
      const isFree = !existsSync(lock) && !existsSync(`${lock}.break`);
      rmSync(lock, { recursive: true, force: true });
      return !taken || !isFree;
    });
    assert.equal(
      untaken.map(([name]) => name),
      [],
    );
    assert.equal(
      readdirSync(folder).filter((name) => !name.startsWith("a.lock.broken-")),
      [],
    );
  }));

test("whatever is in the way of a process that takes a lock over goes out of it", () =>
  inFolder(async (folder, lock) => {
    const breaker = `${lock}.break`;
    for (const make of [
      () => mkdirSync(join(breaker, "in it"), { recursive: true }),
      () => symlinkSync(join(folder, "gone"), breaker),
      () => writeFileSync(breaker, ""),
    ]) {
      writeFileSync(lock, "");
      utimesSync(lock, 0, 0);
      make();
      (await takeLock(lock, { host, folder, waitMsMax: 10_000 })).release();
    }
    assert.equal(
      readdirSync(folder).filter((name) => !name.startsWith("a.lock.break.broken-")),
      [],
    );
  }));

test("a lock that another process took over a moment before is not taken over again", () =>
  inFolder((folder, lock) => {
    const dead = JSON.stringify({ ...host.shared.identity(), processId: 2 ** 22 + 1 });
    const theirs = JSON.stringify({ ...host.shared.identity(), id: "theirs" });
    writeFileSync(lock, dead);
    // Runs between the look at the lock and the breaker that replaces it.
    const create: typeof host.shared.create = (path, text) => {
      if (path !== lock) writeFileSync(lock, theirs);
      return host.shared.create(path, text);
    };
    const late = { ...host, shared: { ...host.shared, create } };
    assert.equal(
      [tryLock(lock, { host: late }), readFileSync(lock, "utf8"), readdirSync(folder)],
      [undefined, theirs, ["a.lock"]],
    );
  }));

test("a lock that somebody may hold stays: of a process that runs, of another container, of a conversation for as long as it runs", () =>
  inFolder((_folder, lock) => {
    const here = host.shared.identity();
    const old = new Date(Date.now() - 3_600_000);
    const isHeld = (text: string, at = new Date(), isLasting?: true): boolean => {
      writeFileSync(lock, text);
      utimesSync(lock, at, at);
      return (
        tryLock(lock, { host, ...(isLasting ? { isLasting } : {}) }) === undefined &&
        readFileSync(lock, "utf8") === text
      );
    };
    const runs = JSON.stringify(here);
    const elsewhere = JSON.stringify({ ...here, namespace: "pid:[1]" });
    assert.equal(
      [
        isHeld(runs),
        isHeld(elsewhere),
        isHeld(elsewhere, new Date(), true),
        isHeld(runs, old),
        isHeld(runs, old, true),
        isHeld(elsewhere, old, true),
      ],
      [true, true, true, here.start !== undefined, here.start !== undefined, false],
    );
  }));

test("a lock of a process that runs is never taken over, whatever the clocks of both say, and is taken as soon as it is gone", () =>
  inFolder(async (folder, lock) => {
    if (host.shared.identity().start === undefined) return;
    const child = startHolder(lock, join(folder, "number"), "hold");
    const closed = said(child);
    try {
      while (!existsSync(lock) && child.exitCode === null) await host.sleep(1, new AbortController().signal);
      const text = readFileSync(lock, "utf8");
      const hourMs = 3_600_000;
      for (const offsetMs of [-hourMs, -25_000, 25_000, hourMs]) {
        const at = new Date(Date.now() + offsetMs);
        utimesSync(lock, at, at);
        const fileSystems = [tryLock(lock, { host }), tryLock(lock, { host, isLasting: true })];
        utimesSync(lock, new Date(), new Date());
        const own = [
          tryLock(lock, { host: { ...host, timestamp: () => at.toISOString(), nowMs: () => at.getTime() } }),
        ];
        assert.equal([...fileSystems, ...own, readFileSync(lock, "utf8")], [undefined, undefined, undefined, text]);
        assert.is(await takeLock(lock, { host, waitMsMax: 50 }).then(() => "taken", codeOf), "EBUSY");
      }
      child.kill("SIGSTOP");
      while (!isStopped(child.pid ?? 0)) await host.sleep(1, new AbortController().signal);
      utimesSync(lock, 0, 0);
      assert.is(tryLock(lock, { host }), undefined);
    } finally {
      child.kill("SIGKILL");
    }
    await closed;
    const taken = tryLock(lock, { host });
    taken?.release();
    assert.ok(taken);
  }));

test("a process that stood still at any moment never overwrites what was written after its lock was taken over", () =>
  inFolder(async (folder, lock) => {
    const path = join(folder, "number");
    let stops = 0;
    let lost = 0;
    for (let round = 0; round < 6; round++) {
      writeFileSync(path, "0");
      const child = startHolder(lock, path, "400");
      const lines = said(child);
      try {
        while (!existsSync(lock) && child.exitCode === null) await host.sleep(1, new AbortController().signal);
        for (let pause = 0; pause < 6 && child.exitCode === null; pause++) {
          await host.sleep(pause * 3 + round / 4, new AbortController().signal);
          child.kill("SIGSTOP");
          while (!isStopped(child.pid ?? 0)) await host.sleep(1, new AbortController().signal);
          stops++;
          if (existsSync(lock)) utimesSync(lock, new Date(0), new Date(0));
          const own = await takeLock(lock, { host: elsewhere, folder, waitMsMax: 10_000 });
          await host.files.write(path, String(1_000_000 * (pause + 1)), { lock: own });
          own.release();
          child.kill("SIGCONT");
          await host.sleep(8, new AbortController().signal);
          const after = Number(readFileSync(path, "utf8"));
          assert.ok(
            after >= 1_000_000 * (pause + 1),
            `round ${round}, stop ${pause}: ${after} came after ${1_000_000 * (pause + 1)}`,
          );
          assert.ok(after < 1_000_000 * (pause + 1) + 1_000);
        }
      } finally {
        child.kill("SIGKILL");
      }
      lost += (await lines).filter((line) => line === "ESTALE").length;
      rmSync(lock, { force: true });
    }
    console.log(`  stopped ${stops} times, ${lost} of them with the lock`);
    assert.ok(lost > 0);
  }));

/** Waits, because signals come late. */
function isStopped(pid: number): boolean {
  return /^[TZ]/.test(execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim());
}

test("whoever has lost the lock writes nothing, at whatever moment it was taken over", () =>
  inFolder(async (folder, lock) => {
    const path = join(folder, "file");
    const codes: (string | undefined)[] = [];
    // The look at the lock may be over already, but the file to be renamed is gone.
    for (const isLate of [false, true]) {
      const own = await takeLock(lock, { host, folder, waitMsMax: 1_000 });
      const takeOver = (): Lock | undefined => (utimesSync(lock, 0, 0), tryLock(lock, { host: elsewhere, folder }));
      let other = isLate ? undefined : takeOver();
      const isHeld = (): boolean => {
        const answer = own.isHeld();
        other ??= takeOver();
        return answer;
      };
      writeFileSync(path, "later");
      codes.push(await host.files.write(path, "earlier", { lock: { ...own, isHeld } }).then(() => "none", codeOf));
      own.release();
      assert.ok(other?.isHeld());
      other?.release();
      assert.equal([readFileSync(path, "utf8"), readdirSync(folder)], ["later", ["file"]]);
    }
    assert.equal(codes, ["ESTALE", "ESTALE"]);
  }));

test.run();
