// Diagnostics as people and programs read them.
import picocolors from "picocolors";
import type { Diagnostic, Label } from "../../src/core/text/diagnostic.ts";
import { diagnosticJson } from "../../src/core/text/diagnostic-json.ts";
import { renderDiagnostic } from "../../src/cli/view/render.ts";
import type { SourceFile } from "../../src/core/text/source.ts";
import { assert, suite } from "../harness.ts";

const test = suite("renderDiagnostic");

function label(source: SourceFile, marked: string, text = ""): Label {
  const start = source.text.indexOf(marked);
  return { span: { source, start, end: start + marked.length }, text };
}

function diagnostic(at: Label | undefined, more: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "stray-text",
    severity: "error",
    message: "it is so",
    related: [],
    help: [],
    ...(at ? { at } : {}),
    ...more,
  };
}

const todo: SourceFile = {
  path: ".tools/todo.tool",
  text: "Find todos.\n\n@title Todo\n@name todo\n@wrapped run_command\n@command grep -rn TODO {folders}\n@param folder {path} [required] Where to look\n",
};

test("renderDiagnostic shows the places in the order of their lines, then what to do", () => {
  const fix = { title: "use `folder`", edits: [] };
  const text = renderDiagnostic(
    diagnostic(label(todo, "folders", "did you mean `folder`?"), {
      code: "unknown-placeholder",
      message: "cannot find `folders` in this tool",
      related: [label(todo, "folder ", "declared here")],
      help: ["or declare it"],
      fix,
    }),
  );
  assert.is(
    text,
    [
      "error[unknown-placeholder]: cannot find `folders` in this tool",
      "  ╭─ .tools/todo.tool:6:25",
      "  │",
      "6 │ @command grep -rn TODO {folders}",
      "  │                         ^^^^^^^ did you mean `folder`?",
      "7 │ @param folder {path} [required] Where to look",
      "  │        ------- declared here",
      "  ╵",
      "  = fix: use `folder`",
      "  = help: or declare it",
    ].join("\n"),
  );
});

test("renderDiagnostic leaves out lines between, and hangs texts below one line", () => {
  const related = [label(todo, "grep", "this"), label(todo, "TODO", "that"), label(todo, "Find", "far")];
  assert.is(
    renderDiagnostic(diagnostic(label(todo, "folders", "here"), { related, severity: "warning" })),
    [
      "warning[stray-text]: it is so",
      "  ╭─ .tools/todo.tool:6:25",
      "  │",
      "1 │ Find todos.",
      "  │ ---- far",
      "  ┆",
      "6 │ @command grep -rn TODO {folders}",
      "  │          ----     ----  ^^^^^^^ here",
      "  │          │        that",
      "  │          this",
      "  ╵",
    ].join("\n"),
  );
});

test("renderDiagnostic shows other files under headers of their own", () => {
  const other: SourceFile = { path: "other.tool", text: `${"\n".repeat(99)}@name todo` };
  assert.is(
    renderDiagnostic(diagnostic(label(todo, "@name"), { related: [label(other, "todo", "taken here")] })),
    [
      "error[stray-text]: it is so",
      "    ╭─ .tools/todo.tool:4:1",
      "    │",
      "  4 │ @name todo",
      "    │ ^^^^^",
      "    ╵",
      "    ╭─ other.tool:100:7",
      "    │",
      "100 │ @name todo",
      "    │       ---- taken here",
      "    ╵",
    ].join("\n"),
  );
});

test("renderDiagnostic shows a diagnostic without a place", () => {
  assert.is(
    renderDiagnostic(diagnostic(undefined, { help: ["do this"] })),
    "error[stray-text]: it is so\n  = help: do this",
  );
});

function excerptOf(text: string, marked: string): readonly string[] {
  return renderDiagnostic(diagnostic(label({ path: "a", text }, marked, "x")))
    .split("\n")
    .slice(3, -1);
}

test("renderDiagnostic marks under tabs, wide, combined and astral characters", () => {
  assert.equal(excerptOf("\ta\tb日本e\u0301😀 here", "here"), [
    "1 │     a   b日本e\u0301😀 here",
    "  │                  ^^^^ x",
  ]);
});

test("renderDiagnostic spells out what would move the cursor or turn the text", () => {
  const source = { path: "\u001b[2J.tool", text: "a\u001b[31m\u202eb\r\u0085\ud800\ufeff here" };
  const text = renderDiagnostic(
    diagnostic(label(source, "here", "\u0007"), { message: "`\u202e\n`", help: ["\u2066"] }),
  );
  assert.is(
    text,
    [
      "error[stray-text]: `\\u{202e}\\u{a}`",
      "  ╭─ \\u{1b}[2J.tool:1:14",
      "  │",
      "1 │ a\\u{1b}[31m\\u{202e}b\\u{d}\\u{85}\\u{d800}\\u{feff} here",
      "  │                                                 ^^^^ \\u{7}",
      "  ╵",
      "  = help: \\u{2066}",
    ].join("\n"),
  );
});

test("renderDiagnostic cuts long lines around the markers", () => {
  const long = `${"ab ".repeat(100)}here${" cd".repeat(100)}`;
  assert.equal(excerptOf(long, "here"), [
    `1 │ …${"ab ".repeat(10)}here${" cd".repeat(22)}…`,
    `  │  ${" ".repeat(30)}^^^^ x`,
  ]);
  assert.equal(excerptOf(`here${" cd".repeat(100)}`, "here"), [`1 │ here${" cd".repeat(32)}…`, "  │ ^^^^ x"]);
});

test("renderDiagnostic shows a line twice when its places are far apart", () => {
  const source = { path: "a", text: `one${".".repeat(300)}two` };
  const rows = renderDiagnostic(
    diagnostic(label(source, "two", "second"), { related: [label(source, "one", "first")] }),
  )
    .split("\n")
    .slice(3, -1);
  assert.equal(rows, [
    `1 │ one${".".repeat(97)}…`,
    "  │ --- first",
    `1 │ …${".".repeat(30)}two`,
    `  │  ${" ".repeat(30)}^^^ second`,
  ]);
});

test("renderDiagnostic marks the first line of a range over several, and the end of a line and file", () => {
  assert.equal(excerptOf("one\ntwo", "ne\ntw"), ["1 │ one", "  │  ^^ x"]);
  const source = { path: "a", text: "one\n" };
  const end = renderDiagnostic(diagnostic({ span: { source, start: 4, end: 4 }, text: "" }))
    .split("\n")
    .slice(1, -1);
  assert.equal(end, ["  ╭─ a:2:1", "  │", "2 │", "  │ ^"]);
});

test("renderDiagnostic colours with what it is given", () => {
  const colors = picocolors.createColors(true);
  const text = renderDiagnostic(diagnostic(label(todo, "todos", "x"), { help: ["y"] }), { color: colors });
  const { bold, red, cyan } = colors;
  assert.is(
    text,
    [
      `${bold(red("error[stray-text]"))}${bold(": it is so")}`,
      `  ${cyan("╭─ .tools/todo.tool:1:6")}`,
      `  ${cyan("│")}`,
      `${cyan("1 │")} Find todos.`,
      `${cyan("  │")}      ${red("^^^^^")}${red(" x")}`,
      `  ${cyan("╵")}`,
      `  ${cyan("=")} ${bold("help")}: y`,
    ].join("\n"),
  );
});

test("diagnosticJson says the same in numbers", () => {
  const fix = { title: "use `folder`", edits: [{ span: label(todo, "folders").span, text: "folder" }] };
  const place = { path: ".tools/todo.tool", line: 6, column: 25, endLine: 6, endColumn: 32 };
  assert.equal(
    diagnosticJson(
      diagnostic(label(todo, "folders", "here"), { related: [label(todo, "Todo\n@name", "there")], help: ["y"], fix }),
    ),
    {
      code: "stray-text",
      severity: "error",
      message: "it is so",
      ...place,
      label: "here",
      labels: [{ path: ".tools/todo.tool", line: 3, column: 8, endLine: 4, endColumn: 6, text: "there" }],
      help: ["y"],
      fix: { title: "use `folder`", edits: [{ ...place, text: "folder" }] },
    },
  );
  assert.equal(diagnosticJson(diagnostic(undefined)), {
    code: "stray-text",
    severity: "error",
    message: "it is so",
    labels: [],
    help: [],
  });
});

test.run();
