// Processes that change one file at once: each edit that was answered with "changed" is in the file.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { amount } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { testProject } from "../test-project.ts";

const test = suite("edits-at-once");
const PROCESSES = amount(8, 16);

test("edit_file loses no edit when many processes send one at once, also behind the lock of one that was killed", async () => {
  const lines = Array.from({ length: PROCESSES }, (_, index) => `line ${index}.\n`);
  using bench = testProject({ a: lines.join("") });
  const locks = join(bench.folder, "home", ".local", "state", "dottool", "locks");
  fs.symlinkSync("a", join(bench.folder, "link"));
  const host = createNodeHost();
  const lock = join(locks, host.sha256(join(bench.folder, "a")).slice(0, 32));
  fs.mkdirSync(locks, { recursive: true });
  fs.writeFileSync(
    lock,
    JSON.stringify({ ...host.shared.identity(), processId: spawnSync(process.execPath, ["--version"]).pid }),
  );
  const runs = await Promise.all(
    lines.map((line, index) =>
      bench.run([
        "edit_file",
        "--file_path",
        index % 2 === 0 ? "a" : "link",
        "--edits",
        JSON.stringify([{ search: line, replace: `LINE ${index}.\n` }]),
      ]),
    ),
  );
  assert.equal(
    runs.map(({ exitCode, stderr }) => `${exitCode}${stderr}`),
    lines.map(() => "0"),
  );
  assert.equal(
    [fs.readFileSync(join(bench.folder, "a"), "utf8"), fs.readdirSync(locks)],
    [lines.join("").toUpperCase(), []],
  );
});

test.run();
