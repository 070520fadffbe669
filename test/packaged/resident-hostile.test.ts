// Who else may be at the socket of a resident process: nobody gets in, nothing keeps calls from being made.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { leaveOut } from "../programs-needed.ts";
import { packagedFile } from "../run-variables.ts";
import { ended, open, type Place, until, withResident } from "./resident-program.ts";

const test = suite("resident, hostile");

const NOBODY = 65_534;

const folderOf = ({ root }: Place): string => join(root, "runtime/dottool");

function socketOf(place: Place): string {
  const [name = ""] = readdirSync(folderOf(place));
  return join(folderOf(place), name);
}

/** Resolves when the other side has closed it. */
async function closed(path: string, bytes: Uint8Array): Promise<void> {
  const socket = connect(path);
  await new Promise<void>((resolve) => {
    socket.on("error", () => undefined).on("close", () => resolve());
    socket.write(bytes);
    socket.resume();
  });
}

function frame(kind: string, content: Uint8Array, length = content.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(length);
  head.write(kind, 4, "latin1");
  return Buffer.concat([head, content]);
}

test("half a request, an endless one, and none hold up no call", () =>
  withResident(async (place) => {
    const path = socketOf(place);
    const held: Socket[] = [Buffer.alloc(0), frame("C", Buffer.from("half"), 4_000)].map((bytes) => {
      const socket = connect(path);
      socket.on("error", () => undefined).write(bytes);
      return socket;
    });
    await closed(path, frame("C", Buffer.alloc(0), 0xffff_ffff));
    await closed(path, frame("C", Buffer.from([0xff, 0xfe, 0])));
    await closed(path, frame("Z", Buffer.from("what no launcher says")));
    assert.equal(place.run(place.launcher, ["says", "here"]), [0, "here\n", ""]);
    const { calls, ordinaryWay } = place.status();
    assert.equal([calls, ordinaryWay], [1, 0]);
    for (const socket of held) socket.destroy();
  }));

test("2,000 connections leave it alive, and calls are made as ever", () =>
  withResident(async (place) => {
    const path = socketOf(place);
    const { pid } = place.status();
    const sockets = Array.from({ length: 2_000 }, () => connect(path).on("error", () => undefined));
    await until(() => sockets.every(({ connecting }) => !connecting));
    assert.equal(place.run(place.launcher, ["says", "among"]), [0, "among\n", ""]);
    for (const socket of sockets) socket.destroy();
    await until(
      () => place.run(place.launcher, ["says", "after"])[1] === "after\n" && place.status().state === "running",
    );
    assert.is(place.status().pid, pid);
  }));

test("another process at the socket's place, which hangs up or is silent, holds up no call", async () => {
  const place = open();
  try {
    assert.is(place.run(place.executable, ["resident", "start"])[0], 0);
    const path = socketOf(place);
    place.run(place.executable, ["resident", "stop"]);
    for (const answer of [(socket: Socket) => void socket.destroy(), (socket: Socket) => void socket.resume()]) {
      const server: Server = createServer(answer);
      await new Promise<void>((resolve) => void server.listen(path, resolve));
      const call = place.start(["says", "cold"]);
      assert.equal(await ended(call), [0, "cold\n", ""]);
      await new Promise((resolve) => void server.close(resolve));
    }
  } finally {
    place.remove();
  }
});

test("a socket that a killed process has left is replaced", () =>
  withResident(async (place) => {
    const { pid } = place.status();
    process.kill(pid, "SIGKILL");
    await until(() => place.status().state === "none");
    assert.equal(place.run(place.launcher, ["says", "cold"]), [0, "cold\n", ""]);
    assert.is(place.run(place.executable, ["resident", "start"])[0], 0);
    assert.equal(place.run(place.launcher, ["says", "again"]), [0, "again\n", ""]);
    assert.equal([place.status().state, place.status().calls], ["running", 1]);
  }));

test("a folder that is a link, or that others may enter, is not used", () =>
  withResident((place) => {
    const folder = folderOf(place);
    chmodSync(folder, 0o755);
    assert.equal(place.run(place.launcher, ["says", "cold"]), [0, "cold\n", ""]);
    assert.equal(place.run(place.executable, ["resident", "start"]), [
      1,
      "",
      `failed[resident]: the folder \`${folder}\` must be yours alone (mode 700)\n`,
    ]);
    chmodSync(folder, 0o700);
    const real = `${folder}-elsewhere`;
    renameSync(folder, real);
    symlinkSync(real, folder);
    assert.equal(place.run(place.launcher, ["says", "cold"]), [0, "cold\n", ""]);
    assert.is(place.run(place.executable, ["resident", "status"])[0], 1);
    unlinkSync(folder);
    renameSync(real, folder);
    assert.equal([place.status().state, place.status().calls], ["running", 0]);
  }));

test("another user reaches no resident process, and gets the executable", () => {
  if (process.getuid?.() !== 0) leaveOut("only root can call as another user");
  const place = open();
  try {
    // The built one may be in a folder of root's.
    rmSync(place.executable);
    copyFileSync(packagedFile, place.executable);
    assert.is(place.run(place.executable, ["resident", "start"])[0], 0);
    const home = join(place.root, "nobody");
    mkdirSync(home);
    writeFileSync(join(home, "here.txt"), "");
    for (const folder of [place.root, place.project, join(place.root, "runtime")]) chmodSync(folder, 0o755);
    chownSync(home, NOBODY, NOBODY);
    const asNobody = (words: readonly string[]): readonly [number | null, string] => {
      const ids = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
      const { status, stdout } = spawnSync("setpriv", [...ids, ...words], {
        cwd: place.root,
        env: { ...place.environment, HOME: home },
        encoding: "utf8",
        timeout: HANG_MS_MAX,
      });
      return [status, stdout];
    };
    assert.equal(asNobody(["/bin/sh", "-c", `ls "$1" || echo refused`, "sh", folderOf(place)]), [0, "refused\n"]);
    assert.equal(asNobody([place.launcher, "glob", "nobody", "-name", "here.txt"]), [0, "nobody/here.txt\n"]);
    assert.is(place.status().calls, 0);
  } finally {
    place.remove();
  }
});

test.run();
