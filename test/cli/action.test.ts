// action.yml: the shell lines of its steps, run in order in a real repository with the real program. Only `gh`, which
// speaks to GitHub, is a script that writes down its words.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("action");
const root = fileURLToPath(new URL("../..", import.meta.url));

interface Step {
  readonly name: string;
  readonly run: string;
  readonly env?: Readonly<Record<string, string>>;
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
};

const greet =
  'Greet.\n\n@command echo hello {name}\n@param name {string} [required] Who\n@test says hello\n    with {"name": "Ada"}\n    expect output-contains hello Ada\n';

function git(folder: string, environment: NodeJS.ProcessEnv, ...words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
    cwd: folder,
    encoding: "utf8",
    env: environment,
  });
  assert.is(status, 0, stderr);
  return stdout.trim();
}

/** A bare repository, and the shallow clone that the checkout of a job makes. */
function job(change: (bench: TestProject) => void): { readonly bench: TestProject; readonly base: string } {
  const bench = testProject({ "origin/.tools/greet.tool": greet }, { isTrusted: false });
  const { environment, command, words } = bench.program;
  const origin = join(bench.folder, "origin");
  git(origin, environment, "init", "--quiet", "--initial-branch=main");
  git(origin, environment, "add", ".tools");
  git(origin, environment, "commit", "--quiet", "--message=base");
  const base = git(origin, environment, "rev-parse", "HEAD");
  git(origin, environment, "config", "uploadpack.allowAnySHA1InWant", "true");
  change(bench);
  git(origin, environment, "add", ".tools");
  git(origin, environment, "commit", "--quiet", "--message=change");
  git(bench.folder, environment, "clone", "--quiet", "--depth=1", `file://${origin}`, "work");
  mkdirSync(join(bench.folder, "bin"));
  const script = (name: string, text: string): void => {
    writeFileSync(join(bench.folder, "bin", name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bench.folder, "bin", name), 0o755);
  };
  script("dottool", `exec ${[command, ...words].map((word) => `'${word}'`).join(" ")} "$@"`);
  script("gh", `echo "$@" >> '${join(bench.folder, "gh.txt")}'`);
  return { bench, base };
}

/** Runs a step as a runner does: its expressions have their values, in the environment alone. */
function runStep(
  step: Step,
  bench: TestProject,
  values: Readonly<Record<string, string>>,
): { readonly exitCode: number | null; readonly text: string } {
  assert.not(step.run.includes("${{"));
  const { environment } = bench.program;
  const own = Object.entries(step.env ?? {}).map(([name, value]) => {
    const key = /^\$\{\{ (.*) \}\}$/.exec(value)?.[1] ?? "";
    assert.ok(key in values, key);
    return [name, values[key] ?? ""];
  });
  const { status, stdout, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
    cwd: join(bench.folder, "work"),
    encoding: "utf8",
    env: {
      ...environment,
      PATH: [join(bench.folder, "bin"), environment["PATH"]].join(delimiter),
      RUNNER_TEMP: bench.folder,
      GITHUB_STEP_SUMMARY: join(bench.folder, "summary.md"),
      ...Object.fromEntries(own),
    },
  });
  return { exitCode: status, text: stdout + stderr };
}

function valuesFor(base: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const inputs = Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default]);
  return {
    ...Object.fromEntries(inputs),
    "inputs.base": base,
    "github.event_name": "pull_request",
    "github.token": "secret",
    "github.event.pull_request.number": "7",
    ...more,
  };
}

test("the steps of the action check, test, compare and comment, and end with what `fail-on` says", () => {
  const { bench, base } = job((one) => {
    one.write("origin/.tools/greet.tool", greet.replace("echo hello", "printf 'hello %s'"));
    one.write("origin/.tools/lamp.tool", "Switch it.\n\n@command echo on\n");
  });
  using _ = bench;
  const values = valuesFor(base, { "inputs.fail-on": "breaking powers" });
  const ran = action.runs.steps.map((step) => [step.name, runStep(step, bench, values)] as const);
  assert.equal(
    ran.map(([name, { exitCode }]) => [name, exitCode]),
    [
      ["Install", 0],
      ["Check", 0],
      ["Test", 0],
      ["Compare", 0],
      ["Comment", 0],
      ["Decide", 1],
    ],
    ran.map(([, { text }]) => text).join("\n"),
  );
  assert.match(ran[2]?.[1].text ?? "", "says hello");
  const comment = readFileSync(join(bench.folder, "dottool-diff.md"), "utf8");
  assert.match(comment, "<code>lamp: added</code>");
  assert.is(readFileSync(join(bench.folder, "summary.md"), "utf8"), comment);
  assert.is(
    readFileSync(join(bench.folder, "gh.txt"), "utf8"),
    `pr comment 7 --body-file ${join(bench.folder, "dottool-diff.md")} --edit-last --create-if-none\n`,
  );
});

test("without `fail-on` the job passes, tests do not run for `pull_request_target`, and a base that is a command is text", () => {
  const { bench, base } = job((one) =>
    one.write("origin/.tools/greet.tool", greet.replace("hello {name}", "bye {name}")),
  );
  using _ = bench;
  const step = (name: string): Step => action.runs.steps.find((one) => one.name === name) as Step;
  assert.is(runStep(step("Test"), bench, valuesFor(base)).exitCode, 1);
  const target = valuesFor(base, { "github.event_name": "pull_request_target" });
  assert.equal(runStep(step("Test"), bench, target), {
    exitCode: 0,
    text: "the tests do not run: this job has rights that the pull request must not get\n",
  });
  assert.is(runStep(step("Compare"), bench, valuesFor(base)).exitCode, 0);
  assert.is(runStep(step("Decide"), bench, valuesFor(base)).exitCode, 0);
  for (const name of ["Compare", "Decide"])
    assert.ok(runStep(step(name), bench, valuesFor("--upload-pack=touch ran; $(touch ran)")).exitCode !== 0);
  assert.is(existsSync(join(bench.folder, "work/ran")), false);
});

test.run();
