// What clients are offered: one's own tools, or those that come with dottool where there are none.
import { assert, present, suite } from "../harness.ts";
import { testProject, type TestProject } from "../test-project.ts";
import { hello, type Message, request, startLines } from "./line-client.ts";

const test = suite("mcp/server offer");

const own = "home/.config/dottool/tools";
const echo = (name: string, more = ""): string =>
  `Say.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@command echo hi\n${more}`;
const files = {
  [`${own}/x_run.tool`]: echo("x_run"),
  [`${own}/x_read.tool`]: echo("x_read", "@tags read news\n"),
  [`${own}/x_denied.tool`]: echo("x_denied"),
  [`${own}/x_elsewhere.tool`]: echo("x_elsewhere", "@requires no-such-program-here\n"),
  [`${own}/Files.tool`]: "@name Files\n@wrapped list_dir\n",
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: deny, tool: x_denied, front_end: mcp}\n",
};

interface Offered {
  readonly names: readonly string[];
  readonly instructions: string;
}

async function offeredIn(bench: TestProject, words: readonly string[] = []): Promise<Offered> {
  const lines = startLines(bench, words);
  try {
    lines.send(hello);
    lines.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    lines.send(request("list", "tools/list", {}));
    const [greeting, listed] = await lines.count(2);
    return {
      names: ((listed?.result?.tools ?? []) as readonly { readonly name: string }[]).map(({ name }) => name),
      instructions: String(greeting?.result?.instructions),
    };
  } finally {
    await lines.end();
  }
}

async function offered(words: readonly string[] = [], all: Readonly<Record<string, string>> = files): Promise<Offered> {
  using bench = testProject(all);
  return await offeredIn(bench, words);
}

test("one's own tools are offered, except what cannot run here or is denied", async () => {
  const { names, instructions } = await offered();
  assert.equal(names, ["Files", "x_read", "x_run"]);
  assert.match(
    instructions,
    /^dottool offers 3 tools that the people of this project defined\.\nPaths .*\n\d+ tools that come with dottool can be called, too; `dottool mcp --bundled` lists them\.$/,
  );
});

test("the tools that come with dottool are offered where there are none of one's own, or with --bundled", async () => {
  const bundled = (await offered([], {})).names;
  for (const name of ["read_file", "glob", "web_fetch"]) assert.ok(bundled.includes(name), name);
  // They are others under another name, end an agent's turn, or ask a model.
  for (const name of ["Read", "WebFetch", "task_completion", "converse", "ask_question", "ask_model"])
    assert.not.ok(bundled.includes(name), name);
  const both = (await offered(["--bundled"])).names;
  assert.equal(
    ["x_run", "Files", "read_file", "list_dir"].map((name) => both.includes(name)),
    [true, true, true, false],
  );
});

test("--only and --except choose by name, tag and effect", async () => {
  assert.equal((await offered(["--only", "read"])).names, ["Files", "x_read"]);
  assert.equal((await offered(["--only", "news", "--only", "read_file"])).names, ["read_file", "x_read"]);
  // Without tags, the effects of `x_run` are not known.
  assert.equal((await offered(["--except", "write", "--except", "Files"])).names, ["x_read"]);
  using bench = testProject(files);
  const { exitCode, stderr } = await bench.run(["mcp", "--only", "x_raed"]);
  assert.equal(
    [exitCode, stderr.split("\n")[0]],
    [64, "failed[usage]: no tool that can be offered has the name, tag or effect `x_raed`; did you mean `x_read`?"],
  );
});

test("read_output is listed once a result was cut, and can be called without the list", async () => {
  const long = "Count.\n\n@title Count\n@name x_count\n@wrapped run_command\n@command seq 1 50000\n@tags read\n";
  const allow = "policy:\n  - {decision: allow, tool: x_count, front_end: mcp}\n";
  for (const words of [[], ["--only", "x_count"]]) {
    using bench = testProject({ ".tools/x_count.tool": long, "home/.config/dottool/config.yaml": allow });
    const lines = startLines(bench, words);
    let count = 0;
    const ask = async (method: string, params: object): Promise<{ readonly answer: string; readonly told: number }> => {
      const id = `asked-${++count}`;
      lines.send(request(id, method, params));
      for (let messages = count; ; messages++) {
        const all: readonly Message[] = await lines.count(messages);
        const answer = all.find((message) => message.id === id);
        const told = all.filter((one) => "method" in one && one.method === "notifications/tools/list_changed").length;
        if (answer) return { answer: JSON.stringify(answer.result ?? answer.error), told };
      }
    };
    try {
      lines.send(hello);
      lines.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
      count++;
      const before = await ask("tools/list", {});
      const first = await ask("tools/call", { name: "x_count", arguments: {} });
      const handle = /read_output \{\\*"handle\\*":\\*"([0-9a-f]{32})/.exec(first.answer)?.[1];
      const read = await ask("tools/call", { name: "read_output", arguments: { handle, offset: 25_000, limit: 1 } });
      const second = await ask("tools/call", { name: "x_count", arguments: {} });
      const after = await ask("tools/list", {});
      assert.equal(
        [before.answer.includes('"read_output"'), first.told, /"text":"25000\\n\[/.test(read.answer)],
        [false, 1, true],
        read.answer,
      );
      assert.equal([second.told, after.answer.includes('"name":"read_output"')], [1, true]);
    } finally {
      await lines.end();
    }
  }
});

test("a chosen tool that cannot run here is not offered, and the others are", async () => {
  using bench = testProject({ ...files, ".tools/far.tool": `${echo("far")}@requires no-such-program\n` });
  const lines = startLines(bench, ["--only", "x_read", "--only", "far"]);
  try {
    lines.send(hello);
    lines.send(request("list", "tools/list", {}));
    const [, answer] = await lines.count(2);
    assert.equal(
      (present(answer?.result)["tools"] as readonly { readonly name: string }[]).map(({ name }) => name),
      ["x_read"],
    );
    const { stderr } = await bench.run(["mcp", "--only", "far"]);
    assert.equal(
      stderr,
      "warning[mcp]: `far` is not offered: it needs the program `no-such-program`, which is not on PATH\n",
    );
  } finally {
    await lines.end();
  }
});

test("a tool that is not chosen cannot be called, and is not suggested", async () => {
  using bench = testProject(files);
  const lines = startLines(bench, ["--only", "x_read"]);
  try {
    lines.send(hello);
    lines.send(request("call", "tools/call", { name: "x_run", arguments: {} }));
    const [, answer] = await lines.count(2);
    assert.equal(answer?.error?.message.split("\n")[0], "failed[unknown-tool]: there is no tool `x_run`");
  } finally {
    await lines.end();
  }
});

test("tools of a folder that nobody has trusted are counted, not named, and take away nothing", async () => {
  using bench = testProject({ ".tools/ignore_all.tool": echo("ignore_all") }, { isTrusted: false });
  const before = await offeredIn(bench);
  assert.equal([before.names.includes("ignore_all"), before.names.includes("read_file")], [false, true]);
  assert.equal(
    before.instructions.split("\n").at(-1),
    `1 more tool waits for a person to type \`dottool trust ${bench.folder}\` in a terminal.`,
  );
  assert.not.match(JSON.stringify(before), "ignore_all");
  bench.trust();
  assert.equal((await offeredIn(bench)).names, ["ignore_all"]);
  bench.write(".tools/ignore_all.tool", echo("ignore_all").replace("echo", "printf"));
  bench.write(".tools/obey.tool", echo("obey"));
  const { instructions } = await offeredIn(bench);
  assert.equal(
    instructions.split("\n").at(-1),
    `2 more tools wait for a person to type \`dottool trust ${bench.folder}\` in a terminal; changed since they were trusted: ignore_all.tool.`,
  );
});

test.run();
