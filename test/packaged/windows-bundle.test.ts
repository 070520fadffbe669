// A team's executable for Windows, made here and run by Wine where nothing else of dottool is.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { teamFiles } from "./team-files.ts";
import { needDebian, repository, wine, type WineRun, wineFolder } from "./debian.ts";

const test = suite("windows-bundle");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

test("a bundle for Windows runs its tools and plugins, cold and warm, and says what is inside", () => {
  needDebian();
  const project = mkdtempSync(join(tmpdir(), "dottool-windows-"));
  const folder = wineFolder();
  try {
    for (const [path, text] of Object.entries(teamFiles)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const made = join(folder.path, "ourtools.exe");
    const base = join(repository, "dist/dottool-win-x64.exe");
    execFileSync(process.execPath, [join(repository, "src/main.ts"), "bundle", "-o", made, "--base", base], {
      cwd: project,
      env: { PATH: "/usr/bin:/bin", HOME: project },
      stdio: "pipe",
    });
    const run = (...words: readonly string[]): WineRun =>
      wine(`..${folder.inside}/ourtools.exe`, words, { cwd: folder.inside });
    const done = (stdout: string): WineRun => ({ exitCode: 0, stdout, stderr: "" });
    writeFileSync(join(folder.path, "a.txt"), "");
    for (let time = 0; time < 2; time++) assert.equal(run("notes"), done("a.txt\n"));
    assert.equal(run("shout", "--text", "hey"), done("HEY\n"));
    assert.is(run("--version").stdout, `ourtools 1.2.0 (dottool ${version})\n`);
    const inside = run("--bundle-info").stdout.trimEnd().split("\n").slice(3);
    assert.equal(
      inside.map((line) => line.slice(66)),
      ["lib/loud.ts", "notes.tool", "package.json", "plugins/shout.ts"],
    );
  } finally {
    folder.remove();
    rmSync(project, { recursive: true, force: true });
  }
});

test.run();
