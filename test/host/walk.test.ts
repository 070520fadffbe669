import fs from "node:fs";
import { execFileSync } from "node:child_process";
import { assert, suite } from "../harness.ts";
import type { WalkOptions } from "../../src/core/tool/host.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { inFolder } from "../base/file-context.ts";
import { wordList } from "../lines.ts";

const test = suite("walk");
const { files } = createNodeHost();
const signal = new AbortController().signal;

async function pathsOf(folder: string, options: Partial<WalkOptions> = {}): Promise<readonly string[]> {
  const paths = [];
  for await (const entry of files.walk(folder, {
    honoursIgnoreFiles: true,
    includesHidden: false,
    depthMax: 100,
    signal,
    ...options,
  })) {
    paths.push(entry.path + { file: "", folder: "/", link: "@", other: "?" }[entry.kind]);
  }
  return paths;
}

test("walk goes depth first in the order of names", () =>
  inFolder({ "b/2": "", "b/1": "", a: "", "b.txt": "", C: "" }, async (folder) => {
    assert.equal(await pathsOf(folder.path), ["C", "a", "b/", "b/1", "b/2", "b.txt"]);
  }));

test("walk stops at its depth", () =>
  inFolder({ "a/b/c/d": "" }, async (folder) => {
    assert.equal(
      [await pathsOf(folder.path, { depthMax: 2 }), await pathsOf(folder.path, { depthMax: 0 })],
      [["a/", "a/b/"], []],
    );
  }));

test("walk names links and does not follow them, so a circle is no circle", () =>
  inFolder({ "a/x": "" }, async (folder) => {
    fs.symlinkSync("..", folder.at("a/up"));
    fs.symlinkSync("none", folder.at("dangling"));
    execFileSync("mkfifo", [folder.at("fifo")]);
    assert.equal(await pathsOf(folder.path), ["a/", "a/up@", "a/x", "dangling@", "fifo?"]);
  }));

test("walk takes names with line ends and without meaning in any encoding", () =>
  inFolder({ "a\nb": "", "*[!]": "", "# x": "" }, async (folder) => {
    fs.writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0xff, 0xfe])]), "");
    assert.equal(await pathsOf(folder.path), ["# x", "*[!]", "a\nb", "\ufffd\ufffd"]);
  }));

test("walk leaves out what ignore files name, from all of them, and the last rule wins", () =>
  inFolder(
    {
      ".gitignore": "*.log\n/build/\nlogs/\n# a comment\n\n!keep.log\n",
      "a.log": "",
      "keep.log": "",
      "build/x": "",
      "sub/build/x": "",
      "sub/.gitignore": "!a.log\n/only-here\nsecret/*.txt\n*.tmp\n",
      "sub/a.log": "",
      "sub/only-here": "",
      "sub/deep/only-here": "",
      "sub/secret/a.txt": "",
      "sub/x.tmp": "",
      "sub/deep/y.tmp": "",
      "y.tmp": "",
      "sub/.ignore": "!x.tmp\n",
      "logs/a": "",
      "other/logs": "a file, and the rule is for folders",
    },
    async (folder) => {
      assert.equal(
        await pathsOf(folder.path),
        wordList(`
    keep.log other/ other/logs sub/ sub/a.log sub/build/ sub/build/x sub/deep/ sub/deep/only-here sub/secret/
    sub/x.tmp y.tmp
  `),
      );
    },
  ));

test("walk lets a rule of a sub-folder bring back a folder that a rule above leaves out, with what is in it", () =>
  inFolder(
    { ".gitignore": "dist/\n", "dist/a": "", "sub/.gitignore": "!dist/\n", "sub/dist/b": "" },
    async (folder) => {
      assert.equal(await pathsOf(folder.path), ["sub/", "sub/dist/", "sub/dist/b"]);
    },
  ));

test("walk reads rules in folders whose names mean something in a pattern", () =>
  inFolder(
    { "[ab]*/.gitignore": "x\n", "[ab]*/x": "", "a/x": "", " b!/.gitignore": "/y\n", " b!/y": "", " b!/c/y": "" },
    async (folder) => {
      assert.equal(await pathsOf(folder.path), [" b!/", " b!/c/", " b!/c/y", "[ab]*/", "a/", "a/x"]);
    },
  ));

test("walk agrees with git", () =>
  inFolder(
    {
      ".gitignore":
        "*.o\n!important.o\ndoc/**/*.html\n/root-only\nfoo/bar\n**/cache\ntrailing \\ \nq?\n[xyz]\n\\#hash\n",
      "a.o": "",
      "important.o": "",
      "doc/x/y/a.html": "",
      "doc/a.html": "",
      "doc/a.txt": "",
      "root-only": "",
      "s/root-only": "",
      "foo/bar/1": "",
      "s/foo/bar/1": "",
      "s/cache/1": "",
      "s/t/cache": "",
      qq: "",
      q: "",
      x: "",
      "s/z": "",
      "#hash": "",
      "#other": "",
      "s/.gitignore": "*\n!keep\n!.gitignore\n!z\n",
      "s/keep": "",
      "s/lost": "",
      "s/t/.gitignore": "!*\n",
      "c/.gitignore": "/*\n!/d\n",
      "c/d/e": "",
      "c/f": "",
    },
    async (folder) => {
      execFileSync("git", ["init", "-q", folder.path]);
      fs.writeFileSync(folder.at(".git/info/exclude"), "important.o\n");
      const listed = execFileSync("git", ["-C", folder.path, "ls-files", "--others", "--exclude-standard", "-z"], {
        encoding: "utf8",
      });
      const ours = await pathsOf(folder.path, { includesHidden: true });
      assert.equal(
        ours.filter((path) => !path.endsWith("/")).toSorted(),
        listed
          .split("\0")
          .filter((path) => path !== "")
          .toSorted(),
      );
    },
  ));

test("walk below a repository honours the rules above, but not those that leave out the very folder", () =>
  inFolder(
    {
      ".git/info/exclude": "*.bak\n",
      ".gitignore": "*.log\n/out/\n",
      "src/a.log": "",
      "src/a.bak": "",
      "src/a": "",
      "out/b.log": "",
      "out/.gitignore": "c\n",
      "out/c": "",
    },
    async (folder) => {
      assert.equal([await pathsOf(folder.at("src")), await pathsOf(folder.at("out"))], [["a"], ["b.log"]]);
    },
  ));

test("walk shows hidden and ignored entries when asked, but .git only with all", () =>
  inFolder({ ".git/config": "", ".gitignore": "b\n", ".env": "", b: "", "..c": "" }, async (folder) => {
    assert.equal(await pathsOf(folder.path), []);
    assert.equal(await pathsOf(folder.path, { includesHidden: true }), ["..c", ".env", ".gitignore"]);
    assert.equal(await pathsOf(folder.path, { honoursIgnoreFiles: false }), ["b"]);
    assert.equal(await pathsOf(folder.path, { honoursIgnoreFiles: false, includesHidden: true }), [
      "..c",
      ".env",
      ".git/",
      ".git/config",
      ".gitignore",
      "b",
    ]);
  }));

test("walk passes over ignore files that are too large, no text, or no files", () =>
  inFolder(
    {
      "a/.gitignore": `x\n${"# long\n".repeat(50_000)}`,
      "a/x": "",
      "b/.gitignore": new Uint8Array([0xff, 0x00, 0x0a, 0x78, 0x0a]),
      "b/x": "",
      "c/x": "",
      "d/x": "",
    },
    async (folder) => {
      execFileSync("mkfifo", [folder.at("c/.gitignore")]);
      fs.mkdirSync(folder.at("d/.gitignore"));
      assert.equal(await pathsOf(folder.path), ["a/", "a/x", "b/", "c/", "c/x", "d/", "d/x"]);
    },
  ));

test("walk passes over a folder that cannot be read", () =>
  inFolder({ "a/x": "", "b/x": "" }, async (folder) => {
    const paths = [];
    for await (const entry of files.walk(folder.path, {
      honoursIgnoreFiles: true,
      includesHidden: false,
      depthMax: 9,
      signal,
    })) {
      paths.push(entry.path);
      // Root may read everything, so the folder is removed instead.
      if (entry.path === "a") fs.rmSync(folder.at("a"), { recursive: true });
    }
    assert.equal(paths, ["a", "b", "b/x"]);
  }));

test("walk throws for a folder that is not there, and for a file", () =>
  inFolder({ file: "" }, async (folder) => {
    const codes = [];
    for (const name of ["none", "file"])
      codes.push(
        await pathsOf(folder.at(name)).then(
          () => "",
          (error: { code?: string }) => error.code,
        ),
      );
    assert.equal(codes, ["ENOENT", "ENOTDIR"]);
  }));

test("walk ends early when its signal aborts", () =>
  inFolder({ a: "", b: "", c: "" }, async (folder) => {
    const controller = new AbortController();
    const paths = [];
    for await (const entry of files.walk(folder.path, {
      honoursIgnoreFiles: true,
      includesHidden: false,
      depthMax: 9,
      signal: controller.signal,
    })) {
      paths.push(entry.path);
      controller.abort();
    }
    assert.equal(paths, ["a"]);
  }));

test("walk goes down as far as paths can be long", () =>
  inFolder({}, async (folder) => {
    let deep = folder.path;
    for (let depth = 0; depth < 200; depth++) deep += "/d";
    fs.mkdirSync(deep, { recursive: true });
    assert.is((await pathsOf(folder.path, { depthMax: 256 })).length, 200);
  }));

test.run();
