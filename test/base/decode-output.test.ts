import { binaryMediaType } from "../../src/core/output/binary-media-type.ts";
import { decodePieces, type OutputPiece } from "../../src/core/output/gathered-output.ts";
import type { OutputStream } from "../../src/core/tool/call.ts";
import { assert, suite } from "../harness.ts";

const test = suite("decode-output");

const piece = (stream: OutputStream, ...bytes: readonly number[]): OutputPiece => ({
  stream,
  bytes: Uint8Array.from(bytes),
});
const text = (stream: OutputStream, words: string): OutputPiece => ({ stream, bytes: Buffer.from(words) });
const kindOf = (words: string): string | undefined => binaryMediaType(Buffer.from(words, "latin1"));

test("decodePieces gives a split character whole, in the later piece", () => {
  const pieces = [piece("stdout", 0x61, 0xf0, 0x9f), text("stderr", "err"), piece("stdout", 0x98, 0x80, 0x62)];
  assert.equal(decodePieces(pieces), [
    { stream: "stdout", text: "a" },
    { stream: "stderr", text: "err" },
    { stream: "stdout", text: "\u{1f600}b" },
  ]);
});

test("decodePieces joins pieces of one stream that follow each other", () => {
  assert.equal(decodePieces([text("stdout", "a"), text("stdout", "b"), text("stderr", "c")]), [
    { stream: "stdout", text: "ab" },
    { stream: "stderr", text: "c" },
  ]);
});

test("decodePieces puts U+FFFD where bytes are no UTF-8, also at the end", () => {
  assert.equal(decodePieces([piece("stdout", 0x61, 0xff, 0x62, 0xc3)]), [{ stream: "stdout", text: "a\ufffdb\ufffd" }]);
});

test("decodePieces keeps a byte order mark and line ends", () => {
  assert.equal(decodePieces([text("stdout", "\ufeffa\r\n")]), [{ stream: "stdout", text: "\ufeffa\r\n" }]);
});

test("decodePieces leaves a stream out that is no text", () => {
  assert.equal(decodePieces([piece("stdout", 0, 0, 1), text("stderr", "1 file")]), [
    { stream: "stderr", text: "1 file" },
  ]);
});

test("binaryMediaType knows formats by how they start", () => {
  assert.equal(
    [kindOf("\x7fELF\x02\x01"), kindOf("\x1f\x8b\x08"), kindOf("%PDF-1.7\n%"), kindOf("PK\x03\x04\x14")],
    ["application/x-executable", "application/gzip", "application/pdf", "application/zip"],
  );
});

test("binaryMediaType takes text for text that only starts like a format", () => {
  assert.equal(
    [kindOf("GIF89a is a format"), kindOf("BZh"), kindOf(""), kindOf("plain"), kindOf("caf\xe9 in latin-1")],
    [undefined, undefined, undefined, undefined, undefined],
  );
});

test("binaryMediaType takes NUL between texts for a separator, and any other for binary", () => {
  assert.equal(
    [kindOf("./a\0./b\0"), kindOf("a\0\0b"), kindOf("\x01\0a"), kindOf("a\0\xff\xfe")],
    [undefined, "application/octet-stream", "application/octet-stream", "application/octet-stream"],
  );
});

test.run();
