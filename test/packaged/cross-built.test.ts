// The executables for other machines, which cannot run here: each is what its system expects, and contains the program.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readExecutable } from "../../src/features/bundle/executable-form.ts";
import { unpackPayload } from "../../src/core/session/payload.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("cross-built");

function read(target: string): Buffer {
  const file = fileURLToPath(new URL(`../../dist/dottool-${target}`, import.meta.url));
  if (!existsSync(file))
    throw new Error(`dist/dottool-${target} is not there; run \`npm run package -- --target all\` first`);
  return readFileSync(file);
}

/**
 * Whether a program is inside: Node checks for a 1 after this text. The text is in two pieces, or a tool that searches
 * for it would find it here.
 */
function carriesProgram(file: Buffer): boolean {
  const fuse = ["NODE_SEA", "FUSE_fce680ab2cc467b6e072b8b5df1996b2:"].join("_");
  const at = file.indexOf(fuse);
  return (
    file[at + fuse.length] === "1".charCodeAt(0) &&
    ["./main.js", "amaro.cjs", "sandbox-worker.cjs", "typescript-worker.cjs", "quickjs.wasm"].every((name) =>
      file.includes(name),
    )
  );
}

test("linux-arm64 is a 64-bit ELF file for AArch64 without a section table", () => {
  const file = read("linux-arm64");
  assert.equal(
    {
      magic: file.toString("latin1", 0, 4),
      bits: file[4],
      machine: file.readUInt16LE(18),
      carriesProgram: carriesProgram(file),
    },
    { magic: "\x7fELF", bits: 2, machine: 183, carriesProgram: true },
  );
});

test("win-x64 is a 64-bit PE file for x64 without a certificate", () => {
  const file = read("win-x64.exe");
  const header = file.readUInt32LE(0x3c);
  const certificate = header + 24 + 112 + 4 * 8;
  assert.equal(
    {
      magic: file.toString("latin1", header, header + 4),
      machine: file.readUInt16LE(header + 4),
      form: file.readUInt16LE(header + 24),
      certificate: file.readBigUInt64LE(certificate),
      carriesProgram: carriesProgram(file),
    },
    { magic: "PE\0\0", machine: 0x8664, form: 0x20b, certificate: 0n, carriesProgram: true },
  );
});

test("darwin-arm64 is a Mach-O file for arm64 whose every page has the signed hash", () => {
  const file = read("darwin-arm64");
  const directory = codeDirectory(file);
  assert.equal(
    {
      magic: file.readUInt32LE(0),
      cpu: file.readUInt32LE(4),
      identifier: directory.identifier,
      coversAll: directory.pageCount === Math.ceil(directory.codeEnd / directory.pageBytes),
      wrong: wrongPages(file),
      carriesProgram: carriesProgram(file),
    },
    { magic: 0xfeedfacf, cpu: 0x0100000c, identifier: "dottool", coversAll: true, wrong: [], carriesProgram: true },
  );
});

/** Returns the pages whose hash is not the signed one. */
function wrongPages(file: Buffer): readonly number[] {
  const { pageCount, pageBytes, codeEnd, hashesAt } = codeDirectory(file);
  return Array.from({ length: pageCount }, (_, page) => page).filter((page) => {
    const bytes = file.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, codeEnd));
    const signed = file.subarray(hashesAt + page * 32, hashesAt + page * 32 + 32);
    return !createHash("sha256").update(bytes).digest().equals(signed);
  });
}

/** Returns a bundle for `target`, made here, with the tools that it says are inside. */
function bundled(target: string): { readonly file: Buffer; readonly paths: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), "dottool-cross-"));
  try {
    mkdirSync(join(folder, ".tools"));
    writeFileSync(join(folder, ".tools/hi.tool"), "Says hi.\n\n@name hi\n@command echo hi\n@tags read\n");
    const base = fileURLToPath(new URL(`../../dist/dottool-${target}`, import.meta.url));
    execFileSync(packagedFile, ["bundle", "-o", "ourtools", "--base", base], {
      cwd: folder,
      env: { HOME: folder },
      stdio: "ignore",
    });
    const file = readFileSync(join(folder, target.endsWith(".exe") ? "ourtools.exe" : "ourtools"));
    const read = readExecutable(file);
    const { offsetBytes = 0, payloadBytes = 0 } = "bundle" in read && read.bundle ? read.bundle : {};
    const payload = file.subarray(offsetBytes, offsetBytes + payloadBytes);
    return { file, paths: unpackPayload(payload).map(({ path }) => path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("bundles for linux-arm64 and win-x64 are their executables with the tools behind", () => {
  for (const target of ["linux-arm64", "win-x64.exe"]) {
    const base = read(target);
    const { file, paths } = bundled(target);
    // The marker is the only change.
    const changed = Array.from({ length: Math.ceil(base.length / 4096) }, (_, page) => page).filter(
      (page) => !file.subarray(page * 4096, (page + 1) * 4096).equals(base.subarray(page * 4096, (page + 1) * 4096)),
    );
    assert.equal([paths, changed.length <= 3, carriesProgram(file)], [["hi.tool"], true, true], target);
  }
});

test("a bundle for darwin-arm64 has the tools before its signature, which covers all of it", () => {
  const { file, paths } = bundled("darwin-arm64");
  const { codeEnd, identifier } = codeDirectory(file);
  assert.equal(
    [paths, wrongPages(file), identifier, codeEnd === signatureOffset(file), carriesProgram(file)],
    [["hi.tool"], [], "ourtools", true, true],
  );
});

/** Reads the code directory, big-endian, as in Apple's cs_blobs.h. */
function codeDirectory(file: Buffer): {
  pageCount: number;
  pageBytes: number;
  codeEnd: number;
  hashesAt: number;
  identifier: string;
} {
  const signature = signatureOffset(file);
  const at = signature + file.readUInt32BE(signature + 16);
  const identifierAt = at + file.readUInt32BE(at + 20);
  return {
    hashesAt: at + file.readUInt32BE(at + 16),
    identifier: file.toString("latin1", identifierAt, file.indexOf(0, identifierAt)),
    pageCount: file.readUInt32BE(at + 28),
    codeEnd: file.readUInt32BE(at + 32),
    pageBytes: 2 ** (file[at + 39] ?? 0),
  };
}

function signatureOffset(file: Buffer): number {
  const commandCount = file.readUInt32LE(16);
  for (let index = 0, at = 32; index < commandCount; index++, at += file.readUInt32LE(at + 4)) {
    if (file.readUInt32LE(at) === 0x1d) return file.readUInt32LE(at + 8);
  }
  throw new Error("the file has no LC_CODE_SIGNATURE");
}

test.run();
