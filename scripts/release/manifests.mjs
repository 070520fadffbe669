// What Homebrew and Scoop install from: files that name the archives of a release by address and checksum.
import { archiveName } from "./archives.mjs";

/** `sumOf` returns the SHA-256 of a file of the release. */
export function brewFormula({ url, version, summary, sumOf }) {
  const from = (target) => {
    const name = archiveName(target, version);
    return `url "${url}/${name}"\n      sha256 "${sumOf(name)}"`;
  };
  return `class Dottool < Formula
  desc "${summary.replace(/\.$/, "")}"
  homepage "${url}"
  version "${version}"
  license "MIT"

  on_macos do
    on_arm do
      ${from("darwin-arm64")}
    end
  end

  on_linux do
    on_intel do
      ${from("linux-x64")}
    end
    on_arm do
      ${from("linux-arm64")}
    end
  end

  def install
    bin.install "dottool"
    man1.install "dottool.1"
    bash_completion.install "completions/dottool.bash" => "dottool"
    zsh_completion.install "completions/dottool.zsh" => "_dottool"
    fish_completion.install "completions/dottool.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/dottool --version")
  end
end
`;
}

export function scoopManifest({ url, version, summary, sumOf }) {
  const name = archiveName("win-x64", version);
  const manifest = {
    version,
    description: summary,
    homepage: url,
    license: "MIT",
    architecture: { "64bit": { url: `${url}/${name}`, hash: sumOf(name) } },
    bin: "dottool.exe",
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
