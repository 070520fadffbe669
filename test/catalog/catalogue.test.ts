// The definitions that exist, the one that gets each name, and the messages about the others.
import { assert, suite } from "../harness.ts";
import type { Catalogue } from "../../src/core/catalog/catalogue.ts";
import { bundledTool, type CatalogueFixture, toolText, withFixture } from "./catalogue-fixture.ts";

const test = suite("catalogue");

function resolutions(catalogue: Catalogue, bench: CatalogueFixture): readonly string[] {
  return catalogue.entries.map(
    ({ name, scope, path, resolution }) => `${name} ${scope} ${path.replace(bench.root, "ROOT")} ${resolution.kind}`,
  );
}

test("openCatalogue finds each scope, owners below them, and what is built in", async () => {
  const files = {
    "given/a.tool": toolText("a"),
    "work/.tools/b.tool": toolText("b"),
    "work/.tools/official/summarize.tool": toolText("summarize"),
    "config/tools/c.tool": toolText("c"),
    "etc/d.tool": toolText("d"),
  };
  await withFixture(files, async (bench) => {
    const catalogue = await bench.open({ givenFolders: ["../given"], bundled: [await bundledTool("e")], cwd: "work" });
    assert.equal(resolutions(catalogue, bench), [
      "a given ../given/a.tool used",
      "b project .tools/b.tool used",
      "c user ../config/tools/c.tool used",
      "d global ../etc/d.tool used",
      "e builtin builtin:e.tool used",
      "official/summarize project .tools/official/summarize.tool used",
    ]);
    assert.equal(await catalogue.diagnostics(), []);
    assert.is(catalogue.definition("official/summarize")?.name.value, "official/summarize");
    assert.equal(catalogue.names(), ["a", "b", "c", "d", "e", "official/summarize"]);
  });
});

test("an entry says what list shows", async () => {
  await withFixture(
    {
      "work/.tools/a.tool":
        "Say hello. And more.\n\n@name a\n@title Hello\n@wrapped run_command\n@command echo hello\n@tags read greetings\n@keywords hi\n@requires echo\n@depends b\n@platforms linux macos\n@category words\n@deprecated use b\n",
    },
    async (bench) => {
      const catalogue = await bench.open();
      assert.equal(catalogue.entries, [
        {
          name: "a",
          title: "Hello",
          summary: "Say hello",
          effects: ["read"],
          tags: ["greetings"],
          keywords: ["hi"],
          requires: [{ program: "echo" }],
          standsOn: ["run_command"],
          dependsOn: ["b"],
          category: "words",
          platforms: ["linux", "macos"],
          isDeprecated: true,
          nameStart: 28,
          nameEnd: 29,
          line: 3,
          scope: "project",
          path: ".tools/a.tool",
          errorCount: 0,
          warningCount: 0,
          resolution: { kind: "used" },
        },
      ]);
    },
  );
});

test("a bundled definition is had without its text", async () => {
  await withFixture({}, async (bench) => {
    const tool = await bundledTool("e");
    let readings = 0;
    const bundled = {
      ...tool,
      get text() {
        return readings++ === 0 ? tool.text : "";
      },
    };
    const origin = (await bench.open({ bundled: [bundled] })).definition("e")?.origin;
    assert.is(readings, 0);
    assert.is(origin?.kind === "file" && origin.source.text, tool.text);
  });
});

test("the project folder is the nearest .tools upward", async () => {
  await withFixture(
    { "work/.tools/a.tool": toolText("a"), "work/sub/deep/x": "", "work/other/.tools/b.tool": toolText("b") },
    async (bench) => {
      assert.equal((await bench.open({ cwd: "work/sub/deep" })).names(), ["a"]);
      assert.equal((await bench.open({ cwd: "work/other" })).names(), ["b"]);
    },
  );
});

test("a nearer definition hides a farther one, and both places are shown", async () => {
  await withFixture(
    { "given/a.tool": toolText("a"), "config/tools/a.tool": toolText("a"), "etc/a.tool": toolText("a") },
    async (bench) => {
      const catalogue = await bench.open({
        givenFolders: ["../given"],
        bundled: [await bundledTool("a")],
        base: ["a"],
      });
      assert.equal(resolutions(catalogue, bench), [
        "a given ../given/a.tool used",
        "a user ../config/tools/a.tool shadowed",
        "a global ../etc/a.tool shadowed",
        "a builtin builtin:a.tool shadowed",
      ]);
      assert.is(
        catalogue.definition("a")?.origin.kind === "file" && catalogue.definition("a")?.description,
        "Print a.",
      );
      assert.equal(bench.lines(await catalogue.diagnostics()), [
        "warning[shadowed-tool] `a` is shadowed by the tool in `../given/a.tool` | ../config/tools/a.tool:4:7 a: not used | ../given/a.tool:4:7 a: used instead",
        "warning[shadowed-tool] `a` is shadowed by the tool in `../given/a.tool` | ../etc/a.tool:4:7 a: not used | ../given/a.tool:4:7 a: used instead",
        "warning[shadowed-tool] `a` is shadowed by the tool in `../given/a.tool` | builtin:a.tool:4:7 a: not used | ../given/a.tool:4:7 a: used instead",
      ]);
    },
  );
});

test("a project takes no name from outside of it, unless its folder is named", async () => {
  const files = {
    "work/.tools/a.tool": toolText("a", "Mine."),
    "work/.tools/b.tool": toolText("b"),
    "work/.tools/read_file.tool": toolText("read_file"),
    "config/tools/b.tool": toolText("b"),
  };
  await withFixture(files, async (bench) => {
    const bundled = [await bundledTool("a")];
    const catalogue = await bench.open({ bundled, base: ["read_file"] });
    assert.equal(resolutions(catalogue, bench), [
      "a project .tools/a.tool refused",
      "a builtin builtin:a.tool used",
      "b project .tools/b.tool refused",
      "b user ../config/tools/b.tool used",
      "read_file project .tools/read_file.tool refused",
    ]);
    assert.is(catalogue.definition("a")?.description, "The built-in a.");
    assert.is(catalogue.definition("read_file"), undefined);
    assert.equal(bench.lines(await catalogue.diagnostics()), [
      "warning[shadowed-tool] `a` is not used: an untrusted project cannot replace a built-in tool | .tools/a.tool:4:7 a: not used | builtin:a.tool:4:7 a: used instead",
      "warning[shadowed-tool] `b` is not used: an untrusted project cannot replace your own tool in `../config/tools/b.tool` | .tools/b.tool:4:7 b: not used | ../config/tools/b.tool:4:7 b: used instead",
      "warning[shadowed-tool] `read_file` is not used: an untrusted project cannot replace a base tool | .tools/read_file.tool:4:7 read_file: not used",
    ]);
    const named = await bench.open({ bundled, base: ["read_file"], givenFolders: [".tools"] });
    assert.is(named.definition("a")?.description, "Mine.");
    assert.is(named.definition("read_file")?.origin.kind, "file");
  });
});

test("a loop-breaking tool keeps its name everywhere, also one of a plugin", async () => {
  await withFixture(
    { "given/task_completion.tool": toolText("task_completion"), "given/finish.tool": toolText("finish") },
    async (bench) => {
      const catalogue = await bench.open({ givenFolders: ["../given"], reserved: ["task_completion", "finish"] });
      assert.equal(
        [catalogue.definition("task_completion"), catalogue.definition("finish"), catalogue.names()],
        [undefined, undefined, []],
      );
      const diagnostics = await catalogue.diagnostics();
      assert.equal(
        diagnostics.map((one) => one.code),
        ["reserved-name", "reserved-name"],
      );
      assert.equal(bench.lines(diagnostics.slice(0, 1)), [
        "error[reserved-name] the name `finish` is reserved: it ends an agent's turn | ../given/finish.tool:4:7 finish: not used",
      ]);
    },
  );
});

test("of two definitions in one folder the first by path has the name", async () => {
  await withFixture(
    {
      "work/.tools/a.tool": toolText("x", "First."),
      "work/.tools/b.tool": toolText("x", "Second."),
      "work/.tools/x/x.tool": toolText("x"),
    },
    async (bench) => {
      const catalogue = await bench.open();
      assert.equal(resolutions(catalogue, bench), [
        "x project .tools/a.tool used",
        "x project .tools/b.tool duplicate",
        "x/x project .tools/x/x.tool used",
      ]);
      assert.is(catalogue.definition("x")?.description, "First.");
      const own = (await catalogue.diagnostics()).filter((one) => one.code === "duplicate-tool");
      assert.equal(bench.lines(own), [
        "error[duplicate-tool] duplicate definition of `x` in one folder | .tools/b.tool:4:7 x: here again | .tools/a.tool:4:7 x: first used here",
      ]);
    },
  );
});

test("a folder may define a name for each platform, and the one for this platform has it", async () => {
  const words = (platforms: string): string => `${toolText("x", `For ${platforms}.`)}@platforms ${platforms}\n`;
  const files = {
    "etc/x.tool": words("linux"),
    "etc/x.macos.tool": words("macos"),
    "etc/x.windows.tool": words("windows"),
  };
  await withFixture(files, async (bench) => {
    const found: string[] = [];
    for (const platform of ["linux", "macos", "windows"] as const) {
      const catalogue = await bench.open({ host: { ...bench.host, platform }, bundled: [await bundledTool("x")] });
      found.push(catalogue.definition("x")?.description ?? "");
      assert.equal(catalogue.entries.map(({ resolution }) => resolution.kind).sort(), [
        "other-platform",
        "other-platform",
        "shadowed",
        "used",
      ]);
    }
    assert.equal(found, ["For linux.", "For macos.", "For windows."]);
  });
});

test("where no definition of a folder is for this platform, the first by path has the name", async () => {
  const files = {
    "work/.tools/x.macos.tool": `${toolText("x")}@platforms macos\n`,
    "work/.tools/x.windows.tool": `${toolText("x")}@platforms windows\n`,
  };
  await withFixture(files, async (bench) => {
    const catalogue = await bench.open({ host: { ...bench.host, platform: "linux" } });
    assert.equal(resolutions(catalogue, bench), [
      "x project .tools/x.macos.tool used",
      "x project .tools/x.windows.tool other-platform",
    ]);
    assert.equal(await catalogue.diagnostics(), []);
  });
});

test("two definitions of one folder that share a platform are duplicates on every platform", async () => {
  const files = {
    "work/.tools/x.a.tool": `${toolText("x")}@platforms linux macos\n`,
    "work/.tools/x.b.tool": `${toolText("x")}@platforms macos windows\n`,
    "work/.tools/x.c.tool": toolText("x"),
  };
  await withFixture(files, async (bench) => {
    for (const platform of ["linux", "windows"] as const) {
      const catalogue = await bench.open({ host: { ...bench.host, platform } });
      assert.equal(resolutions(catalogue, bench), [
        "x project .tools/x.a.tool used",
        "x project .tools/x.b.tool duplicate",
        "x project .tools/x.c.tool duplicate",
      ]);
    }
  });
});

test("a broken definition keeps its name and leaves the others alone", async () => {
  await withFixture(
    {
      "work/.tools/a.tool": toolText("a"),
      "work/.tools/b.tool": "@name b\n@wrapped run_command\n@command echo {y}\n",
      "etc/b.tool": toolText("c"),
      "given/g.tool": "@name e\n@wrapped run_command\n@command echo {x}\n",
    },
    async (bench) => {
      const catalogue = await bench.open({ givenFolders: ["../given"], bundled: [await bundledTool("e")] });
      assert.equal(resolutions(catalogue, bench), [
        "a project .tools/a.tool used",
        "b project .tools/b.tool broken",
        "c global ../etc/b.tool used",
        "e given ../given/g.tool broken",
        "e builtin builtin:e.tool shadowed",
      ]);
      assert.is(catalogue.definition("e"), undefined);
      assert.is(catalogue.entry("b")?.resolution.kind, "broken");
      const codes = (await catalogue.diagnostics()).filter((one) => one.severity === "error").map((one) => one.code);
      assert.equal(codes, ["unknown-placeholder", "unknown-placeholder"]);
    },
  );
});

test("a definition without a readable name goes by its file's", async () => {
  await withFixture({ "work/.tools/odd.tool": "@name 3 blind mice\n", "work/.tools/o/odd.tool": "" }, async (bench) => {
    assert.equal(
      (await bench.open()).entries.map(({ name, line, errorCount }) => ({ name, line, hasErrors: errorCount > 0 })),
      [
        { name: "o/odd", line: 1, hasErrors: true },
        { name: "odd", line: 1, hasErrors: true },
      ],
    );
  });
});

test("effectsOf says what the builder would, along the tools below", async () => {
  const files = {
    "work/.tools/reads.tool": toolText("reads"),
    "work/.tools/shell.tool":
      "Words.\n\n@title Shell\n@name shell\n@wrapped run_command\n@shell sh\n@command ls | mine {x}\n@param x {path} [required] X\n@tags read\n",
    "work/.tools/alias.tool": "@name alias\n@wrapped shell\n",
    "work/.tools/twice.tool": "@name twice\n@wrapped alias\n@tags network\n",
    "work/.tools/fetch.tool": "@name fetch\n@wrapped web_fetch\n",
    "work/.tools/a.tool": "@name a\n@wrapped b\n",
    "work/.tools/b.tool": "@name b\n@wrapped a\n",
    "given/read_file.tool": "@name read_file\n@wrapped read_file\n",
  };
  await withFixture(files, async (bench) => {
    const catalogue = await bench.open({ givenFolders: ["../given"], base: ["run_command", "web_fetch", "read_file"] });
    const ofBase = (name: string): readonly ("read" | "network" | "run")[] | undefined =>
      ({ run_command: ["run"] as const, web_fetch: ["network"] as const, read_file: ["read"] as const })[name];
    assert.equal(
      Object.fromEntries(catalogue.entries.map((entry) => [entry.name, catalogue.effectsOf(entry, ofBase)])),
      {
        a: [],
        alias: ["read", "run"],
        b: [],
        fetch: ["network"],
        read_file: ["read"],
        reads: ["read"],
        shell: ["read", "run"],
        twice: ["read", "run", "network"],
      },
    );
  });
});

test("plugins are listed nearest first and are no owner", async () => {
  await withFixture(
    {
      "work/.tools/plugins/b.ts": "",
      "work/.tools/plugins/a.ts": "",
      "work/.tools/plugins/types.d.ts": "",
      "work/.tools/plugins/x.tool": toolText("x"),
      "config/tools/plugins/c.ts": "",
    },
    async (bench) => {
      const catalogue = await bench.open();
      assert.equal(
        catalogue.plugins.map(({ path, folder }) => `${folder.scope} ${path.slice(bench.root.length)}`),
        ["project /work/.tools/plugins/a.ts", "project /work/.tools/plugins/b.ts", "user /config/tools/plugins/c.ts"],
      );
      assert.equal(catalogue.names(), []);
    },
  );
});

test("all but the first of many definitions with one name are duplicates", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`work/.tools/t${index}.tool`, toolText("same")]),
  );
  await withFixture(files, async (bench) => {
    const catalogue = await bench.open({ bundled: [await bundledTool("same")] });
    assert.equal(
      catalogue.entries.map((entry) => entry.resolution.kind).filter((kind) => kind !== "duplicate"),
      ["refused", "used"],
    );
  });
});

test.run();
