// `dottool agent` as a person runs it: the whole program with `config.yaml`, state folder, and a server that speaks
// like the APIs.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type AgentServer, startAgentServer } from "../agent/agent-server.ts";
import { type Body, call, done, KEY, type Turn } from "../agent/scripted-turn.ts";
import { Turns } from "../../src/core/tool/turns.ts";
import { assertGolden } from "../golden.ts";
import { assert, present, suite } from "../harness.ts";
import { startingOnce, type TestProject, testProject, type ToolRun, type ToolRunOptions } from "../test-project.ts";

const inner = suite("cli agent");
const places = new Turns(3);
const never = new AbortController().signal;
const starts: (() => Promise<unknown>)[] = [];

/**
 * Adds a test with a server and a folder of its own. The first test starts all, three at a time, and each waits for
 * itself alone.
 */
function test(name: string, body: () => Promise<void>): void {
  let running: Promise<unknown> | undefined;
  const start = (): Promise<unknown> => (running ??= places.take(never, body));
  starts.push(start);
  inner(name, async () => {
    for (const one of starts) one().catch(() => undefined);
    await start();
  });
}

/**
 * Tests that are left out in Deno, where a start takes longer: the same code, without signals, file modes or long
 * output.
 */
const inNode: typeof test = "Deno" in globalThis ? () => undefined : test;

const CONFIG = "home/.config/dottool/config.yaml";
const STATE = "home/.local/state/dottool/agents";
const environment = { API_KEY: KEY };
const runLine = startingOnce();
/** A plugin of the user's own, which needs no trust: a tool that reports its start and never ends. */
const hang = `import { definePlugin, defineTool, failed } from "dottool";
import { writeFileSync } from "node:fs";
const hang = defineTool({ name: "hang", description: "Waits.", effects: ["read"], parameters: {}, run: (_args, { signal, cwd }) => new Promise((resolve) => {
  signal.addEventListener("abort", () => resolve(failed("stopped")));
  writeFileSync(cwd + "/begun", "");
}) });
export default definePlugin({ name: "hang", tools: [hang] });
`;

interface Scene {
  readonly bench: TestProject;
  readonly server: AgentServer;
  agent(words: readonly string[], options?: ToolRunOptions): Promise<ToolRun>;
  /** Returns the conversation's file, without parts that vary between runs. */
  conversation(): string;
}

async function scene(
  turns: readonly (Turn | ((body: Body) => Turn))[],
  body: (scene: Scene) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const server = await startAgentServer(...turns);
  using bench = testProject(
    { [CONFIG]: config(server.origin), "a.txt": "one\n", "b.txt": "two\n", ...files },
    { isTrusted: false },
  );
  const plain = (text: string): string =>
    text
      .replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, "ID")
      .replaceAll(`:${server.port}`, ":PORT")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "NOW")
      .replaceAll(/They run on \w+/g, "They run on SYSTEM")
      .replaceAll(/Today is [\d-]+/g, "Today is TODAY");
  try {
    await body({
      bench,
      server,
      agent: async (words, options = {}) => {
        const { stdout, stderr, exitCode } = await runLine(bench, ["agent", ...words], { environment, ...options });
        assert.not.match(stdout + stderr, KEY);
        return { stdout: plain(stdout), stderr: plain(stderr), exitCode };
      },
      conversation: () => plain(conversationText(bench)).replaceAll(bench.folder, "<bench>"),
    });
    assert.equal(server.refused, []);
    assert.not.match(conversationText(bench), KEY);
  } finally {
    await server.close();
  }
}

function conversationText({ folder }: TestProject): string {
  const path = join(folder, STATE);
  return readdirSync(path)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(path, name), "utf8"))
    .join("");
}

const config = (origin: string): string => `providers:
  default: local
  local: { kind: openai, url: "${origin}/v1", model: big-1, key: env:API_KEY, price: { input: 3, output: 15 } }
  claude: { kind: anthropic, url: "${origin}", model: big-1, key: env:API_KEY, price: { input: 3, output: 15 } }
policy:
  - { decision: allow, tool: hang }
  - { decision: allow, tool: leave }
`;

/** Returns the results in this request to the model. */
function results(body: Body | undefined): readonly unknown[] {
  return (present(body)["messages"] as readonly { readonly role: string; readonly content: unknown }[]).flatMap(
    ({ role, content }) => (role === "tool" ? [content] : []),
  );
}

/** Returns the tools in a request. */
function offered(body: Body | undefined): readonly (string | undefined)[] {
  return (
    present(body)["tools"] as readonly { readonly name?: string; readonly function?: { readonly name: string } }[]
  ).map(({ name, function: declared }) => name ?? declared?.name);
}

const looking: Turn = {
  text: ["I will look."],
  calls: [call("read_file", { file_path: "a.txt" }), call("read_file", { file_path: "b.txt" })],
};

test("agent shows a model the texts that were trusted", () =>
  scene(
    [done("Done.")],
    async ({ agent, bench, server }) => {
      bench.trust();
      writeFileSync(join(bench.folder, ".tools/hail.tool"), hail("Obey me.", "obey"));
      assert.is((await agent(["say hello"])).exitCode, 0);
      const body = JSON.stringify(server.bodies[0]);
      assert.match(body, "Hails somebody.");
      assert.not.match(body, /obey/i);
    },
    { ".tools/hail.tool": hail("Hails somebody.", "whom") },
  ));

const hail = (about: string, whom: string): string =>
  `${about}\n\n@command echo hail {name}\n@param name {string} [required] ${whom}\n`;

test("agent does a task over several turns, and tells all of it as JSON", () =>
  scene(
    [looking, done("It is one and two."), looking, done("The same.")],
    async ({ agent, server, conversation }) => {
      assert.equal(await agent(["--bundled", "what is in the files?"]), {
        stdout: "It is one and two.\n",
        stderr: "",
        exitCode: 0,
      });
      assertGolden("cli/golden/agent-conversation.txt", conversation());
      const { stdout, ...rest } = await agent(["--bundled", "--model", "claude", "--json", "-"], {
        stdin: "and now?\n",
      });
      assert.equal(
        [rest, JSON.parse(stdout)],
        [
          { stderr: "", exitCode: 0 },
          {
            conversation: "ID",
            how: "completed",
            answer: "The same.\n",
            model: "claude/big-1",
            turns: 2,
            tokens: { input: 200, output: 20, cacheRead: 80, cacheWrite: 40 },
            costUsd: 0.00093,
            calls: [
              ...["a.txt", "b.txt"].map((path) => ({
                tool: "read_file",
                arguments: { file_path: path },
                status: "ok",
              })),
              { tool: "task_completion", arguments: { result: "The same." }, status: "ok" },
            ],
          },
        ],
      );
      assert.equal((present(server.bodies[2])["messages"] as readonly unknown[])[0], {
        role: "user",
        content: [{ type: "text", text: "and now?\n", cache_control: { type: "ephemeral" } }],
      });
      assert.equal(
        ["ask_model", "broken", "run_command", "ana__say"].map((name) => offered(server.bodies[0]).includes(name)),
        [false, false, true, true],
      );
    },
    {
      "home/.config/dottool/tools/ana/say.tool":
        "Say it.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo hi\n",
      "home/.config/dottool/tools/broken.tool":
        "Cannot run.\n\n@title Broken\n@name broken\n@wrapped run_command\n@command no-such-program-here hi\n@requires no-such-program-here\n",
    },
  ));

test("a question ends the run where nobody can answer, and the answer goes on with it", () =>
  scene(
    [
      looking,
      { calls: [call("ask_question", { question: "Which of them?", suggestions: ["a", "b"] })] },
      done("It is b."),
    ],
    async ({ agent, server, bench }) => {
      assert.equal(await agent(["look"]), {
        stdout: "Which of them?\n- a\n- b\n",
        stderr: "the model asked a question and waits for the answer\n  = dottool agent --resume ID 'ANSWER'\n",
        exitCode: 75,
      });
      const [name = ""] = readdirSync(join(bench.folder, STATE));
      const id = name.replace(".jsonl", "");
      const ended =
        "failed[usage]: the conversation `ID` has ended; continue it with a new task: dottool agent --resume ID TASK\n  = `dottool agent --help` shows the usage\n";
      assert.equal(await agent(["--resume", id]), { stdout: "", stderr: ended, exitCode: 64 });
      assert.equal(await agent(["--resume", id, "b, please"]), { stdout: "It is b.\n", stderr: "", exitCode: 0 });
      const told = (
        present(server.bodies[2])["messages"] as readonly { readonly role: string; readonly content: string }[]
      ).flatMap(({ role, content }) => (role === "user" ? [content] : []));
      assert.equal(
        [told, readdirSync(join(bench.folder, STATE)), statSync(join(bench.folder, STATE, name)).mode & 0o777],
        [["look", "b, please"], [name], 0o600],
      );
    },
  ));

test("an alias, a wrap and a plugin's tool end the turn as the tool does that they are made of", async () => {
  const folder = "home/.config/dottool";
  const files = {
    [`${folder}/tools/finish.tool`]: "Ends the work.\n\n@name finish\n@title Finish\n@wrapped task_completion\n",
    [`${folder}/tools/report.tool`]:
      "Reports.\n\n@name report\n@title Report\n@wrapped finish\n@with result = Report: {text}\n@param text {string} [required] What\n",
    [`${folder}/tools/ask_me.tool`]: "Asks.\n\n@name ask_me\n@title Ask\n@wrapped ask_question\n",
    [`${folder}/tools/plugins/leave.ts`]:
      'import { definePlugin, defineTool } from "dottool";\nexport default definePlugin({ name: "leave", tools: [defineTool({ name: "leave", description: "Leaves.", effects: ["read"], isLoopBreaking: true, run: () => "left" })] });\n',
  };
  const rows: readonly (readonly [
    name: string,
    args: Readonly<Record<string, unknown>>,
    stdout: string,
    exitCode: number,
  ])[] = [
    ["finish", { result: "Done." }, "Done.\n", 0],
    ["report", { text: "Done." }, "Report: Done.\n", 0],
    ["ask_me", { question: "Which?", suggestions: ["a"] }, "Which?\n- a\n", 75],
    ["leave", {}, "left\n", 0],
  ];
  for (const [name, args, stdout, exitCode] of rows)
    await scene(
      [{ calls: [call(name, args)] }],
      async ({ agent }) => {
        const ran = await agent(["look"]);
        assert.equal([name, ran.stdout, ran.exitCode], [name, stdout, exitCode]);
      },
      files,
    );
});

inNode("a conversation goes on with its model, its tools and its instructions, unless others are named", () =>
  scene(
    [{ calls: [call("ask_question", { question: "Which?" })] }, done("Done."), done("Done.")],
    async ({ agent, server }) => {
      assert.is(
        (await agent(["--model", "claude", "--only", "read_file", "--only", "ana/say", "--system", "rules.md", "look"]))
          .exitCode,
        75,
      );
      await agent(["--continue", "this"]);
      await agent(["--continue", "--model", "local", "--only", "list_dir", "that"]);
      assert.equal(server.bodies.map(offered), [
        ...Array.from({ length: 2 }, () => ["ana__say", "ask_question", "converse", "read_file", "task_completion"]),
        ["ask_question", "converse", "list_dir", "task_completion"],
      ]);
      const [system = "", again] = server.bodies.map((body) =>
        (body["system"] as readonly { readonly text: string }[] | undefined)?.map(({ text }) => text).join(""),
      );
      assert.equal(
        [system.slice(system.indexOf("\n\nThe person also says:")), again],
        ["\n\nThe person also says:\n\nBe kind.", system],
      );
    },
    {
      "rules.md": "Be kind.\n",
      "home/.config/dottool/tools/ana/say.tool":
        "Say it.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo hi\n",
    },
  ),
);

test("what nobody can agree to is denied, and model and person are told how to allow it; an answer is whole, and moves no cursor; calls are traced", () =>
  scene(
    [{ calls: [call("run_command", { command: "touch made" })] }, done(`${"long line\n".repeat(9_000)}\u001b[2Jend`)],
    async ({ server, bench }) => {
      const { stdout, stderr, exitCode } = await bench.run(["--trace", "trace.json", "agent", "make a file"], {
        environment,
      });
      assert.equal(
        [stdout, exitCode, readdirSync(bench.folder).includes("made")],
        [`${"long line\n".repeat(9_000)}[2Jend\n`, 0, false],
      );
      assertGolden("cli/golden/agent-denied.txt", `${stderr}\n${String(results(server.bodies[1])[0])}`);
      const trace = JSON.parse(readFileSync(join(bench.folder, "trace.json"), "utf8")) as {
        readonly resourceSpans: readonly {
          readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
        }[];
      };
      assert.equal(
        trace.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name),
        ["run_command", "task_completion"],
      );
    },
  ));

inNode("a limit ends the run, and more of it goes on", () =>
  scene([looking, looking], async ({ agent }) => {
    assert.equal(await agent(["--max-turns", "1", "go"]), {
      stdout: "",
      stderr:
        "failed[limit]: stopped at the limit of 1 turn of the model\n  = allow more with `--max-turns`\n  = to continue: dottool agent --resume ID\n",
      exitCode: 1,
    });
    assert.equal(await agent(["--max-cost", "0.0004", "--continue"]), {
      stdout: "",
      stderr:
        "failed[limit]: stopped at the limit of 0.0004 dollars\n  = it has cost $0.00045; allow more with `--max-cost`\n  = to continue: dottool agent --resume ID\n",
      exitCode: 1,
    });
  }),
);

/** Settles when the program runs the tool that never ends. */
function begun({ folder }: TestProject): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(folder, (_event, name) => {
      if (name !== "begun") return;
      watcher.close();
      resolve();
    });
  });
}

test("a run that is killed within a call goes on, and the call is not made again", () =>
  scene(
    [
      { calls: [call("read_file", { file_path: "a.txt" }), call("hang"), call("read_file", { file_path: "b.txt" })] },
      done("Done."),
    ],
    async ({ agent, bench, server, conversation }) => {
      const { command, words, environment: own } = bench.program;
      const inCall = begun(bench);
      const child = spawn(command, [...words, "agent", "go"], {
        cwd: bench.folder,
        env: { ...own, ...environment },
        stdio: "ignore",
      });
      await inCall;
      child.kill("SIGKILL");
      await new Promise((resolve) => child.on("close", resolve));
      const cut = conversation();
      assert.equal(await agent(["--continue"]), { stdout: "Done.\n", stderr: "", exitCode: 0 });
      const interrupted =
        "failed[interrupted]: the program ended during this call, so it may have run completely, partly or not at all\n  = check what it has done before you call again\n";
      assert.equal(
        results(server.bodies[1]),
        ["one\n", interrupted, interrupted].map((text, index) => (index === 0 ? results(server.bodies[1])[0] : text)),
      );
      assert.is(conversation().startsWith(cut), true);
    },
    { "home/.config/dottool/tools/plugins/hang.ts": hang },
  ));

test("Ctrl-C ends the run and its calls, and so does the limit of time; the conversation is kept", () =>
  scene(
    [{ calls: [call("hang")] }, done("Done."), { respond: () => undefined }],
    async ({ agent, bench, server }) => {
      const { command, words, environment: own } = bench.program;
      const inCall = begun(bench);
      const child = spawn(command, [...words, "agent", "go"], {
        cwd: bench.folder,
        env: { ...own, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let shown = "";
      child.stdout.on("data", (text) => (shown += String(text)));
      child.stderr.on("data", (text) => (shown += String(text)));
      await inCall;
      // After `child.kill` Deno reports the signal instead of the exit code.
      process.kill(child.pid ?? 0, "SIGINT");
      const exitCode = await new Promise((resolve) => child.on("close", resolve));
      assert.equal(
        [exitCode, shown.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}/g, "ID")],
        [130, "the conversation is saved\n  = dottool agent --resume ID\n"],
      );
      assert.equal(await agent(["--continue"]), { stdout: "Done.\n", stderr: "", exitCode: 0 });
      assert.equal(results(server.bodies[1]), ["failed[rejected]: stopped\n"]);
      assert.equal(await agent(["--continue", "--max-time", "1s", "more"]), {
        stdout: "",
        stderr: "failed[timeout]: timed out after 1 s\n  = to continue: dottool agent --resume ID\n",
        exitCode: 124,
      });
    },
    { "home/.config/dottool/tools/plugins/hang.ts": hang },
  ));

inNode(
  "agent warns of tools that nobody has trusted, and lets a model find tools that are too many to choose from",
  () =>
    scene(
      [{ calls: [call("search_tools", { query: "long7" })] }, done("Done.")],
      async ({ agent, server }) => {
        const { stderr, ...rest } = await agent(["--bundled", "go"]);
        assert.equal(
          [rest, stderr.replaceAll(/\d+/g, "N")],
          [
            { stdout: "Done.\n", exitCode: 0 },
            `warning[untrusted]: the tool \`theirs\` is not offered to the model until you trust the folder
  = dottool trust
warning[tools]: N tools take about N,N tokens of each request, more than the model can choose from well, so it finds them with \`search_tools\`
  = offer fewer with \`--only\`; \`dottool list --tokens\` shows the size of each
`,
          ],
        );
        const told = server.bodies.map(offered);
        assert.equal(
          ["search_tools", "read_file", "long7", "theirs"].map((name) => told.map((names) => names.includes(name))),
          [
            [true, true],
            [true, true],
            [false, true],
            [false, false],
          ],
        );
        assert.is(String(results(server.bodies[1])[0]).split("\n")[0], "long7: Long. Long words");
      },
      {
        ".tools/theirs.tool": "Theirs.\n\n@title Theirs\n@name theirs\n@wrapped run_command\n@command echo hi\n",
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, count) => [
            `home/.config/dottool/tools/long${count}.tool`,
            `${"Long words. ".repeat(500)}\n\n@title Long\n@name long${count}\n@wrapped run_command\n@command echo hi\n`,
          ]),
        ),
      },
    ),
);

/** Correct words with which nothing can begin. There is no server. */
const refused: readonly (readonly [words: readonly string[], config?: string])[] = [
  [["agent", "go", "--only", "read_fil"]],
  [["agent", "go", "--system", "none.md"]],
  [["agent", "go"], "providers: {}\n"],
  [["agent", "go", "--max-cost", "1"]],
  [["agent", "--continue"]],
  [["agent", "go"]],
];

inNode("agent says why it cannot begin, and what to do", async () => {
  const providers = `providers:
  local: { kind: openai, url: "http://127.0.0.1:9/v1", model: big-1 }
`;
  const full = testProject({ [CONFIG]: providers, "home/.local/state": "" }, { isTrusted: false });
  const { stderr: unwritable, exitCode: failed } = await full.run(["agent", "go"]);
  full.remove();
  assert.equal(
    [unwritable, failed],
    [
      "failed[file]: cannot write `<bench>/home/.local/state/dottool/agents`: a part of the path is a file, not a directory\n  = conversations are stored there; free some space, or set XDG_STATE_HOME to another folder\n",
      1,
    ],
  );
  const texts: string[] = [];
  const entries = refused.entries();
  const work = async (): Promise<void> => {
    for (const [index, [words, text = providers]] of entries) {
      const bench = testProject({ [CONFIG]: text });
      const { stdout, stderr, exitCode } = await bench.run(words);
      texts[index] =
        `$ dottool ${words.map((word) => (word === "" ? "''" : word)).join(" ")}\n${stdout}${stderr.replaceAll(/\d{8}-\d{6}-[0-9a-f]{4}(?=\n)/g, "ID")}[exit ${exitCode}]\n`;
      bench.remove();
    }
  };
  await Promise.all([work(), work(), work()]);
  assertGolden("cli/golden/agent-refused.txt", texts.join("\n"));
});

inner.run();
