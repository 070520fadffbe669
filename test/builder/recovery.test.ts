// Attempts, fallbacks and deadlines: with real processes, or without where the world must fail in a certain way.
import { type Recovery, recoveryMs, withRecovery } from "../../src/core/builder/recovery.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { Failure } from "../../src/core/tool/failure.ts";
import type { ToolContext } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("recovery");

/** Two lines start the program: one with a limit of time, and one with a fallback. */
const started: readonly (string | undefined)[] = ["hangs", "shell"];

function startLine(bench: TestProject, words: readonly string[]): Promise<ToolRun> {
  return started.includes(words[0]) ? bench.run(words) : bench.here(words);
}

function definition(name: string, lines: readonly string[]): string {
  return `Try.\n\n@title Try\n@name ${name}\n@wrapped run_command\n${lines.join("\n")}\n`;
}

const files = Object.fromEntries(
  Object.entries({
    hangs: ["@command sleep 20", "@timeout 200ms", "@retry 2", "@fallback echo fell"],
    gives_up: ["@command sleep 20", "@timeout 200ms", "@retry 2"],
    shell: [
      "@shell sh",
      "@command echo lost; exit {code}",
      "@fallback echo {code} | sed s/^/fell:/",
      "@param code {integer} [required] Code",
    ],
    missing: ["@command no-such-program-here", "@retry 3 delay=20s", "@fallback echo fell"],
    fails_twice: ["@shell sh", "@command exit 3", "@fallback exit 4"],
    hangs_twice: ["@command sleep 20", "@timeout 200ms", "@fallback sleep 21"],
    passes: ["@command false", "@fallback false", "@ignore-errors"],
  }).map(([name, lines]) => [`.tools/${name}.tool`, definition(name, lines)]),
);

test("Each attempt has its time, and the fallback its own", async () => {
  using bench = testProject(files);
  const run = async (...words: readonly string[]) => Object.values(await startLine(bench, words));
  assert.equal(await Promise.all([run("hangs"), run("gives_up"), run("hangs_twice")]), [
    ["fell\n", "", 0],
    ["", "failed[timeout]: timed out after 0.2 s\n  = set a longer limit with `@timeout` in the definition\n", 124],
    ["", "failed[timeout]: timed out after 0.2 s\n  = set a longer limit with `@timeout` in the definition\n", 124],
  ]);
});

test("A fallback runs after a command that failed or is missing, and its end is the end", async () => {
  using bench = testProject(files);
  const run = async (...words: readonly string[]) => Object.values(await startLine(bench, words));
  assert.equal(
    await Promise.all([
      run("shell", "--code", "3"),
      run("missing"),
      run("fails_twice"),
      run("passes"),
      run("shell", "--code", "0"),
    ]),
    [
      ["fell:3\n", "", 0],
      ["fell\n", "", 0],
      ["", "", 4],
      ["", "", 0],
      ["lost\n", "", 0],
    ],
  );
});

const context: ToolContext = {
  cwd: "/",
  signal: new AbortController().signal,
  host: createNodeHost(),
  path: ["try"],
  limits: { timeoutMs: 60_000, outputBytesMax: 1000 },
  setting: async () => undefined,
  memory: new Map(),
  invoke: () => Promise.reject(new Error("not here")),
  hide: async () => undefined,
  emit: () => undefined,
};

function failing(failure: Failure): () => Promise<Outcome> {
  return async () => ({ status: "failed", content: [], failure });
}

const recovery: Recovery = {
  attempts: 3,
  delayMs: 0,
  ignoresErrors: false,
  fallback: async () => ({ status: "ok", content: [{ type: "text", text: "fell" }] }),
  attemptMs: (timeoutMs) => timeoutMs,
};

test("The network is tried again and then left for the fallback; a refusal is final", async () => {
  let tries = 0;
  const network = failing({ kind: "network", url: "http://a.example/", reason: "it does not answer", help: [] });
  const outcome = await withRecovery(() => (tries++, network()), recovery, context);
  assert.equal([tries, outcome.content], [3, [{ type: "text", text: "fell" }]]);
  const refused = await withRecovery(failing({ kind: "rejected", reason: "no", help: [] }), recovery, context);
  assert.is(refused.status === "failed" && refused.failure.kind, "rejected");
});

test("Who gives up ends all of it", async () => {
  const stop = new AbortController();
  const outcome = await withRecovery(async () => (stop.abort(), failing({ kind: "cancelled" })()), recovery, {
    ...context,
    signal: stop.signal,
  });
  assert.is(outcome.status === "failed" && outcome.failure.kind, "cancelled");
});

test("Delays are all the same, or each is twice the one before", async () => {
  const delaysOf = async (isExponential: boolean): Promise<readonly number[]> => {
    const delays: number[] = [];
    // Limits of time wait as well, and longer.
    const sleep: ToolContext["host"]["sleep"] = async (ms, signal) =>
      ms < 1_000 ? void delays.push(ms) : new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
    const host = { ...context.host, sleep };
    const slow = { ...recovery, attempts: 4, delayMs: 100, isExponential };
    await withRecovery(failing({ kind: "network", url: "http://a.example/", reason: "no answer", help: [] }), slow, {
      ...context,
      host,
    });
    return delays;
  };
  assert.equal(await delaysOf(false), [100, 100, 100]);
  assert.equal(await delaysOf(true), [100, 200, 400]);
});

test("recoveryMs leaves time for every attempt and for its end", () => {
  assert.is(
    recoveryMs({ attempts: 1, delayMs: 9, ignoresErrors: false, attemptMs: (timeoutMs) => timeoutMs }, 1000),
    1000,
  );
  assert.is(recoveryMs({ ...recovery, delayMs: 100 }, 1000), 4 * 6000 + 200);
  assert.is(recoveryMs({ ...recovery, delayMs: 100, isExponential: true }, 1000), 4 * 6000 + 300);
});

test.run();
