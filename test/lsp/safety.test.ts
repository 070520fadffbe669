// Opening and editing files starts nothing and stores nothing: no plugin is loaded, trusted or not, no tool runs, and what is
// not saved stays out of the caches.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { startEditor } from "./editor.ts";

const test = suite("lsp safety");

const TOOL = `Writes.

@name write
@wrapped of_plugin
@with text = {text}
@param text {string} [required, transform="globalThis.x = value"] The text
`;
const CODE = `Writes.

@name code
@step a uses write
    text = b
@step b bash
    touch canary
@code
    while (true) {}
@requires touch >= 1
@test it writes
    setup touch canary
    with {}
    expect exit-code 0
`;

for (const isTrusted of [true, false])
  test(`nothing is started in a project that is ${isTrusted ? "" : "not "}trusted`, async () => {
    const plugin = `import { writeFileSync } from "node:fs";\nwriteFileSync("canary", "");\nexport default { name: "p", api: 1, contribute: () => ({}) };\n`;
    const files = {
      ".tools/write.tool": TOOL,
      ".tools/plugins/p.ts": plugin,
      ".tools/saved.tool": "Says.\n\n@name saved\n@command echo {a}\n",
    };
    using project = testProject(files, { isTrusted });
    if (isTrusted) project.trust();
    const editor = startEditor(project);
    await editor.begin();
    const { diagnostics } = await editor.open(".tools/write.tool", TOOL);
    // A plugin may have the tool.
    assert.equal(
      diagnostics.filter(({ code }) => code === "unknown-base-tool"),
      [],
    );
    await editor.open(".tools/code.tool", CODE);
    await editor.change(".tools/code.tool", CODE.replace("@code", "@cleanup sh"));
    const document = { textDocument: { uri: editor.uri(".tools/code.tool") } };
    const lenses = await editor.ask("textDocument/codeLens", document);
    for (const { command } of lenses ?? []) await editor.ask("workspace/executeCommand", command);
    await editor.ask("workspace/executeCommand", {
      command: "dottool.line",
      arguments: ["dottool run saved; touch canary"],
    });
    // The name is not saved, so no command may know it.
    await editor.open(".tools/saved.tool", "Says.\n\n@name unsaved\n@command echo hi\n");
    await editor.open(".tools/new.tool", "Says.\n\n@name unsaved_too\n@command echo hi\n");
    assert.is(await editor.end(), 0, editor.errors());
    assert.is(existsSync(join(project.folder, "canary")), false);
    const { stdout } = await project.run(["list", "--json"]);
    assert.not.match(stdout, "unsaved");
    assert.is(existsSync(join(project.folder, ".tools/new.tool")), false);
  });

test("YAML that is no definition is left alone", async () => {
  using project = testProject({ ".tools/a.tool": "Says.\n\n@name a\n@command echo hi\n" });
  const editor = startEditor(project);
  await editor.begin();
  const compose = "services:\n  web:\n    image: nginx\n";
  assert.equal((await editor.open("compose.yaml", compose)).diagnostics, []);
  assert.ok((await editor.open(".tools/odd.yaml", compose)).diagnostics.length > 0);
  assert.is(await editor.end(), 0);
});

test.run();
