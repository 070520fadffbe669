// After a change, a tool needs trust in its own definition, in those below it and in the programs that it could run;
// the other tools of the folder go on.
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type HostileFixture, withHostile } from "../hostile/hostile-fixture.ts";

const test = suite("trust by tool");

const tool = (name: string, command: string): string =>
  `Says.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command ${command}\n`;

const say = (name: string, word = name): string => tool(name, `echo ${word}`);

interface Project {
  readonly bench: HostileFixture;
  write(path: string, text: string): void;
  /** Returns the words of the last line, or the kind of failure. */
  call(name: string, answer?: string): Promise<string>;
}

/** Runs `use` in a project with these files of `.tools`, all of them trusted. */
function withProject(files: Readonly<Record<string, string>>, use: (project: Project) => Promise<void>): Promise<void> {
  return withHostile(async (bench) => {
    const write = (path: string, text: string): void => bench.write(`repository/.tools/${path}`, text);
    for (const [path, text] of Object.entries(files)) write(path, text);
    bench.trust("repository");
    await use({
      bench,
      write,
      call: async (name, answer) => {
        const { exitCode, text } = await bench.run([name], answer === undefined ? {} : { answer: () => answer });
        return exitCode === 0
          ? (/[^\n]*$/.exec(text.replace(/^[^]*\[y\/N\] /, "").trimEnd())?.[0] ?? "")
          : (/failed\[([\w-]+)\]/.exec(text)?.[1] ?? text);
      },
    });
  });
}

test("the first call asks one question for all that has changed, and the tools that have not changed ask none", () =>
  withProject({ "one.tool": say("one"), "two.tool": say("two") }, async ({ bench, write, call }) => {
    write("three.tool", say("three"));
    write("two.tool", say("two", "changed"));
    assert.equal(
      [await call("one"), await call("two"), await call("three"), await call("three", "n")],
      ["one", "untrusted", "untrusted", "untrusted"],
    );
    const asked = await bench.run(["three"], { answer: () => "y" });
    assert.is(asked.exitCode, 0);
    assert.match(
      asked.text,
      "  new: three.tool\n    runs: echo three\n\n  changed: two.tool\n    runs: echo changed\n    what has changed:\n",
    );
    assert.equal(asked.text.split("[y/N]").length, 2, "one question");
    assert.equal([await call("one"), await call("two"), await call("three")], ["one", "changed", "three"]);
    assert.match((await bench.run(["trust"])).text, "is already trusted");
    // Back to what was trusted before is a change, too.
    write("two.tool", say("two"));
    assert.is(await call("two"), "untrusted");
  }));

test("a file that is gone asks about nothing", () =>
  withProject(
    {
      "one.tool": say("one"),
      "two.tool": say("two"),
      "lib/a.sh": "echo a\n",
      "both.tool": tool("both", "sh .tools/lib/b.sh"),
      "lib/b.sh": "echo b\n",
    },
    async ({ bench, call }) => {
      rmSync(bench.at("repository/.tools/two.tool"));
      rmSync(bench.at("repository/.tools/lib/a.sh"));
      assert.equal([await call("one"), await call("both")], ["one", "b"]);
      assert.match((await bench.run(["trust"])).text, "is already trusted");
      assert.is((await bench.run(["list"])).text.includes("warning["), false);
    },
  ));

test("a script that has changed is asked about by the tools that could run it", () =>
  withProject(
    {
      "one.tool": say("one"),
      "by_name.tool": tool("by_name", "sh ./.tools/lib/run.sh"),
      "relative.tool": tool("relative", "sh lib/run.sh"),
      "above.yaml": "name: above\ndescription: Says.\ncommand: sh .tools/lib/run.sh\n",
      "lib/run.sh": '. "$(dirname "$0")/other.sh"\n',
      "lib/other.sh": "echo trusted\n",
    },
    async ({ bench, write, call }) => {
      assert.is(await call("by_name"), "trusted");
      write("lib/other.sh", "echo changed\n");
      assert.equal(
        [await call("one"), await call("by_name"), await call("relative")],
        ["one", "untrusted", "untrusted"],
      );
      const { text } = await bench.run(["by_name"], { answer: () => "y" });
      assert.match(text, /\n {2}changed: lib\/other\.sh\n[^]*\+echo changed[^]*\[y\/N\] changed\n$/);
      // A file that no one has reviewed could be read by a script, or be a link.
      write("lib/third.sh", "echo third\n");
      assert.is(await call("by_name"), "untrusted");
      rmSync(bench.at("repository/.tools/lib/third.sh"));
      assert.is(await call("by_name"), "changed");
      symlinkSync("/etc/hostname", bench.at("repository/.tools/lib/link"));
      assert.equal([await call("by_name"), await call("one")], ["untrusted", "one"]);
      assert.is(await call("by_name", "y"), "changed");
      assert.is(await call("by_name"), "changed");
    },
  ));

test("a tool asks about the tools below it", () =>
  withProject(
    {
      "top.tool": "Top.\n\n@title Top\n@name top\n@step first uses middle\n@tags run\n",
      "middle.tool": "Middle.\n\n@title Middle\n@name middle\n@wrapped bottom\n",
      "bottom.tool": say("bottom"),
      "own/other.tool": say("other"),
    },
    async ({ bench, write, call }) => {
      write("bottom.tool", say("bottom", "changed"));
      assert.equal(
        [await call("top"), await call("middle"), await call("bottom"), await call("own/other")],
        ["untrusted", "untrusted", "untrusted", "other"],
      );
      assert.match((await bench.run(["top"])).text, "`top` does not run: `");
      assert.match((await bench.run(["top"])).text, "/.tools/bottom.tool` has changed since it was trusted");
      assert.is(await call("top", "y"), "changed");
      assert.is(await call("middle"), "changed");
    },
  ));

test("a new definition takes no name of a tool outside of the project until it is trusted", () =>
  withProject({ "one.tool": say("one") }, async ({ bench, write, call }) => {
    writeFileSync(bench.at("repository/a.txt"), "b\na\n");
    write("word_count.tool", say("word_count", "stolen"));
    assert.not.match((await bench.run(["word_count", "a.txt"])).text, "stolen");
    assert.match((await bench.run(["trust"], { answer: () => "y" })).text, "takes the name of");
    assert.is(await call("word_count"), "stolen");
  }));

test("`list` marks the tools that do not run, and names a changed file that is no definition", () =>
  withProject({ "one.tool": say("one"), "two.tool": say("two") }, async ({ bench, write }) => {
    write("two.tool", say("two", "changed"));
    const { text } = await bench.run(["list", "--json"]);
    const { tools } = JSON.parse(text.slice(text.indexOf("{\n"), text.lastIndexOf("\n}") + 2)) as {
      readonly tools: readonly { readonly name: string; readonly isTrusted?: false }[];
    };
    const trustOf = (name: string): unknown => tools.find((one) => one.name === name)?.isTrusted;
    assert.equal([trustOf("one"), trustOf("two")], [undefined, false]);
    const marked = (await bench.run(["list"])).text.replaceAll(/\s+/g, " ");
    assert.match(marked, "two project unknown not trusted.");
    assert.not.match(marked, "has changed since it was trusted");
    write("plugins/a.ts", "");
    assert.match(
      (await bench.run(["list"])).text.replaceAll(/\s+/g, " "),
      "has changed since it was trusted in 2 files, so tools and plugins that need the change do not run; `dottool trust",
    );
  }));

test("a plugin that has changed does not load, and neither does one whose modules have; the other tools go on", () =>
  withProject(
    {
      "one.tool": say("one"),
      "plugins/first.ts": plugin("first", `import { word } from "../lib/word.ts";`, "word"),
      "plugins/second.ts": plugin("second", "", '"second"'),
      "lib/word.ts": 'export const word = "first";\n',
    },
    async ({ bench, write, call }) => {
      assert.equal([await call("first"), await call("second")], ["first", "second"]);
      write("plugins/second.ts", plugin("second", "", '"changed"'));
      assert.equal([await call("one"), await call("first"), await call("second")], ["one", "first", "unknown-tool"]);
      assert.match((await bench.run(["second"])).text, "has changed since it was trusted: `plugins/second.ts`");
      bench.trust("repository");
      write("lib/word.ts", 'export const word = "changed";\n');
      assert.equal([await call("one"), await call("first")], ["one", "unknown-tool"]);
      bench.trust("repository");
      // Deno still has the module that it loaded before.
      assert.is(await call("first"), "Deno" in globalThis ? "first" : "changed");
    },
  ));

test("without the texts that were trusted, the whole folder is asked about", () =>
  withProject({ "one.tool": say("one"), "two.tool": say("two") }, async ({ bench, write, call }) => {
    const state = bench.at("home/.local/state/dottool/trust");
    for (const name of readdirSync(state)) if (name.endsWith(".texts.json")) rmSync(join(state, name));
    assert.is(await call("one"), "one");
    write("two.tool", say("two", "changed"));
    assert.equal([await call("one"), await call("two")], ["untrusted", "untrusted"]);
  }));

test("a file that is swapped while the question waits is not trusted", () =>
  withProject({ "one.tool": say("one") }, async ({ bench, write, call }) => {
    write("two.tool", say("two", "shown"));
    let asked = 0;
    const { text, exitCode } = await bench.run(["two"], {
      answer: () => {
        write("two.tool", say("two", "swapped"));
        return ++asked === 1 ? "y" : "n";
      },
    });
    assert.is(asked, 2);
    assert.is(exitCode, 77);
    assert.not.match(text, /^swapped$/m);
    assert.is(await call("two"), "untrusted");
    write("two.tool", say("two", "shown"));
    assert.is(await call("two"), "shown");
  }));

test("a program that was not executable, in a folder of its own, is asked about", () =>
  withProject(
    {
      "hello/tool.yaml": "name: hello\ndescription: Says hello.\nentrypoint: hello\n",
      "hello/hello": "#!/bin/sh\necho hello\n",
      "one.tool": say("one"),
    },
    async ({ bench, write, call }) => {
      chmodSync(bench.at("repository/.tools/hello/hello"), 0o755);
      assert.is(await call("hello"), "hello");
      write("hello/hello", "#!/bin/sh\necho changed\n");
      chmodSync(bench.at("repository/.tools/hello/hello"), 0o755);
      assert.equal([await call("hello"), await call("one")], ["untrusted", "one"]);
      mkdirSync(bench.at("repository/.tools/empty"));
      assert.is(await call("hello", "y"), "changed");
    },
  ));

test("a file with the name of a definition is a program where a tool runs it", () =>
  withProject(
    {
      "one.tool": say("one"),
      "deploy.tool": tool("deploy", "sh .tools/site.yaml"),
      "site.yaml": "echo site\n",
      "via.tool": tool("via", "sh .tools/lib/run.sh"),
      "lib/run.sh": "sh .tools/lib/x.tool; sh .tools/data/tool.yaml\n",
      "lib/x.tool": "echo x\n",
      "data/tool.yaml": "echo data\n",
    },
    async ({ write, call }) => {
      assert.equal([await call("deploy"), await call("via")], ["site", "data"]);
      write("site.yaml", "echo changed\n");
      assert.equal([await call("deploy"), await call("via"), await call("one")], ["untrusted", "untrusted", "one"]);
      write("site.yaml", "echo site\n");
      write("lib/x.tool", "echo changed\n");
      assert.equal([await call("via"), await call("one")], ["untrusted", "one"]);
      write("lib/x.tool", "echo x\n");
      write("data/tool.yaml", "echo changed\n");
      assert.equal([await call("via"), await call("one")], ["untrusted", "one"]);
    },
  ));

test("scripts that are reached without their names count: by a wildcard, a variable, or a file of the project", () =>
  withProject(
    {
      "one.tool": say("one"),
      "wild.tool": "W.\n\n@title W\n@name wild\n@wrapped run_command\n@shell sh\n@script\n    cat .tool?/*/*.sh | sh\n",
      "pieces.tool":
        'P.\n\n@title P\n@name pieces\n@wrapped run_command\n@shell sh\n@script\n    d=.to; d="$d"ols; for f in $d/*/*; do sh "$f"; done\n',
      "lint.tool": tool("lint", "make -s lint"),
      "lib/a.sh": "echo a\n",
    },
    async ({ bench, write, call }) => {
      bench.write("repository/Makefile", "lint:\n\t@sh .tools/lib/a.sh\n");
      assert.equal([await call("wild"), await call("pieces"), await call("lint")], ["a", "a", "a"]);
      write("lib/a.sh", "echo changed\n");
      assert.equal(
        [await call("wild"), await call("pieces"), await call("lint"), await call("one")],
        ["untrusted", "untrusted", "untrusted", "one"],
      );
      write("lib/a.sh", "echo a\n");
      write("lib/b.sh", "echo b\n");
      assert.equal([await call("pieces"), await call("one")], ["untrusted", "one"]);
    },
  ));

test("a tool that is gone asks through those that use it: its name may mean another tool now", () =>
  withProject(
    {
      "one.tool": say("one", "disk_free"),
      "disk_free.tool": say("disk_free", "mine"),
      "uses.tool": "U.\n\n@title U\n@name uses\n@tags run\n@step w uses disk_free\n",
    },
    async ({ bench, call }) => {
      assert.is(await call("uses"), "mine");
      rmSync(bench.at("repository/.tools/disk_free.tool"));
      // A word of a command names no tool.
      assert.equal([await call("uses"), await call("one")], ["untrusted", "disk_free"]);
      assert.match((await bench.run(["uses"], { answer: () => "n" })).text, "removed: disk_free.tool");
    },
  ));

test("a YAML tool of an owner that is gone asks, too, where the user has another tool of that name", () =>
  withProject(
    {
      "own/tell.yaml": "name: tell\ndescription: Says.\nbash: echo mine\n",
      "uses.tool": "U.\n\n@title U\n@name uses\n@tags run\n@step w uses own/tell\n",
    },
    async ({ bench, call }) => {
      bench.write("home/.config/dottool/tools/own/tell.tool", say("tell", "other"));
      assert.is(await call("uses"), "mine");
      rmSync(bench.at("repository/.tools/own/tell.yaml"));
      assert.is(await call("uses"), "untrusted");
    },
  ));

test("`new` trusts nothing but what it writes, also where what was trusted is not known any more", () =>
  withProject(
    { "one.tool": tool("one", "sh .tools/run.sh"), "run.sh": "echo one\n" },
    async ({ bench, write, call }) => {
      const state = bench.at("home/.local/state/dottool/trust");
      for (const name of readdirSync(state)) if (name.endsWith(".texts.json")) rmSync(join(state, name));
      write("run.sh", "echo changed\n");
      await bench.run(["new", "mine", "--from", "echo mine"], { answer: yes });
      assert.equal([await call("one"), await call("mine")], ["untrusted", "untrusted"]);
    },
  ));

test("what `fmt`, `check --fix`, `convert --write` and `new` write stays trusted, and what was not trusted does not become so", () =>
  withProject({ "one.tool": say("one"), "two.tool": say("two") }, async ({ bench, write, call }) => {
    const untidy = say("one").replace("@name one", "@name   one");
    write("one.tool", untidy);
    assert.is(await call("one", "y"), "one");
    assert.match((await bench.run(["fmt"])).text, "changed .tools/one.tool");
    assert.is(await call("one"), "one");
    write("one.tool", untidy.replace("echo one", "echo changed"));
    assert.match((await bench.run(["fmt"])).text, "changed .tools/one.tool");
    assert.is(await call("one"), "untrusted");
    write("one.tool", say("one"));
    write("wrong.tool", say("wrong").replace("@command", "@comand"));
    assert.match((await bench.run(["trust"], { answer: () => "y" })).text, "is trusted");
    assert.match((await bench.run(["check", "--fix"])).text, "fixed .tools/wrong.tool");
    assert.equal([await call("one"), await call("wrong"), await call("two")], ["one", "wrong", "two"]);
    assert.match((await bench.run(["convert", "two", "--to", "yaml", "--write"])).text, "wrote .tools/two.yaml");
    rmSync(bench.at("repository/.tools/two.tool"));
    assert.is(await call("two"), "two");
    // Only a person at a terminal writes a new tool that is trusted.
    assert.match(
      (await bench.run(["new", "mine", "--from", "echo mine"], { answer: yes })).text,
      "wrote .tools/mine.tool",
    );
    assert.match((await bench.run(["new", "foreign", "--from", "echo foreign"])).text, "wrote .tools/foreign.tool");
    assert.equal([await call("mine"), await call("foreign"), await call("one")], ["mine", "untrusted", "one"]);
  }));

test("the first tool of a new folder is trusted if a person writes it with `new`, and a folder with more is not", () =>
  withHostile(async (bench) => {
    rmSync(bench.at("repository/.tools"), { recursive: true, force: true });
    await bench.run(["new", "mine", "--from", "echo mine"], { answer: yes });
    assert.equal(await bench.run(["mine"]), { exitCode: 0, text: "mine\n" });
    rmSync(bench.at("repository/.tools"), { recursive: true });
    bench.write("second/.tools/other.tool", say("other"));
    const cwd = bench.at("second");
    await bench.run(["new", "mine", "--from", "echo mine"], { cwd, answer: yes });
    assert.is((await bench.run(["mine"], { cwd })).exitCode, 77);
  }));

const yes = (): string => "y";

test.run();

function plugin(name: string, head: string, value: string): string {
  return `import { definePlugin, defineTool } from "dottool";
${head}
export default definePlugin({
  name: ${JSON.stringify(name)},
  tools: [
    defineTool({
      name: ${JSON.stringify(name)},
      description: "Says.",
      parameters: {},
      effects: ["read"],
      run: () => ${value},
    }),
  ],
});
`;
}
