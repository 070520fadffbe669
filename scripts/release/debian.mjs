// The packages for Debian and its kin, by dpkg-deb. Paths are those of Debian's policy:
// https://www.debian.org/doc/debian-policy/ch-files.html, and of the packages bash-completion, zsh-common and fish.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/** Debian's names of the processors. */
export const debianArchitectures = { "linux-x64": "amd64", "linux-arm64": "arm64" };

export function debianName(target, version) {
  return `dottool_${version}_${debianArchitectures[target]}.deb`;
}

export function writeDebianPackage(target, { executable, version, release, summary }) {
  const root = mkdtempSync(join(tmpdir(), "dottool-deb-"));
  const at = (path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    return join(root, path);
  };
  try {
    // mkdtemp gives a folder that only this user enters, and the package would have it as its root.
    chmodSync(root, 0o755);
    copyFileSync(executable, at("usr/bin/dottool"));
    chmodSync(join(root, "usr/bin/dottool"), 0o755);
    copyFileSync("LICENSE", at("usr/share/doc/dottool/copyright"));
    writeFileSync(at("usr/share/man/man1/dottool.1.gz"), gzipSync(readFileSync(join(release, "dottool.1"))));
    for (const [shell, path] of [
      ["bash", "usr/share/bash-completion/completions/dottool"],
      ["zsh", "usr/share/zsh/vendor-completions/_dottool"],
      ["fish", "usr/share/fish/vendor_completions.d/dottool.fish"],
    ])
      copyFileSync(join(release, `completions.${shell}`), at(path));
    writeFileSync(
      at("DEBIAN/control"),
      `Package: dottool
Version: ${version}
Architecture: ${debianArchitectures[target]}
Maintainer: The dottool team <dottool@localhost>
Section: utils
Priority: optional
Depends: libc6
Description: ${summary}
`,
    );
    execFileSync("dpkg-deb", [
      "--root-owner-group",
      "-Zgzip",
      "-z6",
      "--build",
      root,
      join(release, debianName(target, version)),
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
