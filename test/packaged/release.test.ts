// From an empty machine to a call in two commands, with the real executable: by the install script as it is piped into
// sh, and by the package for Debian.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("release with the executable");
const project = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "dottool-released-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const url = pathToFileURL(join(root, "release")).href;

symlinkSync(packagedFile, join(root, basename(packagedFile)));
const words = ["scripts/release.mjs", "--from", root, "--url", url];
const made = spawnSync(process.execPath, words, { cwd: project, encoding: "utf8" });
assert.is(made.status, 0, made.stderr);

test("the install script and one call, in an empty home", () => {
  const home = join(root, "home");
  mkdirSync(home);
  writeFileSync(join(home, "a.tool"), "");
  const typed = `curl -fsSL ${url}/install.sh | sh\n~/.local/bin/dottool glob . -name '*.tool'`;
  const { stdout } = spawnSync("sh", ["-c", typed], {
    cwd: home,
    env: { PATH: "/usr/bin:/bin", HOME: home },
    encoding: "utf8",
  });
  assert.match(stdout, /^installed dottool 0\.1\.0 as .*\/home\/\.local\/bin\/dottool\n.*\n\.\/a\.tool\n$/);
});

test("the package for Debian and one call", () => {
  const system = join(root, "system");
  mkdirSync(join(system, "var/lib/dpkg/info"), { recursive: true });
  mkdirSync(join(system, "var/lib/dpkg/updates"));
  for (const name of ["status", "available"]) writeFileSync(join(system, "var/lib/dpkg", name), "");
  const typed = `dpkg --root=${system} --force-not-root,depends --log=/dev/null -i ${root}/release/dottool_0.1.0_amd64.deb >&2 && ${system}/usr/bin/dottool --version`;
  const { stdout, stderr } = spawnSync("sh", ["-c", typed], {
    env: { PATH: process.env["PATH"], HOME: root },
    encoding: "utf8",
  });
  assert.match(stdout, /^dottool 0\.1\.0\n/, stderr);
});

test.run();
