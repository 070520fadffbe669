// `dottool eval --offline`: where the search finds what people ask for, and what descriptions lack.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("cli eval");

const files = {
  ".tools/count_lines.tool": `Count the lines of a file.

@title Count Lines
@name count_lines
@command wc -l -- {file}
@param file {path} [required] The file
@ask how many lines has a.txt? → {"file": "a.txt"}
@ask count the lines of my poem → none
@tags read
`,
  ".tools/wait.tool": `Wait.

Ends early where the parameter \`until\` is a file that exists.

@title Wait
@name wait
@command sleep {timeout} {spec}
@param timeout {integer} [required]
@param spec {string} [pattern=/a+/] What else
@ask zzz → {"timeout": 3}
@tags read
`,
  ".tools/row_count.tool": `Count the lines of a file, as a number.

@title Row Count
@name row_count
@command wc -l -- {file}
@param file {path} [required] The file
@tags read
`,
};

test("asks are looked for by the search among all tools, and descriptions get hints", async () => {
  using bench = testProject(files);
  assert.equal(await bench.here(["eval", "--offline"]), {
    exitCode: 0,
    stderr: "",
    stdout: `count_lines  found first: how many lines has a.txt?
count_lines  found first, and should not be: count the lines of my poem
wait         not found: zzz
found first: 1 of 2, among the first five: 1, MRR 0.50

hints about descriptions:
count_lines  limits: it does not say when to use \`row_count\` instead
count_lines  twins: its words are nearly those of \`row_count\`; say what only
             this tool does
row_count    limits: it does not say when to use \`count_lines\` instead
wait         purpose: its first sentence only repeats its name; say what it
             does, and when to use it
wait         units: the unit of \`timeout\` is not said
wait         examples: \`spec\` has a form that is hard to guess, and there is no
             \`@example\`
wait         parameters: \`timeout\` has no description
wait         parameters: the description names \`until\`, and no parameter is
             called so
`,
  });
});

test("`--json` prints the same, for the tools that are named", async () => {
  using bench = testProject(files);
  const { stdout, exitCode } = await bench.here(["eval", "--offline", "--json", "count_lines", "row_count"]);
  assert.equal(
    [JSON.parse(stdout), exitCode],
    [
      {
        asks: [
          { tool: "count_lines", text: "how many lines has a.txt?", leads: true, rank: 1, first: "count_lines" },
          { tool: "count_lines", text: "count the lines of my poem", leads: false, rank: 1, first: "count_lines" },
        ],
        totals: { asks: 1, first: 1, amongFive: 1, meanReciprocalRank: 1 },
        hints: [
          { tool: "count_lines", about: "limits", text: "it does not say when to use `row_count` instead" },
          {
            tool: "count_lines",
            about: "twins",
            text: "its words are nearly those of `row_count`; say what only this tool does",
          },
          { tool: "row_count", about: "limits", text: "it does not say when to use `count_lines` instead" },
        ],
      },
      0,
    ],
  );
});

test("a project without asks says so", async () => {
  using bench = testProject({ ".tools/row_count.tool": files[".tools/row_count.tool"] });
  const { stdout } = await bench.here(["eval", "--offline"]);
  assert.is(stdout, "no definition has an `@ask`, so there is nothing to find\n\nno hints about descriptions\n");
});

test("a name that is no tool of the project, and no option, are told", async () => {
  using bench = testProject(files);
  assert.equal(
    [await bench.here(["eval", "--offline", "glob"]), await bench.here(["eval"])],
    [
      {
        exitCode: 66,
        stdout: "",
        stderr: "failed[missing]: this project has no tool `glob`\n  = `dottool list` lists the tools\n",
      },
      {
        exitCode: 64,
        stdout: "",
        stderr:
          "failed[usage]: `eval` needs `--offline`, `--model NAME` or `--replay`\n  = `dottool eval --help` shows the usage\n",
      },
    ],
  );
});

test("a project that nobody trusts can be evaluated without a model", async () => {
  using bench = testProject(files, { isTrusted: false });
  const { stdout, exitCode } = await bench.here(["eval", "--offline", "count_lines"]);
  assert.equal([exitCode, stdout.split("\n")[0]], [0, "count_lines  found first: how many lines has a.txt?"]);
});

test.run();
