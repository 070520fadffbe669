// Steps under attack: floods, binary output, kills, two runs at once, processes that survive a cancel.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { assemble } from "../../src/core/session/assemble.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { runSteps } from "../../src/core/steps/run-steps.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { Step } from "../../src/core/tool/step.ts";
import type { ToolContext } from "../../src/core/tool/tool.ts";
import { stepsTool, withSteps } from "./steps-fixture.ts";
import { testProject } from "../test-project.ts";

const test = suite("hostile steps");

/** Returns processes with this word in their command line. */
function running(word: string): readonly string[] {
  return readdirSync("/proc").filter(
    (pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid && commandLine(pid).includes(word),
  );
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

test("a step that prints a gibibyte is stopped at its limit", async () => {
  await withSteps(
    {
      flood: "@step a runs\n    head -c 1073741824 /dev/zero",
      streamed: "@limit output=20MiB\n@step a runs [output=stream]\n    head -c 1073741824 /dev/zero",
    },
    async (bench) => {
      const flood = await bench.call("flood");
      assert.equal(
        flood.status === "failed" &&
          flood.failure.kind === "step-failed" &&
          flood.failure.cause.kind === "limit" && [flood.failure.cause.limit, flood.failure.cause.unit],
        [10 * 1024 * 1024, "bytes of output"],
      );
      const streamed = await bench.call("streamed");
      assert.equal(
        streamed.status === "failed" &&
          streamed.failure.kind === "step-failed" &&
          streamed.failure.cause.kind === "limit" &&
          streamed.failure.cause.limit,
        20 * 1024 * 1024,
      );
    },
  );
});

test("an output that is no text is told as such, and is no part of a text", async () => {
  await withSteps(
    {
      last: "@step a sh\n    printf '\\377\\000\\001'",
      used: "@step a sh\n    printf 'x\\000y'\n@step b runs\n    echo {a}",
    },
    async (bench) => {
      const last = await bench.call("last");
      assert.equal(
        last.content.map((item) => item.type),
        ["file"],
      );
      const used = await bench.call("used");
      assert.ok(
        used.status === "failed" &&
          used.failure.kind === "step-failed" &&
          used.failure.step === "b" &&
          used.failure.cause.kind === "rejected" &&
          used.failure.cause.reason.includes("NUL"),
      );
    },
  );
});

test("an output that is no text fails whoever would read it as text", async () => {
  const binary = "@step bin runs\n    head -c 300 /bin/sh\n";
  await withSteps(
    {
      command: `${binary}@step b sh\n    printf %s {bin} | wc -c`,
      tool: `${binary}@step b uses write_file\n    file_path = x\n    content = {bin}`,
      condition: `${binary}@step b sh [when={bin} contains "ELF"]\n    true`,
      output: `${binary}@output {bin}`,
      fine: `${binary}@step b sh [when={bin.ok}]\n    echo {bin.exit-code}`,
    },
    async (bench) => {
      const reason =
        "the output of `bin`, 300 bytes of application/x-executable, is not text\n  = write it to a file in that step, for example in `{TEMP_DIR}`, and pass on the path";
      assert.equal(
        await Promise.all(["command", "tool", "condition", "output", "fine"].map((name) => bench.said(name))),
        [
          `failed[step-failed]: step \`b\` (\`sh\`): ${reason}`,
          `failed[step-failed]: step \`b\` (\`write_file\`): ${reason}`,
          `failed[step-failed]: step \`b\` (\`sh\`): ${reason}`,
          `failed[rejected]: ${reason}`,
          "0\n",
        ],
      );
    },
  );
});

test("the outputs of a list are bounded together", async () => {
  await withSteps(
    {
      one: "@step list runs\n    seq 30\n@step each sh [for-each={list} buffer-limit=1KB]\n    head -c 100 /dev/zero | tr '\\0' x",
    },
    async (bench) => {
      assert.is(
        await bench.said("one"),
        "failed[step-failed]: step `each` (`sh`): stopped at the limit of 1000 bytes of output\n  = raise `[buffer-limit=…]` of the step `each`, or pass its whole output on with `[output=stream]`",
      );
    },
  );
});

test("a step whose processes found the line full waits for its turn", async () => {
  const host = createNodeHost();
  const spanned = { value: "a", span: { source: { path: "one.tool", text: "" }, start: 0, end: 0 } };
  let tries = 0;
  const execute = async (): Promise<Outcome> =>
    ++tries < 3
      ? { status: "failed", content: [], failure: { kind: "busy", waiting: 1_000 } }
      : { status: "ok", content: [{ type: "text", text: "done" }] };
  const step: Step = {
    name: spanned,
    action: { kind: "code", language: "javascript", code: spanned },
    isParallel: false,
    continuesOnError: false,
    output: { mode: "buffer", bytesMax: 100 },
  };
  const context: ToolContext = {
    cwd: "/",
    signal: new AbortController().signal,
    host,
    path: ["one"],
    limits: { timeoutMs: 60_000, outputBytesMax: 1_000 },
    setting: async () => undefined,
    memory: new Map(),
    invoke: () => Promise.reject(new Error("not here")),
    hide: async () => undefined,
    emit: () => undefined,
  };
  const outcome = await runSteps(
    {
      name: "one",
      steps: [{ step, tool: "JavaScript", after: [], references: [], effects: ["read"], execute }],
      cleanup: [],
      parameters: [],
      identity: () => undefined,
    },
    {},
    context,
  );
  assert.equal([outcome.status, tries], ["ok", 3]);
});

test("what cleans up has its own time, each step of it, and tells when it fails", async () => {
  await withSteps(
    {
      failing: "@step a sh\n    echo done\n@cleanup sh\n    exit 9\n@cleanup sh\n    touch second",
      late: "@timeout 200ms\n@step a sh\n    trap '' TERM; sleep 20; sleep 20\n@cleanup sh\n    sleep 3.2; touch slept\n@cleanup sh\n    touch after",
      outer: "@timeout 200ms\n@step a uses inner\n@cleanup sh\n    touch outer-cleaned",
      inner: "@step a sh\n    sleep 20\n@cleanup sh\n    sleep 2.5; touch inner-cleaned",
    },
    async (bench) => {
      const late = Promise.all([bench.call("late"), bench.call("outer")]);
      assert.is(await bench.said("failing"), "done\n");
      const errors = bench.events.flatMap((event) =>
        event.kind === "output" && event.stream === "stderr" ? [new TextDecoder().decode(event.bytes)] : [],
      );
      assert.equal(
        [errors, bench.read("second")],
        [["warning: `cleanup` (`sh`) failed, and something may be left behind: exit code 9\n"], ""],
      );
      const [first, second] = await late;
      assert.equal(
        [first.status === "failed" && first.failure.kind, second.status === "failed" && second.failure.kind],
        ["timeout", "timeout"],
      );
      assert.equal(
        ["slept", "after", "inner-cleaned", "outer-cleaned"].map((name) => bench.read(name)),
        ["", "", "", ""],
      );
    },
  );
});

test("a kept output is kept for one tool as it is, and never where a secret could be in it", async () => {
  process.env["CACHE_TEST_TOKEN"] = "sesame-open";
  await withSteps(
    {
      secret: '@env TOKEN=secret:CACHE_TEST_TOKEN\n@step a sh [cache=1h]\n    echo x >> count; echo "$TOKEN"',
      given:
        "@param key {string} [required secret] K\n@step a sh\n    echo {key}\n@step b sh [cache=1h]\n    echo x >> count; echo {a}",
      surrounded: '@env MODE=one\n@step a sh [cache=1h]\n    echo "$MODE"',
      caller: "@step a uses called [cache=1h]",
      called: "@step a runs\n    echo first",
    },
    async (bench) => {
      assert.equal(
        [
          await bench.said("secret"),
          await bench.said("secret"),
          await bench.said("given", { key: "hunter22" }),
          await bench.said("given", { key: "hunter22" }),
          bench.read("count"),
        ],
        ["•••\n", "•••\n", "•••\n", "•••\n", "x\nx\nx\nx\n"],
      );
      const kept = (): readonly string[] => {
        const folder = `${bench.opened.host.folders.cache}/steps`;
        return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8")) : [];
      };
      assert.equal(
        kept().filter((text) => /sesame|hunter/.test(text)),
        [],
      );
      assert.equal([await bench.said("surrounded"), await bench.said("caller")], ["one\n", "first\n"]);
      writeFileSync(
        join(bench.folder, ".tools/surrounded.tool"),
        stepsTool("surrounded", '@env MODE=two\n@step a sh [cache=1h]\n    echo "$MODE"'),
      );
      writeFileSync(join(bench.folder, ".tools/called.tool"), stepsTool("called", "@step a runs\n    echo second"));
      const { session } = await assemble({
        cwd: bench.folder,
        toolFolders: [join(bench.folder, ".tools")],
        globalFolder: join(bench.folder, "etc"),
      });
      const said = async (tool: string): Promise<string> =>
        (await callTool({ id: "1", tool, arguments: {} }, session, new AbortController().signal)).content
          .map((item) => (item.type === "text" ? item.text : ""))
          .join("");
      assert.equal([await said("surrounded"), await said("caller")], ["two\n", "second\n"]);
    },
  );
});

test("a step that is killed from outside has failed by that signal", async () => {
  await withSteps({ one: "@step a sh\n    kill -KILL $$" }, async (bench) => {
    const result = await bench.call("one");
    assert.equal(result.status === "failed" && result.failure, {
      kind: "step-failed",
      step: "a",
      tool: "sh",
      cause: { kind: "exit", program: "sh", signalName: "SIGKILL" },
    });
  });
});

test("a cancel leaves no process of any step", async () => {
  const mark = `987${process.pid}`;
  await withSteps(
    {
      one: `@step a sh [output=stream]\n    setsid sleep ${mark} & sleep ${mark} & echo up; sleep ${mark}\n@step b sh [parallel]\n    trap '' TERM; sleep ${mark}; sleep ${mark}`,
    },
    async (bench) => {
      const stop = new AbortController();
      const call = bench.call("one", {}, stop.signal);
      while (running(mark).length < 4) await new Promise((resolve) => setTimeout(resolve, 10));
      stop.abort();
      const result = await call;
      assert.equal([result.status === "failed" && result.failure.kind, running(mark)], ["cancelled", []]);
    },
  );
});

test("two runs at once in one folder have a folder for themselves", async () => {
  await withSteps(
    {
      one: "@param x {string} [required] X\n@step a sh\n    echo {x} > {TEMP_DIR}/own; sleep 0.1; cat {TEMP_DIR}/own\n@step b sh [cache=1h]\n    echo {a}",
    },
    async (bench) => {
      const said = await Promise.all(["1", "2", "3", "4"].map((x) => bench.said("one", { x: `${bench.folder}${x}` })));
      assert.equal(
        said,
        ["1", "2", "3", "4"].map((x) => `${bench.folder}${x}\n`),
      );
    },
  );
});

test("a kept output that was damaged is made anew", async () => {
  await withSteps({ one: "@step a sh [cache=1h]\n    echo x >> count; wc -l < count" }, async (bench) => {
    const first = await bench.said("one");
    const { host } = bench.opened;
    const folder = `${host.folders.cache}/steps`;
    const file = readdirSync(folder)
      .map((name) => `${folder}/${name}`)
      .filter((path) => readFileSync(path, "utf8").includes(first.trim()));
    for (const path of file) host.instant.replace(path, '{"keptMs":');
    assert.is((await bench.said("one")).trim(), "2");
  });
});

test("a long output that is passed on as it comes is cached whole", async () => {
  const long = "head -c 3000000 /dev/zero | tr '\\0' a";
  using bench = testProject({
    ".tools/one.tool": stepsTool("one", `@step a sh [cache=1h output=stream]\n    echo x >> count; ${long}`),
  });
  const [first, second] = [await bench.run(["one"]), await bench.run(["one"])];
  assert.equal(
    [first.stdout.length, second.stdout === first.stdout, readFileSync(join(bench.folder, "count"), "utf8")],
    [3_000_000, true, "x\n"],
  );
});

test("a list with too many items is refused before anything runs", async () => {
  await withSteps(
    { one: "@step list sh\n    seq 10001\n@step each sh [for-each={list}]\n    touch ran" },
    async (bench) => {
      assert.equal(
        [await bench.said("one"), bench.read("ran")],
        [
          "failed[step-failed]: step `each` (`sh`): stopped at the limit of 10000 items in a step\n  = pass a shorter list",
          undefined,
        ],
      );
    },
  );
});

test.run();
