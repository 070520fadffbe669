// What each step of a run writes: followed as it comes, kept by step, and first of all if the step has failed.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { withPage } from "./page-fixture.ts";
import { STATE, storedRuns, whenThere, withoutIds } from "./runs-fixture.ts";

const all = suite("cli runs output");
/** Left out in Deno, where the program that detaches a call does not end before the call. */
const test: typeof all = "Deno" in globalThis ? Object.assign(() => undefined, all) : all;

const tool = (steps: string): Readonly<Record<string, string>> => ({
  ".tools/deploy.tool": `Deploys.\n\n@name deploy\n@title Deploy\n@param token {string} [secret] A token\n${steps}`,
});

const WAITING = `@step build sh
    echo built; echo '── ship'; printf f00d; touch begun; until test -e go; do sleep 0.02; done; echo cafe77 {token}
@step lint sh [parallel]
    until test -e begun; do sleep 0.02; done; echo linted
@step ship sh
    printf 'ship\\033[31mping\\n\\377\\n── build\\n'; exit 3
`;

const folderOf = (bench: TestProject): string => join(bench.folder, STATE, "runs", storedRuns(bench)[0] ?? "");

/** Asks until the answer is as wanted. */
async function until(ask: () => Promise<unknown>, isWanted: (answer: string) => boolean): Promise<string> {
  for (;;) {
    const answer = JSON.stringify(await ask());
    if (isWanted(answer)) return answer;
  }
}

test("what steps write is there as it comes, by step and below headings, without secrets in pieces", async () => {
  using bench = testProject(tool(WAITING));
  await bench.run(["--detach", "deploy", "--token", "f00dcafe77"]);
  await whenThere(join(bench.folder, "begun"));
  const shown = (...words: readonly string[]): Promise<{ readonly stdout: string }> => bench.run(["runs", ...words]);
  // The beginning of the secret is held back. The second step is there although the first one is shown meanwhile.
  await until(
    () => shown("show", "last", "build"),
    (said) => said.includes('"built\\n── ship\\n"'),
  );
  await until(
    () => shown("show", "last", "lint"),
    (said) => said.includes('"linted\\n"'),
  );
  await withPage(bench, async ({ ask }) => {
    const path = `/runs/${storedRuns(bench)[0]}/output?step=`;
    assert.equal(await ask(`${path}lint`), { status: 200, body: { output: "linted\n", bytesBefore: 0 } });
    assert.equal(await ask(`${path}ship`), { status: 200, body: {} });
    assert.equal(await ask(`${path}..%2frun.json`), { status: 200, body: {} });
  });
  const followed = shown("follow", "last");
  writeFileSync(join(bench.folder, "go"), "");
  assert.equal(await followed, {
    stdout: "",
    stderr:
      "── build\nbuilt\n── ship\n••• •••\n── lint\nlinted\n── ship\nship\u001b[31mping\n\ufffd\n── build\nfailed[step-failed]: step `ship` (`sh`): `sh` ended with exit code 3\n",
    exitCode: 3,
  });
  const lines = (await shown("follow", "last", "--json")).stdout.trim().split("\n");
  assert.equal(
    lines.map((line) => JSON.parse(line) as { readonly step?: string }).filter(({ step }) => step !== undefined),
    [
      { step: "build", text: "built\n── ship\n••• •••\n" },
      { step: "lint", text: "linted\n" },
      { step: "ship", text: "ship\u001b[31mping\n\ufffd\n── build\n" },
    ],
  );
  for (const file of readdirSync(folderOf(bench))) {
    assert.not.match(readFileSync(join(folderOf(bench), file), "utf8"), /f00dcafe77|cafe77/);
    if (file.startsWith("step.")) assert.is(statSync(join(folderOf(bench), file)).mode & 0o777, 0o600);
  }
});

test("a failed run is shown with what the failed step wrote before all else, and each step can be asked for", async () => {
  using bench = testProject(tool(WAITING));
  writeFileSync(join(bench.folder, "go"), "");
  await bench.run(["deploy"]);
  const shown = withoutIds(await bench.run(["runs", "show", "last"]));
  assert.match(
    shown.stdout,
    /^`ship` failed, and wrote\n {2}ship\\u\{1b\}\[31mping\n {2}\ufffd\n {2}── build\n\n<id>\n {2}call /,
  );
  const [id = ""] = storedRuns(bench);
  assert.equal(await bench.run(["runs", id, "lint"]), { stdout: "linted\n", stderr: "", exitCode: 0 });
  assert.equal(await bench.run(["runs", "show", "last", "lnt"]), {
    stdout: "",
    stderr: "failed[runs]: the run has no step `lnt`; did you mean `lint`?\n  = it has build, lint, ship\n",
    exitCode: 66,
  });
  const json = JSON.parse((await bench.run(["runs", "show", "last", "--json"])).stdout) as Record<string, unknown>;
  assert.equal([Object.keys(json)[0], json["failedStep"]], ["failedOutput", "ship"]);
  assert.equal(JSON.parse((await bench.run(["runs", "show", "last", "lint", "--json"])).stdout), {
    run: id,
    name: "lint",
    after: [],
    state: "done",
    endedAt: (json["steps"] as readonly { readonly endedAt?: string }[])[1]?.endedAt,
    output: "linted\n",
    bytesBefore: 0,
  });
});

test("of steps that run at the same time, only the one that failed counts as failed", async () => {
  using bench = testProject(
    tool(
      "@step first sh\n    true\n@step good sh [after=first]\n    touch begun; sleep 1000\n@step bad sh [after=first]\n    until test -e begun; do sleep 0.02; done; echo why >&2; exit 4\n",
    ),
  );
  await bench.run(["deploy"]);
  const { steps } = JSON.parse((await bench.run(["runs", "show", "last", "--json"])).stdout) as {
    readonly steps: readonly { readonly name: string; readonly state: string }[];
  };
  assert.equal(
    steps.map(({ name, state }) => [name, state]),
    [
      ["first", "done"],
      ["good", "stopped"],
      ["bad", "failed"],
    ],
  );
  assert.match((await bench.run(["runs", "show", "last"])).stdout, /^`bad` failed, and wrote\n {2}why\n\n/);
});

test("of a long output the end is kept, and a step that runs again begins anew", async () => {
  using bench = testProject(
    tool(
      "@step a sh\n    true\n@step b sh [output=stream]\n    if test -e ok; then echo short; exit 5; fi; seq 1000000 1600000; exit 3\n",
    ),
  );
  await bench.run(["deploy"]);
  const { stdout, stderr } = await bench.run(["runs", "show", "last", "b"]);
  assert.ok(stdout.endsWith("1599999\n1600000\n"));
  assert.ok(stdout.length >= 512 * 1024 && stdout.length < 1200 * 1024);
  const before = Number(/^([\d,]+) bytes before this/.exec(stderr)?.[1]?.replaceAll(",", ""));
  assert.is(before + stdout.length, 600_001 * 8);
  writeFileSync(join(bench.folder, "ok"), "");
  await bench.run(["runs", "resume", "last"]);
  assert.equal(await bench.run(["runs", "show", "last", "b"]), { stdout: "short\n", stderr: "", exitCode: 0 });
});

test("on a full disk, the output is lost with a warning, the call ends as it does, and later it is said", async () => {
  using bench = testProject(tool("@step a sh\n    true\n@step b sh [output=stream]\n    seq 100000 110000; exit 3\n"));
  const { stdout, stderr, exitCode } = runOnFullDisk(bench, ["deploy"], { blocks: 60 });
  assert.equal([stdout.length, exitCode], [70_007, 3]);
  assert.match(stderr, /^warning\[runs\]: the output of a step is not stored as a whole \(EFBIG\)$/m);
  const said = "the end of the output of `b` could not be stored, and is missing\n";
  for (const words of [
    ["show", "last", "b"],
    ["follow", "last"],
  ])
    assert.ok((await bench.run(["runs", ...words])).stderr.endsWith(said), words.join(" "));
  assert.is((await bench.run(["runs", "show", "last", "a"])).stderr.includes(said), false);
});

test("the items of a step are told apart, and a tool without a process is shown with its result", async () => {
  using bench = testProject(
    tool(
      "@param words {array<string>} Words\n@step each sh [for-each={words}]\n    printf %s {item}\n@step read uses read_file\n    file_path = note\n@step end sh\n    exit 3\n",
    ),
  );
  writeFileSync(join(bench.folder, "note"), "noted\n");
  await bench.run(["deploy", "--words", "a", "--words", "b"]);
  const outputs = ["each", "read"].map(async (step) => (await bench.run(["runs", "show", "last", step])).stdout);
  assert.equal(await Promise.all(outputs), ["── each[0]\na\n── each[1]\nb", "noted\n"]);
});

all.run();
