// What `self-update` leaves of the files in its folder: the new executable, and the one before as NAME.old.
import {
  chmodSync,
  chownSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { packagedFile, packagedTarget } from "../run-variables.ts";
import { bundle, copy, first, isAsBefore, NOBODY, place, publish, root, run } from "./updates.ts";

const test = suite("self-update-files");

test("only an earlier version of itself is replaced as NAME.old, and no link is followed", async () => {
  await publish("2.0.0");
  const elsewhere = copy();
  const others: Readonly<Record<string, (old: string) => void>> = {
    text: (old) => writeFileSync(old, "mine"),
    dottool: (old) => copyFileSync(packagedFile, old),
    "another bundle": (old) => copyFileSync(join(place, `others-1.0.0-${packagedTarget}`), old),
    "a newer version": (old) => copyFileSync(join(place, `ourtools-2.0.0-${packagedTarget}`), old),
    "a link": (old) => symlinkSync(elsewhere, old),
    "a link to nothing": (old) => symlinkSync(join(root, "nothing"), old),
    "a folder": (old) => mkdirSync(old),
  };
  await bundle("1.0.0", { name: "others", release: place });
  for (const [what, put] of Object.entries(others)) {
    const file = copy();
    const old = `${file}.old`;
    put(old);
    const before = lstatSync(old);
    const { exitCode, stderr } = await run(file, ["self-update"]);
    assert.equal(
      [exitCode, stderr],
      [
        1,
        `failed[self-update]: \`${old}\` is in the way: it is not an earlier version of \`ourtools\`\n  = move it away, such as with \`mv ${old} ${file}.other\`\n`,
      ],
      what,
    );
    const after = lstatSync(old);
    assert.equal([after.ino, after.size, after.mtimeMs], [before.ino, before.size, before.mtimeMs], what);
    assert.ok(readFileSync(file).equals(readFileSync(first)), what);
    const [, words = ""] = /`(mv .*)`/.exec(stderr) ?? [];
    if (what === "a link") assert.is((await run("/bin/sh", ["-c", `${words} && ${file} self-update`])).exitCode, 0);
  }
  assert.ok(isAsBefore(elsewhere));
});

test("an executable with two names, of another user, and with an earlier backup is replaced under its name", async () => {
  await publish("1.1.0");
  const file = copy();
  const second = join(dirname(file), "second");
  linkSync(file, second);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(file, NOBODY, NOBODY);
  const { ino, uid } = statSync(file);
  assert.is((await run(file, ["self-update"])).exitCode, 0);
  assert.equal([statSync(second).ino, statSync(`${file}.old`).ino], [ino, ino]);
  assert.equal([statSync(file).uid, statSync(`${file}.old`).uid], [uid, uid]);
  await publish("2.0.0");
  const [updated, rows] = [statSync(file).ino, ["ourtools", "ourtools.old", "second"]];
  assert.is((await run(file, ["self-update"])).exitCode, 0);
  assert.equal([statSync(`${file}.old`).ino, readdirSync(dirname(file))], [updated, rows]);
});

test("after an update that fails, the earlier backup is as it was", async () => {
  await publish("1.1.0");
  const file = copy();
  assert.is((await run(file, ["self-update"])).exitCode, 0);
  const before = [file, `${file}.old`].map((path) => statSync(path).ino);
  await publish("2.0.0");
  const line = `trap '' XFSZ; ulimit -f 1000; exec "$@"`;
  assert.is((await run("/bin/sh", ["-c", line, "sh", file, "self-update"])).exitCode, 1);
  assert.equal(
    [file, `${file}.old`].map((path) => statSync(path).ino),
    before,
  );
  assert.equal(readdirSync(dirname(file)), ["ourtools", "ourtools.old"]);
});

test("an own file or folder without the right to write gets `chmod`", async () => {
  await publish("2.0.0");
  const user = process.getuid?.() === 0 ? { user: NOBODY } : {};
  for (const mayWrite of [(file: string) => dirname(file), (file: string) => file]) {
    const file = copy();
    const closed = mayWrite(file);
    if (user.user !== undefined) for (const path of [file, dirname(file)]) chownSync(path, NOBODY, NOBODY);
    chmodSync(file, 0o755);
    chmodSync(closed, 0o555);
    const { exitCode, stderr } = await run(file, ["self-update"], user);
    assert.equal(
      [exitCode, stderr],
      [
        1,
        `failed[self-update]: \`${file}\` cannot be replaced (EACCES); nothing has changed\n  = \`chmod u+w ${closed}\` and update again, or copy it to a folder of yours, and update it there\n`,
      ],
    );
    assert.ok(isAsBefore(file));
    chmodSync(closed, 0o755);
    assert.is((await run(file, ["self-update"], user)).exitCode, 0);
  }
});

test.run();
