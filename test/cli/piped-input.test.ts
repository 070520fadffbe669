// Piped input reaches the tool byte for byte, or is refused: no part of it is changed or dropped.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli piped-input");

const tool = (name: string, ...lines: readonly string[]): string =>
  `Give it back.\n\n@name ${name}\n@wrapped run_command\n@title T\n@param x {string} [required, stdin] "Text"\n${lines.join("\n")}\n`;
const files = {
  ".tools/hex.tool": tool("hex", "@command od -An -tx1", "@stdin {x}"),
  ".tools/word.tool": tool("word", "@command od -An -tx1 {x}", "@stdin {x}"),
  ".tools/variable.tool": tool("variable", "@command od -An -tx1", "@stdin {x}", "@env V={x}"),
};

async function said(
  bench: TestProject,
  words: readonly string[],
  stdin: string,
): Promise<readonly [text: string, exitCode: number | null]> {
  const { stdout, stderr, exitCode } = await bench.run(words, { stdin: Buffer.from(stdin, "latin1") });
  return [stdout.trim() + stderr, exitCode];
}

test("a byte order mark is a part of a value, and none of JSON", async () => {
  using bench = testProject(files);
  assert.equal(await said(bench, ["hex"], "\xef\xbb\xbfab"), ["ef bb bf 61 62", 0]);
  assert.equal(await said(bench, ["call", "hex", "--json", "-"], '\xef\xbb\xbf{"x":"ab"}'), ["61 62", 0]);
});

test("standard input that is no UTF-8 is refused with the place", async () => {
  using bench = testProject(files);
  const refused = (byte: string, offset: number): string =>
    `failed[usage]: standard input is not UTF-8 text: unexpected byte ${byte} at offset ${offset}\n`;
  assert.equal(await said(bench, ["hex"], "a\xffb"), [refused("ff", 1), 64]);
  assert.equal(await said(bench, ["explain", "hex"], "ab\xc3"), [refused("c3", 2), 64]);
  assert.equal(await said(bench, ["call", "hex", "--json", "-"], '{"x":"a\xffb"}'), [refused("ff", 7), 64]);
  assert.equal((await said(bench, ["agent", "-"], "a\xff"))[0].split("\n")[0], refused("ff", 1).trim());
});

test("NUL goes to standard input and into files, and into no word and no variable", async () => {
  using bench = testProject(files);
  assert.equal(await said(bench, ["hex"], "a\0b"), ["61 00 62", 0]);
  for (const name of ["word", "variable"]) {
    const [text, exitCode] = await said(bench, [name], "a\0b");
    assert.equal(
      [text.split("\n").slice(0, 2), exitCode],
      [
        [
          `failed[invalid-arguments]: \`${name}\` does not accept these arguments`,
          "  x  contains a NUL character, which cannot be passed to a program",
        ],
        64,
      ],
    );
  }
  await bench.run(["call", "write_file", "--json", "-"], {
    stdin: JSON.stringify({ file_path: "made", content: "a\0b" }),
  });
  assert.is(readFileSync(join(bench.folder, "made"), "utf8"), "a\0b");
});

test.run();
