// A file system that is really full: no line of the log is torn, no lock is empty, and a call that cannot be counted
// does not run.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";

const test = suite("full disk of the state");
const writer = fileURLToPath(new URL("full-disk-writer.ts", import.meta.url));

interface Said {
  readonly warnings: readonly string[];
  readonly locks: readonly string[];
  readonly counted: string;
}

/**
 * Runs in a file system of that many KiB. Returns the writer's output, the lines of the log, and the names and sizes of
 * the files in the end.
 */
function onSmallDisk(kibibytes: number): {
  readonly said: Said;
  readonly log: readonly string[];
  readonly sizes: readonly string[];
} {
  needPrograms("unshare", "mount");
  const folder = mkdtempSync(join(tmpdir(), "dottool-disk-"));
  const script = `mount -t tmpfs -o size=${kibibytes}k,mode=700 tmpfs "$1" || exit 99
"$2" "$3" "$1"
echo =====
cat "$1/audit.jsonl"
echo =====
cd "$1" && find . -type f -printf '%P %s\\n' | sort`;
  try {
    const [said = "", log = "", sizes = ""] = execFileSync(
      "unshare",
      ["-rm", "sh", "-c", script, "sh", folder, process.execPath, writer],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    ).split("=====\n");
    return {
      said: JSON.parse(said) as Said,
      log: log.split("\n").filter((line) => line !== ""),
      sizes: sizes.split("\n").filter((line) => line !== ""),
    };
  } catch (error) {
    const { status, stderr } = error as { readonly status?: unknown; readonly stderr?: unknown };
    if (status === 99 || String(stderr).includes("unshare")) return leaveOut("no file system can be mounted here");
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const kibibytes of [16, 20, 64]) {
  test(`on a file system of ${kibibytes} KiB that is full, every line of the log is whole, and no lock stays empty`, () => {
    const { said, log, sizes } = onSmallDisk(kibibytes);
    const torn = log.filter((line) => !isJson(line));
    assert.equal(torn, []);
    assert.ok(log.length > 0 && log.length < 300);
    assert.match(
      said.warnings.join(),
      /^warning\[audit\]: calls are not logged: `.*audit\.jsonl` cannot be written to \(ENOSPC\)\n$/,
    );
    assert.equal(
      [said.locks, said.counted, sizes.filter((line) => !line.startsWith("audit"))],
      [["ENOSPC"], "unknown", []],
    );
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

test.run();
