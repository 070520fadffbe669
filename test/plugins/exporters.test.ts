// Forms of `dottool export` that plugins add.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("plugins/exporters");

const table = readFileSync(new URL("../../plugins/tool-table.ts", import.meta.url), "utf8");
const greet = "Greets | loudly.\n\n@command echo HELLO {name}\n@param name [required] Who\n@tags read\n";

async function withPlugin(
  text: string,
  use: (run: (...words: readonly string[]) => Promise<string>, project: TestProject) => Promise<void>,
  isTrusted = true,
): Promise<void> {
  const files = {
    "project/.tools/greet.tool": greet,
    "project/.tools/package.json": '{"name":"ops","version":"1.2.0"}',
    "project/.tools/plugins/own.ts": text,
  };
  const project = testProject(files, { isTrusted });
  try {
    await use(async (...words) => {
      const { exitCode, stdout, stderr } = await project.here(["export", ...words], { cwd: "project" });
      return `${exitCode} ${stdout}${stderr}`;
    }, project);
  } finally {
    project.remove();
  }
}

test("a plugin's form writes what it makes of the tools, and is named among the forms", () =>
  withPlugin(table, async (run, { folder }) => {
    assert.is(
      await run("tool-table", "-o", "tools.md"),
      "0 wrote tools.md: 1 tool as `ops`\nit is a page of Markdown with a table of the tools\n",
    );
    assert.is(
      readFileSync(join(folder, "project/tools.md"), "utf8"),
      "# ops 1.2.0\n\n| tool | what it does | parameters | effects |\n| --- | --- | --- | --- |\n| `greet` | Greets \\| loudly. | `name` | read |\n",
    );
    assert.match(await run("tool-tables", "-o", "x.md"), "`mcpb`, `tool-table`; got `tool-tables`");
    assert.match(await run("tool-table", "-o", "tools.md"), "tools.md` already exists");
  }));

test("a plugin's form writes nothing outside of the output, and is not there before a person trusts it", async () => {
  const outside = table.replace('"": `', '"a/../../x.md": `');
  await withPlugin(outside, async (run, { folder }) => {
    assert.match(
      await run("tool-table", "-o", "out"),
      "failed[export]: `tool-table` would write outside of the output: `a/../../x.md`",
    );
    assert.equal([existsSync(join(folder, "project/x.md")), existsSync(join(folder, "project/out"))], [false, false]);
  });
  await withPlugin(
    table,
    async (run) => assert.match(await run("tool-table", "-o", "tools.md"), "must be one of"),
    false,
  );
});

test("a plugin with a form that lacks a part is not loaded", () =>
  withPlugin(table.replace("does:", "makes:"), async (run, project) => {
    assert.match(await run("tool-table", "-o", "tools.md"), "must be one of");
    const { stdout, stderr } = await project.here(["check"], { cwd: "project" });
    assert.match(stdout + stderr, "each of its `exporters` needs a `name`");
  }));

test.run();
