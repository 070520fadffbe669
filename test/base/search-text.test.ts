import fs from "node:fs";
import { execFileSync } from "node:child_process";
import { assert, suite } from "../harness.ts";
import { searchText } from "../../src/features/files/search-text.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("search-text");
const tree = {
  "a.ts": "import x\nexport function parse(a) {\n  return a;\n}\n",
  "sub/b.ts": "function parse_b() {}\r\nPARSE\r\n",
  "sub/c.md": "how to parse\n",
  binary: new Uint8Array([0, 1, 2, 0, 0x70, 0x61, 0x72, 0x73, 0x65]),
  ".hidden": "parse\n",
  "out/x": "parse\n",
  ".gitignore": "out\n",
};

test("search_text finds lines below a folder, as grep shows them", () =>
  inFolder(tree, async (folder) => {
    assert.equal(await folder.run(searchText, { pattern: "function parse\\w*\\(" }), {
      status: "ok",
      content: [{ type: "text", text: "a.ts:2:export function parse(a) {\nsub/b.ts:1:function parse_b() {}\n" }],
    });
  }));

test("search_text says why it has searched no file", () =>
  inFolder(tree, async (folder) => {
    const notes = async (globs: readonly string[]): Promise<string> =>
      shown(await folder.run(searchText, { pattern: "x", globs }));
    assert.equal(
      [await notes(["sub"]), await notes(["*.nope"])],
      [
        "[no line matches `x` in 0 files; `sub` in `globs` is a folder, and globs match files: pass it as `path`]",
        "[no line matches `x` in 0 files; no file below `.` matches `*.nope` in `globs`]",
      ],
    );
  }));

test("search_text takes a pattern literally, and case as the same, when asked", () =>
  inFolder({ a: "a.b\naxb\n(\nÄ\n" }, async (folder) => {
    const found = async (args: { pattern: string; literal?: boolean; ignore_case?: boolean }): Promise<string> =>
      shown(await folder.run(searchText, args));
    assert.equal(
      [
        await found({ pattern: "a.b" }),
        await found({ pattern: "a.b", literal: true }),
        await found({ pattern: "(", literal: true }),
        await found({ pattern: "ä", ignore_case: true }),
        await found({ pattern: "^\\p{Lu}$" }),
      ],
      ["a:1:a.b\na:2:axb\n", "a:1:a.b\n", "a:3:(\n", "a:4:Ä\n", "a:4:Ä\n"],
    );
  }));

test("search_text names or counts files when asked", () =>
  inFolder({ a: "x\nx\n", b: "x\n", c: "y\n" }, async (folder) => {
    const found = async (output_mode: "files_with_matches" | "count", max_matches = 9): Promise<string> =>
      shown(await folder.run(searchText, { pattern: "x", output_mode, max_matches }));
    assert.equal(
      [await found("files_with_matches"), await found("count"), await found("count", 1)],
      [
        "a\nb\n",
        "a:2\nb:1\n",
        "a:2\n\n[only the first 1 file are shown: narrow with `path` or `globs`, or raise `max_matches`]",
      ],
    );
  }));

test("search_text matches within one line", () =>
  inFolder({ a: "one\ntwo\r\n\nthree" }, async (folder) => {
    const lines = async (pattern: string): Promise<string> =>
      shown(await folder.run(searchText, { pattern })).replaceAll(/^a:/gm, "");
    assert.equal(
      [
        await lines("^t"),
        await lines("o$"),
        await lines("^$"),
        await lines("e\\s*t"),
        await lines("(?<!t)w|e(?!\\n)$"),
        await lines("[^x]{5}"),
      ],
      ["2:two\n4:three\n", "2:two\n", "3:\n", "[no line matches `e\\s*t` in 1 file]", "1:one\n4:three\n", "4:three\n"],
    );
  }));

test("search_text shows lines around a match, each line once", () =>
  inFolder({ a: "1\n2\nx3\nx4\n5\n6\n7\n8\nx9\n10\n", b: "x\n" }, async (folder) => {
    assert.is(
      shown(await folder.run(searchText, { pattern: "x", context_lines: 1 })),
      "a-2-2\na:3:x3\na:4:x4\na-5-5\n--\na-8-8\na:9:x9\na-10-10\n--\nb:1:x\n",
    );
  }));

test("search_text looks into one file, whatever its name", () =>
  inFolder(tree, async (folder) => {
    assert.is(shown(await folder.run(searchText, { pattern: "parse", path: ".hidden" })), ".hidden:1:parse\n");
    assert.is(shown(await folder.run(searchText, { pattern: "parse", path: "out" })), "out/x:1:parse\n");
  }));

test("search_text keeps to the files that globs name, and shows hidden and ignored ones when asked", () =>
  inFolder(tree, async (folder) => {
    const files = async (args: { globs?: string[]; hidden?: boolean; ignored?: boolean }): Promise<readonly string[]> =>
      shown(await folder.run(searchText, { pattern: "parse", ...args }))
        .trimEnd()
        .split("\n")
        .map((line) => line.split(":")[0] ?? "");
    assert.equal(await files({}), ["a.ts", "sub/b.ts", "sub/c.md"]);
    assert.equal(await files({ globs: ["*.ts", "!a*"] }), ["sub/b.ts"]);
    assert.equal(await files({ globs: ["sub/**"] }), ["sub/b.ts", "sub/c.md"]);
    assert.equal(await files({ hidden: true, ignored: true }), [".hidden", "a.ts", "out/x", "sub/b.ts", "sub/c.md"]);
  }));

test("search_text passes over binary files and says so when nothing was found", () =>
  inFolder(tree, async (folder) => {
    assert.is(
      shown(await folder.run(searchText, { pattern: "nowhere" })),
      "[no line matches `nowhere` in 3 files; 1 binary file skipped]",
    );
  }));

test("search_text stops at its limit and says so", () =>
  inFolder({ a: "x\n".repeat(5), b: "x\n" }, async (folder) => {
    assert.is(
      shown(await folder.run(searchText, { pattern: "x", max_matches: 2 })),
      "a:1:x\na:2:x\n\n[only the first 2 matching lines are shown: narrow with `path` or `globs`, or raise `max_matches`]",
    );
    assert.is(
      shown(await folder.run(searchText, { pattern: "x", max_matches: 6 })),
      "a:1:x\na:2:x\na:3:x\na:4:x\na:5:x\nb:1:x\n",
    );
  }));

test("search_text shows of a long line the part around the match", () =>
  inFolder({ a: `${"a".repeat(1_000)}x${"b".repeat(1_000)}\n` }, async (folder) => {
    assert.is(shown(await folder.run(searchText, { pattern: "x" })), `a:1:…${"a".repeat(100)}x${"b".repeat(199)}…\n`);
  }));

test("search_text goes through a large file in blocks", () =>
  inFolder({}, async (folder) => {
    fs.writeFileSync(
      folder.at("large"),
      `${"some line or other\n".repeat(200_000)}needle one\n${"more\n".repeat(1_000)}needle two`,
    );
    assert.is(
      shown(await folder.run(searchText, { pattern: "^needle \\w+$" })),
      "large:200001:needle one\nlarge:201002:needle two\n",
    );
  }));

test("search_text searches the first MiB of a line that is longer", () =>
  inFolder({}, async (folder) => {
    fs.writeFileSync(folder.at("a"), `needle ${"x".repeat(5_000_000)} needle\nneedle\n`);
    const text = shown(await folder.run(searchText, { pattern: "needle" }));
    assert.equal(
      text.split("\n").map((line) => line.slice(0, 11)),
      ["a:1:needle ", "a:2:needle", ""],
    );
  }));

test("search_text reads UTF-16 and what is not quite UTF-8", () =>
  inFolder(
    { wide: Buffer.from("\ufeffone\nnädel\n", "utf16le"), latin: new Uint8Array([0x6e, 0xe4, 0x64, 0x65, 0x6c, 0x0a]) },
    async (folder) => {
      assert.is(shown(await folder.run(searchText, { pattern: "n.del" })), "latin:1:n\ufffddel\nwide:2:nädel\n");
    },
  ));

test("search_text follows no links and waits for no FIFO", () =>
  inFolder({ a: "x\n" }, async (folder) => {
    fs.symlinkSync(".", folder.at("loop"));
    fs.symlinkSync("a", folder.at("link"));
    execFileSync("mkfifo", [folder.at("fifo")]);
    assert.is(shown(await folder.run(searchText, { pattern: "x" })), "a:1:x\n");
    const outcome = await folder.run(searchText, { pattern: "x", path: "fifo" });
    assert.equal(outcome.status === "failed" && outcome.failure, {
      kind: "file",
      path: "fifo",
      action: "read",
      code: "EINVAL",
      help: [],
    });
  }));

test("search_text shows a name with a line end as one line", () =>
  inFolder({ "a\nb": "x\n" }, async (folder) => {
    assert.is(shown(await folder.run(searchText, { pattern: "x" })), '"a\\nb":1:x\n');
  }));

test("search_text gives up on a pattern that would take for ever, and names the file", () =>
  inFolder({ fine: "aaa\n", trap: `${"a".repeat(60)}b\n` }, async (folder) => {
    assert.equal(await folder.run(searchText, { pattern: "^(a+)+$" }), {
      status: "failed",
      content: [],
      failure: {
        kind: "rejected",
        reason: "`^(a+)+$` takes too long in `trap`",
        help: ["avoid nested repetition, such as `(a+)+`, or leave the file out with `globs`"],
      },
    });
  }));

test("search_text gives up on a pattern that compares very much at each place", () =>
  inFolder({ long: "a".repeat(3_000_000) }, async (folder) => {
    const outcome = await folder.run(searchText, { pattern: `${".".repeat(9_000)}b` });
    assert.is(outcome.status === "failed" && outcome.failure.kind, "rejected");
  }));

test("search_text explains what is wrong with a pattern", () =>
  inFolder({}, (folder) => {
    const message =
      'pattern: expected a regular expression, got "a(b" (unterminated group); `literal` searches for it as plain text';
    assert.throws(
      () => folder.run(searchText, { pattern: "a(b" }),
      (error: unknown) => error instanceof Error && error.message === message,
    );
  }));

test("search_text stops when its signal aborts", () =>
  inFolder({ a: "x" }, async (folder) => {
    assert.equal(await folder.run(searchText, { pattern: "x" }, { signal: AbortSignal.abort() }), {
      status: "failed",
      content: [],
      failure: { kind: "cancelled" },
    });
  }));

test("search_text agrees with grep", () =>
  inFolder(tree, async (folder) => {
    const listed = execFileSync("grep", ["-rnIE", "parse|return|PARSE", "--include=*.ts", "."], {
      cwd: folder.path,
      encoding: "utf8",
    });
    const ours = shown(await folder.run(searchText, { pattern: "parse|return|PARSE", globs: ["*.ts"] }));
    assert.equal(ours.split("\n").toSorted(), listed.replaceAll("./", "").replaceAll("\r", "").split("\n").toSorted());
  }));

test.run();
