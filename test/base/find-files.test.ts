import fs from "node:fs";
import { assert, suite } from "../harness.ts";
import { findFiles } from "../../src/features/files/find-files.ts";
import { memoryHost } from "../memory-host.ts";
import { inFolder, runTool, shown } from "./file-context.ts";

const test = suite("find-files");
const tree = {
  "a.ts": "",
  "b.js": "",
  "src/c.ts": "",
  "src/c.test.ts": "",
  "src/deep/d.ts": "",
  "src/deep/e.md": "",
  ".hidden/f.ts": "",
  "out/g.ts": "",
  ".gitignore": "out\n",
};

test("find_files finds a name in any folder, and a path from the top", () =>
  inFolder(tree, async (folder) => {
    const found = async (...patterns: string[]): Promise<readonly string[]> =>
      shown(await folder.run(findFiles, { patterns }))
        .trimEnd()
        .split("\n");
    assert.equal(await found("*.ts"), ["a.ts", "src/c.test.ts", "src/c.ts", "src/deep/d.ts"]);
    assert.equal(await found("src/*.ts"), ["src/c.test.ts", "src/c.ts"]);
    assert.equal(await found("src/**"), ["src/c.test.ts", "src/c.ts", "src/deep/d.ts", "src/deep/e.md"]);
    assert.equal(await found("**/*.{md,js}"), ["b.js", "src/deep/e.md"]);
    assert.equal(await found("./src/deep/d.ts"), ["src/deep/d.ts"]);
    assert.equal(await found("[ab].*"), ["a.ts", "b.js"]);
    assert.equal(await found("*.ts", "*.md", "!*.test.ts", "!src/deep/d*"), ["a.ts", "src/c.ts", "src/deep/e.md"]);
    assert.equal(await found("!*.ts"), ["b.js", "src/deep/e.md"]);
  }));

test("find_files returns paths that other tools take, also below another folder", () =>
  inFolder(tree, async (folder) => {
    assert.equal(await folder.run(findFiles, { patterns: ["d*"], path: "src" }), {
      status: "ok",
      content: [{ type: "text", text: "src/deep/d.ts\n" }],
    });
    assert.is(
      shown(await folder.run(findFiles, { patterns: ["deep/*"], path: folder.at("src") })),
      `${folder.at("src")}/deep/d.ts\n${folder.at("src")}/deep/e.md\n`,
    );
  }));

test("find_files finds hidden and ignored files only when asked", () =>
  inFolder(tree, async (folder) => {
    assert.is(shown(await folder.run(findFiles, { patterns: ["[fg].ts"], hidden: true })), ".hidden/f.ts\n");
    assert.is(shown(await folder.run(findFiles, { patterns: ["[fg].ts"], ignored: true })), "out/g.ts\n");
  }));

test("find_files tells files, folders and links apart", () =>
  inFolder({ "x/x1": "" }, async (folder) => {
    fs.symlinkSync("x1", folder.at("x/xlink"));
    fs.symlinkSync("none", folder.at("x/xdangling"));
    fs.symlinkSync("..", folder.at("x/xup"));
    const found = async (type: string): Promise<string> =>
      shown(await folder.run(findFiles, { patterns: ["x*"], type }));
    assert.equal(
      [await found("file"), await found("folder"), await found("any")],
      ["x/x1\nx/xlink\n", "x/\n", "x/\nx/x1\nx/xdangling\nx/xlink\nx/xup\n"],
    );
  }));

test("find_files stops at its limit and says so", () =>
  inFolder({ a: "", b: "", c: "" }, async (folder) => {
    assert.is(
      shown(await folder.run(findFiles, { patterns: ["*"], max_paths: 2 })),
      "a\nb\n\n[only the first 2 are shown: narrow the patterns, or raise `max_paths`]",
    );
    assert.is(shown(await folder.run(findFiles, { patterns: ["*"], max_paths: 3 })), "a\nb\nc\n");
  }));

test("find_files says that nothing matches, and shows names with line ends as one line", () =>
  inFolder({ "a\nb.x": "" }, async (folder) => {
    assert.equal(
      [
        shown(await folder.run(findFiles, { patterns: ["*.y", "z"] })),
        shown(await folder.run(findFiles, { patterns: ["*.x"] })),
      ],
      ["[nothing in `.` matches `*.y`, `z`]", '"a\\nb.x"\n'],
    );
  }));

test("find_files refuses patterns that lead out of the folder", () =>
  inFolder({}, (folder) => {
    const refused = ["/etc/*", "../*", "a/../../b", "!C:\\x"].filter((pattern) => {
      try {
        void folder.run(findFiles, { patterns: [pattern] });
        return false;
      } catch (error) {
        return (
          error instanceof Error &&
          error.message ===
            `patterns[0]: expected a pattern below \`path\`, got "${pattern}"; pass the folder as \`path\``
        );
      }
    });
    assert.is(refused.length, 4);
  }));

test("find_files gives up on a pattern that would take for ever", () =>
  inFolder({ ["a".repeat(200)]: "" }, async (folder) => {
    assert.equal(await folder.run(findFiles, { patterns: ["*a*a*a*a*a*a*a*a*b"] }), {
      status: "failed",
      content: [],
      failure: {
        kind: "rejected",
        reason: "`*a*a*a*a*a*a*a*a*b` takes too long to match",
        help: ["use fewer `*` in one name, and no nested groups"],
      },
    });
  }));

test("find_files says where it cannot look", () =>
  inFolder({ src: "" }, async (folder) => {
    const outcome = await folder.run(findFiles, { patterns: ["*"], path: "srcs" });
    assert.equal(outcome.status === "failed" && outcome.failure, {
      kind: "file",
      path: "srcs",
      action: "list",
      code: "ENOENT",
      help: [`\`${folder.path}\` has \`src\``],
    });
  }));

test("find_files stops when its signal aborts", () =>
  inFolder({ a: "" }, async (folder) => {
    assert.equal(await folder.run(findFiles, { patterns: ["*"] }, { signal: AbortSignal.abort() }), {
      status: "failed",
      content: [],
      failure: { kind: "cancelled" },
    });
  }));

test("find_files works on any host", async () => {
  assert.is(
    shown(
      await runTool(
        findFiles,
        { patterns: ["*.ts"] },
        { cwd: "/home", host: memoryHost({ files: { "/home/a.ts": "", "/home/b/c.ts": "", "/etc/d.ts": "" } }) },
      ),
    ),
    "a.ts\nb/c.ts\n",
  );
});

test.run();
