// Indexes of git itself in every version, and the same with a path that git would not add.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { namesForeignPlace } from "../../src/features/confinement/host/tracked-places.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { testProject } from "../test-project.ts";

const test = suite("tracked-places");

for (const version of ["2", "3", "4"])
  for (const format of ["sha1", "sha256"])
    test(`an index of version ${version} with ${format} names places of git's own`, () => {
      needPrograms("git");
      using bench = testProject({
        "a/file": "x\n",
        "a/file2": "x\n",
        "xgit/hooks/post-checkout": "x\n",
        "z .git x": "x\n",
      });
      const git = (...words: readonly string[]): unknown =>
        execFileSync("git", ["-c", `index.version=${version}`, ...words], { cwd: bench.folder, stdio: "pipe" });
      git("init", "-q", `--object-format=${format}`);
      git("add", ".");
      // Version 3 is written only if it is needed.
      if (version === "3") {
        writeFileSync(join(bench.folder, "new"), "x\n");
        git("add", "-N", "new");
      }
      const file = join(bench.folder, ".git/index");
      const bytes = readFileSync(file);
      const hashBytes = format === "sha256" ? 32 : 20;
      assert.equal([bytes.readUInt32BE(4), namesForeignPlace(bytes, hashBytes)], [Number(version), false]);
      for (const foreign of [".git/hooks/post-checkout", "../t/hooks/post-checkout"]) {
        const made = Buffer.from(bytes.toString("latin1").replace("xgit/hooks/post-checkout", foreign), "latin1");
        assert.is(namesForeignPlace(made, hashBytes), true, foreign);
      }
      assert.is(namesForeignPlace(bytes.subarray(0, bytes.length / 2), hashBytes), true);
      assert.is(namesForeignPlace(new Uint8Array(), hashBytes), true);
    });

test.run();
