// Rules that a package brings: what counts before and after a person approves it, for persons, `exec` and MCP.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../harness.ts";
import { hello, request, startLines } from "../mcp/line-client.ts";
import { writePackage } from "../packages/package-fixture.ts";
import { sideBySide } from "../side-by-side.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";

const test = sideBySide("cli/package-rules");
const runLine = startingOnce();

const RULES = `policy:
  - {decision: deny, tool: list_dir, reason: lists are secret}
  - {decision: allow, tool: run_command, command: mkdir made}
`;
const WIDER = 'policy:\n  - {decision: allow, tool: "*"}\n';

function add(bench: TestProject, version: string, rules: string | undefined): ReturnType<TestProject["run"]> {
  rmSync(join(bench.folder, "policy"), { recursive: true, force: true });
  writePackage(join(bench.folder, "policy"), {
    name: "@acme/policy",
    version,
    files: rules === undefined ? { "a.tool": "A.\n\n@title A\n@command true\n" } : { "config.yaml": rules },
  });
  return runLine(bench, ["add", "../policy"], { cwd: "project" });
}

async function approve(bench: TestProject): Promise<string> {
  const words = ["trust", "--package", "@acme/policy"];
  const { stdout } = await runLine(bench, [...words, "--show"], { cwd: "project" });
  const DOTTOOL_TRUST = /([0-9a-f]{64})\n$/.exec(stdout)?.[1] ?? "";
  const { exitCode } = await runLine(bench, words, { cwd: "project", environment: { DOTTOOL_TRUST } });
  assert.is(exitCode, 0);
  return stdout;
}

/** Returns the first line of what is said, by a person's call and by `exec`. */
async function listed(bench: TestProject): Promise<string> {
  const { stderr } = await runLine(bench, ["list_dir"], { cwd: "project" });
  return stderr.split("\n").slice(0, 2).join("\n");
}

async function byExec(bench: TestProject, name: string, input: object): Promise<string> {
  const stdin = JSON.stringify({ type: "tool_use", id: "t", name, input });
  const { stdout } = await runLine(bench, ["exec"], { cwd: "project", stdin });
  return stdout;
}

async function byMcp(bench: TestProject, name: string, args: object): Promise<string> {
  const lines = startLines({ ...bench, folder: join(bench.folder, "project") });
  try {
    lines.send(hello);
    lines.send(request(7, "tools/call", { name, arguments: args }));
    for (let wanted = 1; ; wanted++) {
      const answer = (await lines.count(wanted)).find((one) => one.id === 7);
      if (answer) return JSON.stringify(answer.result ?? answer.error);
    }
  } finally {
    await lines.end();
  }
}

const PLACE = "package:@acme/policy@1.0.0/config.yaml:2:5";
const DENIED = "failed[denied]: policy denies `list_dir`\n";
const UNAPPROVED =
  "the package is not approved, but its rules that deny and ask apply until `dottool remove`; `dottool trust --package` reviews them";

test("rules of a package deny at once, allow once a person approves them, and outlive an update as denials", async () => {
  using bench = testProject({ "project/.git/HEAD": "" });
  const made = (): boolean => existsSync(join(bench.folder, "project/made"));
  const mkdir = { command: "mkdir made" };
  const { stdout } = await add(bench, "1.0.0", RULES);
  assert.ok(
    stdout.startsWith(
      `@acme/policy@1.0.0 from file:../policy\n  rules, which allow only once you approve the package:\n${RULES.replaceAll(/^/gm, "    ").trimEnd()}\n`,
    ),
    stdout,
  );
  assert.is(await listed(bench), `${DENIED}  ${PLACE}: it is not allowed here (${UNAPPROVED})`);
  assert.match(await byExec(bench, "run_command", mkdir), /was not approved/);
  assert.is(made(), false);

  assert.match(await approve(bench), /tool: run_command, command: mkdir made/);
  assert.is(await listed(bench), `${DENIED}  ${PLACE}: lists are secret`);
  assert.match(await byExec(bench, "list_dir", {}), /lists are secret/);
  assert.match(await byMcp(bench, "list_dir", {}), /lists are secret/);
  await byExec(bench, "run_command", mkdir);
  assert.is(made(), true);

  // The denial is gone from the new version, and everything is allowed there: neither counts before a person has seen it.
  await add(bench, "1.1.0", WIDER);
  assert.match(await listed(bench), /lists are secret \(the package has changed since it was approved/);
  assert.match(await byExec(bench, "run_command", { command: "mkdir more" }), /was not approved/);
  assert.match(await byExec(bench, "run_command", mkdir), /was not approved/);
  await add(bench, "1.2.0", undefined);
  assert.match(await listed(bench), /lists are secret \(the package has changed since it was approved/);
  await add(bench, "1.1.0", WIDER);
  await approve(bench);
  assert.is(await listed(bench), "");
  assert.not.match(await byMcp(bench, "run_command", { command: "mkdir more" }), /not approved/);
  assert.is(existsSync(join(bench.folder, "project/more")), true);
  await runLine(bench, ["remove", "@acme/policy"], { cwd: "project" });
  assert.match(await byExec(bench, "run_command", { command: "mkdir other" }), /was not approved/);
});

test("a package whose rules cannot be read is not added, so that it refuses no call", async () => {
  using bench = testProject({ "project/.git/HEAD": "" });
  const { exitCode, stderr } = await add(bench, "1.0.0", "policy:\n  - {decision: deny, outside: projet}\n");
  assert.equal(
    [exitCode, stderr],
    [
      65,
      "failed[package]: its rules cannot be used: package:@acme/policy@1.0.0/config.yaml:2:31: unknown outside `projet`; did you mean `project`?\n",
    ],
  );
  assert.is(await listed(bench), "");
});

test("a package of the same name in a project does not take away the rules of the user's own", async () => {
  using bench = testProject({ "project/.git/HEAD": "" });
  writePackage(join(bench.folder, "policy"), { name: "@acme/policy", files: { "config.yaml": RULES } });
  await runLine(bench, ["add", "../policy", "--user"], { cwd: "project" });
  await approve(bench);
  await add(bench, "9.0.0", undefined);
  assert.is(await listed(bench), `${DENIED}  ${PLACE}: lists are secret`);
});

test.run();
