// Publishing to a real Verdaccio: what is shown, what is refused, and that what comes back is what went out.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type PackageText, shout, writePackage } from "../packages/package-fixture.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-publish");
const runLine = startingOnce();
let starting: Promise<RegistryFixture> | undefined;

type Run = (...words: readonly string[]) => Promise<ToolRun>;

async function withPackage(text: PackageText, work: (run: Run, bench: TestProject) => Promise<void>): Promise<void> {
  const registry = await (starting ??= startRegistry());
  using bench = testProject({ "project/kept": "", "home/.npmrc": `registry=${registry.url}\n` });
  const shown = (out: string): string =>
    out.replaceAll(registry.url, "<registry>/").replace(/\(sha512-.{86}==\)/, "(<hash>)");
  writePackage(join(bench.folder, "words"), text);
  const run: Run = async (...words) => {
    const { exitCode, stdout, stderr } = await runLine(bench, words, { cwd: "project" });
    return { exitCode, stdout: shown(stdout), stderr: shown(stderr) };
  };
  await work(run, bench);
}

const tested = `${shout}@test loud\n    with {"words": "ab"}\n    expect output-equals AB\n`;

test("publish shows what goes out, and what is added is the same", () =>
  withPackage({ name: "@pub/words", files: { "shout.tool": shout, "notes.txt": "n" } }, async (run) => {
    const published = await run("publish", "../words", "--yes");
    assert.equal(
      [published.exitCode, published.stdout, published.stderr.split("\n").slice(-2)],
      [
        0,
        `@pub/words@1.0.0
  tools: pub/shout
  effects: run
  runs: printf, sh, tr
  bytes     file
         1  notes.txt
        52  package.json
       120  shout.tool
`,
        ["published @pub/words@1.0.0 at <registry>/ (<hash>)", ""],
      ],
    );
    needPrograms("bwrap");
    await run("add", "pub/words");
    assert.is((await run("pub/shout", "--words", "ab")).stdout, "AB");
  }));

test("publish checks a package with those that it needs, and says which is missing", () =>
  withPackage({ name: "@base/words", files: { "shout.tool": shout } }, async (run, bench) => {
    const loud = `Shout twice.\n\n@title Loud\n@name loud\n@param words {string} [required] The words\n@step one uses base/shout\n    words = {words}\n@tags run\n\n@test loud\n    with {"words": "ab"}\n    expect output-contains AB\n`;
    const needing = (range: string): void =>
      writePackage(join(bench.folder, "loud"), {
        name: "@over/loud",
        dottool: { needs: { "@base/words": range } },
        files: { "loud.tool": loud },
      });
    needing("^1.0.0");
    const early = await run("publish", "../loud", "--yes");
    assert.ok(early.exitCode !== 0 && early.stderr.includes("`@over/loud` needs `@base/words`: "), early.stderr);
    assert.is((await run("publish", "../words", "--yes")).exitCode, 0);
    const published = await run("publish", "../loud", "--yes");
    assert.equal([published.exitCode, published.stdout.split("\n")[1]], [0, "  tools: over/loud"], published.stderr);
    needing("^2.0.0");
    assert.match((await run("publish", "../loud", "--dry-run")).stderr, "`@over/loud` needs `@base/words`: ");
  }));

test("publish says what to write where the tools are those of a project", () =>
  withPackage({ files: { ".tools/shout.tool": shout } }, async (run, bench) => {
    const refusal = async (manifest: object): Promise<string> => {
      bench.write("words/package.json", JSON.stringify({ name: "words", version: "1.0.0", ...manifest }));
      return (await run("publish", "../words", "--dry-run")).stderr.split("\n  = ").slice(0, 2).join("\n  = ");
    };
    const known = '`"dottool": {"tools": ".tools"}`';
    assert.equal(
      [await refusal({}), await refusal({ dottool: {} })],
      [
        `failed[package]: \`<bench>/words\`: its \`package.json\` has no \`dottool\`\n  = write ${known} there, as the tools are in \`.tools\`\n`,
        `0 definitions checked: none found in \`.\`\nfailed[package]: \`words@1.0.0\` has no definitions\n  = write ${known} into its \`package.json\``,
      ],
    );
    assert.is((await run("publish", "../words", "--dry-run")).exitCode, 65);
    await refusal({ dottool: { tools: ".tools" } });
    assert.is((await run("publish", "../words", "--dry-run")).exitCode, 0);
  }));

test("a version is published once", () =>
  withPackage({ name: "once" }, async (run) => {
    await run("publish", "../words", "--yes");
    const again = await run("publish", "../words", "--yes");
    assert.equal(
      [again.exitCode, again.stderr.split("\n").at(-3)],
      [77, "failed[package]: `<registry>/` has `once@1.0.0` already"],
    );
  }));

test("--dry-run publishes nothing, and without a terminal there is no yes", () =>
  withPackage({ name: "never" }, async (run) => {
    const runs = [await run("publish", "../words", "--dry-run"), await run("publish", "../words")];
    assert.equal([...runs.map(({ exitCode }) => exitCode), (await run("add", "never")).exitCode], [0, 77, 66]);
  }));

test("publish refuses files that look like secrets, without showing them", () =>
  withPackage({ files: { "shout.tool": shout } }, async (run, bench) => {
    const key = `ghp_${"a1".repeat(18)}`;
    writeFileSync(join(bench.folder, "words/notes.txt"), `token ${key}\n`);
    writeFileSync(join(bench.folder, "words/.env"), "");
    const { exitCode, stdout, stderr } = await run("publish", "../words", "--yes");
    assert.equal(
      [exitCode, stdout, stderr],
      [
        77,
        "",
        "failed[package]: `words@1.0.0` has what looks like secrets, and nothing takes back what is published\n  .env: a file for secrets, by its name\n  notes.txt:1: a GitHub token\n  = remove them, or leave the files out with `files` in the `package.json`\n",
      ],
    );
  }));

test("publish refuses a value of the user's own secrets", () =>
  withPackage({ files: { "shout.tool": shout, "notes.txt": "hunter2hunter2\n" } }, async (_run, bench) => {
    const { stderr } = await runLine(bench, ["publish", "../words", "--yes"], {
      cwd: "project",
      environment: { DEPLOY_TOKEN: "hunter2hunter2" },
    });
    assert.is(stderr.split("\n")[1], "  notes.txt: the value of your variable DEPLOY_TOKEN");
  }));

test("publish refuses definitions that do not check, and tests that fail", () =>
  withPackage({ name: "unsound", files: { "shout.tool": tested.replace("AB", "AC") } }, async (run, bench) => {
    assert.is((await run("publish", "../words", "--yes")).exitCode, 1);
    writePackage(join(bench.folder, "words"), { name: "unsound", files: { "shout.tool": tested } });
    assert.is((await run("publish", "../words", "--dry-run")).exitCode, 0);
    bench.write("words/shout.tool", "Wraps.\n\n@title Shout\n@wrapped nothing_there\n");
    assert.is((await run("publish", "../words", "--yes")).exitCode, 65);
    assert.is((await run("add", "unsound")).exitCode, 66);
  }));

test("search finds packages with the keyword", () =>
  withPackage({}, async (run) => {
    const registry = await starting;
    await registry?.publish(
      { name: "shouting-words" },
      { keywords: ["dottool"], description: "Says it\u001b[2J loudly" },
    );
    await registry?.publish({ name: "shouting-others" });
    assert.equal(await run("search", "shouting"), {
      exitCode: 0,
      stdout: "shouting-words@1.0.0  Says it\\u{1b}[2J loudly\n",
      stderr: "",
    });
  }));

test.run();
