import { join } from "node:path";
import fs from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { writeFile } from "../../src/features/files/write-file.ts";
import { inFolder, shown } from "./file-context.ts";

const test = suite("write-file");

test("write_file creates a file with exactly the content", () =>
  inFolder({}, async (folder) => {
    assert.equal(await folder.run(writeFile, { file_path: "a.txt", content: "ä\r\n" }), {
      status: "ok",
      content: [{ type: "text", text: "created `a.txt`: 4 bytes" }],
    });
    assert.is(folder.read("a.txt"), "ä\r\n");
  }));

test("write_file replaces a file and keeps its mode", () =>
  inFolder({ a: "old content" }, async (folder) => {
    fs.chmodSync(folder.at("a"), 0o700);
    assert.is(
      shown(await folder.run(writeFile, { file_path: folder.at("a"), content: "x" })),
      `replaced \`${folder.at("a")}\` (it had 11 bytes): 1 byte`,
    );
    assert.equal([folder.read("a"), fs.statSync(folder.at("a")).mode & 0o777], ["x", 0o700]);
  }));

test("write_file makes folders only when asked", () =>
  inFolder({}, async (folder) => {
    assert.equal(await folder.run(writeFile, { file_path: "a/b/c", content: "" }), {
      status: "failed",
      content: [],
      failure: {
        kind: "file",
        path: "a/b/c",
        action: "write",
        code: "ENOENT",
        help: [`\`${folder.path}\` has no visible entries`, "`create_dirs` creates missing folders"],
      },
    });
    assert.is(
      shown(await folder.run(writeFile, { file_path: "a/b/c", content: "", create_dirs: true })),
      "created `a/b/c`: 0 bytes",
    );
  }));

test("write_file says which link leads to nothing, and in which folder nothing can be made", () =>
  inFolder({}, async (folder) => {
    fs.symlinkSync("none/file", folder.at("link"));
    const helpFor = async (path: string): Promise<unknown> => {
      const outcome = await folder.run(writeFile, { file_path: path, content: "x", create_dirs: true });
      return (
        outcome.status === "failed" &&
        outcome.failure.kind === "file" && [outcome.failure.code, ...(outcome.failure.help ?? [])]
      );
    };
    const dead = `\`${folder.at("link")}\` is a link to \`${folder.at("none/file")}\`, which does not exist: create that, or change the link`;
    assert.equal(
      [await helpFor("link"), await helpFor("link/a")],
      [
        ["ENOENT", dead],
        ["ENOENT", dead],
      ],
    );
    if (process.platform !== "linux") return;
    assert.equal(
      [await helpFor("/proc/new"), await helpFor("/proc/new/a")],
      [
        ["EPERM", "no file can be created in `/proc`"],
        ["ENOENT", "no file can be created in `/proc`"],
      ],
    );
  }));

if (process.getuid?.() === 0 && process.platform === "linux") {
  // Its rights keep all others away. Deno derives `access` from mode and owner and refuses root.
  if (!("deno" in process.versions)) {
    test("write_file says why a file that exists cannot be replaced", () =>
      inFolder({}, async (folder) => {
        const outcome = await folder.run(writeFile, { file_path: "/proc/version", content: "x" });
        assert.equal(outcome, {
          status: "failed",
          content: [],
          failure: {
            kind: "file",
            path: "/proc/version",
            action: "write",
            code: "EPERM",
            help: ["writing replaces the file, and no file can be created in `/proc`"],
          },
        });
      }));
  }
}

test("write_file makes no file of a folder's name", () =>
  inFolder({}, async (folder) => {
    assert.equal(await folder.run(writeFile, { file_path: "newd/", content: "x" }), {
      status: "failed",
      content: [],
      failure: {
        kind: "rejected",
        reason: "`newd/` names a folder: it ends in `/`",
        help: [`name the file, such as \`${join("newd", "notes.txt")}\``],
      },
    });
    assert.equal(fs.readdirSync(folder.path), []);
  }));

test("write_file writes through a link and keeps it", () =>
  inFolder({ target: "old" }, async (folder) => {
    fs.symlinkSync("target", folder.at("link"));
    await folder.run(writeFile, { file_path: "link", content: "new" });
    assert.equal([folder.read("target"), fs.readlinkSync(folder.at("link"))], ["new", "target"]);
  }));

test("write_file refuses a folder, a device, and a path through a file", () =>
  inFolder({ a: "", "folder/x": "" }, async (folder) => {
    const codes = [];
    for (const path of ["folder", "/dev/null", "a/b"]) {
      const outcome = await folder.run(writeFile, { file_path: path, content: "x", create_dirs: true });
      codes.push(outcome.status === "failed" && outcome.failure.kind === "file" && outcome.failure.code);
    }
    assert.equal(codes, ["EISDIR", "EINVAL", "ENOTDIR"]);
  }));

test.run();
