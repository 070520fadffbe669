// The values of a call that decide which file runs.
import { assemble } from "../../src/core/session/assemble.ts";
import { decidingNames } from "../../src/core/policy/approvals.ts";
import { contentOf } from "../../src/core/policy/content.ts";
import { assert, present, suite } from "../harness.ts";
import { withPolicy } from "./policy-fixture.ts";

const test = suite("decidingNames");

const text = (name: string, more = ""): string => `@param ${name} {string} ${more} The ${name}\n`;
const rows: readonly (readonly [definition: string, ...names: readonly string[]])[] = [
  [`${text("script", "[required]")}${text("word")}@wrapped run_command\n@command sh {script} {word}`, "script"],
  // If the first is missing, the second takes its place.
  [`${text("script")}${text("word")}@wrapped run_command\n@command sh {script} {word}`, "script", "word"],
  [`${text("word")}@wrapped run_command\n@command sh tools/build {word}`],
  [`${text("file")}@wrapped run_command\n@command cat {file}`],
  [
    `${text("folder", "[required pattern=/[a-z]+/]")}${text("goal", "[pattern=/[a-z]+/]")}@wrapped run_command\n@command make -C {folder} {goal}`,
    "folder",
  ],
  [`@param which {"build"|"test"} [required] Which\n@wrapped run_command\n@command sh tools/{which}.sh`, "which"],
  [`@param number {integer} [required] Which\n@wrapped run_command\n@command sh tools/{number}.sh`, "number"],
  [`@param words {array<string>} What\n@wrapped run_command\n@command sh tools/build {words}`],
  [`${text("script")}${text("word")}@wrapped run_command\n@shell sh\n@command echo {word} > x; sh {script}`, "script"],
  [`${text("script")}@wrapped run_command\n@shell bash\n@command go() {{ true; }}; go; bash {script}`, "script"],
  [`${text("word")}@wrapped run_command\n@shell sh\n@command for f in *.sh; do sh "./$f" {word}; done`, "word"],
  [`${text("module")}@wrapped run_command\n@command python3 app/{module}.py`, "module"],
  [`${text("script")}@wrapped run_command\n@shell sh\n@env SCRIPT={script}\n@command sh "./$SCRIPT"`, "script"],
  [`${text("script")}@wrapped run_command\n@shell sh\n@env SCRIPT={script}\n@command sh "./\${SCRIPT:-x}"`, "script"],
  [
    `${text("script", "[required]")}${text("word")}@step one runs\n  sh {script}\n@step two runs\n  echo {word}`,
    "script",
  ],
];

test("a value decides where it names the file that runs, and nowhere else", () =>
  withPolicy(Object.fromEntries(rows.map(([definition], index) => [`t${index}`, definition])), async (bench) => {
    const { session } = await bench.open("agent");
    const found = [];
    for (const index of rows.keys()) {
      const tool = await session.registry.resolve(`t${index}`);
      found.push(tool ? decidingNames(tool, session) : "broken");
    }
    assert.equal(
      found,
      rows.map(([, ...names]) => names),
    );
  }));

test("no value of a bundled tool decides which file runs", () =>
  withPolicy({}, async () => {
    const { session } = await assemble({ cwd: process.cwd() });
    await session.registry.complete();
    const deciding = session.registry
      .names()
      .filter((name) => name !== "run_command")
      .filter((name) => decidingNames(present(session.registry.find(name)), session).length > 0);
    assert.equal(deciding, []);
  }));

test("what a step leaves may be the file that another one runs, and a yes says that it covers it", () =>
  withPolicy(
    { steps: "@step which runs\n  cat which\n@step go sh\n  sh {which.stdout}\n@step last runs\n  sh {which.stdout}" },
    async (bench) => {
      const { session } = await bench.open("agent");
      const tool = present(await session.registry.resolve("steps"));
      const { rest } = contentOf({ call: { id: "1", tool: "steps", arguments: {} }, tool, arguments: {} }, session);
      assert.equal(rest, ["a file that is known only when `sh` runs"]);
    },
  ));

test.run();
