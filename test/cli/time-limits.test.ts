// The limit of time of a call: none for a person unless the definition has one, and 60 s for models.
import { limitsOf } from "../../src/core/run/limits.ts";
import { underDeadline } from "../../src/core/tool/deadline.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { testProject } from "../test-project.ts";

const test = suite("time-limits");

/** Each tool returns its own limit. */
const plugin = `import { definePlugin, defineTool } from "dottool";
const limit = (name, more) =>
  defineTool({
    name,
    description: "Returns its limit.",
    effects: ["read"],
    parameters: {},
    ...more,
    run: (_given, context) => String(context.limits.timeoutMs),
  });
export default definePlugin({ name: "limits", tools: [limit("open", {}), limit("narrow", { timeoutMs: 5000 })] });
`;
const steps = `Return the limit of a step.

@title Step
@name step
@step one uses open
@step two uses open [timeout=7s]
@output {one.stdout} {two.stdout}
`;
const alias = "@name alias\n@wrapped open\n";

test("a person's call has no limit but the declared one, and a model's has 60 s", async () => {
  using bench = testProject({
    ".tools/plugins/limits.ts": plugin,
    ".tools/step.tool": steps,
    ".tools/alias.tool": alias,
    "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [open, narrow]\n",
  });
  const person = async (...words: readonly string[]) => (await bench.run(words)).stdout.trim();
  assert.is(await person("open"), "Infinity");
  assert.is(await person("call", "open"), "Infinity");
  assert.is(await person("narrow"), "5000");
  assert.is(await person("alias"), "Infinity");
  assert.is(await person("step"), "Infinity Infinity", "a step's own limit ends the step");
  const reply = JSON.stringify({
    choices: [
      {
        message: {
          role: "assistant",
          tool_calls: ["open", "narrow"].map((name) => ({
            id: name,
            type: "function",
            function: { name, arguments: "{}" },
          })),
        },
      },
    ],
  });
  const model = JSON.parse((await bench.run(["exec"], { stdin: reply })).stdout) as readonly { content: string }[];
  assert.equal(
    model.map(({ content }) => content.trim()),
    ["60000", "5000"],
  );
  assert.match((await bench.run(["explain", "open"])).stdout, "60 s for models, 100 MiB of output");
  assert.match((await bench.run(["explain", "narrow"])).stdout, " 5 s, 100 MiB of output");
});

test("a declared limit ends a person's call", async () => {
  using bench = testProject({
    ".tools/slow.tool":
      "Wait.\n\n@title Wait\n@name slow\n@wrapped run_command\n@command sleep 60\n@timeout 0.2s\n@tags read\n",
  });
  const { exitCode, stderr } = await bench.run(["slow"]);
  assert.is(exitCode, 124);
  assert.match(stderr, "failed[timeout]");
});

test("limitsOf gives the default of the session only where nothing says another one", () => {
  const none = Number.POSITIVE_INFINITY;
  assert.equal(
    [limitsOf({}, undefined, none), limitsOf({ timeoutMs: 5 }, undefined, none), limitsOf({}, 7, none)].map(
      ({ timeoutMs }) => timeoutMs,
    ),
    [none, 5, 7],
  );
});

test("underDeadline waits for ever without a limit, and still ends with its caller", async () => {
  const host = memoryHost();
  let slept = 0;
  const watched = { ...host, sleep: async () => void slept++ };
  const ending = new AbortController();
  const never = (signal: AbortSignal) =>
    new Promise<{ status: "failed"; content: []; failure: { kind: "cancelled" } }>((resolve) =>
      signal.addEventListener("abort", () =>
        resolve({ status: "failed", content: [], failure: { kind: "cancelled" } }),
      ),
    );
  const outcome = underDeadline(
    never,
    { signal: ending.signal, host: watched },
    { limitMs: Number.POSITIVE_INFINITY, failure: { kind: "timeout", limitMs: 0 } },
  );
  assert.is(slept, 0);
  ending.abort();
  assert.is((await outcome).status, "failed");
});

test.run();
