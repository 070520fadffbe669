// Judges beside the deterministic one: a model behind a command, and tools of a folder. Each can only refuse.
import type { JsonObject } from "../../src/schema/json.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { type ToolBench, toolBench } from "../tool-bench.ts";
import { type Forging, openForging } from "./forge-bench.ts";

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

async function withForging(
  files: Readonly<Record<string, string>>,
  body: (forging: Forging, bench: ToolBench) => Promise<void>,
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
    assert.is(recordIn(bench).tier, "session");
    await forging.call("run_forged", { name: "double", arguments: { n: 5 } });
    assert.equal([recordIn(bench).tier, recordIn(bench).judges], ["agent", ["deterministic", "model"]]);
    const other = await openForging(bench);
    assert.is(await other.call("run_forged", { name: "double", arguments: { n: 50 } }), "100");
    await other.close();
  }));

test("without a model, use alone does not promote", () =>
  withForging({}, async (forging, bench) => {
    await forging.forge(double);
    for (let n = 1; n <= 8; n++) await forging.call("run_forged", { name: "double", arguments: { n } });
    assert.is(recordIn(bench).tier, "session");
  }));

for (const [what, answer, said] of [
  ["says no", verdict(', "approved": false'), "does not approve it: It doubles."],
  ["answers with words", "echo yes", "its answer is not a verdict"],
  ["answers twice", `${verdict("")}; ${verdict("")}`, "its answer is not a verdict"],
  ["answers another question", `id=other; ${verdict("")}`, "its answer is not a verdict"],
  [
    "leaves a score out",
    `printf '{"id": "%s", "approved": true, "reasoning": ""}' "$id"`,
    "its answer is not a verdict",
  ],
  ["gives a score that is none", verdict(', "safety": 2'), "its answer is not a verdict"],
  ["fails", "exit 3", "it failed (exit)"],
] as const)
  test(`a model that ${what} refuses the tool`, () =>
    withForging(model(answer), async (forging) => {
      const text = await forging.forge(double);
      assert.match(text, "[unsafe]: the judge `model`");
      assert.match(text, said);
      assert.match(
        await forging.call("run_forged", { name: "double", arguments: { n: 1 } }),
        "there is no forged tool",
      );
    }));

test("a tool with the tag `forge-judge` judges too, and what it does not approve is refused", () =>
  withForging(
    {
      ".tools/short_only.tool":
        "Approves short definitions.\n\n@title Short\n@name short_only\n@tags read forge-judge\n@param definition {string} [required] The definition\n@returns {object}\n@code\n    return { approved: definition.length < 300, reasoning: `${definition.length < 300 ? 'short' : 'too long'}` };\n",
    },
    async (forging, bench) => {
      assert.match(await forging.forge(double), "short_only: short");
      assert.equal(recordIn(bench).judges, ["deterministic", "short_only"]);
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

interface Stored {
  readonly tier: string;
  readonly judges: readonly string[];
}

function recordIn(bench: ToolBench): Stored {
  const folder = join(bench.folder, "home/.local/state/dottool/forge");
  const [name = ""] = readdirSync(folder).filter((one) => one.includes("@"));
  const text = readFileSync(join(folder, name), "utf8");
  return JSON.parse(text.slice(text.indexOf("\n") + 1)) as Stored;
}

test.run();
