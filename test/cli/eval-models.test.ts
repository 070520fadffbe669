// `dottool eval --model` and `--replay`: a scripted model behind real HTTP, for each API that agents use.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startAgentServer } from "../agent/agent-server.ts";
import { type Body, call, KEY, type Turn } from "../agent/scripted-turn.ts";
import { assert, present, suite } from "../harness.ts";
import { type TestProject, type ToolRun, testProject } from "../test-project.ts";

const test = suite("cli eval with models");

const CONFIG = "home/.config/dottool/config.yaml";
const RECORDS = ".tools/evals/local-big-1.jsonl";

const config = (origin: string): string => `providers:
  default: local
  local: { kind: openai, url: "${origin}/v1", model: big-1, key: env:API_KEY, price: { input: 3, output: 15 } }
  whole: { kind: openai, url: "${origin}/v1", model: big-1, key: env:API_KEY, stream: false }
  words: { kind: openai, url: "${origin}/v1", model: big-1, key: env:API_KEY, tools: text }
  claude: { kind: anthropic, url: "${origin}", model: big-1, key: env:API_KEY }
`;

const files = {
  ".tools/count_lines.tool": `Count the lines of a file.

@title Count Lines
@name count_lines
@command touch ran {file} {most}
@param file {path} [required] The file
@param most {integer} [default=9] The most lines
@ask how many lines has a.txt? → {"file": "a.txt"}
@ask is it raining? → none
`,
  ".tools/count_words.tool": `Count the words of a file.

@title Count Words
@name count_words
@command touch ran {file}
@param file {path} [required] The file
@ask how long is the text of a.txt? → {"file": "a.txt"}
`,
};

/** What a good model would answer to the last message. */
const answers: Readonly<Record<string, Turn>> = {
  "how many lines has a.txt?": { calls: [call("count_lines", { file: "a.txt", most: 9 })] },
  "is it raining?": { text: ["I cannot know."] },
  "how long is the text of a.txt?": { calls: [call("count_words", { file: "a.txt" })] },
};

function asked(body: Body): string {
  const last = (body["messages"] as readonly { readonly content: unknown }[]).at(-1)?.content;
  return typeof last === "string" ? last : ((last as readonly { readonly text: string }[])[0]?.text ?? "");
}

const good = (body: Body): Turn => answers[asked(body)] ?? { text: ["?"] };

type Run = (words: readonly string[]) => Promise<ToolRun>;

async function scene(
  turns: readonly (Turn | ((body: Body) => Turn))[],
  body: (run: Run, bench: TestProject, bodies: readonly Body[]) => Promise<void>,
): Promise<void> {
  const server = await startAgentServer(...turns);
  using bench = testProject({ [CONFIG]: config(server.origin), ...files });
  try {
    const run: Run = async (words) => {
      const ran = await bench.here(["eval", ...words], { environment: { API_KEY: KEY } });
      assert.not.match(ran.stdout + ran.stderr, KEY);
      const stdout = ran.stdout.replaceAll(/ +\d+\.\d s$/gm, "  TIME").replaceAll(/time *$/gm, "time");
      return { ...ran, stdout };
    };
    await body(run, bench, server.bodies);
    assert.equal([server.refused, existsSync(join(bench.folder, "ran"))], [[], false]);
  } finally {
    await server.close();
  }
}

const three = [good, good, good];

for (const [provider, words] of [
  ["local", "streams of Chat Completions"],
  ["whole", "whole answers of Chat Completions"],
  ["claude", "the Messages API"],
] as const)
  test(`a good model is right in everything, by ${words}`, () =>
    scene(three, async (run, _bench, bodies) => {
      const { stdout, stderr, exitCode } = await run(["--model", provider, "--json"]);
      const [totals] = (JSON.parse(stdout) as { readonly models: readonly Body[] }).models;
      assert.equal(
        [exitCode, stderr, { ...totals, timeMs: 0 }],
        [
          0,
          "",
          {
            model: `${provider}/big-1`,
            tries: 3,
            right: 3,
            tool: 3,
            leading: 2,
            exact: 2,
            typed: 2,
            calls: 2,
            inputTokens: 300,
            outputTokens: 30,
            ...(provider === "local" ? { costUsd: 0.00135 } : {}),
            timeMs: 0,
          },
        ],
      );
      assert.is(
        bodies.every((body) => JSON.stringify(body).includes("Count the words of a file.")),
        true,
      );
      assert.is(
        bodies.some((body) => JSON.stringify(body["tools"]).includes("how long")),
        false,
      );
      const replay = await run(["--replay", "--json"]);
      assert.equal([replay.exitCode, replay.stdout.includes('"right": 3')], [0, true]);
      assert.is(bodies.length, 3);
    }));

test("a model without tools in its API gets them in the prompt", () =>
  scene(
    [
      { text: ['<tool>{"server_name":"local","tool_name":"count_lines","arguments":{"file":"a.txt"}}</tool>'] },
      { text: ["No."] },
      { text: ['<tool>{"server_name":"local","tool_name":"count_words","arguments":{"file":"a.txt"}}</tool>'] },
    ],
    async (run) => assert.is((await run(["--model", "words"])).exitCode, 0),
  ));

const poor: readonly Turn[] = [
  { calls: [call("count_lines", { file: "b.txt" }), call("count_words", { file: "a.txt" })] },
  { calls: [call("count_lines", { file: 3 })] },
  { calls: [call("count_lines", { file: "a.txt" })] },
];

test("wrong answers are shown, with the tool that won and the words that differ", () =>
  scene(poor, async (run, bench) => {
    const now = await run(["--model", "local"]);
    assert.equal(now, {
      exitCode: 1,
      stderr: "",
      stdout: `model        right   tool    arguments  by type  calls  tokens    cost     time
local/big-1  0 of 3  1 of 3  0 of 2     1 of 2   4      300 + 30  $0.0014  TIME

wrong     how many lines has a.txt?
expected  count_lines {"file":"a.txt"}
got       count_lines {"file":"b.txt"}, then count_words {"file":"a.txt"}, from
          local/big-1

wrong     is it raining?
expected  no call of count_lines
got       count_lines {"file":3}, from local/big-1

wrong     how long is the text of a.txt?
expected  count_words {"file":"a.txt"}
got       count_lines {"file":"a.txt"}, from local/big-1

count_lines was called in place of count_words once
  only count_words says: word
  only count_lines says: line
`,
    });
    assert.equal(await run(["--replay"]), now);
    const lines = readFileSync(join(bench.folder, RECORDS), "utf8").trimEnd().split("\n");
    assert.equal(
      lines.map((line) => Object.keys(JSON.parse(line) as Body).join(" ")),
      lines.map(() => "version model text ask declarations distractors attempt calls tokens costUsd timeMs"),
    );
    assert.is((await run(["--replay", "--min", "0"])).exitCode, 0);
  }));

test("a record is stale when what a model is told has changed, and not when an ask has", () =>
  scene(three, async (run, bench) => {
    await run(["--model", "local"]);
    const path = ".tools/count_words.tool";
    bench.write(path, files[path].replace('→ {"file": "a.txt"}', '→ {"file": "b.txt"}'));
    const changed = await run(["--replay", "--json", "count_words"]);
    assert.equal([changed.exitCode, changed.stderr, changed.stdout.includes('"arguments": "typed"')], [1, "", true]);
    bench.write(path, files[path].replace("Count the words", "Count all words"));
    assert.equal(await run(["--replay", "count_words"]), {
      exitCode: 66,
      stdout: "",
      stderr:
        "failed[stale]: local/big-1: count_words: how long is the text of a.txt?\n  = it was answered to other declarations; record it again: dottool eval --model local/big-1\n",
    });
    bench.write(path, files[path].replace("how long is", "how large is"));
    assert.equal(await run(["--replay", "count_words"]), {
      exitCode: 66,
      stdout: "",
      stderr:
        "failed[stale]: local/big-1: count_words: how large is the text of a.txt?\n  = it was never asked; record it again: dottool eval --model local/big-1\n",
    });
  }));

test("asks are repeated, and the budget ends them", () =>
  scene([...three, ...three], async (run, bench, bodies) => {
    const ran = await run(["--model", "local", "--repeat", "3", "--budget", "0.001"]);
    assert.equal(
      [ran.exitCode, ran.stderr, bodies.length],
      [1, "failed[limit]: the budget is spent, so 6 asks were not made\n  = allow more with `--budget`\n", 3],
    );
    assert.is(readFileSync(join(bench.folder, RECORDS), "utf8").trimEnd().split("\n").length, 3);
    assert.is((await run(["--model", "local"])).exitCode, 0);
    assert.is(readFileSync(join(bench.folder, RECORDS), "utf8").trimEnd().split("\n").length, 3);
  }));

test("distractors are told, too, and have records of their own", () =>
  scene(three, async (run, _bench, bodies) => {
    await run(["--model", "local", "--distractors", "20"]);
    assert.is((present(bodies[0])["tools"] as readonly unknown[]).length, 22);
    assert.is((await run(["--replay", "--distractors", "20"])).exitCode, 0);
    assert.is((await run(["--replay", "--model", "local"])).exitCode, 66);
  }));

test("a failure of the API ends it, and keeps the answers before", () =>
  scene(
    [good, { status: 400, body: { error: { message: "no", type: "invalid_request_error", param: null, code: null } } }],
    async (run, bench) => {
      const { exitCode, stdout, stderr } = await run(["--model", "local"]);
      assert.equal(
        [exitCode, stdout, stderr.split("\n")[0]?.replace(/:\d+\//, ":PORT/")],
        [1, "", "failed[network]: `http://127.0.0.1:PORT/v1/chat/completions`: `local` answered with status 400: no"],
      );
      assert.is(readFileSync(join(bench.folder, RECORDS), "utf8").trimEnd().split("\n").length, 1);
    },
  ));

test("no record is written through a link, and damaged ones are named", () =>
  scene(three, async (run, bench) => {
    symlinkSync(join(bench.folder, "home"), join(bench.folder, ".tools/evals"));
    const linked = await run(["--model", "local"]);
    assert.equal(
      [linked.exitCode, linked.stderr.split("\n")[0], existsSync(join(bench.folder, "home/local-big-1.jsonl"))],
      [1, "failed[file]: `.tools/evals` cannot be written: it is a link, or its folder is", false],
    );
    writeFileSync(join(bench.folder, "home/x.jsonl"), "{}\n");
    assert.equal(await run(["--replay"]), {
      exitCode: 65,
      stdout: "",
      stderr:
        "failed[file]: .tools/evals: `x.jsonl` has no record of an eval in line 1\n  = `dottool eval --model NAME` makes records\n",
    });
  }));

test("a record keeps those of other asks, and a damaged line is told before anything is scored", () =>
  scene([...three, good], async (run, bench) => {
    await run(["--model", "local"]);
    const lines = readFileSync(join(bench.folder, RECORDS), "utf8");
    bench.write(RECORDS, lines.replace('"timeMs":', '"costUsd":"1","timeMs":'));
    assert.is((await run(["--replay"])).exitCode, 65);
    // New answers stand beside what cannot be read.
    await run(["--model", "local"]);
    assert.match(readFileSync(join(bench.folder, RECORDS), "utf8"), '"costUsd":"1"');
    bench.write(RECORDS, lines);
    bench.write(".tools/evals/other.jsonl", "{}");
    await run(["--model", "local", "count_words"]);
    assert.is(readFileSync(join(bench.folder, RECORDS), "utf8").trimEnd().split("\n").length, 3);
  }));

test("what cannot be done says what can", async () => {
  using bench = testProject(files);
  const said = async (words: readonly string[]): Promise<unknown> => {
    const { exitCode, stderr } = await bench.here(["eval", ...words]);
    return [exitCode, stderr.split("\n  = ", 1)[0]];
  };
  assert.equal(
    [
      await said([]),
      await said(["--replay"]),
      await said(["--model", "x", "--repeat", "0"]),
      await said(["--model", "x", "--distractors", "a"]),
      await said(["--model", "x"]),
    ],
    [
      [64, "failed[usage]: `eval` needs `--offline`, `--model NAME` or `--replay`"],
      [66, "failed[missing]: `.tools/evals` has no records"],
      [64, "failed[usage]: `--repeat` must be a whole number from 1 to 100"],
      [64, "failed[usage]: `--distractors` must be a whole number up to 1000"],
      [66, "failed[unavailable]: `eval` cannot run here\n  no model is configured"],
    ],
  );
});

test.run();
