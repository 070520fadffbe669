// No room for the cache of definitions and the log of calls: every write fails halfway, as on a full disk, and calls go
// on as before.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type ToolBench, toolBench } from "../tool-bench.ts";

const test = suite("full disk");

/**
 * Runs with a limit on the size of files, in the 512 bytes of `ulimit`. A write fails with EFBIG where a full disk
 * gives ENOSPC.
 */
function runLimited({ folder, program }: ToolBench, blocks: number, words: readonly string[]): string {
  const { NODE_COMPILE_CACHE: _none, ...env } = program.environment as Readonly<Record<string, string>>;
  // Deno adds its own environment to `env`.
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const said = execFileSync(
    "env",
    [
      "-i",
      ...variables,
      "sh",
      "-c",
      `trap '' XFSZ; ulimit -f ${blocks}; exec "$@" 2>&1`,
      "sh",
      program.command,
      ...program.words,
      ...words,
    ],
    { cwd: folder, encoding: "utf8" },
  );
  // The log of calls is one of the files that cannot be written, which is reported once and fails no call. Deno has no
  // code for EFBIG.
  const warning =
    /^warning\[audit\]: calls are not logged: `.*\/audit\.jsonl` cannot be written to \((?:EFBIG|ENOSPC|error)\)\n/m;
  if (blocks === 0) assert.match(said, warning);
  return said.replace(warning, "");
}

function say(word: string): string {
  return `Say.\n\n@name say\n@title Say\n@wrapped run_command\n@command echo ${word}\n`;
}

// A start of Deno compiles all sources anew where it can write no file.
for (const blocks of "Deno" in globalThis ? [0] : [0, 1]) {
  test(`calls work when files may have ${blocks * 512} bytes, and leave nothing half-written`, () => {
    using bench = toolBench({ ".tools/say.tool": say("one") });
    const cache = join(bench.folder, "home/.cache/dottool/definitions");
    for (const word of "Deno" in globalThis ? ["one"] : ["one", "one", "two"]) {
      bench.write(".tools/say.tool", say(word));
      bench.trust();
      assert.is(runLimited(bench, blocks, ["say"]), `${word}\n`);
      assert.equal(existsSync(cache) ? readdirSync(cache) : [], []);
    }
  });
}

test("a cache that is there stays whole when it cannot be renewed", async () => {
  using bench = toolBench({ ".tools/say.tool": say("one") });
  const cache = join(bench.folder, "home/.cache/dottool/definitions");
  assert.is((await bench.run(["say"])).stdout, "one\n");
  const names = readdirSync(cache);
  assert.is(names.length, 1);
  bench.write(".tools/say.tool", say("two"));
  bench.trust();
  assert.is(runLimited(bench, 1, ["say"]), "two\n");
  assert.equal(readdirSync(cache), names);
  assert.is((await bench.run(["say"])).stdout, "two\n");
});

test.run();
