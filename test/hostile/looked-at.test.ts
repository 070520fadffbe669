// A path that is only inspected does not run: `check`, `fmt` and similar commands take it in any spelling, and load its
// files only where they are trusted.
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { type HostileFixture, shellTool, withHostile } from "./hostile-fixture.ts";
import { plugin } from "./hostile-repository.ts";

const test = suite("what is looked at");

/** A definition that needs the plugin beside it. */
const wrapper = "Wraps.\n\n@title Wraps\n@name wrapper\n@wrapped evil\n@depends evil\n";

function evilProject(bench: HostileFixture, folder: string): void {
  bench.write(`${folder}/wrapper.tool`, wrapper);
  bench.write(`${folder}/plugins/evil.ts`, plugin(bench.payloadCode));
}

interface Look {
  readonly what: string;
  readonly words: readonly string[];
  /** The working folder below the bench's root. The default is `repository`. */
  readonly cwd?: string;
  build?(bench: HostileFixture): void;
}

const inTools = (bench: HostileFixture): void => evilProject(bench, "repository/.tools");
const linked = (bench: HostileFixture): void => {
  inTools(bench);
  symlinkSync(".tools", bench.at("repository/tools"));
  symlinkSync("repository", bench.at("link"));
  mkdirSync(bench.at("elsewhere"));
};

const looks: readonly Look[] = [
  { what: "nothing", words: ["check"], build: inTools },
  { what: "the project", words: ["check", "."], build: inTools },
  { what: "the tool folder", words: ["check", ".tools"], build: inTools },
  { what: "the plugin", words: ["check", ".tools/plugins/evil.ts"], build: inTools },
  { what: "a way round", words: ["check", "./x/../.tools/"], build: inTools },
  { what: "a link to the tool folder", words: ["check", "tools"], build: linked },
  { what: "a definition through the link", words: ["check", "tools/wrapper.tool"], build: linked },
  { what: "the plugin through the link", words: ["check", "tools/plugins/evil.ts"], build: linked },
  { what: "the plugins through the link", words: ["check", "tools/plugins"], build: linked },
  { what: "a link to the project", words: ["check", "../link"], cwd: "elsewhere", build: linked },
  {
    what: "the tool folder through a link to the project",
    words: ["check", "../link/.tools"],
    cwd: "elsewhere",
    build: linked,
  },
  { what: "both links", words: ["check", "link/tools"], cwd: ".", build: linked },
  { what: "another project", words: ["check", "repository"], cwd: ".", build: inTools },
  { what: "another project's tool folder", words: ["check", "repository/.tools"], cwd: ".", build: inTools },
  { what: "another project's plugin", words: ["check", "repository/.tools/plugins/evil.ts"], cwd: ".", build: inTools },
  { what: "another project's plugins", words: ["check", "repository/.tools/plugins"], cwd: ".", build: inTools },
  { what: "the repairs of another project", words: ["check", "--fix", "repository/.tools"], cwd: ".", build: inTools },
  {
    what: "a project from another folder",
    words: ["--cwd", "repository", "check", "../link/tools"],
    cwd: ".",
    build: linked,
  },
  { what: "the tool folder from inside", words: ["check"], cwd: "repository/.tools", build: inTools },
  { what: "the plugin from inside", words: ["check", "evil.ts"], cwd: "repository/.tools/plugins", build: inTools },
  {
    what: "the folder above",
    words: ["check", ".."],
    cwd: "repository/src",
    build: (bench) => (inTools(bench), void mkdirSync(bench.at("repository/src"))),
  },
  {
    what: "a repository that is a tool folder",
    words: ["check", "."],
    build: (bench) => evilProject(bench, "repository"),
  },
  {
    what: "a repository that is a tool folder, by its plugin",
    words: ["check", "plugins/evil.ts"],
    build: (bench) => evilProject(bench, "repository"),
  },
  {
    what: "a repository that is cloned as `.tools`",
    words: ["check", ".tools"],
    cwd: "work",
    build: (bench) => evilProject(bench, "work/.tools"),
  },
  {
    what: "a folder of another name",
    words: ["check", "my-tools"],
    build: (bench) => evilProject(bench, "repository/my-tools"),
  },
  {
    what: "an owner's folder",
    words: ["check", ".tools/owner"],
    build: (bench) => (inTools(bench), evilProject(bench, "repository/.tools/owner")),
  },
  {
    what: "what a link in a trusted project leads to",
    words: ["check", "../trusted/out"],
    build: (bench) => {
      evilProject(bench, "repository");
      bench.write("trusted/.tools/fine.tool", shellTool("fine", "echo fine"));
      bench.trust("trusted");
      symlinkSync("../repository", bench.at("trusted/out"));
    },
  },
  {
    what: "a `.tools` that is a link to a hostile folder",
    words: ["check", "work/.tools"],
    cwd: ".",
    build: (bench) => {
      evilProject(bench, "repository");
      mkdirSync(bench.at("work"));
      symlinkSync("../repository", bench.at("work/.tools"));
    },
  },
  {
    what: "a work tree of a trusted project",
    words: ["check", "repository"],
    cwd: "trusted",
    build: (bench) => {
      evilProject(bench, "trusted/.tools");
      bench.write("trusted/.git/worktrees/repository/commondir", "../..\n");
      bench.trust("trusted");
      cpSync(bench.at("trusted/.tools"), bench.at("trusted/repository/.tools"), { recursive: true });
      bench.write("trusted/repository/.git", "gitdir: ../.git/worktrees/repository\n");
      // Its own plugin is trusted, and would run.
      bench.write("trusted/.tools/plugins/evil.ts", "export default {};\n");
    },
  },
  { what: "the layout", words: ["fmt", "--check", "repository/.tools"], cwd: ".", build: inTools },
  { what: "the layout through the link", words: ["fmt", "--check", "repository/tools"], cwd: ".", build: linked },
  { what: "a definition in YAML", words: ["convert", "repository/.tools/wrapper.tool"], cwd: ".", build: inTools },
];

for (const { what, words, cwd, build } of looks)
  test(`\`dottool ${words.join(" ")}\` in \`${cwd ?? "repository"}\` runs no plugin: ${what}`, () =>
    withHostile(async (bench) => {
      build?.(bench);
      const { text } = await bench.run(words, { cwd: bench.at(cwd ?? "repository") });
      const isCheck = words.includes("check");
      assert.equal(
        { executed: bench.executed(), isTold: /is not loaded: `[^`]*` is not trusted yet/.test(text) },
        { executed: [], isTold: isCheck },
      );
    }));

test("check of a definition says that its tool may be a plugin's, and offers no repair", () =>
  withHostile(async (bench) => {
    inTools(bench);
    bench.write("repository/.tools/evi1.tool", shellTool("evi1", "true"));
    const { text, exitCode } = await bench.run(["check", "--fix", "repository/.tools/wrapper.tool"], {
      cwd: bench.root,
    });
    const [first = "", ...others] = text.split("\n").filter((line) => /^(?:error|warning|fixed| {2}=)/.test(line));
    const help = [
      "  = help: the plugin `repository/.tools/plugins/evil.ts` may have it, and is not loaded: `repository/.tools` is not trusted yet",
      `  = help: \`dottool trust ${bench.repository}\` shows what it could run, and asks you`,
    ];
    assert.equal(
      [first, ...others, exitCode],
      [
        "error[unknown-base-tool]: there is no tool `evil` to wrap",
        ...help,
        "warning[missing-dependency]: `wrapper` cannot run here: it depends on the tool `evil`, which does not exist",
        ...help,
        65,
      ],
    );
  }));

test("the way that check names loads the plugin of a project", () =>
  withHostile(async (bench) => {
    linked(bench);
    const before = await bench.run(["check", "tools"]);
    const line = /`dottool (trust [^`]+)`/.exec(before.text)?.[1]?.split(" ") ?? [];
    const agreed = await bench.run(line, { answer: () => "y" });
    assert.equal([agreed.exitCode, bench.executed()], [0, []]);
    const after = await bench.run(["check", "tools"]);
    assert.equal([after.text, bench.executed()], ["1 definition and 1 plugin checked: no problems\n", ["loaded"]]);
  }));

test("the way that check names loads the plugin of any other folder", () =>
  withHostile(async (bench) => {
    evilProject(bench, "my tools");
    const before = await bench.run(["check", "my tools"], { cwd: bench.root });
    assert.equal(
      [/`(dottool --tools [^`]+)`/.exec(before.text)?.[1], bench.executed()],
      ["dottool --tools 'my tools' check 'my tools'", []],
    );
    const after = await bench.run(["--tools", "my tools", "check", "my tools"], { cwd: bench.root });
    assert.equal([after.text, bench.executed()], ["1 definition and 1 plugin checked: no problems\n", ["loaded"]]);
  }));

test("DOTTOOL_PATH is the caller's word", () =>
  withHostile(async (bench) => {
    inTools(bench);
    process.env["DOTTOOL_PATH"] = bench.at("repository/.tools");
    const { text } = await bench.run(["check", "repository"], { cwd: bench.root });
    assert.equal([text, bench.executed()], ["1 definition and 1 plugin checked: no problems\n", ["loaded"]]);
  }));

test("check of the user's own folder loads its plugins, through a link too", () =>
  withHostile(async (bench) => {
    evilProject(bench, "home/.config/dottool/tools");
    symlinkSync("home/.config/dottool/tools", bench.at("mine"));
    const { text } = await bench.run(["check", "../mine"]);
    assert.equal([text, bench.executed()], ["1 definition and 1 plugin checked: no problems\n", ["loaded"]]);
  }));

test.run();
