// The launcher for Linux on arm64, run by qemu-user: it talks to the resident process of this machine, and starts the
// executable of this machine where the call is not for that.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type Place, type Result, withResident } from "./resident-program.ts";

const test = suite("resident arm64");

/** `struct place` of scripts/launcher/launcher.c. */
const MARKER = "dottool-launcher-place-1";
const PLACE_BYTES = 32 + 96 + 128 + 1024;
const repository = fileURLToPath(new URL("../..", import.meta.url));
const build = `import("./scripts/package/launcher.mjs").then(({ buildLauncher }) => console.log(buildLauncher("linux-arm64")))`;

/** The launcher for arm64, for the executable that the launcher of this machine stands for. */
function makeLauncher(place: Place): string {
  const built = execFileSync(process.execPath, ["-e", build], { cwd: repository, encoding: "utf8" });
  const program = readFileSync(join(repository, built.trim()));
  const own = readFileSync(place.launcher);
  own.copy(program, program.indexOf(MARKER), own.indexOf(MARKER), own.indexOf(MARKER) + PLACE_BYTES);
  const file = join(place.root, "dottool-arm64");
  writeFileSync(file, program, { mode: 0o755 });
  return file;
}

test("calls, their failures and sessions are those of the executable", () =>
  withResident((place) => {
    const [qemu = ""] = needPrograms("qemu-aarch64-static", "aarch64-linux-gnu-gcc");
    const launcher = makeLauncher(place);
    const run = (argv: readonly string[], words: readonly string[], input?: string): Result => {
      const { status, stdout, stderr } = spawnSync(argv[0] ?? "", [...argv.slice(1), ...words], {
        cwd: place.project,
        env: place.environment,
        encoding: "utf8",
        timeout: HANG_MS_MAX,
        ...(input === undefined ? { stdio: ["ignore", "pipe", "pipe"] } : { input }),
      });
      return [status, stdout, stderr];
    };
    const same = (words: readonly string[], input?: string): void =>
      assert.equal(run([qemu, launcher], words, input), run([place.executable], words, input), words.join(" "));
    for (const words of [["--version"], ["says", "--word", "ü"], ["counts"], ["much"], ["fails"], ["nothing-such"]])
      same(words);
    const { calls, ordinaryWay } = place.status();
    assert.equal([calls, ordinaryWay], [5, 0]);
    const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n`;
    const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`;
    same(["mcp"], begin + list);
  }));

test.run();
