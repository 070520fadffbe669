// Tools made of tools: mistakes found before a run, effects, and depth.
import { assert, present, suite } from "../harness.ts";
import { stepsTool, withSteps } from "./steps-fixture.ts";
import { wordList } from "../lines.ts";

const test = suite("composition");

async function diagnosed(tools: Readonly<Record<string, string>>): Promise<readonly string[]> {
  let said: readonly string[] = [];
  await withSteps(tools, async ({ opened }) => {
    said = (await opened.diagnostics()).map(({ code, message }) => `${code}: ${message}`);
  });
  return said;
}

test("what a step calls must be there, and get what it needs", async () => {
  assert.equal(
    await diagnosed({
      one: "@step a uses read_fil\n    file_path = x\n@step b uses read_file\n    path = x\n@step c uses read_file\n    file_path = x\n    start_line = many",
    }),
    [
      "unknown-base-tool: there is no tool `read_fil` to use",
      "unknown-base-parameter: `read_file` has no parameter `path`",
      "missing-base-parameter: the parameter `file_path` of `read_file` is not set",
      "default-mismatch: this value does not fit the parameter: expected integer as JSON, or one placeholder",
    ],
  );
});

test("tools that call each other in a circle are told, through wraps and aliases too", async () => {
  const said = await diagnosed({
    one: "@step a uses two",
    two: "@wrapped three",
    three: "@step b uses one",
    self: "@step a uses self",
  });
  assert.equal(said.map((line) => line.replace(/`(?:one|two|three)`( > `(?:one|two|three)`)+/, "CIRCLE")).sort(), [
    "wrap-cycle: these tools call each other in a circle: CIRCLE",
    "wrap-cycle: these tools call each other in a circle: `self` > `self`",
  ]);
});

test("what a tool may do is what its steps may do", async () => {
  await withSteps(
    {
      reads: "@step a uses read_file\n    file_path = x",
      runs: "@step a sh\n    true",
      fetches: "@step a uses web_fetch\n    url = https://example.org/\n@step b uses writes",
      writes: "@step a uses write_file\n    file_path = x\n    content = y",
      computes: "@code\n    return 1",
      unknown: "@step a uses read_file\n    file_path = x\n@step b runs\n    rm -rf x",
      aboveUnknown: "@step a uses unknown\n@step b uses read_file\n    file_path = x",
      saysSo: "@tags write\n@step a uses unknown",
      says: "@tags network\n@step a runs\n    true",
    },
    async ({ opened }) => {
      await opened.session.registry.complete();
      const effects = wordList("reads runs fetches writes computes unknown aboveUnknown saysSo says").map(
        (name) => [name, opened.session.registry.find(name)?.effects] as const,
      );
      const listed = effects.map(
        ([name]) =>
          [
            name,
            opened
              .catalogue()
              .effectsOf(
                present(opened.catalogue().entry(name)),
                (base) => opened.session.registry.find(base)?.effects,
              ),
          ] as const,
      );
      assert.equal(Object.fromEntries(listed), Object.fromEntries(effects));
      assert.equal(Object.fromEntries(effects), {
        reads: ["read"],
        runs: ["run"],
        fetches: ["read", "write", "network"],
        writes: ["write"],
        computes: ["read"],
        unknown: [],
        aboveUnknown: [],
        saysSo: [],
        says: ["network"],
      });
    },
  );
});

test("a step gives a tool its arguments with their types", async () => {
  await withSteps(
    {
      outer:
        '@param n {integer} [required] N\n@param list {array<string>} [required] L\n@step a sh\n    echo \'{"deep": {"x": 1}}\'\n@step b uses inner\n    count = {n}\n    words = {list}\n    text = n is {n}\n    more = ["{n}", "{list}", "z"]\n@output {b}',
      inner:
        "@param count {integer} [required] C\n@param words {array<string>} [required] W\n@param text {string} [required] T\n@param more {array<string>} [required] M\n@code\n    return { count, words, text, more };",
    },
    async (bench) => {
      assert.is(
        await bench.said("outer", { n: 7, list: ["a b", "{n}"] }),
        '{"count":7,"words":["a b","{n}"],"text":"n is 7","more":["7","a b","{n}","z"]}',
      );
    },
  );
});

test("what a tool would not take from anybody, it does not take from a step", async () => {
  await withSteps(
    {
      outer: "@step a sh\n    echo 99\n@step b uses inner\n    level = {a}",
      inner: "@param level {string} [pattern=/[a-z]+/ required] L\n@code\n    return level;",
    },
    async (bench) => {
      assert.is(
        await bench.said("outer"),
        'failed[step-failed]: step `b` (`inner`): `inner` does not accept these arguments\n  level  expected text that matches /[a-z]+/, got the string "99"',
      );
    },
  );
});

test("an argument that no step could use is refused before anything runs", async () => {
  await withSteps(
    {
      one: "@param x {string} [required] X\n@step a sh\n    touch ran\n@step b runs\n    cat {x}\n@step c runs [when={a.ok}]\n    wc -- {x}",
    },
    async (bench) => {
      assert.equal(
        [await bench.said("one", { x: "-n" }), bench.read("ran")],
        [
          "failed[invalid-arguments]: `one` does not accept these arguments\n  x  starts with `-`, so `cat` would read it as an option\n  = call it like this: dottool one --x='<x>'\n  = the value of `x` is a placeholder; replace it with yours\n  = its definition can let such a value through: after a `--` for `cat`, as a `{path}`, or with `[flags]` if it may be an option",
          undefined,
        ],
      );
    },
  );
});

test("a tool of another folder's owner is called by both names", async () => {
  await withSteps(
    { outer: "@step a uses official/inner\n    x = {input}" },
    async (bench) => {
      assert.is(await bench.said("outer", { input: "hello" }), "<hello>\n");
    },
    {
      ".tools/official/inner.tool": stepsTool(
        "inner",
        "@param x {string} [required] X\n@step a runs\n    echo <{x}>".replace("echo <{x}>", "echo '<'{x}'>'"),
      ),
    },
  );
});

test("tools call tools ten deep, and no deeper", async () => {
  const tools = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [
      `t${index}`,
      index === 11 ? "@step s code\n    return 'bottom'" : `@step s uses t${index + 1}`,
    ]),
  );
  await withSteps(tools, async (bench) => {
    assert.is(await bench.said("t1"), "bottom");
    assert.match(
      await bench.said("t0"),
      /tools call each other more than 10 levels deep: t0 > t1 > t2 > t3 > t4 > t5 > t6 > t7 > t8 > t9 > t10 > t11/,
    );
  });
});

test("a wrap of a tool of steps sets its parameters, and an alias its defaults", async () => {
  await withSteps(
    {
      inner: "@param x {string} [required] X\n@param y {string} [default=why] Y\n@step a runs\n    echo {x} {y}",
      wrapped: "@wrapped inner\n@with x = fixed {z}\n@param z {string} [required] Z",
      alias: "@wrapped inner\n@default y = other",
    },
    async (bench) => {
      assert.equal(
        [await bench.said("wrapped", { z: "q" }), await bench.said("alias", { x: "1" })],
        ["fixed q why\n", "1 other\n"],
      );
    },
  );
});

test.run();
