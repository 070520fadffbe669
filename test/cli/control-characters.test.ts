// Typed words are plain text in messages: they move no cursor and change no color.
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("control characters");

/** A start of the program for every so many lines; the others are run in this process. */
const STARTED_EACH = 8;

const odd = "x\u001b[31m\u009b31m\u0007y";

test("no message repeats a control character that was typed", async () => {
  using bench = testProject({
    ".tools/one.tool":
      "Says it.\n\n@title One\n@name one\n@wrapped run_command\n@command echo {word}\n@param word {string} [required] Word\n",
  });
  bench.write(
    `${odd}/two.tool`,
    "@title  Two\nTwo.\n@name two\n@wrapped run_command\n@command ls\n@param a {strin} b\n",
  );
  const lines: readonly (readonly string[])[] = [
    ["explain-code", odd],
    ["explain-code", `--${odd}`],
    [odd],
    [`${odd}.tool`],
    ["call", odd],
    ["show", odd],
    ["graph", odd],
    ["graph", "one", "-o", `missing${odd}/x`],
    ["--trace", `missing${odd}/x`, "one", "a"],
    ["test", odd],
    ["explain", odd],
    ["schema", odd],
    ["schema", "--api", odd],
    ["new", odd],
    ["new", "three", "--wrap", odd],
    ["new", "three", "--from", odd],
    ["new", "four", "--tools", odd],
    ["list", odd],
    ["list", "--tags", odd],
    ["completions", odd],
    ["help", odd],
    [`--${odd}`],
    ["--result", odd],
    ["--cwd", odd, "list"],
    ["--tools", `missing${odd}`, "list"],
    ["one", `--${odd}`, "a"],
    ["one", `-${odd}`],
    ["one", "a", odd],
    ["one", "--json", odd],
    ["one", "--json", JSON.stringify({ [odd]: odd })],
    ["explain", "one", odd],
    ["check", odd],
    ["check", `nothing${odd}`],
    ["check", odd, "--fix"],
    ["fmt", odd, "--check"],
    ["fmt", odd],
    ["--tools", odd, "doctor"],
    ["--tools", odd, "list"],
    ["--tools", odd, "new", "five"],
  ];
  const runs = await Promise.all(
    lines.map(async (words, index) => ({
      words,
      run: await (index % STARTED_EACH === 0 ? bench.run(words) : bench.here(words)),
    })),
  );
  const loud = runs.filter(({ run }) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(run.stdout + run.stderr));
  assert.equal(
    loud.map(({ words }) => words),
    [],
  );
});

test.run();
