// The environment of a call, as people and models type it: see grammar/README.md.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("environment of calls");

const files = {
  ".tools/all.tool": "Show the environment.\n\n@tags read\n@shell sh\n@command env\n",
  ".tools/none.tool": "Show the environment.\n\n@tags read\n@env-inherit no\n@shell sh\n@command env\n",
  ".tools/git_all.tool": "Show the environment.\n\n@tags read\n@shell sh\n@command git --version >/dev/null; env\n",
  ".tools/mode.tool":
    'Show the mode.\n\n@tags read\n@shell sh\n@command echo begun; [ -n "$CI" ] && echo ci; echo "${COLOR:-plain}"; echo "mode $APP_MODE"; echo ended\n',
  ".tools/key.tool": 'Show the key.\n\n@tags read\n@shell sh\n@command echo "key $API_TOKEN"\n',
  ".tools/steps.tool": 'Show the mode.\n\n@tags read\n@step one sh\n    echo "mode $APP_MODE"\n@output\n    {one}\n',
  ".tools/empty_build.tool":
    'Empty the build folder.\n\n@tags write\n@shell sh\n@env BUILD_DIR\n@command rm -rf "$BUILD_DIR"/*; echo went on\n',
  "build/a.txt": "x",
};

const environment = {
  APP_MODE: "dev",
  API_TOKEN: "not-for-tools",
  SSH_AUTH_SOCK: "/run/agent",
  LD_LIBRARY_PATH: "/x",
  BUILD_DIR: "build",
};

async function byPerson(bench: TestProject, tool: string, given: Readonly<Record<string, string>> = environment) {
  const { stdout, stderr, exitCode } = await bench.run([tool], { environment: given });
  return { text: stdout, stderr, exitCode, names: namesIn(stdout) };
}

async function byModel(bench: TestProject, tool: string) {
  const calls = [{ id: "1", type: "function", function: { name: tool, arguments: "{}" } }];
  const { stdout } = await bench.run(["exec"], {
    stdin: JSON.stringify({ role: "assistant", content: null, tool_calls: calls }),
    environment,
  });
  const text = (JSON.parse(stdout) as readonly { readonly content: string }[])[0]?.content ?? "";
  return { text, names: namesIn(text) };
}

/** Returns which of the variables are there. */
function namesIn(text: string): readonly string[] {
  return Object.keys(environment).filter((name) => new RegExp(`^${name}=`, "m").test(text));
}

test("a person's call gets the environment, without secrets and without what slips in code", async () => {
  using bench = testProject(files);
  assert.equal((await byPerson(bench, "all")).names, ["APP_MODE", "SSH_AUTH_SOCK", "BUILD_DIR"]);
  assert.match((await byPerson(bench, "steps")).text, "mode dev");
});

test("a program that fails without its secret, which is set here, names the line that passes it on", async () => {
  const gh = "Show the issues.\n\n@tags read\n@name issues\n@command gh issue list\n";
  using bench = testProject({ ".tools/issues.tool": gh, ".tools/other.tool": "Fail.\n\n@tags read\n@command false\n" });
  // GitHub's own program ends with 4 if nobody is logged in.
  bench.write("bin/gh", '#!/bin/sh\n[ -n "$GH_TOKEN" ] || { echo "log in" >&2; exit 4; }\necho "as ${#GH_TOKEN}"\n');
  chmodSync(join(bench.folder, "bin/gh"), 0o755);
  const given = {
    PATH: `${join(bench.folder, "bin")}:${process.env["PATH"]}`,
    GH_TOKEN: "ghp-4711",
    NPM_TOKEN: "npm-4711",
  };
  const lacking = await byPerson(bench, "issues", given);
  assert.is(lacking.exitCode, 4);
  assert.is(
    lacking.stderr,
    "log in\nfailed[exit]: `gh` ended with exit code 4\n  = GH_TOKEN is set here, but a secret is passed on only if the definition says so: `@env GH_TOKEN=secret:GH_TOKEN`\n",
  );
  assert.is((await byPerson(bench, "issues", { PATH: given.PATH })).stderr, "log in\n");
  assert.is((await byPerson(bench, "other", given)).stderr, "");
  bench.write(".tools/issues.tool", `${gh}@env GH_TOKEN=secret:GH_TOKEN\n`);
  assert.is((await byPerson(bench, "issues", given)).text, "as 8\n");
});

test("a model's call, and one with `@env-inherit no`, get the clean one", async () => {
  using bench = testProject(files);
  assert.equal((await byModel(bench, "all")).names, []);
  assert.equal((await byPerson(bench, "none")).names, []);
});

test("a model's call gets what a row says that the program needs", async () => {
  using bench = testProject(files);
  assert.equal((await byModel(bench, "git_all")).names, ["SSH_AUTH_SOCK"]);
});

test("a script ends where it reads a variable that nobody sets; tests and defaults go on", async () => {
  using bench = testProject(files);
  assert.is((await byPerson(bench, "mode")).text, "begun\nplain\nmode dev\nended\n");
  const { text, stderr, exitCode } = await byPerson(bench, "mode", {});
  assert.is(text, "begun\nplain\n");
  assert.match(stderr, "APP_MODE: no value in this call, and the script reads it. Set it where you call the tool, or");
  assert.is.not(exitCode, 0);
  assert.match((await byModel(bench, "mode")).text, "@env APP_MODE passes it on to models");
  assert.match((await byPerson(bench, "key")).stderr, "@env API_TOKEN=secret:API_TOKEN");
});

test("a folder that is not named is not the root", async () => {
  using bench = testProject(files);
  for (const given of [{}, { BUILD_DIR: "" }])
    assert.is.not((await byPerson(bench, "empty_build", given)).text.includes("went on"), true);
  assert.is((await byPerson(bench, "empty_build")).text, "went on\n");
});

test("explain says what is passed to a person's call, and what to a model's", async () => {
  using bench = testProject(files);
  const { stdout } = await bench.run(["explain", "mode"], { environment });
  const text = stdout.replaceAll(/\s+/g, " ");
  assert.match(text, "environment your environment, ");
  assert.match(text, "secrets are passed only with a line such as `@env API_TOKEN=secret:API_TOKEN`: API_TOKEN");
  assert.match(text, "a model's call gets only HOME");
  const { stdout: without } = await bench.run(["explain", "mode"], {});
  assert.match(without.replaceAll(/\s+/g, " "), "not set, so the script ends where it reads it: APP_MODE");
});

test.run();
