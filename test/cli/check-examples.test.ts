// `check` binds the examples of definitions as calls would be bound.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("check examples");

const find = (tags: string): string =>
  `Find.\n\n@title Find\n@name seek\n@wrapped run_command\n@command grep {arguments}
@param arguments {array<string>} [required] Words\n${tags}@example {"arguments": ["x", "a.txt"]}
@example {"arguments": ["-r", "x"]}\n`;

async function checked(files: Readonly<Record<string, string>>): Promise<readonly (string | number | null)[]> {
  using bench = testProject(files);
  const { stdout, stderr, exitCode } = await bench.here(["check"]);
  return [exitCode, stdout + stderr];
}

test("an example that its command would refuse is a warning in the words of the refusal", async () => {
  assert.equal(await checked({ ".tools/seek.tool": find("@tags read\n") }), [
    0,
    `warning[example-mismatch]: a call with this example of \`seek\` would be refused
   ╭─ .tools/seek.tool:10:10
   │
10 │ @example {"arguments": ["-r", "x"]}
   │          ^^^^^^^^^^^^^^^^^^^^^^^^^^ \`arguments[0]\`: starts with \`-\`, so \`grep\` would read it as an option
   ╵
   = help: its definition can let such a value through: after a \`--\` for \`grep\`, as a \`{path}\`, or with \`[flags]\` if it may be an option

1 definition checked: 1 warning
`,
  ]);
});

test("an example of a list that may hold options is fine", async () => {
  assert.equal(await checked({ ".tools/seek.tool": find("") }), [0, "1 definition checked: no problems\n"]);
});

test("an example that the tool below would refuse is a warning", async () => {
  const [exitCode, said] = await checked({
    ".tools/show_it.tool": '@name show_it\n@wrapped read_file\n@example {"path": "a"}\n',
  });
  assert.equal(
    [exitCode, /\^ (.*)/.exec(String(said))?.[1]],
    [
      0,
      "`file_path`: expected path, got nothing; `path`: `show_it` has no such parameter; it has `file_path`, `start_line`, `end_line`, `find_words`, `show_lines`",
    ],
  );
});

test.run();
