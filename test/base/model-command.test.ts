// Models behind commands, with real processes: scripts that stand for `claude -p` and `ollama run`.
import type { Outcome } from "../../src/core/tool/call.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { type Asked, type AskOptions, withModels } from "./model-context.ts";

const test = suite("base/model-command");

interface Call {
  readonly args?: JsonObject;
  readonly options?: AskOptions;
}

/** Asks the only provider, `cli`. */
async function asked(provider: string, { args, options }: Call = {}): Promise<Asked> {
  let answer: Asked | undefined;
  await withModels(`providers: { cli: { kind: command, ${provider} } }`, async (bench) => {
    const seen = await bench.ask({ prompt: "Hello\n$HOME `x` é", ...args }, options);
    answer = JSON.parse(JSON.stringify(seen).replaceAll(bench.folder, "<home>")) as Asked;
  });
  if (!answer) throw new Error("nothing was asked");
  return answer;
}

function ok(text: string): Outcome {
  return { status: "ok", content: [{ type: "text", text }], isUntrusted: true };
}

test("command gets the prompt on standard input as it is, and its output is the answer", async () => {
  const { outcome, stdout, stderr, hidden } = await asked("command: [cat]");
  assert.equal([outcome, stdout, stderr, hidden], [ok("Hello\n$HOME `x` é"), "Hello\n$HOME `x` é\n", "", []]);
});

test("command gets what the model is to be before the prompt", async () => {
  assert.equal(
    (await asked("command: cat", { args: { system: "Be brief." } })).outcome,
    ok("Be brief.\n\nHello\n$HOME `x` é"),
  );
});

test("command answers as it prints, in whole characters and without what moves a cursor", async () => {
  const { outcome, stdout } = await asked(
    'command: [sh, -c, \'printf "\\\\303"; printf "\\\\251 \\\\033[2J\\\\n\\\\n"\']',
  );
  assert.equal([outcome, stdout], [ok("é [2J"), "é [2J\n\n"]);
});

test("command takes a large prompt, and need not read it", async () => {
  const prompt = "0123456789abcde\n".repeat(40_000);
  assert.equal(
    [
      (await asked("command: wc -c", { args: { prompt } })).outcome.content,
      (await asked("command: echo done", { args: { prompt } })).outcome,
    ],
    [[{ type: "text", text: "640000" }], ok("done")],
  );
});

test("command runs in the working folder with a short environment and what `env` adds, which is hidden", async () => {
  const { outcome, hidden } = await asked(
    "command: [sh, -c, 'pwd; echo \"$HOME|$OTHER|$TOKEN\"'], env: { TOKEN: env:API_KEY }",
    { options: { environment: { API_KEY: "sk-9", OTHER: "x" } } },
  );
  assert.equal([outcome, hidden], [ok("<home>\n<home>||sk-9"), ["sk-9"]]);
  assert.equal((await asked("command: cat, env: { TOKEN: env:API_KEY }", { options: { environment: {} } })).outcome, {
    status: "failed",
    content: [],
    failure: {
      kind: "unavailable",
      tool: "ask_model",
      reasons: ["the key of `cli` is missing: the variable API_KEY is not set"],
      help: [
        "set API_KEY in the environment of dottool",
        "or name another place for it in `<home>/config/config.yaml`",
      ],
    },
  });
});

test("command puts the model where `{model}` stands, and only there", async () => {
  const echo = 'command: \'printf "%s," run {model} "m={model}"\'';
  const provider = `${echo}, model: llama3`;
  const rejected = (reason: string, help: string): Outcome => ({
    status: "failed",
    content: [],
    failure: { kind: "rejected", reason, help: [help] },
  });
  assert.equal(
    [
      (await asked(provider)).outcome,
      (await asked(provider, { args: { model: "qwen:1b" } })).outcome,
      (await asked(echo)).outcome,
      (await asked("command: cat", { args: { model: "m" } })).outcome,
      (await asked("command: cat", { args: { max_tokens: 5 } })).outcome,
      (await asked("command: cat", { args: { temperature: 1 } })).outcome,
    ],
    [
      ok("run,llama3,m=llama3,"),
      ok("run,qwen:1b,m=qwen:1b,"),
      rejected("`cli` has no model", "pass `model`, or write `model: NAME` for `cli` in `<home>/config/config.yaml`"),
      rejected(
        "`cli` runs a command without `{model}`, so `model` has no effect",
        "leave it out, or add `{model}` to `command` of `cli` in `<home>/config/config.yaml`",
      ),
      rejected(
        "`cli` runs a command, which cannot use `max_tokens`",
        "leave it out, or ask a provider of kind `openai` or `anthropic`",
      ),
      rejected(
        "`cli` runs a command, which cannot use `temperature`",
        "leave it out, or ask a provider of kind `openai` or `anthropic`",
      ),
    ],
  );
});

test("command fails as its program does, with what it printed", async () => {
  const seen = await asked("command: [sh, -c, 'echo half; echo no login >&2; exit 3']");
  assert.equal(
    [seen.outcome, seen.stdout, seen.stderr],
    [
      {
        status: "failed",
        content: [
          { type: "text", text: "half" },
          { type: "text", text: "no login\n" },
        ],
        failure: { kind: "exit", program: "sh", exitCode: 3 },
        isUntrusted: true,
      },
      "half\n",
      "no login\n",
    ],
  );
  const failures = await Promise.all(
    ["command: [sh, -c, 'kill -9 $$']", "command: nosuchmodel", "command: 'true'"].map(
      async (provider) => (await asked(provider)).outcome,
    ),
  );
  assert.equal(
    failures.map((outcome) => outcome.status === "failed" && outcome.failure.kind),
    ["exit", "not-started", "rejected"],
  );
});

test("command is ended by a cancel and by the limits of the call, and what it started with it", async () => {
  const cancel = new AbortController();
  const cancelled = await asked("command: [sh, -c, 'echo start; sleep 60 & wait']", {
    options: { signal: cancel.signal, onText: () => cancel.abort() },
  });
  const flood = await asked("command: [yes]", { options: { limits: { outputBytesMax: 1_000 } } });
  assert.equal(
    [cancelled.outcome, flood.outcome.status === "failed" && flood.outcome.failure],
    [
      {
        status: "failed",
        content: [{ type: "text", text: "start" }],
        failure: { kind: "cancelled" },
        isUntrusted: true,
      },
      { kind: "limit", limit: 1_000, unit: "bytes of answer", help: ["ask for less"] },
    ],
  );
});

test.run();
