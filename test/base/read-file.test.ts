import fs from "node:fs";
import { execFileSync } from "node:child_process";
import { assert, suite } from "../harness.ts";
import { readFile } from "../../src/features/files/read-file.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("read-file");
const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join("");

test("read_file returns a whole file as it is, with its line ends and without a byte order mark", () =>
  inFolder({ a: "one\r\ntwo\n\nlast", bom: "\ufefftext\n" }, async (folder) => {
    assert.equal(await folder.run(readFile, { file_path: "a" }), {
      status: "ok",
      content: [{ type: "text", text: "one\r\ntwo\n\nlast" }],
    });
    assert.is(shown(await folder.run(readFile, { file_path: folder.at("bom") })), "text\n");
  }));

test("read_file returns a range and says of how many lines", () =>
  inFolder({ a: numbers(10) }, async (folder) => {
    assert.is(
      shown(await folder.run(readFile, { file_path: "a", start_line: 3, end_line: 5 })),
      "3\n4\n5\n\n[lines 3 to 5 of 10]",
    );
    assert.is(shown(await folder.run(readFile, { file_path: "a", start_line: 10 })), "10\n\n[line 10 of 10]");
    assert.is(
      shown(await folder.run(readFile, { file_path: "a", start_line: 9, end_line: 99 })),
      "9\n10\n\n[lines 9 to 10 of 10]",
    );
  }));

test("read_file numbers lines when asked", () =>
  inFolder({ a: "x\r\ny" }, async (folder) => {
    assert.is(shown(await folder.run(readFile, { file_path: "a", show_lines: true })), "1\tx\n2\ty\n");
  }));

test("read_file finds lines with words", () =>
  inFolder({ a: "apple\nPear\npear tree\nplum\n" }, async (folder) => {
    assert.is(
      shown(await folder.run(readFile, { file_path: "a", find_words: ["pear", "plum"] })),
      "3\tpear tree\n4\tplum\n\n[2 lines with `pear` or `plum` in lines 1 to 4 of 4]",
    );
    assert.is(
      shown(await folder.run(readFile, { file_path: "a", find_words: ["cherry"], start_line: 2 })),
      "[0 lines with `cherry` in lines 2 to 4 of 4]",
    );
  }));

test("read_file stops after 2,000 lines and says how to go on", () =>
  inFolder({ a: numbers(2_500) }, async (folder) => {
    const [text, note] = (await folder.run(readFile, { file_path: "a" })).content;
    assert.equal(
      [text?.type === "text" && text.text.split("\n").length - 1, note],
      [2_000, { type: "text", text: "[lines 1 to 2000 of 2500; continue with `start_line` 2001]" }],
    );
    assert.is(shown(await folder.run(readFile, { file_path: "a", start_line: 2_001 })).split("\n")[0], "2001");
  }));

test("read_file gives a range that was asked for beyond 2,000 lines, up to 256 KiB", () =>
  inFolder({ a: numbers(100_000) }, async (folder) => {
    const [text, note] = (await folder.run(readFile, { file_path: "a", start_line: 1, end_line: 90_000 })).content;
    const length = text?.type === "text" ? text.text.length : 0;
    assert.equal(
      [length <= 256 * 1024 && length > 256 * 1024 - 10, note],
      [true, { type: "text", text: "[lines 1 to 45541 of 100000; continue with `start_line` 45542]" }],
    );
  }));

test("read_file cuts a line that is longer than all it may return", () =>
  inFolder({ a: `${"x".repeat(3_000_000)}\nnext\n` }, async (folder) => {
    const [text, note] = (await folder.run(readFile, { file_path: "a" })).content;
    assert.equal(
      [text?.type === "text" && text.text.length, note],
      [
        256 * 1024,
        {
          type: "text",
          text: "[line 1 of 2; line 1 is longer than 262144 characters; this is its beginning, and `search_text` shows other parts; continue with `start_line` 2]",
        },
      ],
    );
    assert.is(shown(await folder.run(readFile, { file_path: "a", start_line: 2 })), "next\n\n[line 2 of 2]");
  }));

test("read_file reads the end of a file of 100 MB in little memory", () =>
  inFolder({}, async (folder) => {
    const million = `${"x".repeat(999)}\n`;
    const file = fs.openSync(folder.at("large"), "w");
    for (let written = 0; written < 100; written++) fs.writeSync(file, million.repeat(1_000));
    fs.closeSync(file);
    const outcome = await folder.run(readFile, { file_path: "large", start_line: 99_999 });
    assert.is(shown(outcome), `${million}${million}\n[lines 99999 to 100000 of 100000]`);
  }));

test("read_file does not count the lines of a file of more than 16 MiB", () =>
  inFolder({ a: "" }, async (folder) => {
    fs.writeFileSync(folder.at("a"), "line\n".repeat(4_000_000));
    assert.is(shown(await folder.run(readFile, { file_path: "a", start_line: 2, end_line: 2 })), "line\n\n[line 2]");
  }));

test("read_file decodes UTF-16 with a byte order mark", () =>
  inFolder(
    { le: Buffer.from("\ufeffä\nb\n", "utf16le"), be: Buffer.from("\ufeffä\nb\n", "utf16le").swap16() },
    async (folder) => {
      assert.equal(
        [
          shown(await folder.run(readFile, { file_path: "le" })),
          shown(await folder.run(readFile, { file_path: "be", start_line: 2 })),
        ],
        ["ä\nb\n", "b\n\n[line 2 of 2]"],
      );
    },
  ));

test("read_file refuses UTF-16 of more than 16 MiB", () =>
  inFolder({ a: new Uint8Array([0xff, 0xfe]) }, async (folder) => {
    fs.truncateSync(folder.at("a"), 17 * 1024 * 1024);
    assert.equal(await folder.run(readFile, { file_path: "a" }), {
      status: "failed",
      content: [],
      failure: {
        kind: "limit",
        limit: 16 * 1024 * 1024,
        unit: "bytes of UTF-16",
        help: ["convert `a` to UTF-8, then any part of it can be read"],
      },
    });
  }));

test("read_file gives 256 KiB whole, and of one character more the lines that fit", () => {
  const line = `${"x".repeat(128 * 1024 - 1)}\n`;
  return inFolder({ fits: line + line, more: `${line}x${line}` }, async (folder) => {
    assert.ok(shown(await folder.run(readFile, { file_path: "fits" })) === line + line);
    assert.ok(
      shown(await folder.run(readFile, { file_path: "more" })) ===
        `${line}\n[line 1 of 2; continue with \`start_line\` 2]`,
    );
  });
});

test("read_file shows bytes that are no UTF-8 as replacement characters", () =>
  inFolder({ a: new Uint8Array([0x61, 0xff, 0x62, 0x0a]) }, async (folder) => {
    assert.is(shown(await folder.run(readFile, { file_path: "a" })), "a\ufffdb\n");
  }));

test("read_file reports what a binary file is, and returns an image as one", () =>
  inFolder(
    { zip: new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 1]), png: Buffer.from("89504e470d0a1a0a00", "hex") },
    async (folder) => {
      assert.equal((await folder.run(readFile, { file_path: "zip" })).content, [
        { type: "file", mediaType: "application/zip", sizeBytes: 7, sha256: sha256Of(folder.at("zip")) },
      ]);
      assert.equal((await folder.run(readFile, { file_path: "png" })).content, [
        { type: "image", mediaType: "image/png", base64: "iVBORw0KGgoA" },
      ]);
    },
  ));

test("read_file reports an image of more than 5 MiB as a file", () =>
  inFolder({ png: Buffer.from("89504e470d0a1a0a00", "hex") }, async (folder) => {
    fs.truncateSync(folder.at("png"), 5 * 1024 * 1024 + 1);
    assert.equal((await folder.run(readFile, { file_path: "png" })).content, [
      { type: "file", mediaType: "image/png", sizeBytes: 5 * 1024 * 1024 + 1, sha256: sha256Of(folder.at("png")) },
    ]);
  }));

test("read_file does not read 100 MB of nothing to say that they are binary", () =>
  inFolder({ a: "" }, async (folder) => {
    fs.truncateSync(folder.at("a"), 100_000_000);
    assert.equal((await folder.run(readFile, { file_path: "a" })).content, [
      { type: "file", mediaType: "application/octet-stream", sizeBytes: 100_000_000 },
    ]);
  }));

test("read_file names the files that a missing one may be", () =>
  inFolder({ "src/parser.ts": "", "src/lexer.ts": "" }, async (folder) => {
    const helpFor = async (path: string): Promise<unknown> => {
      const outcome = await folder.run(readFile, { file_path: path });
      return outcome.status === "failed" && outcome.failure.kind === "file"
        ? [outcome.failure.code, ...(outcome.failure.help ?? [])]
        : outcome;
    };
    assert.equal(await helpFor("src/parse.ts"), ["ENOENT", `\`${folder.at("src")}\` has \`parser.ts\``]);
    assert.equal(await helpFor("source/parser.ts"), ["ENOENT", `\`${folder.path}\` has no \`source\`; it has \`src\``]);
    assert.equal(await helpFor("src"), ["EISDIR", "`list_dir` lists a folder"]);
    assert.equal(await helpFor("src/parser.ts/x"), ["ENOTDIR", "`read_file` reads a file"]);
  }));

test("read_file refuses a FIFO, a device and a dangling link at once", () =>
  inFolder({}, async (folder) => {
    execFileSync("mkfifo", [folder.at("fifo")]);
    fs.symlinkSync("none", folder.at("dangling"));
    const codes = [];
    for (const path of ["fifo", "/dev/zero", "dangling"]) {
      const outcome = await folder.run(readFile, { file_path: path });
      codes.push(outcome.status === "failed" && outcome.failure.kind === "file" && outcome.failure.code);
    }
    assert.equal(codes, ["EINVAL", "EINVAL", "ENOENT"]);
  }));

test("read_file says where a link to nothing leads, and that `~` is a name", () =>
  inFolder({}, async (folder) => {
    fs.symlinkSync("second", folder.at("first"));
    fs.symlinkSync("none", folder.at("second"));
    const host = createNodeHost();
    const helpFor = async (path: string): Promise<unknown> => {
      const outcome = await folder.run(readFile, { file_path: path }, { host });
      return outcome.status === "failed" && outcome.failure.kind === "file" && outcome.failure.help;
    };
    const dead = `\`${folder.at("first")}\` is a link to \`${folder.at("none")}\`, which does not exist: create that, or change the link`;
    assert.equal([await helpFor("first"), await helpFor("first/a")], [[dead], [dead]]);
    assert.equal(
      [await helpFor("~/a"), await helpFor("~ana/a")],
      [
        [`\`~\` is not expanded; in the home folder it is \`${host.folders.home}/a\``],
        ["`~` is not expanded: write the absolute path of the home folder"],
      ],
    );
  }));

test("read_file says that a file is empty, or ends before the range", () =>
  inFolder({ empty: "", a: "x\n" }, async (folder) => {
    assert.is(shown(await folder.run(readFile, { file_path: "empty" })), "[`empty` is empty]");
    assert.is(
      shown(await folder.run(readFile, { file_path: "a", start_line: 7 })),
      '{"kind":"rejected","reason":"`a` has 1 line, so there is no line 7","help":[]}',
    );
  }));

test("read_file refuses a range that ends before it starts", () =>
  inFolder({ a: "" }, async (folder) => {
    assert.throws(
      () => folder.run(readFile, { file_path: "a", start_line: 5, end_line: 4 }),
      (error: unknown) =>
        error instanceof Error && error.message === "end_line: expected a line from `start_line` (5) on, got 4",
    );
  }));

test("read_file stops when its signal aborts", () =>
  inFolder({ a: numbers(100) }, async (folder) => {
    assert.equal(await folder.run(readFile, { file_path: "a" }, { signal: AbortSignal.abort() }), {
      status: "failed",
      content: [],
      failure: { kind: "cancelled" },
    });
  }));

function sha256Of(path: string): string {
  return execFileSync("sha256sum", [path], { encoding: "utf8" }).slice(0, 64);
}

test.run();
