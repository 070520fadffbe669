// One session of an editor over the real process, as a golden file: what it asks, and what is answered.
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { marked, startEditor } from "./editor.ts";

const test = suite("lsp session");

const NOTES = `Shows a note.

@name note
@command cat -- notes/{file}
@param file {string} [required] Its name
@tags read
`;

const PAGES = `Reads two pages, and says what is new.

@name pages
@param address {url} [required, example=https://example.com/] The first page
@param format {"text"|"raw"} [default=text] How it is read
@step first uses web_fetch
    url = {address}
    format = {format}
@step count runs [when={first.ok}]
    wc -l {first.output}
@step said uses note [wait-for=count]
    file = today
@output {said.output}
@example {"address": "https://example.com/", "format": "raw"}
@test it is refused
    with {"format": "raw"}
    expect exit-code 2
`;

test("a session of an editor is answered as the golden file says", async () => {
  using project = testProject();
  project.write(".tools/note.tool", NOTES);
  project.write(".tools/pages.tool", PAGES);
  project.trust();
  const editor = startEditor(project);
  const said: string[] = [];
  const note = (what: string, answer: unknown): void => {
    const text = JSON.stringify(answer, null, 1)
      .replaceAll(editor.uri(""), "<project>/")
      .replaceAll(project.folder, "<project>")
      // Ranges and positions on one line.
      .replaceAll(/\{\s*"line": (\d+),\s*"character": (\d+)\s*\}/g, '"$1:$2"')
      .replaceAll(/\{\s*"start": "(\S+)",\s*"end": "(\S+)"\s*\}/g, '"$1-$2"');
    said.push(`── ${what}\n${text}\n`);
  };
  const at = (path: string, text: string): object => {
    const { position } = marked(text);
    return { textDocument: { uri: editor.uri(path) }, position };
  };
  const pages = ".tools/pages.tool";
  const document = { textDocument: { uri: editor.uri(pages) } };
  const within = (before: string, after: string): object => {
    assert.ok(PAGES.includes(before + after), `${before}|${after}`);
    return at(pages, PAGES.replace(before + after, `${before}|>${after}`));
  };

  note("initialize", await editor.begin());
  note("open", await editor.open(pages, PAGES));
  const slip = PAGES.replace("@tags", "@tags").replace("@output {said.output}", "@outptu {said.output}");
  note("change: a slip in `@output`", await editor.change(pages, slip));
  const slipAt = { line: 12, character: 2 };
  note(
    "codeAction at the slip",
    await editor.ask("textDocument/codeAction", {
      ...document,
      range: { start: slipAt, end: slipAt },
      context: { diagnostics: [] },
    }),
  );
  const half = marked(PAGES.replace("    file = today", "    |>"));
  await editor.change(pages, half.text);
  note(
    "completion of the arguments of `note`",
    await editor.ask("textDocument/completion", { ...document, position: half.position }),
  );
  const choice = marked(PAGES.replace("format = {format}", "format = |>"));
  await editor.change(pages, choice.text);
  note(
    "completion of a choice",
    await editor.ask("textDocument/completion", { ...document, position: choice.position }),
  );
  note("change: as at first", await editor.change(pages, PAGES));
  note("hover: an annotation", await editor.ask("textDocument/hover", within("@st", "ep first")));
  note("hover: a tool", await editor.ask("textDocument/hover", within("uses no", "te")));
  note("hover: a parameter of a tool", await editor.ask("textDocument/hover", within("    u", "rl = ")));
  note("hover: a value", await editor.ask("textDocument/hover", within("{addr", "ess}")));
  note("definition: a tool", await editor.ask("textDocument/definition", within("uses no", "te")));
  note(
    "definition: a parameter of a tool",
    await editor.ask("textDocument/definition", within("    fi", "le = today")),
  );
  note("definition: a step", await editor.ask("textDocument/definition", within("{fir", "st.ok}")));
  note(
    "references: a step",
    await editor.ask("textDocument/references", { ...within("{fir", "st.ok}"), context: { includeDeclaration: true } }),
  );
  note("prepareRename", await editor.ask("textDocument/prepareRename", within("{addr", "ess}")));
  note("rename", await editor.ask("textDocument/rename", { ...within("{addr", "ess}"), newName: "page" }));
  note(
    "rename to a name that is taken",
    await editor.ask("textDocument/rename", { ...within("{addr", "ess}"), newName: "format" }),
  );
  note("documentSymbol", await editor.ask("textDocument/documentSymbol", document));
  note("inlayHint", await editor.ask("textDocument/inlayHint", { ...document, range: { start: slipAt, end: slipAt } }));
  note("codeLens", await editor.ask("textDocument/codeLens", document));
  note(
    "executeCommand: the line, which does not run",
    await editor.ask("workspace/executeCommand", { command: "dottool.line", arguments: ["dottool run pages"] }),
  );
  note("semanticTokens", (await editor.ask("textDocument/semanticTokens/full", document)).data.join(" "));
  await editor.change(pages, PAGES.replace("@name pages", "@name   pages"));
  note(
    "formatting",
    await editor.ask("textDocument/formatting", { ...document, options: { tabSize: 4, insertSpaces: true } }),
  );
  note("messages to the person", editor.said);
  note("exit", await editor.end());
  assert.is(editor.errors(), "");
  assertGolden("lsp/golden/session.txt", said.join("\n"));
});

test.run();
