import fs from "node:fs";
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, present, suite } from "../harness.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { inFolder } from "../base/file-context.ts";

const test = suite("files");
const { files, instant } = createNodeHost();
const isWindows = process.platform === "win32";

async function codeFrom(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return codeOf(error);
  }
  return "nothing was thrown";
}

test("write makes a file with the mode asked for, less the umask", () =>
  inFolder({}, async (folder) => {
    await files.write(folder.at("a"), "text");
    await files.write(folder.at("b"), "secret", { mode: 0o600 });
    assert.equal(
      [fs.statSync(folder.at("a")).mode & 0o777, fs.statSync(folder.at("b")).mode & 0o777],
      [0o644 & ~process.umask(), 0o600],
    );
  }));

test("write keeps the mode of a file that exists and leaves no other file", () =>
  inFolder({ a: "old" }, async (folder) => {
    fs.chmodSync(folder.at("a"), 0o751);
    await files.write(folder.at("a"), "new");
    assert.equal(
      [folder.read("a"), fs.statSync(folder.at("a")).mode & 0o777, fs.readdirSync(folder.path)],
      ["new", 0o751, ["a"]],
    );
  }));

test("write replaces nothing but the content that it is told of", () =>
  inFolder({ a: "old", long: "old and more" }, async (folder) => {
    const replaces = new TextEncoder().encode("old");
    const codes = [];
    for (const name of ["a", "long", "none"])
      codes.push(await codeFrom(() => files.write(folder.at(name), "new", { replaces })));
    fs.linkSync(folder.at("long"), folder.at("other"));
    codes.push(await codeFrom(() => files.write(folder.at("other"), "new", { replaces })));
    assert.equal(
      [codes, folder.read("a"), folder.read("long"), fs.readdirSync(folder.path)],
      [["nothing was thrown", "ESTALE", "ESTALE", "ESTALE"], "new", "old and more", ["a", "long", "other"]],
    );
  }));

test("write keeps the other names of a file, and leaves no other file", () =>
  inFolder({ a: "old content" }, async (folder) => {
    fs.chmodSync(folder.at("a"), 0o640);
    fs.linkSync(folder.at("a"), folder.at("b"));
    await files.write(folder.at("b"), "new");
    assert.equal(
      [
        folder.read("a"),
        folder.read("b"),
        fs.statSync(folder.at("a")).nlink,
        fs.statSync(folder.at("a")).mode & 0o777,
        fs.readdirSync(folder.path),
      ],
      ["new", "new", 2, 0o640, ["a", "b"]],
    );
    await files.write(folder.at("a"), "longer than before");
    assert.is(folder.read("b"), "longer than before");
  }));

if (!isWindows) {
  test("write drops setuid and setgid, which were given to other content", () =>
    inFolder({ a: "", b: "" }, async (folder) => {
      fs.linkSync(folder.at("b"), folder.at("c"));
      const modes = [];
      for (const name of ["a", "b"]) {
        fs.chmodSync(folder.at(name), 0o6755);
        await files.write(folder.at(name), "new");
        modes.push(fs.statSync(folder.at(name)).mode & 0o7777);
      }
      assert.equal(modes, [0o755, 0o755]);
    }));
}

// Only root can make files of other users.
if (process.getuid?.() === 0) {
  const OTHER = 4_321;
  const owners = (path: string): unknown => [
    fs.statSync(path).uid,
    fs.statSync(path).gid,
    fs.statSync(path).mode & 0o777,
  ];

  test("write keeps owner and group", () =>
    inFolder({ a: "old" }, async (folder) => {
      // Deno derives `access` from mode and owner and refuses root.
      if ("deno" in process.versions) return;
      fs.chmodSync(folder.at("a"), 0o640);
      fs.chownSync(folder.at("a"), OTHER, OTHER + 1);
      await files.write(folder.at("a"), "new");
      assert.equal([folder.read("a"), owners(folder.at("a"))], ["new", [OTHER, OTHER + 1, 0o640]]);
    }));

  test("write keeps the owner also where it may not be given to a new file", () =>
    inFolder({ "open/a": "old" }, async (folder) => {
      fs.chmodSync(folder.path, 0o755);
      fs.chmodSync(folder.at("open"), 0o777);
      fs.chmodSync(folder.at("open/a"), 0o666);
      const { ino } = fs.statSync(folder.at("open/a"));
      process.seteuid?.(OTHER);
      try {
        await files.write(folder.at("open/a"), "new");
      } finally {
        process.seteuid?.(0);
      }
      assert.equal(
        [
          folder.read("open/a"),
          owners(folder.at("open/a")),
          fs.statSync(folder.at("open/a")).ino === ino,
          fs.readdirSync(folder.at("open")),
        ],
        ["new", [0, 0, 0o666], true, ["a"]],
      );
    }));
}

test("append adds to the end of a file, and makes it with the mode asked for", () =>
  inFolder({ old: "one\n" }, async (folder) => {
    await files.append(folder.at("old"), "two\n", { mode: 0o600 });
    await files.append(folder.at("new"), "one\n", { mode: 0o600 });
    await files.append(folder.at("new"), new TextEncoder().encode("two\n"), { mode: 0o644 });
    assert.equal(
      [folder.read("old"), folder.read("new"), fs.statSync(folder.at("new")).mode & 0o777],
      ["one\ntwo\n", "one\ntwo\n", isWindows ? 0o666 : 0o600],
    );
  }));

if (!isWindows) {
  test("append adds to no link, FIFO or folder, and waits for none of them", () =>
    inFolder({ target: "one\n" }, async (folder) => {
      fs.symlinkSync("target", folder.at("link"));
      execFileSync("mkfifo", [folder.at("fifo")]);
      const codes = [];
      for (const name of ["link", "fifo", ".", "none/a"])
        codes.push(await codeFrom(() => files.append(folder.at(name), "two\n", { mode: 0o600 })));
      assert.equal([codes, folder.read("target")], [["ELOOP", "ENXIO", "EISDIR", "ENOENT"], "one\n"]);
    }));
}

test("write goes through links to their target, also to one that does not exist yet", () =>
  inFolder({ "target.txt": "old" }, async (folder) => {
    fs.symlinkSync("target.txt", folder.at("link"));
    fs.symlinkSync("link", folder.at("link-to-link"));
    fs.symlinkSync("new.txt", folder.at("dangling"));
    await files.write(folder.at("link-to-link"), "one");
    await files.write(folder.at("dangling"), "two");
    assert.equal(
      [
        folder.read("target.txt"),
        folder.read("new.txt"),
        fs.readlinkSync(folder.at("link")),
        fs.readlinkSync(folder.at("dangling")),
      ],
      ["one", "two", "target.txt", "new.txt"],
    );
  }));

test("write refuses folders, FIFOs, circles of links and missing folders, and leaves nothing behind", () =>
  inFolder({}, async (folder) => {
    fs.mkdirSync(folder.at("folder"));
    execFileSync("mkfifo", [folder.at("fifo")]);
    fs.symlinkSync("b", folder.at("a"));
    fs.symlinkSync("a", folder.at("b"));
    const codes = [];
    for (const name of ["folder", "fifo", "a", "none/x"])
      codes.push(await codeFrom(() => files.write(folder.at(name), "x")));
    assert.equal(
      [codes, fs.readdirSync(folder.path).sort()],
      [
        ["EISDIR", "EINVAL", "ELOOP", "ENOENT"],
        ["a", "b", "fifo", "folder"],
      ],
    );
  }));

test("write and replace keep the old file and remove the temporary one when there is no room", () =>
  inFolder({}, (compiled) =>
    inFolder({ a: "old" }, (folder) => {
      // A limit on the size of files makes a write fail halfway, as a full disk does.
      const program = fileURLToPath(new URL("limited-writes.ts", import.meta.url));
      const run = "deno" in process.versions ? [process.execPath, "run", "-A"] : [process.execPath];
      const written = (name: string): string =>
        execFileSync("sh", ["-c", "trap '' XFSZ; ulimit -f 32; exec \"$@\"", "sh", ...run, program, folder.at(name)], {
          encoding: "utf8",
          // What Deno compiles stays out of the folder that it shares with the tests: a file cut short there breaks them.
          env: { ...process.env, DENO_DIR: compiled.path },
        });
      assert.equal([written("a"), folder.read("a"), fs.readdirSync(folder.path)], ["EFBIG EFBIG\n", "old", ["a"]]);
      // Deno writes in place in a single call.
      if ("deno" in process.versions) return;
      // In place, it has already written some of the new content.
      fs.linkSync(folder.at("a"), folder.at("b"));
      assert.equal([written("b"), folder.read("a"), fs.readdirSync(folder.path)], ["EFBIG EFBIG\n", "old", ["a", "b"]]);
    }),
  ));

test("write takes a name of 255 bytes", () =>
  inFolder({}, async (folder) => {
    await files.write(folder.at("x".repeat(255)), "text");
    assert.equal(folder.read("x".repeat(255)), "text");
  }));

test("readBytes gives a range of a file with a hole of 100 MB at once", () =>
  inFolder({}, async (folder) => {
    fs.writeFileSync(folder.at("sparse"), "start");
    fs.truncateSync(folder.at("sparse"), 100_000_000);
    fs.appendFileSync(folder.at("sparse"), "end");
    const before = process.memoryUsage().arrayBuffers;
    const bytes = await files.readBytes(folder.at("sparse"), { offset: 99_999_998, lengthMax: 1_000 });
    assert.equal(
      [new TextDecoder().decode(bytes), process.memoryUsage().arrayBuffers - before < 1_000_000],
      ["\0\0end", true],
    );
    assert.is((await files.readBytes(folder.at("sparse"), { offset: 200_000_000, lengthMax: 10 })).length, 0);
  }));

test("readBytes and instant.readBytes see FIFOs, devices and folders for what they are, without waiting", () =>
  inFolder({}, async (folder) => {
    execFileSync("mkfifo", [folder.at("fifo")]);
    const codes = [];
    for (const path of [folder.at("fifo"), "/dev/zero", folder.path, folder.at("none")]) {
      codes.push([
        await codeFrom(() => files.readBytes(path, { offset: 0, lengthMax: 10 })),
        await codeFrom(() => instant.readBytes(path, 10)),
      ]);
    }
    assert.equal(codes, [
      ["EINVAL", "EINVAL"],
      ["EINVAL", "EINVAL"],
      ["EISDIR", "EISDIR"],
      ["ENOENT", "ENOENT"],
    ]);
  }));

if (process.platform === "linux") {
  test("readBytes reads files of /proc, which say that they are empty", async () => {
    const range = { offset: 0, lengthMax: 100 };
    assert.ok((await files.readBytes("/proc/self/status", range)).length > 10);
    assert.ok(instant.readBytes("/proc/self/status", 100_000).length > 10);
  });
}

test("instant.readBytes takes a file of exactly the limit, and refuses one byte more", () =>
  inFolder({ a: "1234567890" }, async (folder) => {
    assert.equal(
      [instant.readBytes(folder.at("a"), 10).length, await codeFrom(() => instant.readBytes(folder.at("a"), 9))],
      [10, "EFBIG"],
    );
  }));

test("instant.replace writes a file, replaces it, and makes its folder", () =>
  inFolder({}, (folder) => {
    instant.replace(folder.at("cache/deep/a"), "one");
    instant.replace(folder.at("cache/deep/a"), "two");
    assert.equal([folder.read("cache/deep/a"), fs.readdirSync(folder.at("cache/deep"))], ["two", ["a"]]);
  }));

test("stat follows links and knows nothing of what is not there", () =>
  inFolder({ a: "12345" }, async (folder) => {
    fs.symlinkSync("a", folder.at("link"));
    fs.symlinkSync("none", folder.at("dangling"));
    const kinds = [];
    for (const name of ["a", "link", "dangling", "none", "a/x", "."]) {
      const stat = await files.stat(folder.at(name));
      assert.equal(stat, instant.stat(folder.at(name)));
      kinds.push(stat && [stat.kind, stat.kind === "file" ? stat.sizeBytes : 0, stat.isOwn]);
    }
    assert.equal(kinds, [["file", 5, true], ["file", 5, true], undefined, undefined, undefined, ["folder", 0, true]]);
  }));

test("list names every kind, in the order of names", () =>
  inFolder({ b: "", ä: "", B: "", "sub/x": "", "a\nb": "" }, async (folder) => {
    fs.symlinkSync("none", folder.at("dangling"));
    if (!isWindows) execFileSync("mkfifo", [folder.at("fifo")]);
    const entries = await files.list(folder.path);
    assert.equal(entries, instant.list(folder.path));
    assert.equal(
      entries.map((entry) => `${entry.name}:${entry.kind}`),
      ["B:file", "a\nb:file", "b:file", "dangling:link", "fifo:other", "sub:folder", "ä:file"],
    );
  }));

test("instant.names is what list names", () =>
  inFolder({ "b.tool": "", "a/x": "", "B.tool": "", "\u{1F600}": "", "\uFFFD": "" }, (folder) => {
    assert.equal(
      instant.names(folder.path),
      instant.list(folder.path).map(({ name }) => name),
    );
    assert.is(instant.names(folder.path).length, 5);
  }));

test("instant.isFileWith compares size and times, and is for files alone", () =>
  inFolder({ "a.tool": "text", "folder/x": "" }, (folder) => {
    const { sizeBytes, mtimeMs, ctimeMs } = present(instant.stat(folder.at("a.tool")));
    const facts = { sizeBytes, mtimeMs, ctimeMs };
    const asked = [
      facts,
      { ...facts, sizeBytes: sizeBytes + 1 },
      { ...facts, mtimeMs: mtimeMs + 1 },
      { ...facts, ctimeMs: ctimeMs - 1 },
    ];
    assert.equal(
      asked.map((one) => instant.isFileWith(folder.at("a.tool"), one)),
      [true, false, false, false],
    );
    assert.equal(
      [folder.at("missing"), folder.at("a.tool/x")].map((path) => instant.isFileWith(path, facts)),
      [false, false],
    );
    assert.is(instant.isFileWith(folder.at("folder"), present(instant.stat(folder.at("folder")))), false);
  }));

test("remove takes folders with all in them, does not follow links, and is fine with nothing", () =>
  inFolder({ "keep/a": "kept", "gone/b": "" }, async (folder) => {
    fs.symlinkSync("../keep", folder.at("gone/link"));
    await files.remove(folder.at("gone"));
    await files.remove(folder.at("none"));
    assert.equal([fs.readdirSync(folder.path), folder.read("keep/a")], [["keep"], "kept"]);
  }));

test("makeTemporaryFolder makes a folder that only its owner can enter", async () => {
  const path = await files.makeTemporaryFolder("dottool-test-");
  try {
    assert.equal([fs.statSync(path).mode & 0o777, fs.readdirSync(path)], [0o700, []]);
  } finally {
    fs.rmdirSync(path);
  }
});

if (process.platform === "linux") {
  test("readBytes does not read the environment of a process, by whatever path", async () => {
    for (const path of ["/proc/self/environ", "/proc/thread-self/environ", `/proc/${process.pid}/../self/environ`]) {
      const code = await files.readBytes(path, { offset: 0, lengthMax: 100 }).then(() => "read", codeOf);
      assert.is(code, "EPERM");
    }
  });
}

test.run();
