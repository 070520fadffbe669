// The git tools in the executable, in a repository with programs of its own: none of them runs, whatever the value.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { callTool } from "../src/core/run/call-tool.ts";
import { failureText } from "../src/core/run/failure-text.ts";
import type { Json, JsonObject } from "../src/core/schema/json.ts";
import { outputTextOf, type ToolResult } from "../src/core/tool/call.ts";
import { someOf } from "./amount.ts";
import { type CheckFixture, openCheckFixture, withCheckFixture } from "./check/check-fixture.ts";
import { assert, suite } from "./harness.ts";
import { changedPaths, folderContents } from "./hostile/folder-contents.ts";
import { git, type GitTraps, setGitTraps } from "./hostile/git-traps.ts";
import { commits, paths, refused, revisions, sets } from "./hostile/git-values.ts";
import { wordList } from "./lines.ts";

// Hundreds of processes on a machine that may be busy.
const test = suite("wrapped-git-tools");
const signal = new AbortController().signal;

type Call = readonly [tool: string, args: Json];
type CallSoFar = readonly [tool: string, args: JsonObject];

let shared: Promise<readonly [CheckFixture, GitTraps]> | undefined;

async function openShared(): Promise<readonly [CheckFixture, GitTraps]> {
  const bench = await openCheckFixture({});
  process.on("exit", () => bench.remove());
  return [bench, setGitTraps(bench.folder)];
}

/** One repository for all tests, because making it takes a second and the tools change nothing in it. */
async function withTraps(body: (bench: CheckFixture, traps: GitTraps) => Promise<void>): Promise<void> {
  const [bench, traps] = await (shared ??= openShared());
  traps.empty();
  await body(bench, traps);
}

function call({ session }: CheckFixture, [tool, args]: Call, cwd: string): Promise<ToolResult> {
  return callTool({ id: "attack", tool, arguments: args }, { ...session, cwd }, signal);
}

function printed({ process }: ToolResult, stream: "stdout" | "stderr"): string {
  return process ? outputTextOf(process, stream) : "";
}

interface Sprung {
  readonly bench: CheckFixture;
  readonly traps: GitTraps;
  /** Traps that a call may trigger. */
  readonly mayRun?: readonly string[];
}

/** Returns the calls that trigger another trap, each with all that it has triggered. */
async function sprungBy(calls: readonly Call[], { bench, traps, mayRun = [] }: Sprung): Promise<readonly Json[]> {
  const before = folderContents(bench.folder);
  const found: Json[] = [];
  for (const attack of calls) {
    const result = await call(bench, attack, traps.repository);
    const ending = result.status === "ok" ? "ok" : result.failure.kind;
    assert.ok(["ok", "exit", "invalid-arguments"].includes(ending), JSON.stringify([attack, result]));
    const sprung = traps.sprung();
    if (sprung.some((name) => !mayRun.includes(name))) found.push([...attack, ...sprung]);
    traps.empty();
  }
  assert.equal(changedPaths(before, folderContents(bench.folder)), []);
  return found;
}

let turn = 0;

/** Returns the call once for each value of a further parameter. A value is used in every sixth call of a kind. */
function each([tool, args]: CallSoFar, name: string, values: readonly string[]): readonly Call[] {
  return someOf(values, 6, turn++).map((value) => [tool, { ...args, [name]: value }]);
}

test("the programs of the repository do run where nothing keeps git from it", async () => {
  // git itself leaves traces there.
  await withCheckFixture({}, async ({ folder }) => {
    const { repository, sprung } = setGitTraps(folder);
    const lines = [
      "status",
      "log -1 --format=%h",
      "show HEAD^",
      "show HEAD~2",
      "diff v0 HEAD -- a.txt",
      "diff v0 HEAD -- a.md",
      "blame a.txt",
      "blame HEAD -- a.txt",
      "cat-file -p topic:gone.txt",
      "-C bare status",
    ];
    for (const line of lines) spawnSync("git", ["-C", repository, ...line.split(" ")], { stdio: "ignore" });
    const ran = sprung();
    const expected = wordList(`
    bare.core.fsmonitor core.fsmonitor diff.external diff.trap.command diff.trap.textconv filter.lasting.process
    filter.trap.clean filter.trap.smudge gpg.program hook.post-index-change hook.reference-transaction
    remote.origin.url sub.core.fsmonitor sub.diff.trap.command sub.filter.trap.clean
  `);
    // git runs some more of them when files are as old as its index.
    assert.equal(
      expected.filter((name) => !ran.includes(name)),
      [],
    );
  });
});

test("no revision makes git_compare or git_blame run what a repository names, or write", async () => {
  await withTraps(async (bench, traps) => {
    const attacks = [
      ...each(["git_compare", {}], "from", revisions),
      ...each(["git_compare", { from: "v0" }], "to", revisions),
      ...each(["git_blame", { file: "a.txt" }], "revision", revisions),
    ];
    assert.equal(await sprungBy(attacks, { bench, traps }), []);
  });
});

test("no revision makes git_show or git_log run what a repository names, or write", async () => {
  await withTraps(async (bench, traps) => {
    const attacks = [...each(["git_show", {}], "revision", revisions), ...each(["git_log", {}], "revision", revisions)];
    assert.equal(await sprungBy(attacks, { bench, traps }), []);
  });
});

test("no other value makes a reading git tool run what a repository names, or write", async () => {
  await withTraps(async (bench, traps) => {
    const lines = ["1,1", "1,1 --contents=a.txt", "/x/,/y/", ":one", "1,1\n--", "--contents=a.txt"];
    const texts = ["--output=stolen", "%G?", "x --show-signature", "@{u}", "-p"];
    const attacks: readonly Call[] = [
      ...each(["git_compare", { from: "v0" }], "path", paths),
      ...each(["git_blame", {}], "file", paths),
      ...each(["git_log", {}], "path", paths),
      ...each(["git_blame", { file: "a.txt" }], "lines", lines),
      ...["author", "since", "until", "words"].flatMap((name) => each(["git_log", {}], name, texts)),
      ["git_branches", {}],
      ["git_branches", { remote: true }],
    ];
    assert.equal(await sprungBy(attacks, { bench, traps }), []);
  });
});

test("git_status and git_diff, which are tagged `run`, run nothing but clean filters, and write nothing", async () => {
  await withTraps(async (bench, traps) => {
    const filters = ["filter.lasting.process", "filter.trap.clean"];
    const attacks = [
      ...each(["git_diff", {}], "against", revisions),
      ...each(["git_diff", {}], "path", paths),
      ...each(["git_status", {}], "path", paths),
    ];
    assert.equal(await sprungBy(attacks, { bench, traps, mayRun: filters }), []);
    const staged = ["HEAD", "v0", "v0^{tree}"].map((against): Call => ["git_diff", { staged: true, against }]);
    assert.equal(await sprungBy(staged, { bench, traps }), []);
    const ran = { git_status: "filter.trap.clean", git_diff: "filter.lasting.process" };
    for (const [tool, filter] of Object.entries(ran)) {
      await call(bench, [tool, {}], traps.repository);
      assert.equal([tool, traps.sprung(), bench.session.registry.find(tool)?.effects], [tool, [filter], ["run"]]);
      traps.empty();
    }
  });
});

test("no git tool takes files that lie in the tree of a repository for a repository", async () => {
  const required: Readonly<Record<string, Json>> = { git_blame: { file: "in.txt" }, git_compare: { from: "HEAD~1" } };
  await withTraps(async (bench, traps) => {
    for (const tool of ["git_blame", "git_branches", "git_compare", "git_diff", "git_log", "git_show", "git_status"]) {
      const result = await call(bench, [tool, required[tool] ?? {}], join(traps.repository, "bare"));
      assert.match(printed(result, "stderr"), /cannot use bare repository|Could not access 'HEAD/);
      assert.equal([tool, result.status, traps.sprung()], [tool, "failed", []]);
    }
  });
});

test("git tools take what people write for a commit", async () => {
  await withTraps(async (bench, { repository }) => {
    git(repository, "tag", "-a", "-m", "annotated", "v1", "HEAD~1");
    const id = git(repository, "rev-parse", "HEAD");
    for (const revision of [...commits, id, id.slice(0, 7), git(repository, "describe", "--long")]) {
      const calls: readonly Call[] = [
        ["git_compare", { from: revision }],
        ["git_blame", { file: "a.txt", revision }],
        ["git_show", { revision }],
      ];
      for (const attempt of calls) {
        const { status } = await call(bench, attempt, repository);
        assert.equal([attempt, status], [attempt, "ok"]);
      }
    }
  });
});

test("git_log takes ranges", async () => {
  await withTraps(async (bench, { repository }) => {
    const subjects = async (revision: string): Promise<string> => {
      return printed(await call(bench, ["git_log", { revision }], repository), "stdout").replace(/^.*: /gm, "");
    };
    assert.equal([await subjects("v0..main~1"), await subjects("topic...v0")], ["third\nsecond", "second on topic"]);
  });
});

test("git_compare shows files, submodules and statistics, also against nothing", async () => {
  await withTraps(async (bench, { repository }) => {
    const shown = async (args: Json): Promise<string> => {
      const result = await call(bench, ["git_compare", args], repository);
      return printed(result, "stdout").replaceAll(/[0-9a-f]{7,40}/g, "ID");
    };
    const head = (name: string, mode: string): string => {
      return `diff --git a/${name} b/${name}\nindex ID..ID ${mode}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n`;
    };
    assert.is(await shown({ from: "v0", path: "a.txt" }), `${head("a.txt", "100644")}-one\n+main\n`);
    const submodule = `${head("sub", "160000")}-Subproject commit ID\n+Subproject commit ID\n`;
    assert.is(await shown({ from: "HEAD~2" }), submodule);
    const statistics = " a.md | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n";
    assert.is(await shown({ from: "v0", stat: true, path: "a.md" }), statistics);
    // git's empty tree, with which people compare a first commit.
    const nothing = git(repository, "hash-object", "-t", "tree", "/dev/null");
    const all = " a.md | 1 +\n 1 file changed, 1 insertion(+)\n";
    assert.is(await shown({ from: nothing, to: "v0", stat: true, path: "a.md" }), all);
  });
});

test("a value that is no commit is refused with what would be accepted", async () => {
  const one = "one commit, such as main, v1.2, 4f2c1a9, HEAD~3 or main@{yesterday}; no range";
  await withTraps(async (bench, { repository }) => {
    const said = async (attempt: Call): Promise<string> => {
      const result = await call(bench, attempt, repository);
      if (result.status === "ok") return "";
      return `${failureText(result.failure, { audience: "person", tool: attempt[0] })}\n${printed(result, "stderr")}`;
    };
    const shown = (name: string, value: string, help: string): RegExp => {
      const escaped = JSON.stringify(value).replaceAll(/[.^{}]/g, "\\$&");
      return new RegExp(`^  ${name}  expected text that matches /.*/, got the string ${escaped}; ${help}$`, "m");
    };
    for (const value of refused) {
      assert.match(await said(["git_compare", { from: value }]), shown("from", value, one));
      assert.match(await said(["git_compare", { from: "v0", to: value }]), shown("to", value, one));
      assert.match(await said(["git_blame", { file: "a.txt", revision: value }]), shown("revision", value, one));
      assert.match(await said(["git_diff", { against: value }]), shown("against", value, one));
    }
    const either = "one commit, such as HEAD~2, or COMMIT:PATH, such as v1\\.0:README\\.md; no range";
    for (const value of [...sets, "--stat", ""]) {
      assert.match(await said(["git_show", { revision: value }]), shown("revision", value, either));
    }
    const range = 'got the string "--all"; a branch, tag or commit, or a range such as main..topic';
    assert.match(await said(["git_log", { revision: "--all" }]), range);
    const unknown = (word: string): string => {
      return `failed[exit]: \`git\` ended with exit code 128\nfatal: bad revision '${word}'\n`;
    };
    assert.is(await said(["git_compare", { from: "mian" }]), unknown("mian^{tree}"));
    assert.is(await said(["git_blame", { file: "a.txt", revision: "a.txt" }]), unknown("a.txt^{commit}"));
  });
});

test.run();
