// Packages from a registry, a real Verdaccio: ranges, needs, updates, other sources and other bytes.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { shout } from "../packages/package-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { type RegistryFixture, startRegistry } from "../packages/registry-fixture.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-registry");
const runLine = startingOnce();
let registry: RegistryFixture;
let starting: Promise<RegistryFixture> | undefined;

async function filledRegistry(): Promise<RegistryFixture> {
  const registry = await startRegistry();
  await registry.publish({ name: "@team/words", version: "1.0.0" });
  await registry.publish({ name: "@team/words", version: "2.0.0" });
  await registry.publish({
    name: "@team/words",
    version: "1.1.0",
    files: { "shout.tool": `${shout}@network a.example\n` },
  });
  await registry.publish({ name: "letters", version: "1.4.0", dottool: { needs: { "@team/words": "^1.0.0" } } });
  await registry.publish({ name: "digits", version: "0.1.0", dottool: { needs: { "@team/words": "^2.0.0" } } });
  const calling = (tool: string): string =>
    `Says it.\n\n@title Say\n@depends ${tool}\n@param words {string} [required] What\n@wrapped ${tool.split("@", 1)[0] ?? ""}\n`;
  await registry.publish({
    name: "@official/say",
    version: "1.3.0",
    files: { "say.tool": calling("official/loud@^1.0.0") },
  });
  await registry.publish({ name: "@official/loud", version: "1.0.0", files: { "loud.tool": shout } });
  await registry.publish({ name: "@official/loud", version: "2.0.0", files: { "loud.tool": shout } });
  await registry.publish({ name: "group", version: "1.0.0", files: { "murmur.tool": shout } });
  return registry;
}

/** A tool over others that are not here. */
const whole =
  'name: whole\ndescription: Says it\ndependencies:\n  - official/say@^1.0.0\n  - group/murmur\nsteps:\n  - type: tool\n    tool: official/say\n    args:\n      words: "{input}"\n    output_var: x\noutput: "{x}"\n';

type Run = (...words: readonly string[]) => Promise<ToolRun>;

async function inProject(work: (run: Run, bench: TestProject) => Promise<void>): Promise<void> {
  registry = await (starting ??= filledRegistry());
  using bench = testProject({ "project/kept": "", "home/.npmrc": `registry=${registry.url}\n` });
  await work((...words) => runLine(bench, words, { cwd: "project" }), bench);
}

const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");
const stateOf = (bench: TestProject): string => join(bench.folder, "home/.local/state/dottool");

function versionsIn(bench: TestProject): Readonly<Record<string, string>> {
  const { packages } = JSON.parse(readFileSync(lockOf(bench), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  return Object.fromEntries(Object.entries(packages).map(([name, { version }]) => [name, version]));
}

const firstLine = ({ stderr }: ToolRun): string =>
  (stderr.split("\n", 1)[0] ?? "").replaceAll(registry.url, "<registry>/");

test("add takes the latest version, or the highest that fits a range", () =>
  inProject(async (run, bench) => {
    await run("add", "team/words@^1");
    assert.equal(versionsIn(bench), { "@team/words": "1.1.0" });
    await run("add", "@team/words@1.0.0");
    assert.equal(versionsIn(bench), { "@team/words": "1.0.0" });
    await run("add", "@team/words");
    // What was published last is the latest.
    assert.equal(versionsIn(bench), { "@team/words": "1.1.0" });
  }));

test("add fetches what a package needs, and remove takes it away again", () =>
  inProject(async (run, bench) => {
    const { stdout } = await run("add", "letters");
    assert.equal(
      [versionsIn(bench), stdout.includes("\n  needed by: letters\n")],
      [{ "@team/words": "1.1.0", letters: "1.4.0" }, true],
    );
    await run("remove", "letters");
    assert.equal(versionsIn(bench), {});
  }));

test("install --deps shows and adds what a tool needs, over any number of steps", () =>
  inProject(async (run, bench) => {
    needPrograms("bwrap");
    bench.write("project/.tools/whole.yaml", whole);
    assert.match((await run("check")).stdout, "`dottool install --deps whole` looks for a package that has it");
    const listed = await run("install", "--deps", "whole");
    const list =
      "@official/say@1.3.0 for the tool `official/say ^1.0.0`, which `whole` needs\ngroup@1.0.0 for the tool `group/murmur`, which `whole` needs\n@official/loud@1.0.0 for the tool `official/loud ^1.0.0`, which `official/say` needs\n";
    assert.equal(listed, {
      exitCode: 77,
      stdout: list,
      stderr: "failed[package]: cannot ask without a terminal\n  = `--yes` adds them without a question\n",
    });
    const added = await run("install", "--deps", "whole", "--yes");
    assert.equal(
      [added.exitCode, added.stdout.startsWith(list), versionsIn(bench)],
      [0, true, { "@official/loud": "1.0.0", "@official/say": "1.3.0", group: "1.0.0" }],
    );
    assert.is((await run("whole", "--input", "hi")).stdout, "HI\n");
    assert.is(
      (await run("install", "--deps", "whole")).stderr,
      "nothing is missing: all tools that `whole` needs are here\n",
    );
  }));

test("install of a tool's package says what else the tool needs", () =>
  inProject(async (run, bench) => {
    const { stderr } = await run("install", "official/say");
    assert.match(
      stderr,
      "note[package]: tools of `@official/say` need others that are not here: `official/loud`\n  = `dottool install --deps official/say` looks for them in the registry\n",
    );
    await run("install", "--deps", "official/say", "--yes");
    assert.equal(versionsIn(bench), { "@official/loud": "1.0.0", "@official/say": "1.3.0" });
  }));

test("install --deps names the packages that it has looked into", () =>
  inProject(async (run, bench) => {
    bench.write("project/.tools/whole.yaml", whole.replace("group/murmur", "group/sing"));
    const refused = await run("install", "--deps", "whole", "--yes");
    assert.equal(
      [refused.exitCode, refused.stderr.replaceAll(registry.url, "<registry>/")],
      [
        66,
        "failed[package]: `whole` needs the tool `group/sing`, which is not here\n  = `<registry>/` has no package `@group/sing`\n  = `group@1.0.0` does not have it\n  = `dottool search` finds packages, and `dottool add` adds the one that has it\n",
      ],
    );
    assert.is(existsSync(lockOf(bench)), false);
  }));

test("a definition's bare name means the tool of its only owner, also in another version of a package", () =>
  inProject(async (run, bench) => {
    needPrograms("bwrap");
    bench.write("project/.tools/say.tool", "Says it.\n\n@title Say\n@depends loud@^2.0.0\n@wrapped loud\n");
    await run("add", "official/loud@1.0.0");
    assert.match(
      (await run("say", "--words", "hi")).stderr,
      "`official/loud` ^2.0.0; the installed `official/loud` is 1.0.0",
    );
    await run("install", "--deps", "say", "--yes");
    assert.equal(
      [(await run("say", "--words", "hi")).stdout, versionsIn(bench)],
      ["HI", { "@official/loud": "2.0.0" }],
    );
  }));

test("packages whose needs exclude each other are not added", () =>
  inProject(async (run, bench) => {
    await run("add", "letters");
    const refused = await run("add", "digits");
    assert.equal(
      [firstLine(refused), versionsIn(bench)],
      [
        "failed[package]: `letters` needs `@team/words`: `<registry>/` has no version of `@team/words` that fits `^1.0.0` and `^2.0.0`",
        { "@team/words": "1.1.0", letters: "1.4.0" },
      ],
    );
  }));

test("a package that is not there is a refusal that names the registry", () =>
  inProject(async (run) => {
    assert.equal([await run("add", "nothing"), await run("add", "letters@^9")].map(firstLine), [
      "failed[package]: `<registry>/` has no package `nothing`",
      "failed[package]: `<registry>/` has no version of `letters` that fits `^9`",
    ]);
  }));

test("outdated and update keep to the range", () =>
  inProject(async (run, bench) => {
    await run("add", "@team/words@^1");
    writeFileSync(lockOf(bench), readFileSync(lockOf(bench), "utf8").replace('"^1"', '">=1.0.0"'));
    assert.equal(await run("outdated"), { exitCode: 0, stdout: "", stderr: "no package has a newer version\n" });
    await run("add", "@team/words@1.0.0");
    writeFileSync(
      lockOf(bench),
      readFileSync(lockOf(bench), "utf8").replace('"follows": "1.0.0"', '"follows": "^1.0.0"'),
    );
    assert.equal(await run("outdated"), {
      exitCode: 1,
      stdout: "@team/words 1.0.0; `dottool update` installs 1.1.0\n",
      stderr: "",
    });
    const { stdout } = await run("update");
    assert.equal(
      [
        stdout
          .split("\n")
          .filter((line) => /was|could not/.test(line))
          .map((line) => line.replace(registry.url, "<registry>/")),
        versionsIn(bench),
      ],
      [
        [
          "@team/words@1.1.0 (was 1.0.0) from npm:<registry>/@team/words/-/words-1.1.0.tgz",
          "  before, it could not: effects: network, hosts: a.example",
        ],
        { "@team/words": "1.1.0" },
      ],
    );
  }));

test("install needs no registry for what is stored", () =>
  inProject(async (run, bench) => {
    await run("add", "letters");
    rmSync(join(stateOf(bench), "packages/installed"), { recursive: true });
    const offline = { cwd: "project", environment: { npm_config_registry: "http://127.0.0.1:9/" } };
    const { exitCode, stderr } = await runLine(bench, ["install", "--frozen"], offline);
    const installed = stderr.split("\n").filter((line) => line.startsWith("installed "));
    assert.equal([exitCode, installed], [0, ["installed @team/words@1.1.0", "installed letters@1.4.0"]]);
  }));

test("install refuses another registry than the locked one", () =>
  inProject(async (run, bench) => {
    await run("add", "@team/words");
    rmSync(stateOf(bench), { recursive: true });
    const other = { cwd: "project", environment: { npm_config_registry: "http://127.0.0.1:9/" } };
    const refused = await runLine(bench, ["install"], other);
    assert.equal(
      [refused.exitCode, firstLine(refused)],
      [
        77,
        "failed[package]: `@team/words` is locked to come from `<registry>/@team/words/-/words-1.1.0.tgz`, and your registry for it is `http://127.0.0.1:9/`",
      ],
    );
  }));

test("install refuses an archive without the locked hash, and leaves nothing behind", () =>
  inProject(async (run, bench) => {
    await run("add", "@team/words");
    rmSync(stateOf(bench), { recursive: true });
    const lock = readFileSync(lockOf(bench), "utf8");
    writeFileSync(lockOf(bench), lock.replace(/sha512-[A-Za-z0-9+/]{8}/, "sha512-AAAAAAAA"));
    const refused = await run("install");
    assert.equal(
      [refused.exitCode, firstLine(refused), existsSync(join(stateOf(bench), "packages/store"))],
      [
        77,
        "failed[package]: the archive of `@team/words` from `<registry>/@team/words/-/words-1.1.0.tgz` does not have the hash that it should have",
        false,
      ],
    );
  }));

test("install --frozen refuses a lock that lacks what is needed, and install completes it", () =>
  inProject(async (run, bench) => {
    await run("add", "letters");
    const whole = readFileSync(lockOf(bench), "utf8");
    const lock = JSON.parse(whole) as { packages: Record<string, unknown> };
    delete lock.packages["@team/words"];
    writeFileSync(lockOf(bench), JSON.stringify(lock));
    assert.is(
      firstLine(await run("install", "--frozen")),
      "failed[package]: `letters` needs the package `@team/words`, which is not there",
    );
    await run("install");
    assert.is(readFileSync(lockOf(bench), "utf8"), whole);
  }));

test("a project's own .npmrc does not choose the registry", () =>
  inProject(async (run, bench) => {
    bench.write("project/.npmrc", "registry=http://127.0.0.1:9/\n");
    assert.is((await run("add", "@team/words")).exitCode, 0);
  }));

test("an altered package is put back from the registry", () =>
  inProject(async (run, bench) => {
    await run("add", "@team/words");
    const store = join(stateOf(bench), "packages/store");
    const file = join(store, readdirSync(store)[0] ?? "", "shout.tool");
    const before = readFileSync(file, "utf8");
    appendFileSync(file, "@tags read\n");
    await run("install");
    assert.is(readFileSync(file, "utf8"), before);
  }));

test.run();
