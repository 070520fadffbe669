// Every example of the READMEs, in order: a block after "`path`:" is a file, and a `console` block is a session whose
// output must match exactly.
import "./windows-shells.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, suite } from "./harness.ts";
import { given, readPage, runPage } from "./run-page.ts";
import { startingOnce, testProject } from "./test-project.ts";

const test = suite("docs");
const root = fileURLToPath(new URL("..", import.meta.url));

// "docs/policy.md" shows rules, which test/policy/readme.test.ts tests with calls.
for (const path of [
  "README.md",
  "plugins/README.md",
  "grammar/forge.md",
  "docs/custom-tools.md",
  "docs/meta-tools.md",
  "docs/forge-tool.md",
  "docs/log.md",
  "docs/diff.md",
  "docs/mcp-client.md",
  "docs/eval.md",
]) {
  test(`${path} shows what really happens`, async () => {
    const page = readPage(readFileSync(join(root, path), "utf8"));
    assert.ok(page.examples.length > 0 && page.files.size > 0);
    assert.equal(await runPage(page), page.examples);
  });
}

/**
 * A call of each tool in grammar/README.md. Tools that need the network or a repository are only explained: bound to
 * their base tool, and not run.
 */
const grammarCalls: Readonly<Record<string, string>> = {
  glob: "test glob",
  webFetch: "explain webFetch --url https://example.org/",
  blame: "explain blame --file a.txt --lines 1,2",
  docs: "explain docs --page getting-started",
  webText: "explain webText --url https://example.org/",
  count_lines: "explain count_lines --pattern '*.txt'",
  format_json: "test format_json",
  longest_file: "longest_file --folder src --pattern '*.txt'",
  reverse_words: "test reverse_words",
  test_changes: "explain test_changes",
  in_container: `explain in_container --json '{"container":"web","command":["ls","-l"]}'`,
  replace_texts: "test replace_texts",
  who_am_i: "explain who_am_i --token T1234",
  github_user: "explain github_user",
  remove_package: "explain remove_package --package left-pad",
  make_folder: "test make_folder",
  line_counts: "line_counts --pattern notes.txt",
  week: "explain week",
};

test("grammar/README.md shows tools that build, and can be called", async () => {
  const text = readFileSync(join(root, "grammar/README.md"), "utf8");
  const tools = [...text.matchAll(/```tool\n([\s\S]*?)```/g)].map(
    ([, body = ""]) => [/^@name (\S+)/m.exec(body)?.[1] ?? "", body] as const,
  );
  assert.equal(
    tools.map(([name]) => name),
    Object.keys(grammarCalls),
  );
  const commands = ["check .tools", "count_lines --folder src --pattern '*.txt'", "call glob --json - < words.json"];
  const files = new Map([
    ["words.json", '{"arguments": ["src", "-name", "a.txt"]}'],
    ...tools.map(([name, body]) => [`.tools/${name}.tool`, body] as const),
  ]);
  using bench = testProject({ ...given, ...Object.fromEntries(files) });
  const start = startingOnce();
  for (const call of Object.values(grammarCalls)) {
    const words = [...call.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const { exitCode, stdout, stderr } = await start(bench, ["--tools=.tools", ...words]);
    assert.is(exitCode, 0, `${call}: ${stdout}${stderr}`);
  }
  const said = await runPage({
    files,
    examples: commands.map((command) => ({ command: `dottool --tools .tools ${command}; echo $?`, output: "" })),
  });
  assert.equal(
    said.map(({ output }) => output),
    [`${tools.length} definitions checked: no problems\n0\n`, "5\n0\n", "src/a.txt\n0\n"],
  );
});

test("README.md names the two commands that do everything", () => {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  assert.ok(readme.includes("npm ci && npm start -- glob . -name '*.tool'") && readme.includes("npm ci && npm test"));
  assert.ok("start" in scripts && "test" in scripts);
});

test("README.md is read in three minutes", () => {
  assert.ok(readFileSync(join(root, "README.md"), "utf8").split("\n").length <= 170);
});

test.run();
