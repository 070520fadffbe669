// Packages from git: the commit is locked, its programs do not run, and addresses cannot start others.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../harness.ts";
import { shout, writePackage } from "../packages/package-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { sideBySide } from "../side-by-side.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = sideBySide("cli/package-git");
const runLine = startingOnce();

type Run = (...words: readonly string[]) => Promise<ToolRun>;

interface Repository {
  readonly url: string;
  commit(): string;
}

async function withRepository(
  work: (run: Run, repository: Repository, bench: TestProject) => Promise<void>,
): Promise<void> {
  needPrograms("git");
  using bench = testProject({ "project/kept": "" });
  const folder = join(bench.folder, "words");
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      encoding: "utf8",
    }).trim();
  writePackage(folder);
  git("init", "-q", "-b", "main");
  const commit = (): string => {
    git("add", "-A");
    git("commit", "-q", "-m", "words");
    return git("rev-parse", "HEAD");
  };
  const run: Run = (...words) => runLine(bench, words, { cwd: "project" });
  await work(run, { url: `git+file://${folder}`, commit }, bench);
}

const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");

test("add locks the commit of a branch, and update follows the branch", () =>
  withRepository(async (run, { url, commit }, bench) => {
    const first = commit();
    await run("add", `${url}#main`);
    assert.is(readFileSync(lockOf(bench), "utf8").includes(`"source": "${url}#${first}"`), true);
    writeFileSync(join(bench.folder, "words/shout.tool"), `${shout}\n`);
    const second = commit();
    assert.equal(await run("outdated"), {
      exitCode: 1,
      stdout: `words ${first.slice(0, 7)}; \`dottool update\` installs ${second.slice(0, 7)}\n`,
      stderr: "",
    });
    await run("update");
    assert.is(readFileSync(lockOf(bench), "utf8").includes(`"source": "${url}#${second}"`), true);
  }));

test("install fetches the locked commit, whatever the branch has become", () =>
  withRepository(async (run, { url, commit }, bench) => {
    commit();
    await run("add", url);
    writeFileSync(join(bench.folder, "words/shout.tool"), "broken");
    commit();
    rmSync(join(bench.folder, "home/.local/state/dottool"), { recursive: true });
    const { exitCode, stderr } = await run("install", "--frozen");
    assert.equal([exitCode, stderr.split("\n", 1)], [0, ["installed words@1.0.0"]]);
  }));

test("a filter that a repository names does not run", () =>
  withRepository(async (run, { url, commit }, bench) => {
    writeFileSync(join(bench.folder, "words/.gitattributes"), "*.tool filter=mark\n");
    bench.write("home/.gitconfig", `[filter "mark"]\n  smudge = touch ${join(bench.folder, "ran")}\n`);
    commit();
    assert.equal([(await run("add", url)).exitCode, existsSync(join(bench.folder, "ran"))], [0, false]);
  }));

test("an address or a ref starts no other program", () =>
  withRepository(async (run, { url, commit }, bench) => {
    commit();
    const mark = join(bench.folder, "ran");
    for (const word of [
      `git+ext::touch% ${mark}.git`,
      `git+ssh://-oProxyCommand=touch%20${mark}/x.git`,
      `${url}#--upload-pack=touch ${mark}`,
      `${url}#--upload-pack=touch`,
    ])
      assert.equal([(await run("add", word)).exitCode === 0, existsSync(mark)], [false, false]);
  }));

test("a link in a repository is a refusal", () =>
  withRepository(async (run, { url, commit }, bench) => {
    execFileSync("ln", ["-s", "/etc/passwd", join(bench.folder, "words/notes.txt")]);
    commit();
    const { exitCode, stderr } = await run("add", url);
    assert.equal([exitCode, stderr.includes("has `notes.txt`, which is not a file but a link")], [77, true]);
  }));

test.run();
