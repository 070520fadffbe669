// The executable for Linux on arm64, run by qemu-user: its version, calls and a plugin.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { armLibraries, needDebian, repository } from "./debian.ts";
import { teamFiles } from "./team-files.ts";

const test = suite("linux-arm64");
const root = mkdtempSync(join(tmpdir(), "dottool-arm64-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, ".tools/plugins"), { recursive: true });
cpSync(join(repository, "plugins/hello.ts"), join(root, ".tools/plugins/hello.ts"));
writeFileSync(join(root, "a.txt"), "b\na\n");

/** Programs that it starts are those of this machine. */
function run(...words: readonly string[]): readonly [number | null, string] {
  return start(join(repository, "dist/dottool-linux-arm64"), "--tools", ".tools", ...words);
}

function start(...argv: readonly string[]): readonly [number | null, string] {
  needDebian();
  const [qemu = ""] = needPrograms("qemu-aarch64-static");
  const { status, stdout, stderr } = spawnSync(qemu, ["-L", armLibraries, ...argv], {
    cwd: root,
    env: { PATH: "/usr/bin:/bin", HOME: root },
    timeout: HANG_MS_MAX,
    encoding: "utf8",
  });
  return [status, stdout + stderr];
}

test("it says its version", () => {
  const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  assert.equal(run("--version"), [0, `dottool ${version}\n`]);
});

test("it makes a call in process, and one that starts a program", () => {
  assert.equal(run("find_files", "*.txt"), [0, "a.txt\n"]);
  assert.equal(run("sort_lines", "a.txt"), [0, "a\nb\n"]);
});

test("a plugin in TypeScript runs, the second time from the cache", () => {
  for (const time of [1, 2]) assert.equal([time, ...run("hello", "--who", "Ana")], [time, 0, "hello Ana\n"]);
});

test("a bundle runs its tools and plugins, cold and warm", () => {
  needDebian();
  const project = join(root, "team");
  for (const [path, text] of Object.entries(teamFiles)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  const ourtools = join(root, "ourtools");
  const base = join(repository, "dist/dottool-linux-arm64");
  execFileSync(process.execPath, [join(repository, "src/main.ts"), "bundle", "-o", ourtools, "--base", base], {
    cwd: project,
    env: { PATH: "/usr/bin:/bin", HOME: project },
    stdio: "pipe",
  });
  for (const time of [1, 2]) assert.equal([time, ...start(ourtools, "notes")], [time, 0, "a.txt\n"]);
  assert.equal(start(ourtools, "shout", "--text", "hey"), [0, "HEY\n"]);
});

test.run();
