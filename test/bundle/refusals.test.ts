// What `dottool check` refuses, and mistakes of `config.yaml`, never reach the machines of a team.
import { readdirSync } from "node:fs";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("bundle/refusals");

const greet =
  'Greets somebody.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo "hello {name}"\n@param name {string} [required] Who\n@tags read\n';
const config = (text: string): Readonly<Record<string, string>> => ({ "greet.tool": greet, "config.yaml": text });

const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a placeholder": { "x.tool": greet.replace("{name}", "{nmae}") },
  "the header of a test": { "x.tool": `${greet}@test name="x" -> "hello x"\n` },
  "a tool to wrap": { "x.tool": greet.replace("run_command", "run_comand") },
  code: { "x.tool": "Counts.\n\n@name x\n@tags read\n@code\n  return (1;\n" },
  YAML: { "x.yaml": "name: x\ndescription: X.\nbash: [\n" },
  "two of a name": { "greet.tool": greet, "again.tool": greet },
  "a plugin": { "greet.tool": greet, "plugins/shout.ts": "export default 1;\n" },
  "a decision": config("policy:\n  - tool: greet\n    decision: maybe\n"),
  "a section": config("webb:\n  allow_hosts: []\n"),
  "broken YAML": config("policy: [\n"),
};

for (const [kind, files] of Object.entries(kinds))
  test(`bundle refuses ${kind} that check refuses, or that every call would, and writes nothing`, async () => {
    using bench = testProject(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`.tools/${path}`, text])),
    );
    const checked = await bench.run(["check"]);
    assert.is(checked.exitCode, 65, checked.stdout);
    const { exitCode, stderr } = await bench.run(["bundle", "-o", "ourtools", "--base", "nowhere"]);
    assert.is(exitCode, 65);
    assert.match(stderr, /^failed\[definitions\]: `[\w.]+` has errors: /);
    assert.equal(readdirSync(bench.folder).sort(), [".tools", "home"]);
  });

test("bundle goes on to the executable where there are no mistakes", async () => {
  using bench = testProject({ ".tools/greet.tool": greet });
  const { stderr } = await bench.run(["bundle", "-o", "ourtools", "--base", "nowhere"]);
  assert.match(stderr, /^failed\[base\]: `nowhere` does not exist\n/);
});

test.run();
