import fs from "node:fs";
import { assert, suite } from "../harness.ts";
import { listDir } from "../../src/features/files/list-dir.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("list-dir");
const tree = { "a.txt": "12345", "sub/b": "", "sub/deep/c": "", ".hidden": "", ".gitignore": "*.log\n", "x.log": "" };

test("list_dir lists a folder with sizes", () =>
  inFolder({ ...tree, large: "x".repeat(12_345) }, async (folder) => {
    fs.symlinkSync("none", folder.at("link"));
    assert.equal(await folder.run(listDir, {}), {
      status: "ok",
      content: [{ type: "text", text: "    5  a.txt\n12345  large\n    @  link\n    -  sub/\n" }],
    });
  }));

test("list_dir goes as deep as asked, and shows hidden and ignored entries when asked", () =>
  inFolder(tree, async (folder) => {
    assert.is(shown(await folder.run(listDir, { depth: 2 })), "5  a.txt\n-  sub/\n0  sub/b\n-  sub/deep/\n");
    assert.is(shown(await folder.run(listDir, { path: "sub", depth: 9 })), "0  b\n-  deep/\n0  deep/c\n");
    assert.is(
      shown(await folder.run(listDir, { hidden: true, ignored: true })),
      "6  .gitignore\n0  .hidden\n5  a.txt\n-  sub/\n0  x.log\n",
    );
  }));

test("list_dir stops at its limit and says so", () =>
  inFolder({ a: "", b: "", c: "" }, async (folder) => {
    assert.is(
      shown(await folder.run(listDir, { max_entries: 2 })),
      "0  a\n0  b\n\n[only the first 2 are shown: list a folder below, or raise `max_entries`]",
    );
    assert.is(shown(await folder.run(listDir, { max_entries: 3 })), "0  a\n0  b\n0  c\n");
  }));

test("list_dir shows a name with a line end or an escape as one line", () =>
  inFolder({ "a\nb": "", "c\u001b[31md": "", "e\u202ef": "" }, async (folder) => {
    assert.is(shown(await folder.run(listDir, {})), '0  "a\\nb"\n0  "c\\u001b[31md"\n0  "e\\u202ef"\n');
  }));

test("list_dir says that there is nothing to show", () =>
  inFolder({}, async (folder) => {
    assert.is(
      shown(await folder.run(listDir, {})),
      "[`.` has no visible entries; there may be hidden or ignored entries]",
    );
    assert.is(shown(await folder.run(listDir, { hidden: true, ignored: true })), "[`.` has no visible entries]");
  }));

test("list_dir refuses a file and what is not there", () =>
  inFolder({ file: "" }, async (folder) => {
    const failures = [];
    for (const path of ["file", "fiel"]) {
      const outcome = await folder.run(listDir, { path });
      failures.push(outcome.status === "failed" && outcome.failure);
    }
    assert.equal(failures, [
      { kind: "file", path: "file", action: "list", code: "ENOTDIR", help: ["`read_file` reads a file"] },
      { kind: "file", path: "fiel", action: "list", code: "ENOENT", help: [`\`${folder.path}\` has \`file\``] },
    ]);
  }));

test.run();
