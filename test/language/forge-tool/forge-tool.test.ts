// forge's `tool.yaml` beside a program: real programs, called through the real gate.
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { allKeys } from "../../../src/features/yaml/forge-tool/keys.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import type { JsonObject } from "../../../src/core/schema/json.ts";
import { lines } from "../../lines.ts";
import { assert, suite } from "../../harness.ts";
import { type StepsFixture, withSteps } from "../../steps/steps-fixture.ts";

const test = suite("forge-tool");

const SAYS_WORDS = "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n";

const tool = lines(
  "name: recent-commits",
  "description: What changed",
  "version: 1.0.0",
  "entrypoint: recent-commits",
  "usage: |",
  "  Pass `since`.",
  "parameters:",
  "  - name: since",
  "    type: string",
  "    required: true",
  "    description: The first day",
  "  - name: count",
  "    type: number",
  "    description: At most",
  "  - name: all",
  "    type: boolean",
  "    description: Of everybody",
  "  - name: paths",
  "    type: array",
  "    description: Where",
  "  - name: options",
  "    type: object",
  "    description: More",
  "  - name: form",
  "    default: oneline",
  "    description: How",
);

async function withForgeTool(
  yaml: string,
  body: (bench: StepsFixture) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withSteps(
    {},
    async (bench) => {
      chmodSync(join(bench.folder, ".tools/recent-commits/recent-commits"), 0o755);
      await body(bench);
    },
    { ".tools/recent-commits/tool.yaml": yaml, ".tools/recent-commits/recent-commits": SAYS_WORDS, ...files },
  );
}

const rows: readonly (readonly [args: JsonObject, said: string])[] = [
  [{ since: "2024-01-01" }, "<--since=2024-01-01><--form=oneline>"],
  [{ since: "a b", count: 20 }, "<--since=a b><--count=20><--form=oneline>"],
  [{ since: "", count: -1.5 }, "<--since=><--count=-1.5><--form=oneline>"],
  [{ since: "x", all: true }, "<--since=x><--all=true><--form=oneline>"],
  [{ since: "x", all: false, form: "-x" }, "<--since=x><--all=false><--form=-x>"],
  [{ since: "x", paths: [] }, "<--since=x><--paths=[]><--form=oneline>"],
  [
    { since: "x", paths: ["a b", "--c"], options: { a: [1] } },
    '<--since=x><--paths=["a b","--c"]><--options={"a":[1]}><--form=oneline>',
  ],
  [{ since: "--help" }, "<--since=--help><--form=oneline>"],
  [{ since: "$(id); `id` {count} '\"" }, "<--since=$(id); `id` {count} '\"><--form=oneline>"],
];

test("arguments are words --name=value, and what is absent leaves none", async () => {
  await withForgeTool(tool, async (bench) => {
    assert.equal(
      (await bench.opened.diagnostics()).map(({ message }) => message),
      [],
    );
    for (const [args, said] of rows) assert.is(await bench.said("recent-commits", args), said, JSON.stringify(args));
  });
});

test("the program is the file beside the definition, whatever PATH has, and runs in the caller's folder", async () => {
  const yaml = lines("name: recent-commits", "description: D", "entrypoint: ./recent-commits");
  await withForgeTool(yaml, async (bench) => {
    writeFileSync(join(bench.folder, ".tools/recent-commits/recent-commits"), "#!/bin/sh\npwd\n");
    assert.is(await bench.said("recent-commits"), `${bench.folder}\n`);
  });
  const absent = lines("name: recent-commits", "description: D", "entrypoint: sh");
  await withForgeTool(absent, async (bench) => {
    assert.match(await bench.said("recent-commits"), /^failed\[not-started\]: .*\.tools\/recent-commits\/sh/);
  });
});

test("a link beside the definition is the author's own", async () => {
  await withForgeTool(
    lines("name: recent-commits", "description: D", "entrypoint: bin/run"),
    async (bench) => {
      symlinkSync("../recent-commits", join(bench.folder, ".tools/recent-commits/bin/run"));
      assert.is(await bench.said("recent-commits"), "");
    },
    { ".tools/recent-commits/bin/README": "x" },
  );
});

test("the folder is of this one tool: other files in it are none, and it is no owner", async () => {
  await withForgeTool(
    tool,
    async ({ opened }) => {
      await opened.session.registry.complete();
      const own = opened
        .catalogue()
        .entries.filter(({ scope }) => scope === "given")
        .map(({ name, path }) => `${name} ${path}`);
      assert.equal(own, ["recent-commits .tools/recent-commits/tool.yaml"]);
      assert.equal(
        (await opened.diagnostics()).map(({ message }) => message),
        ["`.tools/recent-commits/other.tool` is not used: the folder belongs to the one tool in `tool.yaml`"],
      );
    },
    { ".tools/recent-commits/settings.yaml": "{ no: tool", ".tools/recent-commits/other.tool": "@nothing" },
  );
});

test("a tool's own folder may lie in its owner's", async () => {
  await withForgeTool(
    lines("name: recent-commits", "description: D", "entrypoint: run"),
    async (bench) => {
      chmodSync(join(bench.folder, ".tools/official/recent-commits/run"), 0o755);
      assert.is(await bench.said("official/recent-commits"), "owned\n");
      assert.equal(await bench.opened.diagnostics(), []);
    },
    {
      ".tools/official/recent-commits/tool.yaml": lines("name: recent-commits", "description: D", "entrypoint: run"),
      ".tools/official/recent-commits/run": "#!/bin/sh\necho owned\n",
      ".tools/official/more/x.tool": "@name x\n@wrapped read_file\n",
    },
  );
});

test("each key shows in the definition", async () => {
  await withForgeTool(tool, async ({ opened }) => {
    await opened.session.registry.complete();
    const definition = opened.session.registry.find("recent-commits")?.definition;
    assert.equal(
      definition && {
        name: definition.name.value,
        description: definition.description,
        version: definition.version,
        help: definition.help,
        parameters: definition.parameters.map(
          ({ name, schema, required }) => `${name} ${schema.type}${required ? " required" : ""}`,
        ),
      },
      {
        name: "recent-commits",
        description: "What changed",
        version: "1.0.0",
        help: "Pass `since`.",
        parameters: [
          "since string required",
          "count number",
          "all boolean",
          "paths array",
          "options object",
          "form string",
        ],
      },
    );
    const written = new Set(tool.split("\n").flatMap((line) => /^( {2}[- ] )?([a-z]+):/.exec(line)?.[2] ?? []));
    assert.equal(
      allKeys.flatMap(([, { keys }]) => keys).filter((key) => !written.has(key)),
      [],
    );
  });
});

test("any entrypoint is a file below the definition's folder, or told", () => {
  const folder = "/home/ana/.tools/t";
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .array(fc.constantFrom("..", ".", "a", "bin", "", "~", "C:", "\\", " ", "$(id)", "\0"))
          .map((parts) => parts.join("/")),
      ),
      (entrypoint) => {
        const { value, diagnostics } = analyzeYamlFile(
          { path: "t.yaml", text: `name: t\ndescription: D\nentrypoint: ${JSON.stringify(entrypoint)}\n` },
          { folder },
        );
        if (value?.kind !== "wrapped") return diagnostics.some(({ severity }) => severity === "error");
        const [command] = value.commands;
        const program = command?.command.kind === "direct" ? command.command.words[0]?.parts[0] : undefined;
        return (
          typeof program === "string" &&
          program.startsWith(`${folder}/`) &&
          !program.split("/").includes("..") &&
          program.length > folder.length + 1
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

test.run();
