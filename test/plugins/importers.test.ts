// Formats of `dottool import` that plugins add.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("plugins/importers");

const procfile = readFileSync(new URL("../../plugins/procfile.ts", import.meta.url), "utf8");

async function withPlugin(
  text: string,
  use: (run: (...words: readonly string[]) => Promise<string>, project: TestProject) => Promise<void>,
): Promise<void> {
  const files = {
    "project/.tools/plugins/own.ts": text,
    "project/Procfile": '# processes\nweb: echo "serves ${PORT:-80}"\nworker:  echo works\n',
    "project/odd.bin": "what",
  };
  const project = testProject(files);
  try {
    await use(async (...words) => {
      const { exitCode, stdout, stderr } = await project.here(words, { cwd: "project" });
      return `${exitCode} ${stdout}${stderr}`;
    }, project);
  } finally {
    project.remove();
  }
}

test("a plugin's format is recognized, and its tools are written, checked and run", () =>
  withPlugin(procfile, async (run) => {
    assert.is(await run("import", "Procfile", "-o", "made"), "0 wrote made/web.tool\nwrote made/worker.tool\n");
    assert.is(await run("--tools", "made", "web"), "0 serves 80\n");
    assert.match(
      await run("import", "Procfile", "--only", "worker", "--print"),
      /^0 ── worker\.tool\n[^]*echo works\n$/,
    );
    assert.match(await run("import", "odd.bin"), "MCP servers, Procfile");
    assert.match(
      await run("import", "Procfile", "--server", "https://api.example.com"),
      "is read as Procfile, which has no server",
    );
  }));

test("a definition with a mistake that a plugin makes is not imported, and said", () =>
  withPlugin(procfile.replace("@script", "@scripts"), async (run, { folder }) => {
    assert.match(await run("import", "Procfile", "-o", "made"), "not imported: `web`: ");
    assert.is(existsSync(join(folder, "project/made/web.tool")), false);
  }));

test("a plugin with a format that lacks a part is not loaded", () =>
  withPlugin(procfile.replace("recognizes:", "knows:"), async (run) => {
    assert.match(await run("check"), "each of its `importers` needs a text `name`");
  }));

test.run();
