// The smoke test of `npm run package` can fail: here a shell script stands for a broken executable.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "./harness.ts";

const test = suite("smokeTest");
const module = new URL("../scripts/package/smoke-test.mjs", import.meta.url).href;
const runtime = "deno" in process.versions ? ["run", "-A"] : [];

/** Returns the message about an executable that runs these lines, with `$folder` for its folder. */
function saidOf(lines: string): string {
  const root = mkdtempSync(join(tmpdir(), "dottool-smoked-"));
  const [file, script] = [join(root, "dottool"), join(root, "run.mjs")];
  try {
    writeFileSync(file, `#!/bin/sh\n${lines}\n`);
    chmodSync(file, 0o755);
    writeFileSync(
      script,
      `import { smokeTest } from ${JSON.stringify(module)};\ntry {\n  smokeTest(${JSON.stringify(file)}, "1.2.3");\n  console.log("fine");\n} catch (error) {\n  console.log(error.message);\n}\n`,
    );
    const { stdout } = spawnSync(process.execPath, [...runtime, script], {
      encoding: "utf8",
      env: { ...process.env, SMOKE_MARK: "yes", TMPDIR: root },
    });
    assert.equal(readdirSync(root).sort(), ["dottool", "run.mjs"]);
    return stdout.replaceAll(root, "ROOT").trimEnd();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const version = '[ "$1" != --version ] || { echo "dottool 1.2.3"; exit; }';

// Deno passes on variables that were not given.
if (!("deno" in process.versions)) {
  test("smokeTest is content with one that tells its version and makes a call, in an environment that is empty", () => {
    assert.is(
      saidOf(
        `${version}\n[ -z "$SMOKE_MARK" ] && [ "$HOME" = "$PWD" ] && [ "$*" = "glob . -name *.txt" ] && find . -name '*.txt'`,
      ),
      "fine",
    );
  });
}

test("smokeTest tells what an executable said that makes no call", () => {
  assert.is(saidOf("echo dottool 1.2.4"), "ROOT/dottool --version does not work: exit code 0\ndottool 1.2.4");
  assert.is(
    saidOf(`${version}\necho 'Error: no chunk' >&2; exit 70`),
    "ROOT/dottool glob . -name *.txt does not work: exit code 70\nError: no chunk",
  );
  assert.is(saidOf(`${version}\nkill -9 $$`), "ROOT/dottool glob . -name *.txt does not work: ended by SIGKILL");
  assert.is(saidOf(`${version}\n`), "ROOT/dottool glob . -name *.txt does not work: exit code 0");
});

test("smokeTest tells of a warm call that fails, and of one that complains", () => {
  assert.is(
    saidOf(`${version}\n[ -e warm ] && exit 3\ntouch warm; echo ./found.txt`),
    "ROOT/dottool glob . -name *.txt does not work: exit code 3",
  );
  assert.is(
    saidOf(`${version}\necho ./found.txt; echo odd >&2`),
    "ROOT/dottool glob . -name *.txt does not work: exit code 0\n./found.txt\nodd",
  );
});

test.run();
