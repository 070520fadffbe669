import { type Executable, readExecutable, withTools } from "../../src/features/bundle/executable-form.ts";
import { packPayload, unpackPayload } from "../../src/core/session/payload.ts";
import { assert, suite } from "../harness.ts";
import { elf, machO, sha256 } from "./executables.ts";

const test = suite("executable-form");

const payload = Buffer.from("the tools");
const contents = {
  name: "ourtools",
  version: "1.2.0",
  sha256: sha256(payload),
  treeSha256: sha256(Buffer.from("tree")),
};

function read(bytes: Buffer): Executable {
  const executable = readExecutable(bytes);
  if ("problem" in executable) throw new Error(executable.problem);
  return executable;
}

test("withTools puts the payload at the end, and the marker says where", () => {
  const bytes = elf();
  const bundled = withTools(read(bytes), { payload, contents, sha256 });
  assert.equal(read(bundled).bundle, { ...contents, offsetBytes: bytes.length, payloadBytes: payload.length });
  assert.is(bundled.subarray(bytes.length).toString(), "the tools");
  assert.is(read(bundled).platform, "linux-arm64");
});

test("withTools puts the payload before the signature of a Mach-O file, and signs all of it anew", () => {
  const bytes = machO();
  const bundled = withTools(read(bytes), { payload, contents, sha256 });
  const { offsetBytes = 0 } = read(bundled).bundle ?? {};
  assert.is(bundled.toString("latin1", offsetBytes, offsetBytes + payload.length), "the tools");
  const command = 32 + 2 * 72;
  const signatureAt = bundled.readUInt32LE(command + 8);
  const directory = signatureAt + 20;
  const hashesAt = directory + bundled.readUInt32BE(directory + 16);
  const pages = Array.from({ length: bundled.readUInt32BE(directory + 28) }, (_, page) => page);
  assert.equal(
    {
      coversPayload: signatureAt >= offsetBytes + payload.length,
      codeEnd: bundled.readUInt32BE(directory + 32),
      linkEditEnd: 0x4000 + Number(bundled.readBigUInt64LE(32 + 72 + 48)),
      identifier: bundled.toString("latin1", directory + 88, directory + 96),
      wrongPages: pages.filter((page) => {
        const hashAt = hashesAt + page * 32;
        const bytesOfPage = bundled.subarray(page * 4096, Math.min((page + 1) * 4096, signatureAt));
        return sha256(bytesOfPage) !== bundled.toString("hex", hashAt, hashAt + 32);
      }),
    },
    { coversPayload: true, codeEnd: signatureAt, linkEditEnd: bundled.length, identifier: "ourtools", wrongPages: [] },
  );
});

test("withTools replaces the tools that are inside already, and gives what dottool itself would", () => {
  for (const bytes of [elf(), machO()]) {
    const other = { ...contents, name: "other" };
    const first = withTools(read(bytes), { payload: Buffer.alloc(10_000, "x"), contents: other, sha256 });
    const again = withTools(read(first), { payload, contents, sha256 });
    assert.is(again.equals(withTools(read(bytes), { payload, contents, sha256 })), true);
  }
});

test("readExecutable says why a file is not one of dottool", () => {
  const cut = withTools(read(elf()), { payload, contents, sha256 }).subarray(0, elf().length - 1);
  assert.equal(
    [Buffer.from("#!/bin/sh\n".repeat(10)), elf().subarray(0, 64), Buffer.alloc(10), Buffer.from(cut)].map((bytes) =>
      readExecutable(bytes),
    ),
    [
      { problem: "is not an executable for Linux, macOS or Windows" },
      { problem: "is not an executable of dottool, or is of a version that cannot be bundled" },
      { problem: "is not an executable for Linux, macOS or Windows" },
      { problem: "is cut off: the tools inside it are missing" },
    ],
  );
});

test("packPayload does not depend on the order of the files, and unpackPayload gives them back", () => {
  const files = ["b/c.sh", "a.tool"].map((path) => ({
    path,
    bytes: Buffer.from(path),
    isExecutable: path !== "a.tool",
  }));
  const packed = packPayload(files);
  assert.equal(Buffer.from(packPayload(files.toReversed())), Buffer.from(packed));
  assert.equal(
    unpackPayload(packed).map(({ path, bytes, isExecutable }) => [path, Buffer.from(bytes).toString(), isExecutable]),
    [
      ["a.tool", "a.tool", false],
      ["b/c.sh", "b/c.sh", true],
    ],
  );
});

test("unpackPayload refuses paths that lead out of the folder", () => {
  for (const path of ["../x", "/x", "a/../../x", "a\\..\\x", "C:x", "a//b", ""])
    assert.throws(
      () => unpackPayload(packPayload([{ path, bytes: Buffer.alloc(0), isExecutable: false }])),
      /^the payload has the path/,
    );
});

test.run();
