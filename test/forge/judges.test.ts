// Judges beside the deterministic one: a model behind a command, and tools of a folder. Each can only refuse.
import type { JsonObject } from "../../src/core/schema/json.ts";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import type { ForgeResult } from "../../src/features/forge/pipeline.ts";
import { type Forging, openForging, recordsIn, withForging } from "./forge-fixture.ts";

const test = suite("forge judges");

const double = {
  name: "double",
  description: "Doubles a number.",
  implementation: { mode: "sandbox", code: "return input.n * 2;" },
  testCases: [
    { input: { n: 2 }, expectedOutput: 4 },
    { input: { n: 3 }, expectedOutput: 6 },
  ],
} satisfies JsonObject;

/** A model that answers with a line of a shell script, in which `$id` is the id of the question. */
const model = (answer: string): Readonly<Record<string, string>> => ({
  "home/.config/dottool/config.yaml":
    "providers:\n  default: judge\n  judge: { kind: command, command: [sh, judge.sh] }\n",
  "judge.sh": `cat > asked.txt\nid=$(sed -n 's/^id: //p' asked.txt)\n${answer}\n`,
});
const verdict = (fields: string): string =>
  `printf '{"id": "%s", "approved": true, "safety": 1, "correctness": 0.9, "determinism": 1, "bounded": 1, "reasoning": "It doubles."${fields}}' "$id"`;

test("a model that approves is a second judge, and five uses make the tool one of every session", () =>
  withForging(model(verdict("")), async (forging, bench) => {
    const text = await forging.forge(double);
    assert.match(text, /^success true/);
    assert.match(text, "model: It doubles.");
    const asked = readFileSync(join(bench.folder, "asked.txt"), "utf8");
    assert.match(asked, /^You judge a tool/);
    assert.match(asked, "@name double");
    for (let n = 1; n <= 4; n++)
      assert.is(await forging.call("run_forged", { name: "double", arguments: { n } }), `${2 * n}`);
    assert.is(recordsIn(bench)[0]?.tier, "session");
    await forging.call("run_forged", { name: "double", arguments: { n: 5 } });
    assert.equal([recordsIn(bench)[0]?.tier, recordsIn(bench)[0]?.judges], ["agent", ["deterministic", "model"]]);
    const other = await openForging(bench);
    assert.is(await other.call("run_forged", { name: "double", arguments: { n: 50 } }), "100");
    await other.close();
  }));

test("without a model, use alone does not promote", () =>
  withForging({}, async (forging, bench) => {
    await forging.forge(double);
    for (let n = 1; n <= 8; n++) await forging.call("run_forged", { name: "double", arguments: { n } });
    assert.is(recordsIn(bench)[0]?.tier, "session");
  }));

const answers = {
  says_no: [verdict(', "approved": false'), "[unsafe]: the judge `model` does not approve it: It doubles."],
  has_words: ["echo yes", "its answer is not a verdict"],
  answers_twice: [`${verdict("")}; ${verdict("")}`, "its answer is not a verdict"],
  answers_another_question: [`id=other; ${verdict("")}`, "its answer is not a verdict"],
  leaves_a_score_out: [`printf '{"id": "%s", "approved": true, "reasoning": ""}' "$id"`, "its answer is not a verdict"],
  gives_a_score_that_is_none: [verdict(', "safety": 2'), "its answer is not a verdict"],
  fails: ["exit 3", "it failed (exit)"],
} as const;

test("a model that says no, or nothing that can be read, refuses the tool", () => {
  const rows = Object.entries(answers).map(([name, [answer]]) => `${name}) ${answer};;\n`);
  return withForging(model(`case $(sed -n 's/^@name //p' asked.txt) in\n${rows.join("")}esac`), async (forging) => {
    for (const [name, [, said]] of Object.entries(answers)) {
      assert.match(
        await forging.forge({ ...double, name }),
        said.startsWith("[") ? said : `[judge_failed]: the judge \`model\` gave no verdict: ${said}`,
      );
      assert.match(await forging.call("run_forged", { name, arguments: { n: 1 } }), "there is no forged tool");
    }
  });
});

test("a tool with the tag `forge-judge` judges too, and what it does not approve is refused", () =>
  withForging(
    {
      ".tools/short_only.tool":
        "Approves short definitions.\n\n@title Short\n@name short_only\n@tags read forge-judge\n@param definition {string} [required] The definition\n@returns {object}\n@code\n    return { approved: definition.length < 300, reasoning: `${definition.length < 300 ? 'short' : 'too long'}` };\n",
    },
    async (forging, bench) => {
      assert.match(await forging.forge(double), "short_only: short");
      assert.equal(recordsIn(bench)[0]?.judges, ["deterministic", "short_only"]);
      assert.match(
        await forging.forge({ ...double, name: "longer", description: "Doubles. ".repeat(40) }),
        /\[duplicate\]|too long/,
      );
      assert.match(
        await forging.forge({
          ...double,
          name: "longer",
          description: "Doubles. ".repeat(40),
          implementation: { mode: "sandbox", code: "return input.n + input.n;" },
        }),
        "the judge `short_only` does not approve it: too long",
      );
    },
  ));

/** A plugin with one judge for each name, whose body is a function's. */
const judges = (plugin: string, bodies: Readonly<Record<string, string>>): string =>
  `import { definePlugin } from "dottool";\nexport default definePlugin({ name: "${plugin}", forgeJudges: [${Object.entries(
    bodies,
  )
    .map(([name, body]) => `{ name: "${name}", judge: async (request, { signal }) => { ${body} } }`)
    .join(", ")}] });\n`;
/** Returns the result of a request whose name is not taken. */
const resultOf = async (forging: Forging, name = "double"): Promise<ForgeResult> =>
  JSON.parse(String((await forging.call("forge_tool", { ...double, name })).split("\nfailed[")[0])) as ForgeResult;

test("judges of plugins get the whole request, and can only lower the confidence", () =>
  withForging(
    {
      "home/.config/dottool/tools/plugins/house.ts": judges("house", {
        seen: 'const { definition, ...rest } = request; request.tests[0].passed = false; request.confidence = 9; return { approved: true, reasoning: JSON.stringify({ ...rest, tests: rest.tests.length, definition: definition.includes("@code") }) };',
        half: "return { approved: true, confidence: 0.5, reasoning: `it is\\n@command new (${request.confidence})` };",
        full: "return { approved: true, confidence: 1 };",
      }),
      "home/.config/dottool/tools/plugins/other.ts": judges("other", { full: "return { approved: true };" }),
    },
    async (forging, bench) => {
      const { verdict, stages, success, tests } = await resultOf(forging);
      assert.equal([success, tests[0]?.passed], [true, true]);
      assert.is(
        stages.find(({ stage }) => stage === "judge")?.detail,
        "confidence 0.5, by deterministic, house/seen, house/half, house/full, other/full",
      );
      const [, seen = ""] = /house\/seen: (\{.*?\}); house/.exec(verdict?.reasoning ?? "") ?? [];
      assert.equal(JSON.parse(seen), {
        name: "double",
        description: "Doubles a number.",
        inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        outputSchema: { type: "number" },
        implementation: { mode: "sandbox", code: "return input.n * 2;", allowlist: [] },
        effects: ["read"],
        tests: 2,
        confidence: 0.8,
        definition: true,
      });
      assert.match(
        verdict?.reasoning ?? "",
        "house/half (confidence at most 0.5): it is @command new (0.8); house/full: approves; other/full: approves",
      );
      assert.match((await bench.run(["forge", "show", "double"])).stdout, "# confidence 0.5;");
      assert.match((await bench.run(["forge", "show", "double"])).stdout, "house/half (confidence at most 0.5)");
      // What only guards does not make it one of every session, and a person's test does not give back what it took.
      for (let n = 1; n <= 6; n++) await forging.call("run_forged", { name: "double", arguments: { n } });
      assert.is((await bench.run(["forge", "test", "double"])).exitCode, 0);
      const [record] = recordsIn(bench);
      assert.equal([record?.tier, record?.judges, record?.verdict.confidence], ["session", ["deterministic"], 0.5]);
    },
  ));

test("what a judge of a plugin refuses, throws or answers wrongly is refused with its class, and every judge counts", () =>
  withForging(
    {
      "home/.config/dottool/tools/plugins/house.ts": judges("house", {
        words:
          'if (request.name === "both" || request.name === "refused") return { approved: false, reasoning: "too short", confidence: 1 }; return { approved: true };',
        odd: `switch (request.name) {
          case "both": case "thrown": throw new Error("no idea\\nat all");
          case "nothing": return;
          case "yes": return true;
          case "text": return { approved: "yes" };
          case "silent": return { approved: false };
          case "sure": return { approved: true, confidence: 2 };
          case "number": return { approved: true, confidence: NaN };
          case "getter": return { get approved() { throw new Error("read me not"); } };
          case "late": await new Promise((done) => signal.addEventListener("abort", done)); return { approved: true };
        }
        return { approved: true };`,
      }),
    },
    async (forging, bench) => {
      const notOne = "its answer is not a verdict";
      for (const [name, refusalClass, ...said] of [
        ["refused", "unsafe", "the judge `house/words` does not approve it: too short"],
        [
          "both",
          "unsafe",
          "`house/words` does not approve it: too short; the judge `house/odd` gave no verdict: no idea",
        ],
        ["thrown", "judge_failed", "the judge `house/odd` gave no verdict: no idea"],
        ["nothing", "judge_failed", "JSON cannot represent"],
        ["yes", "judge_failed", notOne],
        ["text", "judge_failed", notOne],
        ["silent", "judge_failed", notOne],
        ["sure", "judge_failed", notOne],
        ["number", "judge_failed", "it returned NaN as `confidence`"],
        ["getter", "judge_failed", "read me not"],
        ["late", "judge_failed", "it did not answer within 30 s"],
      ] as const) {
        const { success, error, verdict, stages } = await resultOf(forging, name);
        assert.equal(
          [success, error?.class, verdict?.approved, verdict?.confidence],
          [false, refusalClass, false, 0],
          name,
        );
        for (const text of said) {
          assert.match(error?.message ?? "", text);
          assert.match(verdict?.reasoning ?? "", text);
        }
        assert.equal(stages.at(-1), { stage: "judge", status: "failed", detail: error?.message });
        assert.match(await forging.call("run_forged", { name, arguments: { n: 1 } }), "there is no forged tool");
      }
      assert.is((await resultOf(forging, "fine")).success, true);
      assert.is(recordsIn(bench).length, 1);
    },
  ));

test("a plugin judges only where it is trusted, and one that is trusted and does not load refuses all", () =>
  withForging(
    {
      ".tools/plugins/project.ts": judges("project", { no: 'return { approved: false, reasoning: "never" };' }),
    },
    async (forging, bench) => {
      assert.is((await resultOf(forging)).success, false);
      bench.write(".tools/plugins/project.ts", judges("project", { no: "return { approved: true };" }));
      const untrusted = await openForging(bench);
      const { success, stages } = await resultOf(untrusted);
      assert.equal([success, stages.at(-2)?.detail], [true, "confidence 0.8, by deterministic"]);
      await untrusted.close();
      bench.write(".tools/plugins/project.ts", "export default 1;\n");
      bench.trust();
      const broken = await openForging(bench);
      const { error } = await resultOf(broken, "other");
      await broken.close();
      assert.equal(
        [error?.class, error?.help],
        ["judge_failed", ["a person repairs it: `dottool check` says what is wrong"]],
      );
      assert.match(error?.message ?? "", "a plugin that may judge is missing: the plugin `.tools/plugins/project.ts`");
      // The server of this test reads a plugin again that has changed.
      const mark =
        'import { appendFileSync } from "node:fs";\nif (process.env.MARKS) appendFileSync("loaded.txt", "x");\n';
      bench.write(".tools/plugins/project.ts", mark + judges("project", { no: "return { approved: true };" }));
      bench.trust();
      const loads = async (words: readonly string[]): Promise<boolean> => {
        await bench.run(["--allow-forge", ...words], { environment: { MARKS: "1" } });
        return existsSync(join(bench.folder, "loaded.txt"));
      };
      assert.is(await loads(["ls"]), false);
      assert.is(await loads(["forge", "list"]), false);
      assert.is(await loads(["call", "forge_tool", "--json", JSON.stringify({ ...double, name: "third" })]), true);
    },
  ));

test.run();
