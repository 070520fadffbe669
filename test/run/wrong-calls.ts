// Wrong calls as models make them that were trained with the tools of other agents: the names and arguments are those
// of Claude Code, Codex, Gemini CLI, opencode, Cline, Cursor and Anthropic's text editor. `meant` is judged strictly.
import type { JsonObject } from "../../src/schema/json.ts";

export interface WrongCall {
  readonly from: string;
  readonly tool: string;
  readonly sent: unknown;
  readonly meant: { readonly tool: string; readonly arguments: JsonObject };
  /** What ours has nothing for; the answer has to say so. */
  readonly leftOut?: readonly string[];
  /** What only the caller knows. */
  readonly placeholders?: readonly string[];
}

type Row = readonly [
  tool: string,
  sent: unknown,
  meantTool: string,
  meant: JsonObject,
  more?: Pick<WrongCall, "leftOut" | "placeholders">,
];

const edit = { file_path: "src/a.ts", edits: [{ search: "one", replace: "two" }] };
const patch = `*** Begin Patch
*** Update File: src/a.ts
@@ function greet() {
 function greet() {
-  return "hi";
+  return "hello";
 }
*** End Patch`;

const rows: Readonly<Record<string, readonly Row[]>> = {
  "Claude Code": [
    [
      "Bash",
      { command: "npm test", description: "Run the tests", timeout: 120_000 },
      "run_command",
      { command: "npm test", timeout_s: 120 },
      { leftOut: ["description"] },
    ],
    [
      "Bash",
      { command: "npm test", timeout: 60_000, run_in_background: false },
      "run_command",
      { command: "npm test", timeout_s: 60 },
      { leftOut: ["run_in_background"] },
    ],
    [
      "Read",
      { file_path: "src/a.ts", offset: 10, limit: 20 },
      "Read",
      { file_path: "src/a.ts", start_line: 10, end_line: 29 },
    ],
    ["Edit", { file_path: "src/a.ts", old_string: "one", new_string: "two" }, "Edit", edit],
    ["MultiEdit", { file_path: "src/a.ts", edits: [{ old_string: "one", new_string: "two" }] }, "edit_file", edit],
    ["Glob", { pattern: "**/*.ts", path: "src" }, "glob", { pattern: "**/*.ts", path: "src" }],
    [
      "Grep",
      { pattern: "TODO", path: "src", glob: "*.ts", "-i": true, "-C": 2, head_limit: 50 },
      "grep",
      { pattern: "TODO", path: "src", glob: "*.ts", ignore_case: true, context: 2, limit: 50 },
    ],
    [
      "Grep",
      { pattern: "TODO", output_mode: "files_with_matches" },
      "grep",
      { pattern: "TODO", output_mode: "files_with_matches" },
    ],
    ["LS", { path: "src" }, "ls", { path: "src" }],
    [
      "WebFetch",
      { url: "https://example.com/", prompt: "What is it?" },
      "WebFetch",
      { url: "https://example.com/" },
      { leftOut: ["prompt"] },
    ],
    [
      "TodoWrite",
      { todos: [{ content: "Test", status: "pending", activeForm: "Testing" }] },
      "TodoWrite",
      { todos: [{ content: "Test", status: "pending" }] },
      { leftOut: ["todos"] },
    ],
  ],
  Codex: [
    [
      "shell",
      { command: ["bash", "-lc", "ls -la"], workdir: "src", timeout_ms: 10_000 },
      "run_command",
      { argv: ["bash", "-lc", "ls -la"], working_dir: "src", timeout_s: 10 },
    ],
    ["exec_command", { cmd: "ls", workdir: "src" }, "run_command", { command: "ls", working_dir: "src" }],
    ["container.exec", { cmd: ["ls", "-l"] }, "run_command", { argv: ["ls", "-l"] }],
    [
      "apply_patch",
      { input: patch },
      "edit_file",
      {
        file_path: "src/a.ts",
        edits: [
          { search: 'function greet() {\n  return "hi";\n}', replace: 'function greet() {\n  return "hello";\n}' },
        ],
      },
    ],
    [
      "apply_patch",
      { input: "*** Begin Patch\n*** Add File: b.txt\n+one\n+two\n*** End Patch" },
      "write_file",
      { file_path: "b.txt", content: "one\ntwo\n" },
    ],
    [
      "update_plan",
      { plan: [{ step: "Test", status: "in_progress" }] },
      "todo_write",
      { todos: [{ content: "Test", status: "in_progress" }] },
    ],
    [
      "read_file",
      { file_path: "src/a.ts", offset: 5, limit: 10 },
      "read_file",
      { file_path: "src/a.ts", start_line: 5, end_line: 14 },
    ],
    ["list_dir", { dir_path: "src", depth: 2 }, "list_dir", { path: "src", depth: 2 }],
    [
      "grep_files",
      { pattern: "TODO", include: "*.ts", path: "src", limit: 30 },
      "search_text",
      { pattern: "TODO", globs: ["*.ts"], path: "src", max_matches: 30 },
    ],
    ["python", { code: "print(1)" }, "run_command", { argv: ["python3", "-c", "print(1)"] }],
  ],
  "Gemini CLI": [
    [
      "run_shell_command",
      { command: "make", description: "Build", directory: "src" },
      "run_command",
      { command: "make", working_dir: "src" },
      { leftOut: ["description"] },
    ],
    [
      "read_file",
      { absolute_path: "/home/ana/a.ts", offset: 0, limit: 50 },
      "read_file",
      { file_path: "/home/ana/a.ts", end_line: 50 },
    ],
    ["replace", { file_path: "src/a.ts", old_string: "one", new_string: "two" }, "edit_file", edit],
    [
      "search_file_content",
      { pattern: "TODO", dir_path: "src", include: "*.ts" },
      "search_text",
      { pattern: "TODO", path: "src", globs: ["*.ts"] },
    ],
    ["glob", { pattern: "**/*.ts", dir_path: "src" }, "glob", { pattern: "**/*.ts", path: "src" }],
    ["list_directory", { path: "src" }, "list_dir", { path: "src" }],
    [
      "web_fetch",
      { prompt: "Summarize https://example.com/a." },
      "web_fetch",
      { url: "https://example.com/a" },
      { leftOut: ["prompt"] },
    ],
    ["google_web_search", { query: "node" }, "google_search", { query: "node" }],
    [
      "write_todos",
      { todos: [{ description: "Test", status: "pending" }] },
      "todo_write",
      { todos: [{ content: "Test", status: "pending" }] },
    ],
  ],
  opencode: [
    [
      "bash",
      { command: "npm test", description: "Tests", timeout: 5_000 },
      "run_command",
      { command: "npm test", timeout_s: 5 },
      { leftOut: ["description"] },
    ],
    ["read", { filePath: "src/a.ts", offset: 0, limit: 100 }, "Read", { file_path: "src/a.ts", end_line: 100 }],
    ["edit", { filePath: "src/a.ts", oldString: "one", newString: "two" }, "Edit", edit],
    ["write", { filePath: "b.txt", content: "one\n" }, "Write", { file_path: "b.txt", content: "one\n" }],
    ["grep", { query: "TODO", path: "src" }, "grep", { pattern: "TODO", path: "src" }],
    ["grep", { pattern: "TODO", path: "src", include: "*.ts" }, "grep", { pattern: "TODO", path: "src", glob: "*.ts" }],
    ["list", { path: "src", ignore: ["dist"] }, "list_dir", { path: "src" }, { leftOut: ["ignore"] }],
    [
      "webfetch",
      { url: "https://example.com/", format: "markdown" },
      "WebFetch",
      { url: "https://example.com/", format: "markdown" },
    ],
    [
      "todowrite",
      { todos: [{ content: "Test", status: "pending", priority: "high", id: "1" }] },
      "TodoWrite",
      { todos: [{ content: "Test", status: "pending" }] },
      { leftOut: ["todos"] },
    ],
  ],
  Cline: [
    [
      "execute_command",
      { command: "npm test", requires_approval: false },
      "run_command",
      { command: "npm test" },
      { leftOut: ["requires_approval"] },
    ],
    ["read_file", { path: "src/a.ts" }, "read_file", { file_path: "src/a.ts" }],
    ["write_to_file", { path: "b.txt", content: "one\n" }, "write_file", { file_path: "b.txt", content: "one\n" }],
    [
      "replace_in_file",
      { path: "src/a.ts", diff: "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n" },
      "edit_file",
      edit,
    ],
    [
      "search_files",
      { path: "src", regex: "TODO", file_pattern: "*.ts" },
      "search_text",
      { path: "src", pattern: "TODO", globs: ["*.ts"] },
    ],
    ["list_files", { path: "src" }, "list_dir", { path: "src" }],
    ["ask_followup_question", { question: "Which?" }, "ask_question", { question: "Which?" }],
    ["attempt_completion", { result: "Done." }, "task_completion", { result: "Done." }],
  ],
  "a text editor": [
    [
      "str_replace_based_edit_tool",
      { command: "view", path: "src/a.ts", view_range: [3, 9] },
      "read_file",
      { file_path: "src/a.ts", start_line: 3, end_line: 9 },
    ],
    [
      "str_replace_editor",
      { command: "view", path: "src/a.ts", view_range: [3, -1] },
      "read_file",
      { file_path: "src/a.ts", start_line: 3 },
    ],
    [
      "str_replace_based_edit_tool",
      { command: "create", path: "b.txt", file_text: "one\n" },
      "write_file",
      { file_path: "b.txt", content: "one\n" },
    ],
    [
      "str_replace_based_edit_tool",
      { command: "str_replace", path: "src/a.ts", old_str: "one", new_str: "two" },
      "edit_file",
      edit,
    ],
    [
      "str_replace_based_edit_tool",
      { command: "insert", path: "src/a.ts", insert_line: 3, insert_text: "two" },
      "edit_file",
      { file_path: "src/a.ts", edits: [{ search: "<search>", replace: "two" }] },
      { placeholders: ["edits[0].search"] },
    ],
  ],
  Cursor: [
    [
      "run_terminal_cmd",
      { command: "npm test", is_background: false },
      "run_command",
      { command: "npm test" },
      { leftOut: ["is_background"] },
    ],
    [
      "read_file",
      { target_file: "src/a.ts", start_line_one_indexed: 3, end_line_one_indexed_inclusive: 9 },
      "read_file",
      { file_path: "src/a.ts", start_line: 3, end_line: 9 },
    ],
    ["list_dir", { relative_workspace_path: "src" }, "list_dir", { path: "src" }],
    ["file_search", { query: "a.ts" }, "find_files", { patterns: ["a.ts"] }],
  ],
  "any model": [
    ["head", { file: "src/a.ts", n: 5 }, "head", { files: ["src/a.ts"], lines: 5 }],
    ["git_log", { limit: 5 }, "git_log", { count: 5 }],
    ["head", { files: "a.txt,b.txt" }, "head", { files: ["a.txt", "b.txt"] }],
    ["web_search", { query: "node", limit: 5 }, "web_search", { query: "node", count: 5 }],
    [
      "ripgrep",
      { pattern: "TODO", include: "*.ts", max_results: 5 },
      "ripgrep",
      { pattern: "TODO", files: "*.ts", matches: 5 },
    ],
  ],
};

export const wrongCalls: readonly WrongCall[] = Object.entries(rows).flatMap(([from, calls]) =>
  calls.map(([tool, sent, meantTool, meant, more = {}]) => ({
    from,
    tool,
    sent,
    meant: { tool: meantTool, arguments: meant },
    ...more,
  })),
);
