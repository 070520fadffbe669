// What becomes of forged tools: who may run them, what a person does with them, and what use and faults do to them.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, type TestProject, testProject } from "../test-project.ts";
import { codeRequest, filesIn, type Forging, forgedIn, openForging, recordsIn, withForging } from "./forge-fixture.ts";

const test = suite("forge registry");
const runLine = startingOnce();

const double = codeRequest(
  "double",
  "return { twice: input.n * 2 };",
  [{ n: 2 }, { twice: 4 }],
  [{ n: -1 }, { twice: -2 }],
);
const fragile = codeRequest(
  "fragile",
  "if (input.n > 9) throw new Error('too large'); return input.n;",
  [{ n: 1 }, 1],
  [{ n: 2 }, 2],
);

test("without `--allow-forge` there is no forge_tool, and the user's settings allow it too", async () => {
  using bench = testProject();
  const plain = await openForging(bench, []);
  assert.equal(
    (await plain.names()).filter((name) => name.includes("forge")),
    [],
  );
  assert.match(await plain.call("forge_tool", double), "-32602");
  await plain.close();
  assert.is((await runLine(bench, ["call", "forge_tool", "--json", JSON.stringify(double)])).exitCode, 66);
  bench.write("home/.config/dottool/config.yaml", "forge: {allow: true}\n");
  const set = await openForging(bench, []);
  assert.equal(
    (await set.names()).filter((name) => name.includes("forge")),
    ["forge_tool", "run_forged"],
  );
  await set.close();
  assert.is((await runLine(bench, ["call", "forge_tool", "--json", JSON.stringify(double)])).exitCode, 0);
});

test("a tool is its session's alone, is not listed, and never hides a person's tool", () =>
  withForging({}, async (forging, bench) => {
    const before = await forging.names();
    assert.match(await forging.forge(double), /^success true/);
    assert.equal(await forging.names(), before);
    const other = await openForging(bench);
    assert.match(await other.call("run_forged", { name: "double", arguments: { n: 1 } }), "there is no forged tool");
    await other.close();
    assert.equal(await forging.data("run_forged", { name: "double", arguments: { n: 21 } }), { twice: 42 });
    bench.write(".tools/double.tool", "Mine.\n\n@title Mine\n@name double\n@tags read\n@code\n    return 'mine';\n");
    bench.trust();
    assert.match((await runLine(bench, ["double"])).stdout, "mine");
    assert.is(statSync(join(forgedIn(bench), filesIn(bench)[0] ?? "")).mode & 0o777, 0o600);
  }));

test("another text under the same name has neither the uses nor the tests of the one before", () =>
  withForging({}, async (forging, bench) => {
    await forging.forge(double);
    await forging.call("run_forged", { name: "double", arguments: { n: 1 } });
    assert.equal(
      recordsIn(bench).map(({ uses }) => uses.succeeded),
      [1],
    );
    await forging.forge(codeRequest("double", "return { twice: input.n + input.n };", [{ n: 2 }, { twice: 4 }]));
    assert.equal(
      recordsIn(bench).map(({ uses, text }) => [uses.succeeded, text.includes("input.n + input.n")]),
      [[0, true]],
    );
    assert.equal(
      eventsIn(bench).map(({ event }) => event),
      ["register", "register", "demote"],
    );
  }));

test("a session forges ten tools, and the eleventh is refused", () =>
  withForging({}, async (forging) => {
    for (let number = 1; number <= 10; number++)
      assert.match(
        await forging.forge(codeRequest(`plus_${number}`, `return input.n + ${number};`, [{ n: 0 }, number])),
        /^success true/,
      );
    assert.match(await forging.forge(codeRequest("plus_11", "return input.n + 11;", [{ n: 0 }, 11])), "[quota]");
    assert.match(await forging.forge(codeRequest("plus_1", "return input.n + 1 + 0;", [{ n: 0 }, 1])), /^success true/);
  }));

test("three failures in a row quarantine a tool, and a person lets it run again", () =>
  withForging({}, async (forging, bench) => {
    await forging.forge(fragile);
    const call = (n: number): Promise<string> => forging.call("run_forged", { name: "fragile", arguments: { n } });
    for (let time = 0; time < 2; time++) assert.match(await call(10), "too large");
    assert.is(await call(3), "3");
    for (let time = 0; time < 3; time++) assert.match(await call(10), "too large");
    assert.match(await call(3), "does not run: it failed 3 times in a row");
    assert.match((await runLine(bench, ["forge", "list"])).stdout, /fragile +session +quarantined/);
    assert.is((await runLine(bench, ["forge", "test", "fragile"])).exitCode, 0);
    // The failures from before do not count any more.
    assert.match(await call(10), "too large");
    assert.is(await call(3), "3");
  }));

/** Each fails with a number above 9, with this text and, if it is the tool's own fault, this count. */
const failures: readonly (readonly [request: JsonObject, said: string | RegExp, counted: 0 | 1])[] = [
  [above("thrown", "throw 'too large';"), "code-failed", 1],
  [above("wrong", "return 'ten';"), "failed[wrong-result]", 1],
  // A busy machine reaches the limit of waiting before that of computing.
  [above("endless", "for (;;);"), /failed\[(?:limit|timeout)\]/, 1],
  [above("waiting", "await new Promise(() => {});"), "a promise that never settles", 1],
  [
    {
      ...composed("thrown_below", { tool: "odd", inputMapping: { n: "$input.n" } }),
      testCases: [{ input: { n: 1 }, expectedOutput: 1 }],
    },
    "step `one` (`odd`)",
    1,
  ],
  [above("denied", "await fs.readFile(`${input.n}.txt`);", "fs.readFile"), "not for models", 0],
  [
    above(
      "denied_and_thrown",
      "try { await fs.readFile(`${input.n}.txt`); } catch { throw new Error('no'); }",
      "fs.readFile",
    ),
    "code-failed",
    0,
  ],
  [above("missing", "await fs.readFile(`${input.n}`);", "fs.readFile"), "there is no file `10`", 0],
  [
    composed("no_file", { tool: "show_file", inputMapping: { path: "${input.n}" }, condition: "$input.n > 9" }),
    "ended with exit code 1",
    0,
  ],
  [
    composed("not_allowed", {
      tool: "read_file",
      inputMapping: { file_path: "${input.n}.txt" },
      condition: "$input.n > 9",
    }),
    "not for models",
    0,
  ],
];

function above(name: string, body: string, ...allowlist: readonly string[]): JsonObject {
  return {
    ...codeRequest(name, "", [{ n: 1 }, 1]),
    implementation: { mode: "sandbox", code: `if (input.n > 9) { ${body} }\nreturn input.n;`, allowlist },
  };
}

function composed(name: string, step: JsonObject): JsonObject {
  return {
    ...codeRequest(name, "", [{ n: 1 }, null]),
    outputSchema: {},
    implementation: { mode: "compose", steps: [{ name: "one", ...step }] },
  };
}

test("only its own failures count against a tool: not those of its caller, of policy, or of what it calls", () =>
  withForging(
    {
      "10.txt": "secret",
      "home/.config/dottool/config.yaml":
        "policy:\n  - {decision: deny, tool: read_file, arguments: {file_path: 10.txt}, reason: not for models}\n",
      ".tools/odd.tool":
        "Odd.\n\n@title Odd\n@name odd\n@tags read\n@param n {number} [required] A number\n@returns {number}\n@code\n    if (n > 9) throw new Error('odd'); return n;\n",
      ".tools/show_file.tool":
        "Shows.\n\n@title Show\n@name show_file\n@tags read\n@param path {path} [required] A file\n@wrapped run_command\n@command cat {path}\n",
    },
    async (forging, bench) => {
      for (const [request, said, counted] of failures) {
        const name = String(request["name"]);
        assert.match(await forging.forge(request), /^success true/, name);
        const call = (n: Json): Promise<string> => forging.call("run_forged", { name, arguments: { n } });
        assert.match(await call("x"), "invalid-arguments", name);
        assert.match(await call(10), said, name);
        const uses = recordsIn(bench).find((record) => record.name === name)?.uses;
        assert.is(uses?.failed, counted, name);
      }
    },
  ));

test("`keep` writes a definition that passes check, fmt and its own tests, and the tool is a person's then", () =>
  withForging(
    {
      "numbers.txt": "4\n5\n",
      ".tools/read_first.tool":
        "Reads.\n\n@title Read\n@name read_first\n@param path {path} [required] A file\n@returns {object}\n@tags read\n@allow fs.readFile\n@code\n    return { first: Number((await fs.readFile(path)).split('\\n')[0]) };\n",
      ".tools/twice_of.tool":
        "Doubles.\n\n@title Twice\n@name twice_of\n@param n {number} [required] A number\n@returns {object}\n@tags read\n@code\n    return { twice: n * 2 };\n",
    },
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
      const asked = await runLine(bench, ["forge", "keep", "double"]);
      assert.is(asked.exitCode, 1);
      assert.match(asked.stdout, "+ @name double");
      assert.is(existsSync(join(bench.folder, ".tools/double.tool")), false);
      for (const name of ["double", "first_number"]) {
        const kept = await runLine(bench, ["forge", "keep", name, "--yes"]);
        assert.is(kept.exitCode, 0, kept.stderr);
      }
      assert.is((await runLine(bench, ["check"])).stdout, "4 definitions checked: no problems\n");
      assert.is((await runLine(bench, ["fmt", "--check"])).exitCode, 0);
      const tested = await runLine(bench, ["test", "double"]);
      assert.is(tested.exitCode, 0, tested.stdout + tested.stderr);
      assert.is((await runLine(bench, ["double", "21"])).stdout, '{\n  "twice": 42\n}\n');
      assert.is((await runLine(bench, ["first_number", "numbers.txt"])).stdout, '{\n  "twice": 8\n}\n');
      assert.match(await forging.call("run_forged", { name: "double", arguments: { n: 1 } }), "call `double` itself");
      assert.match((await runLine(bench, ["forge", "list"])).stdout, "there are no forged tools");
    },
  ));

test("forge export and import are answered with the way to give a tool to others", async () => {
  using bench = testProject();
  const { stderr, exitCode } = await runLine(bench, ["forge", "export", "double"]);
  const [line] = stderr.split("\n");
  assert.equal(
    [line, exitCode],
    ["failed[usage]: a forged tool is given to others as a file: `dottool forge keep NAME` writes it", 64],
  );
});

test("a file that was edited or cut is not run, is reported, and breaks no other", () =>
  withForging({}, async (forging, bench) => {
    await forging.forge(double);
    await forging.forge(fragile);
    const [own = ""] = filesIn(bench).filter((id) => id.startsWith("double"));
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
      assert.match((await runLine(bench, ["forge", "list"])).stderr, "warning[forge]");
      assert.is(await forging.call("run_forged", { name: "fragile", arguments: { n: 1 } }), "1");
    }
    assert.match(await forging.forge(double), /^success true/);
    assert.equal(await forging.data("run_forged", { name: "double", arguments: { n: 1 } }), { twice: 2 });
  }));

test("two sessions forge at once, and nothing is lost", () =>
  withForging({}, async (forging, bench) => {
    const other = await openForging(bench);
    const each = async (one: Forging, prefix: string): Promise<void> => {
      for (let number = 1; number <= 5; number++)
        assert.match(
          await one.forge(codeRequest(`${prefix}_${number}`, `return input.n - ${number};`, [{ n: number }, 0])),
          /^success true/,
        );
    };
    await Promise.all([each(forging, "one"), each(other, "two")]);
    await other.close();
    assert.is(recordsIn(bench).length, 10);
  }));

function eventsIn(bench: TestProject): readonly { readonly event: string }[] {
  return readFileSync(join(forgedIn(bench), "audit.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string });
}

test.run();
