// `dottool graph`: whole drawings, and that other programs read them as intended.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { graphDot, graphMermaid } from "../../src/features/graph/graph-markup.ts";
import { graphText } from "../../src/features/graph/graph-text.ts";
import { type GraphNode, graphOf, type ToolGraph } from "../../src/features/graph/tool-graph.ts";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { withSteps } from "../steps/steps-fixture.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("graph");
const runLine = startingOnce();

const release = `@param folder {path} [required] Folder
@param level {integer} [default=2] Level
@param names {array<string>} [default=["a", "b"]] Names
@step clone runs
    git clone --depth 1 "https://example.org/a b.git" {folder}
@step count bash [retry=3 delay=1s timeout=10s]
    cd {folder} && wc -l *
@step notes uses inner [parallel]
    word = {clone.stdout}
@step ask prompt [parallel when={level} > 5 && {clone.output} contains "\\"<b>]"]
    Sum up {clone}
@step each runs [for-each={names} concurrency=2 continue-on-error fallback]
    echo {item} {count.output:-"none"}
    fallback:
        printf '%s' {index}
@step sum code [wait-for=count cache=1h]
    return count.length
@cleanup sh
    rm -rf {TEMP_DIR}
`;
const inner =
  "@param word {string} [required] Word\n@step say runs\n    echo {word}\n@step deep uses innermost\n    word = {say}";
const innermost =
  "@param word {string} [required] Word\n@step one runs\n    echo {word}\n@step other runs [parallel]\n    true";
const tools = { release, inner, innermost };

async function graphsOf(names: readonly string[], isDeep = false): Promise<readonly ToolGraph[]> {
  const graphs: ToolGraph[] = [];
  await withSteps(tools, async ({ opened }) => {
    for (const name of names) {
      const tool = await opened.session.registry.resolve(name);
      assert.ok(tool, name);
      if (tool) graphs.push(await graphOf(name, tool, { isDeep, session: opened.session }));
    }
  });
  return graphs;
}

test("graph draws steps and foundations as in golden/graph.txt", async () => {
  const graphs = [...(await graphsOf(["release", "glob"])), ...(await graphsOf(["release"], true))];
  assertGolden(
    "cli/golden/graph.txt",
    graphs.flatMap((graph) => [graphText(graph, 100), graphMermaid(graph), graphDot(graph)]).join("\n"),
  );
});

test("graphText cuts its lines at the width of the terminal", async () => {
  const [graph] = await graphsOf(["release"], true);
  assert.ok(
    graph &&
      graphText(graph, 40)
        .split("\n")
        .every((line) => line.length <= 40),
  );
});

const hostile: readonly string[] = [
  'a"]; x',
  "<b>&lt;i&gt;",
  "\\N \\G \\",
  "line\nbreak\r\ttab",
  "end",
  "漢字 é 👍🏽",
  "}{[()]|#;%%`*_",
  "\u001b[31m\u202e\u0000",
  "--> b",
  "a:::b@{c}",
];

function hostileGraph(): ToolGraph {
  const nodes = hostile.map(
    (name, index): GraphNode => ({
      id: `s${index}`,
      name,
      kind: "tool",
      does: `uses ${name}`,
      facts: [name],
      ...(index === 1 ? { within: "s0" } : {}),
    }),
  );
  return {
    tool: hostile.join(" "),
    nodes,
    edges: nodes.slice(1).map(({ id }) => ({ from: "s0", to: id, kind: "then" })),
  };
}

/** Returns a text as both languages must show it: control characters spelled out, white space as blanks. */
function shown(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll("\u001b", "\\u{1b}")
    .replaceAll("\u202e", "\\u{202e}")
    .replaceAll("\u0000", "\\u{0}");
}

test("graphDot writes labels that Graphviz reads as they were meant", async () => {
  const viz = await instance();
  const read = JSON.parse(viz.renderString(graphDot(hostileGraph()), { format: "json0" })) as {
    readonly objects: readonly { readonly name: string; readonly label: string }[];
    readonly edges: readonly unknown[];
  };
  const labels = new Map(
    read.objects.map(({ name, label }) => [
      name,
      label.replaceAll("&amp;", "&").replaceAll("\\n", "\n").replaceAll("\\\\", "\\"),
    ]),
  );
  assert.equal(
    hostile.map((_name, index) => labels.get(`s${index}`)),
    hostile.map((name) => [shown(name), `uses ${shown(name)}`, shown(name)].join("\n")),
  );
  assert.is(read.edges.length, hostile.length - 1);
});

test("graphDot is drawn with every text in it, and with no element of the author's", async () => {
  const viz = await instance();
  const svg = viz.renderString(graphDot(hostileGraph()), { format: "svg" });
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) => decoded(text));
  assert.equal(
    hostile.filter((name) => !texts.includes(shown(name))),
    [],
  );
  assert.not.match(svg, /<b>|<script|xlink:href/);
});

function decoded(text: string): string {
  return text
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (_entity, code: string) =>
      String.fromCodePoint(code.startsWith("x") ? Number.parseInt(code.slice(1), 16) : Number(code)),
    )
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("\u00a0", " ");
}

test("graphMermaid keeps every text within its quotes", () => {
  const lines = graphMermaid(hostileGraph())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.trim());
  const form = /^(flowchart TD|end|s\d+ --> s\d+|subgraph gs\d+\["[^"]*"\]|s\d+\[\["[^"]*"\]\])$/;
  assert.equal(
    lines.filter((line) => !form.test(line)),
    [],
  );
  const labels = lines
    .flatMap((line) => /^s\d+\[\["([^"]*)"\]\]$/.exec(line)?.[1] ?? [])
    .map((label) =>
      label
        .split("<br>")
        .map((part) => part.replaceAll(/#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))),
    );
  assert.equal(labels.sort(), hostile.map((name) => [shown(name), `uses ${shown(name)}`, shown(name)]).sort());
});

test("edges of several steps that wait for the same several meet in a point", async () => {
  const row = (name: string, count: number): string =>
    Array.from(
      { length: count },
      (_one, index) => `@step ${name}${index} runs${index === 0 ? "" : " [parallel]"}\n    true\n`,
    ).join("");
  await withSteps({ few: row("a", 2) + row("b", 3), many: row("a", 300) + row("b", 300) }, async ({ opened }) => {
    const texts = await Promise.all(
      ["few", "many"].map(async (name) => {
        const tool = await opened.session.registry.resolve(name);
        assert.ok(tool);
        return tool ? graphMermaid(await graphOf(name, tool, { isDeep: false, session: opened.session })) : "";
      }),
    );
    assert.equal(
      texts.map((text) => text.split("\n").filter((line) => line.includes("-->")).length),
      [5, 600],
    );
    assert.equal(texts[0]?.split("\n").slice(6, -1), [
      '  j0((" "))',
      "  s0 --> j0",
      "  s1 --> j0",
      "  j0 --> s2",
      "  j0 --> s3",
      "  j0 --> s4",
    ]);
  });
});

test("graphOf takes a thousand steps", async () => {
  const steps = Array.from(
    { length: 1_000 },
    (_one, index) => `@step s${index} runs${index % 3 === 0 ? "" : " [parallel]"}\n    true`,
  ).join("\n");
  await withSteps({ many: steps }, async ({ opened }) => {
    const tool = await opened.session.registry.resolve("many");
    const graph = tool && (await graphOf("many", tool, { isDeep: true, session: opened.session }));
    assert.equal([graph?.nodes.length, graph && graphText(graph, 80).split("\n").length], [1_000, 1_000 + 333 + 3]);
  });
});

test("what shows the steps of a tool runs none of them", async () => {
  using bench = testProject({
    ".tools/marks.tool": `Do steps.\n\n@title Marks\n@name marks\n@step one sh\n    touch ran\n@step two code [when={one.ok}]\n    throw new Error("ran")\n@step three python\n    open("ran", "w")\n@cleanup sh\n    touch ran\n`,
  });
  const runs = await Promise.all(
    [
      ["explain", "marks"],
      ["show", "marks"],
      ["graph", "marks", "--deep"],
      ["graph", "marks", "--format", "svg"],
    ].map((words) => runLine(bench, words)),
  );
  assert.equal(
    [runs.map(({ stderr, exitCode }) => [stderr, exitCode]), existsSync(join(bench.folder, "ran"))],
    [runs.map(() => ["", 0]), false],
  );
  assert.ok(runs.every(({ stdout }) => stdout.includes("three")));
});

test("dottool graph writes files by their ending, and says what it cannot do", async () => {
  using bench = testProject({
    ".tools/inner.tool": `Do steps.\n\n@title Inner\n@name inner\n@step say runs\n    echo "<x> & {TOOL_NAME}"\n`,
  });
  const lines: readonly (readonly string[])[] = [
    ["graph", "inner"],
    ["graph", "inner", "-o", "inner.svg"],
    ["graph", "inner", "--output=no/inner.dot"],
    ["graph", "inner", "--json", "--format", "dot"],
    ["graph", "iner"],
    ["graph", "inner", "--format", "png"],
    ["graph", "inner", "-o", "x.png"],
    ["graph", "inner", "-o", ".tools/inner.tool", "--format", "dot"],
  ];
  const runs = await Promise.all(lines.map((words) => runLine(bench, words)));
  assert.equal(runs, [
    { stdout: "inner\n\n● say  runs echo\n", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "", exitCode: 0 },
    {
      stdout: "",
      stderr:
        "failed[file]: `no/inner.dot` cannot be written: its folder does not exist, or is a dangling link\n  = create the folder, or remove the link\n",
      exitCode: 66,
    },
    {
      stdout: "",
      stderr:
        "failed[usage]: `--json` and `--format` cannot be combined; give one of them\n  = `dottool graph --help` shows the usage\n",
      exitCode: 64,
    },
    { stdout: "", stderr: runs[4]?.stderr ?? "", exitCode: 66 },
    {
      stdout: "",
      stderr:
        "failed[usage]: `--format` must be one of text, mermaid, dot, svg; got `png`\n  = `dottool graph --help` shows the usage\n",
      exitCode: 64,
    },
    {
      stdout: "",
      stderr:
        "failed[usage]: unknown extension `.png`; use .txt, .svg, .dot, .gv, .mmd, .mermaid, .json, or give `--format`\n  = `dottool graph --help` shows the usage\n",
      exitCode: 64,
    },
    {
      stdout: "",
      stderr: "failed[exists]: `.tools/inner.tool` already exists\n  = `--force` replaces it\n",
      exitCode: 1,
    },
  ]);
  assert.match(runs[4]?.stderr ?? "", "did you mean `inner`?");
  assert.match(readFileSync(join(bench.folder, "inner.svg"), "utf8"), /<svg [\s\S]*>runs echo<[\s\S]*<\/svg>\s*$/);
  assert.is(existsSync(join(bench.folder, "no")), false);
});

test.run();
