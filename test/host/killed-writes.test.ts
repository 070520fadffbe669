// Whatever moment a process is killed at, the file that it was writing is wholly the old one or wholly the new one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { amount } from "../amount.ts";
import { inFolder } from "../base/file-context.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("killed writes");

/** A write that is not whole is whole at the half of these moments by chance. */
const KILLS = amount(4, 64);
const LENGTH = 300_000;
/** Some writes long, so that every step of one is hit. */
const LIFE_MS_MAX = 25;

/** One file: each of the processes that are killed would load two hundred. */
const built = fs.mkdtempSync(join(tmpdir(), "dottool-writer-"));
process.on("exit", () => fs.rmSync(built, { recursive: true, force: true }));
const writer = join(built, "endless-writes.mjs");
esbuild.buildSync({
  entryPoints: [fileURLToPath(new URL("endless-writes.ts", import.meta.url))],
  outfile: writer,
  bundle: true,
  platform: "node",
  format: "esm",
});

/** Once it has written the file at least once. */
async function killWriter(
  kind: string,
  path: string,
  by: NodeJS.Signals = "SIGKILL",
): Promise<{ readonly signal: string | null; readonly stderr: string }> {
  const words = "Deno" in globalThis ? ["run", "-A", writer] : [writer];
  const child = spawn(process.execPath, [...words, kind, path]);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const closed = once(child, "close");
  await Promise.race([once(child.stdout, "data"), closed]);
  // The moment is meant to be any.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * LIFE_MS_MAX));
  child.kill(by);
  const [, signal] = (await closed) as [number | null, string | null];
  return { signal, stderr };
}

async function stayWhole(kind: string): Promise<void> {
  await inFolder({ "file.txt": "a".repeat(LENGTH) }, async (folder) => {
    for (let kills = 1; kills <= KILLS; kills++) {
      assert.equal(await killWriter(kind, folder.at("file.txt")), { signal: "SIGKILL", stderr: "" });
      const text = folder.read("file.txt");
      const letter = text.slice(0, 1);
      assert.ok(
        ["a", "b"].includes(letter) && text === letter.repeat(LENGTH),
        `${kind}: after ${kills} kills ${text.length} characters, beginning with ${JSON.stringify(text.slice(0, 10))}`,
      );
      // The next writer has removed what the one before it left, so there is one temporary file at most.
      const others = leftIn(folder.path);
      assert.ok(others.length <= 1 && others.every((name) => name.endsWith(".tmp")), `${kind}: ${others.join(" ")}`);
    }
    await createNodeHost().files.write(folder.at("file.txt"), "c");
    assert.equal(leftIn(folder.path), []);
  });
}

function leftIn(folder: string): readonly string[] {
  return fs.readdirSync(folder).filter((name) => !name.startsWith("file"));
}

// `replace` is how records of trust, pins and caches are written; approvals and counts are written as `write_file`
// does.
test(`write_file, edit_file and replace leave whole files, killed ${KILLS} times each`, () =>
  Promise.all(["write_file", "edit_file", "replace"].map(stayWhole)).then(() => undefined));

// A file with two names is written in place, so its old content is kept beside it meanwhile.
test(`a write in place keeps the old content or has written the new one, killed ${KILLS} times`, () =>
  inFolder({ "file.txt": "a".repeat(LENGTH), "other.txt": "" }, async (folder) => {
    fs.linkSync(folder.at("file.txt"), folder.at("file2.txt"));
    const other = folder.at("other.txt");
    for (let kills = 1; kills <= KILLS; kills++) {
      assert.equal(await killWriter("write", folder.at("file.txt")), { signal: "SIGKILL", stderr: "" });
      const kept = fs.readdirSync(folder.path).filter((name) => name.endsWith(".old"));
      const texts = [...kept, "file.txt"].map((name) => folder.read(name));
      assert.ok(texts.some((text) => ["a", "b"].some((letter) => text === letter.repeat(LENGTH))));
      // Another file's writer does not know whether the old content is needed.
      await createNodeHost().files.write(other, `${kills}`);
      for (const name of kept) assert.ok(fs.existsSync(folder.at(name)));
    }
    await createNodeHost().files.write(folder.at("file.txt"), "c");
    assert.equal(
      fs.readdirSync(folder.path).filter((name) => name.endsWith(".old")),
      [],
    );
    assert.is(folder.read("file2.txt"), "c");
  }));

// In Deno a process that never rests does not get to its handlers of signals, and goes on.
if (!("Deno" in globalThis))
  for (const [kind, isLinked] of [
    ["a write", false],
    ["a write in place", true],
  ] as const)
    test(`signals end ${kind}, and leave no temporary file, ${KILLS} times each`, () =>
      inFolder({ "file.txt": "a".repeat(LENGTH) }, async (folder) => {
        if (isLinked) fs.linkSync(folder.at("file.txt"), folder.at("file2.txt"));
        for (let round = 0; round < KILLS; round++)
          for (const by of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
            assert.equal(await killWriter("write", folder.at("file.txt"), by), { signal: by, stderr: "" });
            assert.equal(leftIn(folder.path), []);
            assert.ok(/^(a+|b+)$/.test(folder.read("file.txt")));
          }
      }));

test.run();
