// Definitions in YAML beside `.tool` files: found, cached and distinguished in the same way.
import { assert, suite } from "../harness.ts";
import { toolText, withFixture } from "./catalogue-fixture.ts";

const test = suite("YAML in a catalogue");

function yaml(name: string, ...lines: readonly string[]): string {
  return [`name: ${name}`, `description: Print ${name}.`, `bash: echo ${name}`, "tags: [read]", ...lines, ""].join(
    "\n",
  );
}

test("openCatalogue finds YAML in every scope, and a config.yaml is none", async () => {
  await withFixture(
    {
      "given/a.yaml": yaml("a"),
      "work/.tools/b.yml": yaml("b"),
      "work/.tools/official/c.yaml": yaml("c"),
      "work/.tools/config.yaml": "providers: {}\n",
      "config/tools/d.yaml": yaml("d"),
      "etc/e.yaml": "description: Its file's name.\nrun: echo e\n",
    },
    async (bench) => {
      const catalogue = await bench.open({ givenFolders: ["../given"] });
      assert.equal(catalogue.names(), ["a", "b", "d", "e", "official/c"]);
      assert.equal(await catalogue.diagnostics(), []);
      const { name, title, summary, effects, path, line } = catalogue.entry("b") ?? {};
      assert.equal(
        { name, title, summary, effects, path, line },
        { name: "b", title: "B", summary: "Print b", effects: ["read"], path: ".tools/b.yml", line: 1 },
      );
    },
  );
});

test("a YAML and a .tool file of one name are two definitions of it", async () => {
  await withFixture({ "work/.tools/a.tool": toolText("a"), "work/.tools/a.yaml": yaml("a") }, async (bench) => {
    const catalogue = await bench.open();
    assert.equal(bench.lines(await catalogue.diagnostics()), [
      "error[duplicate-tool] duplicate definition of `a` in one folder | .tools/a.yaml:1:7 a: here again | .tools/a.tool:4:7 a: first used here",
    ]);
  });
});

test("a warm catalogue parses no YAML and says the same", async () => {
  const steps =
    "description: Two steps.\nsteps:\n  - { name: one, bash: 'echo {A} {TEMP_DIR}', run-condition: '{A} == \"x\"' }\n  - { name: two, use-tool: a, with: {} }\nparameters: { A: { description: A text, transform: value + '!', examples: [x, y] } }\nresources: { cleanup: [{ final-command: rm -f x }] }\n";
  await withFixture(
    {
      "work/.tools/a.yaml": yaml("a", "interactive: true"),
      "work/.tools/b.yaml": steps,
      "work/.tools/c.yaml": "name: c\nbash: echo: x\n",
    },
    async (bench) => {
      const first = await bench.open({ laterMs: 10_000 });
      const said = [first.definition("a"), first.definition("b"), await first.diagnostics()];
      assert.equal(bench.parsed.length, 4);
      const second = await bench.open({ laterMs: 10_000 });
      assert.equal(bench.parsed, []);
      assert.equal(
        JSON.stringify([second.definition("a"), second.definition("b"), await second.diagnostics()]),
        JSON.stringify(said),
      );
      assert.equal(bench.parsed, [".tools/c.yaml"]);
    },
  );
});

test("a broken YAML keeps its name", async () => {
  await withFixture(
    { "given/a.yaml": "name: a\nnonsense: echo\n", "config/tools/a.tool": toolText("a") },
    async (bench) => {
      const catalogue = await bench.open({ givenFolders: ["../given"] });
      assert.equal(
        catalogue.entries.map(({ path, resolution }) => [path, resolution.kind]),
        [
          ["../given/a.yaml", "broken"],
          ["../config/tools/a.tool", "shadowed"],
        ],
      );
    },
  );
});

test.run();
