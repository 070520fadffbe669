// What authors of the older system wrote and meant: it runs so, or is refused with the reason, and nothing in between.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, suite } from "../../harness.ts";
import { runHere } from "../../run-here.ts";
import type { ToolRun } from "../../test-project.ts";

const test = suite("what YAML files mean");

interface Tried {
  readonly yaml: string;
  readonly words: readonly string[];
}

/** Runs dottool in a folder with the text as `.tools/tried.yaml`. */
async function ran({ yaml, words }: Tried): Promise<ToolRun> {
  const folder = mkdtempSync(join(tmpdir(), "meant-"));
  try {
    mkdirSync(join(folder, "t"));
    writeFileSync(join(folder, "t", "tried.yaml"), `name: tried\ndescription: Tries it\n${yaml}`);
    return await runHere(["--tools", "t", ...words], folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function errorsOf(yaml: string): Promise<string> {
  const { stdout, stderr } = await ran({ yaml, words: ["check"] });
  return `${stdout}${stderr}`
    .split("\n")
    .filter((line) => /^error|= (?:fix|help):/.test(line))
    .join("\n");
}

const split = `run: echo {N}
parameters:
  N: { type: string, description: Words, required: true, transform: "value.split(',')" }
`;

test("a transform that gives another type is an error of the definition, in `check` and in a call", async () => {
  const reason =
    "the transform `value.split(',')` of `N` gives a value of the type array, and the parameter's type is string";
  assert.is(
    await errorsOf(split),
    `error[bad-code]: ${reason}\n  = help: the call is fine; in the definition, let \`transform\` give a value of that type, or declare another type`,
  );
  const { stderr, exitCode } = await ran({ yaml: split, words: ["tried", "--N", "a,b"] });
  assert.equal(
    [stderr, exitCode === 0],
    [
      `failed[code-failed]: ${reason}\n  = the call is fine; in the definition, let \`transform\` give a value of that type, or declare another type\n`,
      false,
    ],
  );
});

test("a transform that gives the type again runs", async () => {
  const yaml = split.replace("split(',')", "split(',').join('+')");
  assert.equal([await errorsOf(yaml), (await ran({ yaml, words: ["tried", "--N", "a,b"] })).stdout], ["", "a+b\n"]);
});

test("a format that computes is refused", async () => {
  const yaml = `run: echo {V}
parameters:
  V: { type: boolean, description: Whether, format: "{value ? '--verbose' : ''}" }
`;
  assert.match(await errorsOf(yaml), "error[wrong-value]: `format` computes nothing: `{value ? '--verbose' : ''}`");
  assert.match(await errorsOf(yaml), 'help: write the words alone, as in `format: "--verbose"`');
});

test("an interactive tool of steps is refused, since a step's question would not be seen", async () => {
  const yaml = "interactive: true\nsteps:\n  - { name: one, bash: read x }\n  - { name: two, bash: read y }\n";
  assert.match(await errorsOf(yaml), "error[conflicting-keys]: `interactive` is for a tool with one command");
});

test("a default that names a parameter is refused", async () => {
  const yaml = `run: echo {BRANCH} {REPO}
parameters:
  REPO: { type: string, description: Repository, required: true }
  BRANCH: { type: string, description: Branch, default: "{REPO}" }
`;
  assert.match(await errorsOf(yaml), "error[default-mismatch]: `{REPO}` in the default of `BRANCH` is plain text");
});

test("an empty default leaves no word behind, and is an empty text within quotes", async () => {
  const yaml = (line: string): string =>
    `${line}\nparameters:\n  X: { type: string, description: Word, default: "" }\n`;
  const printed = async (line: string): Promise<string> => (await ran({ yaml: yaml(line), words: ["tried"] })).stdout;
  assert.equal(
    [
      await printed(`run: printf "<%s>" a {X} b`),
      await printed(`bash: printf "<%s>" a {X} b`),
      await printed(`bash: printf "<%s>" "a{X}" "b"`),
    ],
    ["<a><b>", "<a><b>", "<a><b>"],
  );
});

test("a program whose name ends in a digit is not the builtin without it", async () => {
  const yaml = "bash: command1 {X}\nparameters:\n  X: { type: string, description: Word, required: true }\n";
  assert.is(await errorsOf(yaml), "");
  assert.match(await errorsOf(yaml.replace("command1", "command")), "would choose the program to run");
  assert.match(await errorsOf(yaml.replace("command1", "python3.12 -c")), "could become program text");
});

test("folders of other programs are named where tools are listed, and read where asked", async () => {
  const folder = mkdtempSync(join(tmpdir(), "meant-"));
  try {
    mkdirSync(join(folder, ".cycod", "tools"), { recursive: true });
    mkdirSync(join(folder, ".cmdforge", "shout"), { recursive: true });
    writeFileSync(join(folder, ".cycod", "tools", "hi.yaml"), "description: Says hi\nrun: echo hi\n");
    writeFileSync(
      join(folder, ".cmdforge", "shout", "config.yaml"),
      'name: shout\ndescription: Shouts\nsteps:\n  - { type: code, language: javascript, code: "return input.toUpperCase()", output_var: out }\noutput: "{out}"\n',
    );
    const { stderr, stdout } = await runHere(["check"], folder);
    assert.match(`${stdout}${stderr}`, "`.cycod/tools` is not read");
    assert.match(`${stdout}${stderr}`, "`--tools .cmdforge`");
    assert.is((await runHere(["--tools", ".cycod/tools", "hi"], folder)).stdout, "hi\n");
    assert.is((await runHere(["--tools", ".cmdforge", "shout", "--input", "a"], folder)).stdout, "A\n");
    const listed = await runHere(["--tools", ".cycod/tools", "list"], folder);
    assert.not.match(`${listed.stdout}${listed.stderr}`, "`.cycod/tools` is not read");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
