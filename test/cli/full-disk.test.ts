// No room for the cache of definitions and the log of calls: every write fails halfway, as on a full disk, and calls go
// on as before.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("full disk");

/**
 * Calls `say` there, and returns what it says. The log of calls is one of the files that cannot be written, which is
 * reported once and fails no call.
 */
function sayOnFullDisk(bench: TestProject, blocks: number): string {
  const { stdout, stderr } = runOnFullDisk(bench, ["say"], { blocks });
  // Deno has no code for EFBIG.
  const warning =
    /^warning\[audit\]: calls are not logged: `.*\/audit\.jsonl` cannot be written to \((?:EFBIG|ENOSPC|error)\)\n/m;
  if (blocks === 0) assert.match(stderr, warning);
  return stdout + stderr.replace(warning, "");
}

function say(word: string): string {
  return `Say.\n\n@name say\n@title Say\n@wrapped run_command\n@command echo ${word}\n`;
}

// A start of Deno compiles all sources anew where it can write no file.
for (const blocks of "Deno" in globalThis ? [0] : [0, 1]) {
  test(`calls work when files may have ${blocks * 512} bytes, and leave nothing half-written`, () => {
    using bench = testProject({ ".tools/say.tool": say("one") });
    const cache = join(bench.folder, "home/.cache/dottool/definitions");
    for (const word of "Deno" in globalThis ? ["one"] : ["one", "one", "two"]) {
      bench.write(".tools/say.tool", say(word));
      bench.trust();
      assert.is(sayOnFullDisk(bench, blocks), `${word}\n`);
      assert.equal(existsSync(cache) ? readdirSync(cache) : [], []);
    }
  });
}

test("a cache that is there stays whole when it cannot be renewed", async () => {
  using bench = testProject({ ".tools/say.tool": say("one") });
  const cache = join(bench.folder, "home/.cache/dottool/definitions");
  assert.is((await bench.run(["say"])).stdout, "one\n");
  const names = readdirSync(cache);
  assert.is(names.length, 1);
  bench.write(".tools/say.tool", say("two"));
  bench.trust();
  assert.is(sayOnFullDisk(bench, 1), "two\n");
  assert.equal(readdirSync(cache), names);
  assert.is((await bench.run(["say"])).stdout, "two\n");
});

test.run();
