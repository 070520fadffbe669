// Installations that meet, that are killed, and that have no room: what is installed is wholly the old state or wholly
// the new one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { amount } from "../amount.ts";
import { runOnFullDisk } from "../full-disk.ts";
import { assert, suite } from "../harness.ts";
import { shout, writePackage } from "../packages/package-fixture.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli/packages-interrupted");

const KILLS = amount(4, 40);
/** As long as an installation takes, so that each of its steps is hit. */
const LIFE_MS_MAX = 250;
const inProject = { cwd: "project" };

/** Writes a version of `words` whose tool says which it is. */
function writeVersion(bench: TestProject, version: string, more: Readonly<Record<string, string>> = {}): void {
  const says = shout.replace("printf '%s' {words} | tr a-z A-Z", `printf '%s ${version}' {words}`);
  writePackage(join(bench.folder, "words"), { version, files: { "shout.tool": says, ...more } });
}

const said = async (bench: TestProject): Promise<string> =>
  (await bench.run(["words/shout", "--words", "it"], inProject)).stdout;

test("of two installations at once, both are installed", async () => {
  using bench = testProject({ "project/kept": "" });
  const names = ["one", "two", "three"];
  for (const name of names) writePackage(join(bench.folder, name), { name });
  const runs = await Promise.all(names.map((name) => bench.run(["add", `../${name}`], inProject)));
  const listed = await bench.run(["list", "--packages", "--json"], inProject);
  const { packages } = JSON.parse(listed.stdout) as {
    readonly packages: readonly { readonly name: string; readonly state: string }[];
  };
  assert.equal(
    [runs.map(({ exitCode }) => exitCode), packages.map(({ name, state }) => `${name} ${state}`)],
    [
      [0, 0, 0],
      ["one sandboxed", "three sandboxed", "two sandboxed"],
    ],
  );
});

test(`a killed installation leaves the old tools or the new ones, killed ${KILLS} times`, async () => {
  using bench = testProject({ "project/kept": "" });
  writeVersion(bench, "1.0.0");
  await bench.run(["add", "../words"], inProject);
  const notes = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`notes/${index}.txt`, `${index}`]));
  for (let kills = 1; kills <= KILLS; kills++) {
    const before = await said(bench);
    writeVersion(bench, `1.0.${kills}`, { ...notes, "notes/kills.txt": `${kills}` });
    await killAdding(bench);
    assert.ok([before, `it 1.0.${kills}`].includes(await said(bench)), `after ${kills} kills: ${await said(bench)}`);
    JSON.parse(readFileSync(join(bench.folder, "project/dottool.lock"), "utf8"));
  }
  const { exitCode } = await bench.run(["add", "../words"], inProject);
  assert.equal([exitCode, await said(bench)], [0, `it 1.0.${KILLS}`]);
});

/** Kills it at any moment after it has begun to change something. */
async function killAdding({ folder, program }: TestProject): Promise<void> {
  const packages = join(folder, "home/.local/state/dottool/packages");
  mkdirSync(packages, { recursive: true });
  const watcher = watch(packages);
  const begun = once(watcher, "change");
  const child = spawn(program.command, [...program.words, "add", "../words"], {
    cwd: join(folder, "project"),
    env: { ...program.environment },
  });
  const closed = once(child, "close");
  await Promise.race([begun, closed]);
  // The moment is meant to be any.
  await new Promise((resolve) => setTimeout(resolve, Math.random() * LIFE_MS_MAX));
  child.kill("SIGKILL");
  await closed;
  watcher.close();
}

test("without room for a new version, the old one stays", async () => {
  using bench = testProject({ "project/kept": "" });
  writeVersion(bench, "1.0.0");
  await bench.run(["add", "../words"], inProject);
  writeVersion(bench, "2.0.0", { "notes.txt": "x".repeat(10_000) });
  const { stderr } = runOnFullDisk(bench, ["add", "../words"], { blocks: 16, cwd: join(bench.folder, "project") });
  assert.match(stderr, /^failed\[file\]: .*\n {2}= what was installed before is installed still\n$/);
  assert.is(await said(bench), "it 1.0.0");
});

test.run();
