// Files about which a model's call is not asked: a person who is asked too often says yes to the wrong thing.
import type { JsonObject } from "../../src/core/schema/json.ts";
import { suite } from "../harness.ts";
import { requireRows } from "./guarded-fixture.ts";

const test = suite("unguarded files");

const write = (path: string): JsonObject => ({ file_path: path, content: "x" });

test("nobody is asked about what is ordinary to read", () =>
  requireRows(
    [
      ["read_file", { file_path: "src/app.ts" }],
      ["read_file", { file_path: ".git/config" }],
      ["read_file", { file_path: "package.json" }],
      ["read_file", { file_path: "tools/note.tool" }],
      ["read_file", { file_path: "/etc/hosts" }],
      ["read_file", { file_path: "../home/papers/a.txt" }],
      ["read_file", { file_path: "../home/.cargo/registry/src/x/lib.rs" }],
      [
        "head",
        {
          files: [
            "a",
            "src/app.ts",
            "/proc/cpuinfo",
            "/proc/self/status",
            "/proc/meminfo",
            "/dev/stdin",
            "/dev/stderr",
          ],
        },
      ],
      ["find_files", { patterns: ["*.ts"], path: "." }],
      ["find_files", { patterns: ["*"], path: "/" }],
      ["search_text", { pattern: "/proc/self/environ" }],
      ["search_text", { pattern: "x", path: "../home" }],
      ["list_dir", { path: "../home", hidden: true }],
      ["lines", { args: ["-rn", "TODO", "."] }],
      ["lines", { args: ["-rn", "import x from './y'", "src"] }],
      ["lines", { args: ["x", "-"] }],
      ["names", { args: ["-la"] }],
      ["names", { args: ["/", "..", "<root>/home"] }],
      ["glob", { arguments: [".", "-name", "*.ts", "-newermt", "2026-01-01"] }],
      ["draw", {}],
      ["show", { file: "src/app.ts" }],
      ["authors", { what: "aws_region" }],
    ],
    "",
  ));

test("nobody is asked about what is ordinary to write or to run", () =>
  requireRows(
    [
      ["write_file", write("src/app.ts")],
      ["write_file", { file_path: "notes.md", content: "../config/dottool/config.yaml" }],
      ["write_file", { file_path: "docs/x.md", content: "Read ~/.ssh/config, then /proc/self/environ.\n" }],
      ["write_file", write("src/components/Head/index.tsx")],
      ["write_file", write("src/git/config.ts")],
      ["write_file", write("docs/makefiles.md")],
      ["write_file", write("/tmp/x.txt")],
      ["write_file", write("../other/src/app.ts")],
      ["edit_file", { file_path: "src/app.ts", edits: [{ search: ".git/config", replace: "package.json" }] }],
      ["note", { to: "b.txt" }],
      ["made", { to: "b.txt" }],
      ["copy", { to: "b" }],
      ["takes_file", { file: "b", text: "See ~/.ssh/config and .git/config\n" }],
      [
        "words",
        {
          args: [
            "add",
            "package.json",
            "packages/a/package.json",
            "Makefile",
            ".github/workflows/ci.yml",
            ".vscode/settings.json",
          ],
        },
      ],
      [
        "words",
        { args: ["commit", "-m", "Fix the Makefile and .git/hooks, see a / b and https://example.com/etc/passwd"] },
      ],
      [
        "words",
        { args: ["log", "HEAD~1..HEAD", "main..topic", "^origin/main", "--since=2 weeks ago", "--format=%h %s"] },
      ],
      ["words", { args: ["s/a/b/", "-n", "1,5p", "{print $1}", "x=1", "key: value"] }],
      ["message", { text: "Say how .git/config and ~/.ssh/config are read" }],
      ["run_command", { command: "npm test -- --grep 'a/b' && git status" }],
      ["run_command", { argv: ["node", "--test", "src/app.ts"] }],
      ["run_command", { command: 'for f in src/*.ts; do wc -l "$f"; done' }],
      ["todo_write", { todos: [{ content: "read ~/.aws/credentials", status: "pending" }] }],
      ["web_fetch", { url: "https://example.com/.git/config" }],
    ],
    "",
  ));

test.run();
