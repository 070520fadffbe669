// Steps as they run: order, conditions, failures, lists, limits. Real shells, through the gate.
import { existsSync } from "node:fs";
import { assert, suite } from "../harness.ts";
import { withSteps } from "./steps-fixture.ts";

const test = suite("runSteps");

async function saidOf(
  text: string,
  args: Parameters<Parameters<Parameters<typeof withSteps>[1]>[0]["said"]>[1] = {},
): Promise<string> {
  let said = "";
  await withSteps({ one: text }, async (bench) => void (said = await bench.said("one", args)));
  return said;
}

test("runSteps gives the output of the last step", async () => {
  assert.is(await saidOf("@step a sh\n    echo one\n@step b sh\n    echo two {a}"), "two one\n");
});

test("runSteps puts @output together, and nothing else is in it", async () => {
  assert.is(
    await saidOf(
      "@step a sh\n    echo one; echo noise >&2\n@step b sh\n    exit 0\n@output\n    a={a}\n    code={b.exit-code} ok={b.ok} none={b.output:-nothing} err={a.stderr}",
    ),
    "a=one\ncode=0 ok=true none=nothing err=noise\n",
  );
});

test("runSteps reads JSON of a step by its path", async () => {
  assert.is(
    await saidOf(
      '@step a sh\n    echo \'{"rows": [{"name": "x y"}, {"name": 2}]}\'\n@output {a.json.rows[0].name}|{a.json.rows[1].name}|{a.json.rows[2].name:-none}|{a.json.rows[0]}',
    ),
    'x y|2|none|{"name":"x y"}',
  );
});

test("runSteps skips a step whose condition is false, and goes on", async () => {
  assert.is(
    await saidOf(
      "@param n {integer} [required]\n@step big sh [when={n} > 5]\n    echo big\n@step small sh [when=!{big.ok}]\n    echo small\n@output {big:-no} {small:-no}",
      { n: 9 },
    ),
    "big no",
  );
  assert.is(
    await saidOf(
      "@param n {integer} [required]\n@step big sh [when={n} > 5]\n    echo big\n@step small sh [when=!{big.ok}]\n    echo small\n@output {big:-no} {small:-no}",
      { n: 1 },
    ),
    "no small",
  );
});

test("runSteps stops at the first failure, and names step, program and cause", async () => {
  await withSteps({ one: "@step a sh\n    echo broken >&2; exit 3\n@step b sh\n    touch ran" }, async (bench) => {
    const result = await bench.call("one");
    assert.equal(result.status === "failed" && result.failure, {
      kind: "step-failed",
      step: "a",
      tool: "sh",
      cause: { kind: "exit", program: "sh", exitCode: 3 },
    });
    assert.equal(
      [bench.read("ran"), await bench.said("one")],
      [undefined, "failed[step-failed]: step `a` (`sh`): `sh` ended with exit code 3"],
    );
    const errors = bench.events.flatMap((event) =>
      event.kind === "output" && event.stream === "stderr" ? [new TextDecoder().decode(event.bytes)] : [],
    );
    assert.equal(errors, ["broken\n", "broken\n"]);
  });
});

test("runSteps goes on after a step that may fail, and knows that it did", async () => {
  assert.is(
    await saidOf(
      "@step a sh [continue-on-error]\n    echo half; exit 4\n@step b sh\n    echo after\n@output {a} {a.exit-code} {a.ok} {b}",
    ),
    "half 4 false after",
  );
});

test("runSteps runs parallel steps beside each other, and the next one after all of them", async () => {
  // Each waits for the other's file, so that they end only when they run together.
  const meet = (own: string, other: string): string =>
    `touch ${own}; n=0; while [ ! -e ${other} ] && [ "$n" -lt 200 ]; do sleep 0.02; n=$((n + 1)); done; [ -e ${other} ] && echo met`;
  assert.is(
    await saidOf(
      `@step a sh\n    ${meet("a", "b")}\n@step b sh [parallel]\n    ${meet("b", "a")}\n@step c sh\n    echo {a} {b}`,
    ),
    "met met\n",
  );
});

test("runSteps waits for what wait-for names", async () => {
  assert.is(
    await saidOf(
      "@step a sh\n    echo a\n@step b sh [wait-for=c]\n    echo b after {c}\n@step c sh [wait-for=a]\n    echo c after {a}\n@output {b}",
    ),
    "b after c after a",
  );
});

test("runSteps tries again with growing delays, and then falls back", async () => {
  await withSteps(
    {
      third:
        '@step a sh [retry=3 delay=1ms backoff=exponential]\n    echo x >> tries; [ "$(wc -l < tries)" -ge 3 ] && echo done',
      never: "@step a sh [retry=2 fallback]\n    exit 1\n    fallback:\n        echo instead of {TOOL_NAME}",
    },
    async (bench) => {
      assert.equal(
        [await bench.said("third"), bench.read("tries"), await bench.said("never")],
        ["done\n", "x\nx\nx\n", "instead of never\n"],
      );
    },
  );
});

test("runSteps ends a step that takes too long", async () => {
  assert.is(
    await saidOf("@step a sh [timeout=100ms]\n    sleep 20"),
    "failed[timeout]: step `a` (`sh`): timed out after 0.1 s\n  = give the step more time with `[timeout=…]`".replace(
      "failed[timeout]",
      "failed[step-failed]",
    ),
  );
});

test("runSteps runs a step for each item of a list, of lines and of JSON, in order", async () => {
  const each = "@step each runs [for-each={list} concurrency=3]\n    printf %s-%s {index} {item}\n@output\n    {each}";
  assert.is(
    await saidOf(`@param list {array<string>} [required]\n${each}`, { list: ["a b", "$(touch no)", "c"] }),
    "0-a b\n1-$(touch no)\n2-c\n".trimEnd(),
  );
  assert.is(await saidOf(`@step list sh\n    printf 'x\\n\\ny z\\n'\n${each}`), "0-x\n1-y z");
  assert.is(await saidOf(`@step list sh\n    echo '["p", {"q": 1}]'\n${each}`), '0-p\n1-{"q":1}');
});

test("runSteps begins no further item behind one that fails, unless the step continues", async () => {
  const each = (option: string): string =>
    `@param list {array<string>} [required]\n@step each sh [for-each={list}${option}]\n    echo {item} >> ran; [ {item} != b ]`;
  const continues = `${each(" continue-on-error")}\n@output {each.ok} {each.exit-code}`;
  await withSteps({ stops: each(""), continues }, async (bench) => {
    const list = ["a", "b", "c"];
    const failed = "failed[step-failed]: step `each` (`sh`): `sh` ended with exit code 1";
    assert.equal([await bench.said("stops", { list }), bench.read("ran")], [failed, "a\nb\n"]);
    assert.is(await bench.said("continues", { list }), "false 1");
    assert.is(bench.read("ran"), "a\nb\na\nb\nc\n");
  });
});

test("runSteps gives every kind of step the outputs of the others", async () => {
  const text =
    "@param who {string} [required]\n@step a runs\n    echo {who}\n@step b code\n    return `${who} ${a} ${steps.a.exitCode} ${args.who}`\n@step c uses read_file\n    file_path = {file.json[0]}\n@output {b}|{c}".replace(
      "@step c",
      "@step file sh\n    echo '[\"notes.txt\"]'\n@step c",
    );
  await withSteps(
    { one: text },
    async (bench) => assert.is(await bench.said("one", { who: "ann" }), "ann ann 0 ann|first line\n".trimEnd()),
    { "notes.txt": "first line\n" },
  );
});

test("runSteps removes its folder, and cleans up after success, failure and cancel", async () => {
  const cleanup = "@cleanup sh\n    echo {TEMP_DIR} >> cleaned; ls {TEMP_DIR} >> cleaned";
  await withSteps(
    {
      good: `@step a sh\n    touch {TEMP_DIR}/x; echo {TEMP_DIR}\n${cleanup}`,
      bad: `@step a sh\n    touch {TEMP_DIR}/y; exit 2\n${cleanup}`,
      slow: `@step a sh\n    touch {TEMP_DIR}/z; echo started; sleep 30\n${cleanup}`.replace(
        "@step a sh",
        "@step a sh [output=stream]",
      ),
    },
    async (bench) => {
      const folder = (await bench.said("good")).trim();
      assert.equal([bench.read("cleaned"), existsSync(folder)], [`${folder}\nx\n`, false]);
      await bench.said("bad");
      assert.ok(bench.read("cleaned")?.endsWith("\ny\n"));
      const stop = new AbortController();
      const running = bench.call("slow", {}, stop.signal);
      while (
        !bench.events.some((event) => event.kind === "output" && new TextDecoder().decode(event.bytes) === "started\n")
      )
        await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort();
      const result = await running;
      assert.equal(
        [result.status === "failed" && result.failure.kind, bench.read("cleaned")?.endsWith("\nz\n")],
        ["cancelled", true],
      );
    },
  );
});

test("runSteps stops what runs beside a step that failed", async () => {
  await withSteps({ one: "@step a sh\n    sleep 30; touch late\n@step b sh [parallel]\n    exit 7" }, async (bench) => {
    const result = await bench.call("one");
    assert.equal(result.status === "failed" && result.failure, {
      kind: "step-failed",
      step: "b",
      tool: "sh",
      cause: { kind: "exit", program: "sh", exitCode: 7 },
    });
  });
});

test("runSteps bounds what a step may print, and passes on what is streamed", async () => {
  await withSteps(
    {
      long: "@step a sh [buffer-limit=1KB]\n    head -c 5000 /dev/zero | tr '\\0' x",
      streamed: "@step a sh [output=stream buffer-limit=1KB]\n    head -c 5000 /dev/zero | tr '\\0' x\n@output ended",
    },
    async (bench) => {
      assert.is(
        await bench.said("long"),
        "failed[step-failed]: step `a` (`sh`): stopped at the limit of 1000 bytes of output\n  = raise `[buffer-limit=…]` of the step `a`, or pass its whole output on with `[output=stream]`",
      );
      bench.events.length = 0;
      assert.is(await bench.said("streamed"), "ended");
      const bytes = bench.events.reduce((sum, event) => sum + (event.kind === "output" ? event.bytes.length : 0), 0);
      assert.is(bytes, 5000 + "ended\n".length);
    },
  );
});

test("runSteps keeps what a step gave, for as long as it may be used again", async () => {
  const text = (ms: string): string =>
    `@param x {string} [required]\n@step a sh [cache=${ms}]\n    echo x >> count; echo got {x}`;
  await withSteps({ kept: text("1h") }, async (bench) => {
    const same = [
      await bench.said("kept", { x: `${bench.folder}1` }),
      await bench.said("kept", { x: `${bench.folder}1` }),
      await bench.said("kept", { x: `${bench.folder}2` }),
    ];
    assert.equal(
      [same, bench.read("count")],
      [[`got ${bench.folder}1\n`, `got ${bench.folder}1\n`, `got ${bench.folder}2\n`], "x\nx\n"],
    );
  });
});

test("runSteps never reads an output as anything but text", async () => {
  const hostile = "{a} \"quoted\" 'single' $(touch no) `touch no` == && || ; | > no\n--flag";
  await withSteps(
    {
      one: '@step a sh\n    cat hostile\n@step b sh [when={a} == "x" || {a} contains "touch"]\n    printf \'%s\' {a}\n@step c runs\n    printf %s {a}\n@output {b}|{c}',
    },
    async (bench) => {
      assert.equal([await bench.said("one"), bench.read("no")], [`${hostile}|${hostile}`, undefined]);
    },
    { hostile },
  );
});

test("runSteps tells a tool that calls too deep, and one that fails, through every level", async () => {
  await withSteps(
    {
      top: "@step s uses middle",
      middle: "@step t uses bottom",
      bottom: "@step u sh\n    exit 9",
    },
    async (bench) => {
      const result = await bench.call("top");
      assert.is(
        await bench.said("top"),
        "failed[step-failed]: step `s` (`middle`): step `t` (`bottom`): step `u` (`sh`): `sh` ended with exit code 9",
      );
      assert.is(
        result.status === "failed" && result.failure.kind === "step-failed" && result.failure.cause.kind,
        "step-failed",
      );
    },
  );
});

test("runSteps masks secrets in outputs and failures", async () => {
  await withSteps(
    { one: "@param key {string} [required secret]\n@step a sh\n    echo {key}\n@output got {a}" },
    async (bench) => {
      assert.is(await bench.said("one", { key: "hunter22" }), "got •••");
    },
  );
});

test.run();
