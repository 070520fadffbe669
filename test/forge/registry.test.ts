// What becomes of forged tools: who may run them, what a person does with them, and what use and faults do to them.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { type ToolBench, toolBench } from "../tool-bench.ts";
import { type Forging, openForging } from "./forge-bench.ts";

const test = suite("forge registry");

const forgedIn = (bench: ToolBench): string => join(bench.folder, "home/.local/state/dottool/forge");

const code = (name: string, body: string, ...cases: readonly (readonly [JsonObject, unknown])[]): JsonObject =>
  ({
    name,
    description: `Computes ${name}.`,
    implementation: { mode: "sandbox", code: body },
    testCases: cases.map(([input, expectedOutput]) => ({ input, expectedOutput })),
  }) as JsonObject;
const double = code("double", "return { twice: input.n * 2 };", [{ n: 2 }, { twice: 4 }], [{ n: -1 }, { twice: -2 }]);
const fragile = code(
  "fragile",
  "if (input.n > 9) throw new Error('too large'); return input.n;",
  [{ n: 1 }, 1],
  [{ n: 2 }, 2],
);

async function withForging(
  body: (forging: Forging, bench: ToolBench) => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const bench = toolBench(files);
  const forging = await openForging(bench);
  try {
    await body(forging, bench);
  } finally {
    await forging.close();
    bench.remove();
  }
}

test("without `--allow-forge` there is no forge_tool, and the user's settings allow it too", async () => {
  const bench = toolBench();
  try {
    const plain = await openForging(bench, []);
    assert.equal(
      (await plain.names()).filter((name) => name.includes("forge")),
      [],
    );
    assert.match(await plain.call("forge_tool", double), "-32602");
    await plain.close();
    assert.is((await bench.run(["call", "forge_tool", "--json", JSON.stringify(double)])).exitCode, 66);
    bench.write("home/.config/dottool/config.yaml", "forge: {allow: true}\n");
    const set = await openForging(bench, []);
    assert.equal(
      (await set.names()).filter((name) => name.includes("forge")),
      ["forge_tool", "run_forged"],
    );
    await set.close();
    assert.is((await bench.run(["call", "forge_tool", "--json", JSON.stringify(double)])).exitCode, 0);
  } finally {
    bench.remove();
  }
});

test("a tool is its session's alone, is not listed, and never hides a person's tool", () =>
  withForging(async (forging, bench) => {
    const before = await forging.names();
    assert.match(await forging.forge(double), /^success true/);
    assert.equal(await forging.names(), before);
    const other = await openForging(bench);
    assert.match(await other.call("run_forged", { name: "double", arguments: { n: 1 } }), "there is no forged tool");
    await other.close();
    assert.equal(await forging.data("run_forged", { name: "double", arguments: { n: 21 } }), { twice: 42 });
    bench.write(".tools/double.tool", "Mine.\n\n@title Mine\n@name double\n@tags read\n@code\n    return 'mine';\n");
    bench.trust();
    assert.match((await bench.run(["double"])).stdout, "mine");
    assert.is(statSync(join(forgedIn(bench), idsIn(bench)[0] ?? "")).mode & 0o777, 0o600);
  }));

test("another text under the same name has neither the uses nor the tests of the one before", () =>
  withForging(async (forging, bench) => {
    await forging.forge(double);
    await forging.call("run_forged", { name: "double", arguments: { n: 1 } });
    assert.equal(
      toolsIn(bench).map(({ uses }) => uses.succeeded),
      [1],
    );
    await forging.forge(code("double", "return { twice: input.n + input.n };", [{ n: 2 }, { twice: 4 }]));
    assert.equal(
      toolsIn(bench).map(({ uses, text }) => [uses.succeeded, text.includes("input.n + input.n")]),
      [[0, true]],
    );
    assert.equal(
      eventsIn(bench).map(({ event }) => event),
      ["register", "register", "demote"],
    );
  }));

test("a session forges ten tools, and the eleventh is refused", () =>
  withForging(async (forging) => {
    for (let number = 1; number <= 10; number++)
      assert.match(
        await forging.forge(code(`plus_${number}`, `return input.n + ${number};`, [{ n: 0 }, number])),
        /^success true/,
      );
    assert.match(await forging.forge(code("plus_11", "return input.n + 11;", [{ n: 0 }, 11])), "[quota]");
    assert.match(await forging.forge(code("plus_1", "return input.n + 1 + 0;", [{ n: 0 }, 1])), /^success true/);
  }));

test("three failures in a row quarantine a tool, a caller's mistakes do not, and a person lets it run again", () =>
  withForging(async (forging, bench) => {
    await forging.forge(fragile);
    const call = (n: unknown): Promise<string> =>
      forging.call("run_forged", { name: "fragile", arguments: { n } as JsonObject });
    for (let time = 0; time < 4; time++) assert.match(await call("x"), "invalid-arguments");
    for (let time = 0; time < 2; time++) assert.match(await call(10), "too large");
    assert.is(await call(3), "3");
    for (let time = 0; time < 3; time++) assert.match(await call(10), "too large");
    assert.match(await call(3), "does not run: it failed 3 times in a row");
    assert.match((await bench.run(["forge", "list"])).stdout, /fragile +session +quarantined/);
    assert.is((await bench.run(["forge", "test", "fragile"])).exitCode, 0);
    // The failures from before do not count any more.
    assert.match(await call(10), "too large");
    assert.is(await call(3), "3");
  }));

test("`keep` writes a definition that passes check, fmt and its own tests, and the tool is a person's then", () =>
  withForging(
    async (forging, bench) => {
      await forging.forge(double);
      await forging.forge({
        name: "first_number",
        description: "The first number of a file, doubled.",
        implementation: {
          mode: "compose",
          steps: [
            { name: "read", tool: "read_first", inputMapping: { path: "$input.path" } },
            {
              name: "twice",
              tool: "twice_of",
              inputMapping: { n: "$steps.read.first" },
              condition: "$steps.read.first > 0",
            },
          ],
        },
        testCases: [{ input: { path: "numbers.txt" }, expectedOutput: { twice: 8 } }],
      });
      const asked = await bench.run(["forge", "keep", "double"]);
      assert.is(asked.exitCode, 1);
      assert.match(asked.stdout, "+ @name double");
      assert.is(existsSync(join(bench.folder, ".tools/double.tool")), false);
      for (const name of ["double", "first_number"]) {
        const kept = await bench.run(["forge", "keep", name, "--yes"]);
        assert.is(kept.exitCode, 0, kept.stderr);
      }
      assert.is((await bench.run(["check"])).stdout, "4 definitions checked: no problems\n");
      assert.is((await bench.run(["fmt", "--check"])).exitCode, 0);
      const tested = await bench.run(["test", "double"]);
      assert.is(tested.exitCode, 0, tested.stdout + tested.stderr);
      assert.is((await bench.run(["double", "21"])).stdout, '{\n  "twice": 42\n}\n');
      assert.is((await bench.run(["first_number", "numbers.txt"])).stdout, '{\n  "twice": 8\n}\n');
      assert.match(await forging.call("run_forged", { name: "double", arguments: { n: 1 } }), "call `double` itself");
      assert.match((await bench.run(["forge", "list"])).stdout, "no model has made a tool");
    },
    {
      "numbers.txt": "4\n5\n",
      ".tools/read_first.tool":
        "Reads.\n\n@title Read\n@name read_first\n@param path {path} [required] A file\n@returns {object}\n@tags read\n@allow fs.readFile\n@code\n    return { first: Number((await fs.readFile(path)).split('\\n')[0]) };\n",
      ".tools/twice_of.tool":
        "Doubles.\n\n@title Twice\n@name twice_of\n@param n {number} [required] A number\n@returns {object}\n@tags read\n@code\n    return { twice: n * 2 };\n",
    },
  ));

test("a package is tested where it is imported, and one that was changed must pass again", () =>
  withForging(async (forging, bench) => {
    await forging.forge(double);
    assert.is((await bench.run(["forge", "export", "double", "double.json"])).exitCode, 0);
    assert.is((await bench.run(["forge", "revoke", "double"])).exitCode, 0);
    assert.match(await forging.call("run_forged", { name: "double", arguments: { n: 1 } }), "there is no forged tool");
    const text = readFileSync(join(bench.folder, "double.json"), "utf8");
    bench.write("wrong.json", text.replace("input.n * 2", "input.n * 3"));
    const wrong = await bench.run(["forge", "import", "wrong.json"]);
    assert.equal([wrong.exitCode, wrong.stdout.includes("expected 4, got 6")], [1, true]);
    const unasked = await bench.run(["forge", "import", "double.json"]);
    assert.equal([unasked.exitCode, unasked.stdout.includes("input.n * 2")], [1, true]);
    assert.is((await bench.run(["forge", "import", "double.json", "--yes"])).exitCode, 0);
    // It is a tool of every session now.
    assert.equal(await forging.data("run_forged", { name: "double", arguments: { n: 4 } }), { twice: 8 });
    bench.write("other.json", "{}");
    assert.match((await bench.run(["forge", "import", "other.json"])).stderr, "not a package of a forged tool");
  }));

test("a file that was edited or cut is not run, is reported, and breaks no other", () =>
  withForging(async (forging, bench) => {
    await forging.forge(double);
    await forging.forge(fragile);
    const [own = ""] = idsIn(bench).filter((id) => id.startsWith("double"));
    const path = join(forgedIn(bench), own);
    const whole = readFileSync(path, "utf8");
    for (const broken of [
      whole.replace("input.n * 2", "input.n * 3"),
      whole.slice(0, -20),
      "",
      whole.slice(whole.indexOf("{")),
      whole.slice(whole.indexOf("{")).replace("input.n * 2", "input.n * 3"),
    ]) {
      writeFileSync(path, broken);
      assert.match(
        await forging.call("run_forged", { name: "double", arguments: { n: 1 } }),
        "there is no forged tool",
      );
      assert.match((await bench.run(["forge", "list"])).stderr, "warning[forge]");
      assert.is(await forging.call("run_forged", { name: "fragile", arguments: { n: 1 } }), "1");
    }
    assert.match(await forging.forge(double), /^success true/);
    assert.equal(await forging.data("run_forged", { name: "double", arguments: { n: 1 } }), { twice: 2 });
  }));

test("two sessions forge at once, and nothing is lost", () =>
  withForging(async (forging, bench) => {
    const other = await openForging(bench);
    const each = async (one: Forging, prefix: string): Promise<void> => {
      for (let number = 1; number <= 5; number++)
        assert.match(
          await one.forge(code(`${prefix}_${number}`, `return input.n - ${number};`, [{ n: number }, 0])),
          /^success true/,
        );
    };
    await Promise.all([each(forging, "one"), each(other, "two")]);
    await other.close();
    assert.is(toolsIn(bench).length, 10);
  }));

function idsIn(bench: ToolBench): readonly string[] {
  return readdirSync(forgedIn(bench)).filter((name) => name.includes("@"));
}

interface Stored {
  readonly text: string;
  readonly uses: { readonly succeeded: number };
}

function toolsIn(bench: ToolBench): readonly Stored[] {
  return idsIn(bench).map((name) => {
    const text = readFileSync(join(forgedIn(bench), name), "utf8");
    return JSON.parse(text.slice(text.indexOf("\n") + 1)) as Stored;
  });
}

function eventsIn(bench: ToolBench): readonly { readonly event: string }[] {
  return readFileSync(join(forgedIn(bench), "audit.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
}

test.run();
