// Packages on the command line: added, called in the sandbox, approved, removed, and installed again from the lock.
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../harness.ts";
import { packageArchive, type PackageText, peek, shout, writePackage } from "../packages/package-fixture.ts";
import { needPrograms } from "../programs-needed.ts";
import { sideBySide } from "../side-by-side.ts";
import { startingOnce, type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = sideBySide("cli/packages");
const runLine = startingOnce();

type Run = (...words: readonly string[]) => Promise<ToolRun>;

async function inProject(work: (run: Run, bench: TestProject) => Promise<void>, text?: PackageText): Promise<void> {
  using bench = testProject({ "project/kept": "", "home/.npmrc": "registry=http://127.0.0.1:9/\n" });
  writePackage(join(bench.folder, "words"), text);
  await work((...words) => runLine(bench, words, { cwd: "project" }), bench);
}

const storeOf = (bench: TestProject): string => join(bench.folder, "home/.local/state/dottool/packages/store");
const storedIn = (bench: TestProject): string => join(storeOf(bench), readdirSync(storeOf(bench))[0] ?? "");
const lockOf = (bench: TestProject): string => join(bench.folder, "project/dottool.lock");
const lines = ({ exitCode, stdout, stderr }: ToolRun): readonly unknown[] => [exitCode, stdout + stderr];

const powers = `  effects: run
  runs: printf, sh, tr
`;
const hint = `until you approve a package, its tools run in the sandbox
  = \`dottool trust --package words\` shows what its tools run, and asks you
`;
const added = `words@1.0.0 from file:../words
  tools: words/shout
${powers}${hint}`;
const installed = `installed words@1.0.0
${powers}`;

test("add shows what a package brings and may do, and locks it", () =>
  inProject(async (run, bench) => {
    assert.equal(lines(await run("add", "../words")), [0, added]);
    const { packages } = JSON.parse(readFileSync(lockOf(bench), "utf8")) as { packages: Record<string, object> };
    assert.equal(packages, {
      words: {
        version: "1.0.0",
        added: true,
        source: "file:../words",
        content: readdirSync(storeOf(bench))[0],
        may: { effects: ["run"], programs: ["printf", "sh", "tr"] },
      },
    });
  }));

test("an added tool is called by its whole name, and by its own", () =>
  inProject(async (run) => {
    needPrograms("bwrap");
    await run("add", "../words");
    assert.equal(
      [await run("words/shout", "--words", "a b"), await run("shout", "--words", "c")].map(({ stdout }) => stdout),
      ["A B", "C"],
    );
  }));

test("until it is approved, a package reads no file outside the working folder", () =>
  inProject(
    async (run, bench) => {
      needPrograms("bwrap");
      bench.write("home/key", "canary-1789");
      await run("add", "../words");
      const key = join(bench.folder, "home/key");
      assert.is((await run("peek", "--path", key)).stdout, "");
      const [, hash] = /([0-9a-f]{64})\n$/.exec((await run("trust", "--package", "words", "--show")).stdout) ?? [];
      const trusted = await runLine(bench, ["trust", "--package", "words"], {
        cwd: "project",
        environment: { DOTTOOL_TRUST: hash ?? "" },
      });
      assert.equal(lines(trusted), [0, "`words@1.0.0` is trusted, as DOTTOOL_TRUST says\n"]);
      assert.is((await run("peek", "--path", key)).stdout, "canary-1789");
      assert.equal(lines(await run("untrust", "--package", "words")), [
        0,
        "`words@1.0.0` is no longer approved; its tools run in the sandbox\n",
      ]);
      assert.is((await run("peek", "--path", key)).stdout, "");
    },
    { files: { "peek.tool": peek } },
  ));

test("until it is approved, a package calls no tool outside the sandbox and takes no secret", () =>
  inProject(
    async (run) => {
      await run("add", "../words");
      const refused = [await run("keep", "a", "b"), await run("token"), await run("all")];
      assert.equal(
        refused.map(({ exitCode, stderr }) => [exitCode, stderr.split("\n", 1)[0]]),
        [
          [
            77,
            "failed[untrusted]: `words/keep` does not run: `words@1.0.0` is not approved yet, and `words/keep` calls `write_file`, which works outside the sandbox",
          ],
          [
            77,
            "failed[untrusted]: `words/token` does not run: `words@1.0.0` is not approved yet, and `words/token` takes your secret `gitlab`",
          ],
          [
            77,
            "failed[untrusted]: `words/all` does not run: `words@1.0.0` is not approved yet, and `words/all` takes your environment",
          ],
        ],
      );
    },
    {
      files: {
        "keep.tool": "Keeps.\n\n@title Keep\n@wrapped write_file\n",
        "token.tool": "Shows.\n\n@title Token\n@command env\n@env TOKEN=secret:gitlab\n",
        "all.tool": "Shows.\n\n@title All\n@command env\n@env-inherit yes\n",
      },
    },
  ));

test("add refuses a tool whose name would be taken for another one", async () => {
  const alike = (title: string): string => `Says it.\n\n@title ${title}\n@command echo it\n`;
  const rows = [
    [{ "Run-Command.tool": alike("Run") }, "words/Run-Command", "run_command"],
    [{ "Glob.tool": alike("Glob") }, "words/Glob", "glob"],
    [{ "say_it.tool": alike("Say"), "SayIt.tool": alike("Say") }, "words/SayIt", "words/say_it"],
  ] as const;
  for (const [files, name, other] of rows)
    await inProject(
      async (run) =>
        assert.equal(lines(await run("add", "../words")), [
          77,
          `failed[package]: \`words@1.0.0\` has the tool \`${name}\`, which would be taken for \`${other}\`\n  = its author can give it a name that differs in more than capitals, \`-\` and \`_\`\n`,
        ]),
      { files },
    );
});

test("a plugin of a package does not load until the package is approved", () =>
  inProject(
    async (run, bench) => {
      await run("add", "../words");
      await run("list");
      assert.is(existsSync(join(bench.folder, "project/loaded")), false);
    },
    {
      dottool: { plugins: ["plugins/mark.ts"] },
      files: { "shout.tool": shout, "plugins/mark.ts": 'import fs from "node:fs";\nfs.writeFileSync("loaded", "");\n' },
    },
  ));

test("an install script does not run", () =>
  inProject(async (run, bench) => {
    const manifest = join(bench.folder, "words/package.json");
    const json = JSON.parse(readFileSync(manifest, "utf8")) as object;
    const scripts = { preinstall: "touch ran", install: "touch ran", postinstall: "touch ran", prepare: "touch ran" };
    writeFileSync(manifest, JSON.stringify({ ...json, scripts }));
    await run("add", "../words");
    assert.equal(
      [existsSync(join(bench.folder, "project/ran")), existsSync(join(bench.folder, "words/ran"))],
      [false, false],
    );
  }));

test("remove takes the tools away", () =>
  inProject(async (run) => {
    await run("add", "../words");
    assert.equal(lines(await run("remove", "words")), [0, "removed `words`\n"]);
    assert.equal(
      [(await run("words/shout")).exitCode, lines(await run("list", "--packages"))],
      [66, [0, "there are no packages; `dottool add` adds one\n"]],
    );
  }));

test("remove names the packages that there are", () =>
  inProject(async (run) => {
    await run("add", "../words");
    assert.equal(lines(await run("remove", "wrods")), [
      66,
      "failed[package]: `<bench>/project/dottool.lock` has no package `wrods`\n  = it has `words`\n",
    ]);
  }));

test("an archive that cannot be fetched is named by its address", () =>
  inProject(async (run) => {
    const { exitCode, stderr } = await run("add", "http://127.0.0.1:9/words.tgz");
    assert.equal(
      [exitCode, stderr.split(": ", 2).join(": ")],
      [1, "failed[package]: `http://127.0.0.1:9/words.tgz` cannot be reached"],
    );
  }));

test("a project without packages gets no lock by looking for newer ones", () =>
  inProject(async (run, bench) => {
    for (const command of ["update", "outdated", "install"]) assert.is((await run(command)).exitCode, 0);
    assert.equal(lines(await run("update")), [0, "no package has a newer version\n"]);
    assert.not.ok(existsSync(lockOf(bench)));
  }));

test("list --packages says what is locked and not installed", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    assert.equal(lines(await run("list", "--packages")), [
      0,
      "words@1.0.0 from file:../words (sandboxed)\n  effects: run\n  runs: printf, sh, tr\n",
    ]);
    rmSync(join(bench.folder, "home/.local/state/dottool"), { recursive: true });
    assert.match((await run("list", "--packages")).stdout, "(not installed: `dottool install` installs it)");
  }));

test("install fetches on another machine what the lock says, and nothing else", () =>
  inProject(async (run, bench) => {
    writeFileSync(join(bench.folder, "words-1.0.0.tgz"), packageArchive());
    await run("add", "../words-1.0.0.tgz");
    rmSync(join(bench.folder, "home/.local/state/dottool"), { recursive: true });
    assert.equal(lines(await run("install")), [0, installed + hint]);
    rmSync(join(bench.folder, "home/.local/state/dottool"), { recursive: true });
    writeFileSync(join(bench.folder, "words-1.0.0.tgz"), packageArchive({ files: { "shout.tool": `${shout}\n` } }));
    const refused = await run("install");
    assert.equal(
      [refused.exitCode, refused.stderr.split("\n", 1)[0], existsSync(storeOf(bench))],
      [
        77,
        "failed[package]: the archive of `words` from `file:../words-1.0.0.tgz` is not the one that is locked",
        false,
      ],
    );
  }));

test("install needs no source for what is stored", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    rmSync(join(bench.folder, "words"), { recursive: true });
    assert.equal(lines(await run("install")), [0, installed + hint]);
  }));

test("install refuses a package that may do more than the lock says", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    writeFileSync(lockOf(bench), readFileSync(lockOf(bench), "utf8").replace('"tr"', '"true"'));
    assert.equal(lines(await run("install")), [
      77,
      "failed[package]: `words@1.0.0` may do more than `dottool.lock` says: programs: tr\n  = `dottool add` it again: that shows what it may do, and locks it\n",
    ]);
  }));

test("install refuses a lock whose name or version is not that of the content", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    writeFileSync(lockOf(bench), readFileSync(lockOf(bench), "utf8").replace('"words":', '"sentences":'));
    assert.match(
      (await run("install")).stderr,
      "`dottool.lock` says `sentences@1.0.0`, but its content is `words@1.0.0`",
    );
  }));

test("a changed byte of an installed package stops its tools, and install puts it back", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    appendFileSync(join(storedIn(bench), "shout.tool"), "\n");
    const refused = await run("words/shout", "--words", "a");
    assert.equal(
      [refused.exitCode, /does not run: .* is not what was installed there/.test(refused.stderr)],
      [77, true],
    );
    await run("install");
    assert.equal(readFileSync(join(storedIn(bench), "shout.tool"), "utf8"), shout);
  }));

test("folders in a package sort its tools, and add and install name the files that are not read", () =>
  inProject(
    async (run) => {
      const left =
        "warning[package]: `words@1.0.0` has files that are not read as tools: `.github/a.tool`, `tools/data/list.yaml`\n  = tools are the `.tool` files in the folder of the tools and up to 3 folders below it, and the YAML files in it; hidden folders are not read\n";
      const added = await run("add", "../words");
      assert.equal(
        [added.stdout.split("\n")[1], added.stderr.startsWith(left)],
        ["  tools: words/loud, words/shout", true],
      );
      assert.equal(lines(await run("install")), [0, installed + left + hint]);
    },
    {
      dottool: { tools: "tools" },
      files: {
        "tools/shout.tool": shout,
        "tools/git/log/loud.tool": shout,
        "tools/data/list.yaml": "- 1\n",
        ".github/a.tool": shout,
        ".github/ci.yaml": "on: push\n",
      },
    },
  ));

test("add shows what a new version may do that the old one could not", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    writePackage(join(bench.folder, "words"), {
      version: "1.1.0",
      files: { "shout.tool": `${shout}@network api.example.com\n` },
    });
    const { stdout } = await run("add", "../words");
    assert.equal(
      stdout.split("\n").filter((line) => /was 1.0.0|could not/.test(line)),
      [
        "words@1.1.0 (was 1.0.0) from file:../words",
        "  before, it could not: effects: network, hosts: api.example.com",
      ],
    );
  }));

test("two packages cannot share an owner, unless it is their scope", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    writePackage(join(bench.folder, "rival"), { name: "@words/rival", files: { "other.tool": shout } });
    assert.equal(lines(await run("add", "../rival")), [
      77,
      "failed[package]: `@words/rival` and `words` both make tools of the owner `words`\n  = only one of them can be installed; `dottool remove words` removes the other\n",
    ]);
    await run("remove", "words");
    writePackage(join(bench.folder, "second"), { name: "@words/second" });
    assert.equal(
      [(await run("add", "../rival", "../second")).exitCode, (await run("list", "--mine")).stdout.match(/words\/\w+/g)],
      [0, ["words/other", "words/shout"]],
    );
  }));

test("a package with errors in its definitions is not added", () =>
  inProject(
    async (run, bench) => {
      assert.equal(lines(await run("add", "../words")), [
        65,
        "failed[package]: `words@1.0.0` has errors in its definitions: `package:words@1.0.0/shout.tool:1`: the command is empty\n  = `dottool publish --dry-run` in the folder of the package shows them all\n",
      ]);
      assert.is(existsSync(lockOf(bench)), false);
    },
    { files: { "shout.tool": "Says it.\n\n@title Shout\n@command\n" } },
  ));

test("a package that another one needs has to be there", () =>
  inProject(
    async (run, bench) => {
      const refused = await run("add", "../words");
      assert.equal(
        [refused.exitCode, refused.stderr.split(" cannot be reached", 1)[0]],
        [1, "failed[package]: `words` needs `letters`: `http://127.0.0.1:9/`"],
      );
      writePackage(join(bench.folder, "letters"), { name: "letters", version: "2.1.0" });
      assert.is((await run("add", "../words", "../letters")).exitCode, 0);
    },
    { dottool: { needs: { letters: "^2.0.0" } } },
  ));

test("a definition of the project comes before that of a package", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    bench.write("project/.tools/words/shout.tool", shout.replace("tr a-z A-Z", "tr a-z b-z"));
    assert.is((await run("words/shout", "--words", "ab")).stdout, "bc");
  }));

test("a definition of a project that nobody trusts does not take the name of a package", async () => {
  needPrograms("bwrap");
  using bench = testProject(
    { "project/.tools/words/shout.tool": shout.replace("tr a-z A-Z", "tr a-z b-z") },
    { isTrusted: false },
  );
  writePackage(join(bench.folder, "words"));
  const run: Run = (...words) => runLine(bench, words, { cwd: "project" });
  await run("add", "../words");
  assert.is((await run("words/shout", "--words", "ab")).stdout, "AB");
});

test("add --user adds a package for every project", () =>
  inProject(async (run, bench) => {
    await run("add", "--user", "../words");
    const elsewhere = await runLine(bench, ["list", "--mine"]);
    assert.equal(
      [
        existsSync(lockOf(bench)),
        existsSync(join(bench.folder, "home/.config/dottool/dottool.lock")),
        elsewhere.stdout.includes("words/shout"),
      ],
      [false, true, true],
    );
  }));

test("what no project has used for a month is removed from the store", () =>
  inProject(async (run, bench) => {
    const monthAgo = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
    const age = (): void => {
      for (const name of readdirSync(storeOf(bench))) utimesSync(join(storeOf(bench), name), monthAgo, monthAgo);
    };
    await run("add", "../words");
    age();
    await run("remove", "words");
    const justRemoved = readdirSync(storeOf(bench)).length;
    age();
    writePackage(join(bench.folder, "letters"), { name: "letters" });
    await run("add", "../letters");
    age();
    await run("install");
    const left = readdirSync(storeOf(bench)).length;
    assert.equal(
      [justRemoved, left, (await run("list", "--packages")).stdout.split("\n", 1)[0]],
      [1, 1, "letters@1.0.0 from file:../letters (sandboxed)"],
    );
  }));

test("a damaged record means no packages, and says so", () =>
  inProject(async (run, bench) => {
    await run("add", "../words");
    const records = join(bench.folder, "home/.local/state/dottool/packages/installed");
    const record = join(records, readdirSync(records)[0] ?? "");
    appendFileSync(record, "x");
    const { exitCode, stdout, stderr } = await run("list", "--mine");
    assert.equal(
      [exitCode, stdout, stderr.split("\n").at(-2)],
      [
        0,
        "",
        `warning[unreadable-file]: no packages are used: \`${record.replace(bench.folder, "<bench>")}\` is damaged: its content does not match its checksum; remove it, and run \`dottool install\``,
      ],
    );
    await run("install");
    assert.is((await run("list", "--mine")).stdout.includes("words/shout"), true);
  }));

test("a tool cannot add a package", () =>
  inProject(async (_run, bench) => {
    const inside = { cwd: "project", environment: { DOTTOOL_RUN_ID: "0".repeat(32) } };
    for (const words of [["add", "../words"], ["remove", "words"], ["install"]])
      assert.is((await runLine(bench, words, inside)).exitCode, 77);
  }));

test.run();
