import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { editFile } from "../../src/features/files/edit-file.ts";
import { writeFile } from "../../src/features/files/write-file.ts";
import { tryLock } from "../../src/core/store/lock-file.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("edit-file");
const host = createNodeHost();
const poem = "Roses are red,\n\tViolets are blue.\nSugar is sweet,\nAnd so are you.\n";

function refusal(outcome: Outcome): unknown {
  return outcome.status === "failed" && outcome.failure.kind === "rejected"
    ? [outcome.failure.reason, ...outcome.failure.help]
    : outcome;
}

test("edit_file replaces a text and shows a unified diff", () =>
  inFolder({ "a.txt": poem }, async (folder) => {
    fs.chmodSync(folder.at("a.txt"), 0o600);
    const outcome = await folder.run(editFile, {
      file_path: "a.txt",
      edits: [{ search: "Sugar is sweet", replace: "Salt is not" }],
    });
    assert.equal(outcome, {
      status: "ok",
      content: [
        {
          type: "text",
          text: "changed `a.txt`:\n--- a.txt\n+++ a.txt\n@@ -1,4 +1,4 @@\n Roses are red,\n \tViolets are blue.\n-Sugar is sweet,\n+Salt is not,\n And so are you.\n",
        },
      ],
    });
    assert.equal(
      [folder.read("a.txt"), fs.statSync(folder.at("a.txt")).mode & 0o777],
      [poem.replace("Sugar is sweet", "Salt is not"), 0o600],
    );
  }));

test("edit_file applies edits in order, each to what the ones before it made", () =>
  inFolder({ a: "one two" }, async (folder) => {
    await folder.run(editFile, {
      file_path: "a",
      edits: [
        { search: "one", replace: "two-and-a-half" },
        { search: "two-and", replace: "$& $1 three-and" },
      ],
    });
    assert.is(folder.read("a"), "$& $1 three-and-a-half two");
  }));

test("edit_file writes nothing when one edit of several fails", () =>
  inFolder({ a: poem }, async (folder) => {
    const outcome = await folder.run(editFile, {
      file_path: "a",
      edits: [
        { search: "Roses", replace: "Tulips" },
        { search: "Violets is blue", replace: "" },
      ],
    });
    assert.equal(refusal(outcome), [
      "`a` is unchanged: `edits[1].search` was not found, after the edits before it",
      'the nearest match is line 2: "\\tViolets are blue."',
    ]);
    assert.is(folder.read("a"), poem);
  }));

test("edit_file names the lines when a text is there more than once, also where the places overlap", () =>
  inFolder({ a: "x\ny\nx\naaa\n" }, async (folder) => {
    const problemWith = async (search: string): Promise<unknown> =>
      refusal(await folder.run(editFile, { file_path: "a", edits: [{ search, replace: "" }] }));
    assert.equal(await problemWith("x\n"), [
      "`a` is unchanged: `search` was found 2 times, in lines 1, 3",
      "add lines around the text until it is unique, or set `replace_all` to replace each",
    ]);
    assert.equal(await problemWith("aa"), [
      "`a` is unchanged: `search` was found 2 times, in lines 4, 4",
      "add lines around the text until it is unique, or set `replace_all` to replace each",
    ]);
  }));

test("edit_file replaces each match of an edit with `replace_all`, and of no other", () =>
  inFolder({ a: "x y x\r\nx\r\n" }, async (folder) => {
    await folder.run(editFile, {
      file_path: "a",
      edits: [
        { search: "x", replace: "$&z", replace_all: true },
        { search: "y", replace: "b\nc", replace_all: false },
      ],
    });
    assert.is(folder.read("a"), "$&z b\r\nc $&z\r\n$&z\r\n");
    const large = { search: "z", replace: "z".repeat(4 * 1024 * 1024), replace_all: true };
    assert.equal(refusal(await folder.run(editFile, { file_path: "a", edits: [large] })), [
      "`a` is unchanged: it would be larger than 8388608 bytes",
    ]);
  }));

test("edit_file says where a longer search goes wrong, and that only white space differs", () =>
  inFolder({ a: poem }, async (folder) => {
    const problemWith = async (search: string): Promise<unknown> =>
      refusal(await folder.run(editFile, { file_path: "a", edits: [{ search, replace: "" }] }));
    assert.equal(await problemWith("Roses are red,\nViolets are blue."), [
      "`a` is unchanged: `search` was not found",
      'only white space differs; the file has, from line 1: "Roses are red,\\n\\tViolets are blue."',
    ]);
    assert.equal(await problemWith("Violets are blue.\nSugar is sour,"), [
      "`a` is unchanged: `search` was not found",
      'it matches from line 2 on, but in line 3, where `search` has "Sugar is sour,", the file has "Sugar is sweet,"',
    ]);
    assert.equal(await problemWith("And so are you.\nAnd me"), [
      "`a` is unchanged: `search` was not found",
      'it matches from line 4 on, but in line 5, where `search` has "And me", the file ends',
    ]);
    assert.equal(await problemWith("0123456789"), ["`a` is unchanged: `search` was not found"]);
  }));

test("edit_file keeps CRLF line ends when the edit has plain ones", () =>
  inFolder({ a: "one\r\ntwo\r\nthree\r\n", mixed: "one\r\ntwo\nthree\n" }, async (folder) => {
    await folder.run(editFile, { file_path: "a", edits: [{ search: "one\ntwo\n", replace: "1\n2\r\nand\n" }] });
    await folder.run(editFile, { file_path: "mixed", edits: [{ search: "two\nthree", replace: "2\n3" }] });
    assert.equal([folder.read("a"), folder.read("mixed")], ["1\r\n2\r\nand\r\nthree\r\n", "one\r\n2\n3\n"]);
  }));

test("edit_file keeps a byte order mark", () =>
  inFolder({ a: "\ufefftext" }, async (folder) => {
    await folder.run(editFile, { file_path: "a", edits: [{ search: "text", replace: "words" }] });
    assert.is(fs.readFileSync(folder.at("a")).toString("hex"), Buffer.from("\ufeffwords").toString("hex"));
  }));

test("edit_file writes nothing on a dry run", () =>
  inFolder({ a: "x\n" }, async (folder) => {
    const outcome = await folder.run(editFile, {
      file_path: "a",
      edits: [{ search: "x", replace: "y" }],
      dry_run: true,
    });
    assert.is(shown(outcome), "this would change `a`:\n--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n+y\n");
    assert.is(folder.read("a"), "x\n");
  }));

test("edit_file leaves alone what is no UTF-8", () =>
  inFolder(
    {
      latin: new Uint8Array([0x78, 0xe4, 0x0a]),
      wide: Buffer.from("\ufeffx", "utf16le"),
      zip: new Uint8Array([0x50, 0x4b, 3, 4, 0]),
    },
    async (folder) => {
      for (const name of ["latin", "wide", "zip"]) {
        const before = fs.readFileSync(folder.at(name)).toString("hex");
        const outcome = await folder.run(editFile, { file_path: name, edits: [{ search: "x", replace: "y" }] });
        assert.equal(
          [refusal(outcome), fs.readFileSync(folder.at(name)).toString("hex")],
          [
            [`\`${name}\` is not UTF-8 text, and an edit would damage it`, "`write_file` replaces it as a whole"],
            before,
          ],
        );
      }
    },
  ));

test("edit_file refuses files of more than 8 MiB", () =>
  inFolder({ a: "" }, async (folder) => {
    fs.truncateSync(folder.at("a"), 8 * 1024 * 1024 + 1);
    const outcome = await folder.run(editFile, { file_path: "a", edits: [{ search: "x", replace: "y" }] });
    assert.is(outcome.status === "failed" && outcome.failure.kind, "limit");
  }));

test("edit_file notices that the file has changed, or gone, since it was read", () =>
  inFolder({ a: "one", b: "one" }, async (folder) => {
    const meanwhile = async (file_path: string, change: (path: string) => void): Promise<unknown> => {
      const files: typeof host.files = {
        ...host.files,
        write: (path, content, options) => (change(path), host.files.write(path, content, options)),
      };
      return refusal(
        await folder.run(
          editFile,
          { file_path, edits: [{ search: "one", replace: "two" }] },
          { host: { ...host, files } },
        ),
      );
    };
    const problems = [
      await meanwhile("a", (path) => fs.writeFileSync(path, "ONE")),
      await meanwhile("b", (path) => fs.rmSync(path)),
    ];
    assert.equal(
      problems,
      ["a", "b"].map((name) => [
        `\`${name}\` is unchanged: another program wrote to it in the meantime`,
        "read it again, then repeat the edit",
      ]),
    );
    assert.equal([folder.read("a"), fs.readdirSync(folder.path)], ["ONE", ["a"]]);
  }));

test("an edit and a write that stood still leave a file as a later one left it", () =>
  inFolder({ a: "one" }, async (folder) => {
    const path = join(host.folders.state, "locks", host.sha256(folder.at("a")).slice(0, 32));
    // The process pauses right before it writes. One of another container, which cannot know whether it runs,
    // continues.
    const elsewhere = { ...host, shared: { ...host.shared, isRunning: () => undefined } };
    const write: typeof host.files.write = async (target, content, options) => {
      fs.utimesSync(path, 0, 0);
      const other = tryLock(path, { host: elsewhere, folder: folder.path });
      try {
        return await host.files.write(target, content, options);
      } finally {
        other?.release();
      }
    };
    const late = { host: { ...host, files: { ...host.files, write } } };
    const edited = await folder.run(editFile, { file_path: "a", edits: [{ search: "one", replace: "two" }] }, late);
    const written = await folder.run(writeFile, { file_path: "a", content: "two" }, late);
    assert.equal(
      [refusal(edited), refusal(written), folder.read("a"), fs.readdirSync(folder.path)],
      [
        ["`a` is unchanged: another program wrote to it in the meantime", "read it again, then repeat the edit"],
        [
          "`a` was not written: this call lost its lock on the file to another call",
          "read the file, then repeat the call",
        ],
        "one",
        ["a"],
      ],
    );
  }));

test("edit_file waits no longer than 30 s for another process, and not for one that was killed", () =>
  inFolder({ a: "one" }, async (folder) => {
    const lock = join(host.folders.state, "locks", host.sha256(folder.at("a")).slice(0, 32));
    const lockFor = (processId: number | undefined): void =>
      void (fs.mkdirSync(dirname(lock), { recursive: true }),
      fs.writeFileSync(lock, JSON.stringify({ ...host.shared.identity(), start: undefined, processId })));
    let nowMs = 0;
    const waiting = { ...host, nowMs: () => (nowMs += 10_000) };
    const edit = (search: string, replace: string): Promise<Outcome> =>
      folder.run(editFile, { file_path: "a", edits: [{ search, replace }] }, { host: waiting });
    lockFor(process.ppid);
    assert.equal(refusal(await edit("one", "two")), [
      "`a` is unchanged: other calls have held its lock for 30 s",
      "try again later",
    ]);
    lockFor(spawnSync(process.execPath, ["--version"]).pid);
    assert.equal([(await edit("one", "two")).status, folder.read("a"), fs.existsSync(lock)], ["ok", "two", false]);
    // An empty lock tells no holder.
    fs.writeFileSync(lock, "");
    fs.utimesSync(lock, 0, 0);
    assert.equal([(await edit("two", "three")).status, folder.read("a"), fs.existsSync(lock)], ["ok", "three", false]);
  }));

test("edit_file works where the state folder takes no lock", () =>
  inFolder({ a: "one", state: "" }, async (folder) => {
    const locked = { ...host, folders: { ...host.folders, state: folder.at("state") } };
    assert.equal(
      [
        (await folder.run(editFile, { file_path: "a", edits: [{ search: "one", replace: "two" }] }, { host: locked }))
          .status,
        folder.read("a"),
      ],
      ["ok", "two"],
    );
  }));

test("edit_file loses no edit when many are sent at once, also through links", () =>
  inFolder({ a: "0 1 2 3 4 5 6 7 8 9" }, async (folder) => {
    fs.symlinkSync("a", folder.at("link"));
    const outcomes = await Promise.all(
      Array.from("0123456789", (digit, index) =>
        folder.run(
          editFile,
          { file_path: index % 2 === 0 ? "a" : "link", edits: [{ search: digit, replace: `<${digit}>` }] },
          { host },
        ),
      ),
    );
    assert.equal(
      [outcomes.map((outcome) => outcome.status), folder.read("a")],
      [Array.from({ length: 10 }, () => "ok"), "<0> <1> <2> <3> <4> <5> <6> <7> <8> <9>"],
    );
  }));

test("edit_file counts no further than 1,000", () =>
  inFolder({ a: "x".repeat(1_000), b: "x".repeat(1_001) }, async (folder) => {
    const counts = ["a", "b"].map(async (name) =>
      String(refusal(await folder.run(editFile, { file_path: name, edits: [{ search: "x", replace: "y" }] }))).replace(
        /, in lines.*/,
        "",
      ),
    );
    assert.equal(await Promise.all(counts), [
      "`a` is unchanged: `search` was found 1000 times",
      "`b` is unchanged: `search` was found more than 1,000 times",
    ]);
  }));

test("edit_file names ten lines at most, and gives up on a diff after a second", () =>
  inFolder({ a: "x\n".repeat(12), b: "" }, async (folder) => {
    const outcome = await folder.run(editFile, { file_path: "a", edits: [{ search: "x", replace: "y" }] });
    assert.equal(refusal(outcome), [
      "`a` is unchanged: `search` was found 12 times, in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more",
      "add lines around the text until it is unique, or set `replace_all` to replace each",
    ]);
    const lines = (step: number): string =>
      Array.from({ length: 100_000 }, (_, index) => `${(index * step) % 99_991}\n`).join("");
    folder.write("b", lines(7));
    assert.is(
      shown(await folder.run(editFile, { file_path: "b", edits: [{ search: lines(7), replace: lines(31) }] })),
      "changed `b`:\n(the diff takes too long to make)",
    );
    assert.is(folder.read("b"), lines(31));
  }));

test("edit_file refuses an edit that changes nothing", () =>
  inFolder({ a: "x" }, async (folder) => {
    assert.throws(
      () => folder.run(editFile, { file_path: "a", edits: [{ search: "x", replace: "x" }] }),
      (error: unknown) =>
        error instanceof Error && error.message === "edits[0].replace: expected a text that differs from `search`",
    );
  }));

test("edit_file says what is missing as read_file does", () =>
  inFolder({ "main.ts": "" }, async (folder) => {
    const outcome = await folder.run(editFile, { file_path: "mian.ts", edits: [{ search: "x", replace: "y" }] });
    assert.equal(outcome.status === "failed" && outcome.failure, {
      kind: "file",
      path: "mian.ts",
      action: "read",
      code: "ENOENT",
      help: [`\`${folder.path}\` has \`main.ts\``],
    });
  }));

test("edit_file refuses more edits on a large file than a second allows, before it tries", () =>
  inFolder({ a: "x".repeat(7_000_000) }, async (folder) => {
    const edits = Array.from({ length: 200 }, (_, index) => ({ search: `y${index}`, replace: "" }));
    const outcome = await folder.run(editFile, { file_path: "a", edits });
    assert.equal(outcome.status === "failed" && outcome.failure, {
      kind: "limit",
      limit: 1_000_000_000,
      unit: "characters to search, edits times size",
      help: ["send fewer edits at a time"],
    });
  }));

test.run();
