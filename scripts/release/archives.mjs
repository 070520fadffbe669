// One archive for each platform, with a name by which mise and ubi find it: the version, the processor and the system as
// Rust's triples have them (https://github.com/houseabsolute/ubi#how-ubi-finds-the-right-release-artifact).
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const triples = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "darwin-arm64": "aarch64-apple-darwin",
  "win-x64": "x86_64-pc-windows-msvc",
};

export function archiveName(target, version) {
  return `dottool-${version}-${triples[target]}.${target.startsWith("win") ? "zip" : "tar.gz"}`;
}

/** Packs the executable of a target with what the release folder has beside it. */
export function writeArchive(target, { executable, version, release }) {
  const work = mkdtempSync(join(tmpdir(), "dottool-archive-"));
  const program = target.startsWith("win") ? "dottool.exe" : "dottool";
  const files = [program, "LICENSE", "dottool.1", "completions"];
  try {
    copyFileSync(executable, join(work, program));
    chmodSync(join(work, program), 0o755);
    copyFileSync("LICENSE", join(work, "LICENSE"));
    copyFileSync(join(release, "dottool.1"), join(work, "dottool.1"));
    mkdirSync(join(work, "completions"));
    for (const shell of ["bash", "zsh", "fish", "pwsh"])
      copyFileSync(join(release, `completions.${shell}`), join(work, `completions/dottool.${shell}`));
    const archive = join(release, archiveName(target, version));
    if (archive.endsWith(".zip")) execFileSync("zip", ["-qr", archive, ...files], { cwd: work });
    else execFileSync("tar", ["--owner=0", "--group=0", "-czf", archive, ...files], { cwd: work });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
