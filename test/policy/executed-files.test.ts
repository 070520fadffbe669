// Files that others execute: no approval of a tool that writes covers them.
import { executedFiles } from "../../src/generated/guarded-files.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { requireRows, withGuarded } from "./guarded-fixture.ts";

const test = suite("executed files");

const write = (path: string): JsonObject => ({ file_path: path, content: "x" });

test("what others execute is asked about when something writes it, however it is named", () =>
  requireRows(
    [
      ["write_file", write(".git/config")],
      ["write_file", write("a/../.git/config")],
      ["write_file", write("src/../.git/./config")],
      ["write_file", write("<root>/work/.git/config")],
      ["write_file", write("linked/config")],
      ["write_file", write("notes.txt")],
      ["edit_file", { file_path: ".git/config", edits: [{ search: "a", replace: "b" }] }],
      ["note", { to: ".git/config" }],
      ["again", { where: ".git/config" }],
      ["made", { to: ".git/config" }],
      ["copy", { to: ".git/config" }],
      ["takes_file", { file: ".git/config" }],
      ["takes_file", { file: "Makefile" }, "executed files: Makefile"],
      ["words", { args: ["--to=.git/config"] }],
      ["words", { args: [".git/config"] }],
      ["run_command", { command: "echo x > .git/config" }],
      ["write_file", write("new.txt"), "executed files: .git/hooks/pre-commit"],
      ["write_file", write(".GIT/config"), "executed files: .GIT/config"],
      ["write_file", write(".git./config"), "executed files: .git./config"],
      ["write_file", write(".git /config"), "executed files: .git /config"],
      ["write_file", write("GIT~1/config"), "executed files: GIT~1/config"],
      ["write_file", write(".git::$INDEX_ALLOCATION/config"), "executed files: .git::$INDEX_ALLOCATION/config"],
      ["write_file", write(".g\u200cit/config"), "executed files: .g\u200cit/config"],
      ["write_file", write(".git"), "executed files: .git"],
      ["write_file", write("sub/.git"), "executed files: sub/.git"],
      ["write_file", write("deep/new/.git/hooks/post-checkout"), "executed files: deep/new/.git/hooks/post-checkout"],
      ["write_file", write(".git/modules/x/config"), "executed files: .git/modules/x/config"],
      ["write_file", write(".git/worktrees/x/config.worktree"), "executed files: .git/worktrees/x/config.worktree"],
      ["write_file", write("bare/HEAD"), "executed files: bare/HEAD"],
      ["write_file", write("package.json"), "executed files: package.json"],
      ["write_file", write("packages/a/package.json"), "executed files: packages/a/package.json"],
      ["write_file", write("<root>/other/Makefile"), "executed files: <root>/other/Makefile"],
      ["write_file", write("../other/.vscode/tasks.json"), "executed files: <root>/other/.vscode/tasks.json"],
      ["write_file", write("<root>/bin/git"), "executed files: <root>/bin/git"],
      ["write_file", write("/etc/cron.d/x"), "executed files: /etc/cron.d/x"],
      ["write_file", write("/usr/local/bin/x"), "executed files: /usr/local/bin/x"],
    ],
    "executed files: .git/config",
  ));

test("each kind of file in the table is asked about, and says why", () =>
  withGuarded(async ({ reasons }) => {
    for (const { paths, why } of executedFiles) {
      for (const name of paths.split(", ")) {
        const path = `sub/${name.replaceAll("*", "x")}${name.endsWith("/") ? "inner.txt" : ""}`;
        const reason = `\`${path}\` can make other programs run code: ${why}, so each call that uses it needs approval`;
        assert.equal(await reasons("write_file", write(path)), [["executed files", reason]]);
      }
    }
  }));

test.run();
