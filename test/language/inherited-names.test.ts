// Every object has `constructor`, `toString` and others: as the name of anything in a definition, each is read as a name
// that nobody knows.
import "../windows-shells.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { analyzeYamlFile } from "../../src/features/yaml/analyze.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("inherited names");

const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => /^[a-z]+$/i.test(name));
const UNKNOWN = "unheardOf";

const head = "Do it.\n\n@title It\n@name it\n";
const definitions: readonly ((name: string) => string)[] = [
  (name) =>
    `${head}@wrapped run_command\n@command ${name} {f} --${name} {g}\n@param f {string} [required] It\n@param g {string} It\n`,
  (name) =>
    `${head}@wrapped run_command\n@shell sh\n@script\n    x=$(${name} {f}); env ${name} "$x" | xargs ${name}; echo "$${name}"\n@param f {string} [required] It\n`,
  (name) =>
    `${head}@wrapped run_command\n@shell ${name}\n@command echo {a}\n@param a {${name}} [${name}=1, required] It\n@${name} x\n`,
  (name) =>
    `${head}@step one ${name}\n    x\n@step two sh [${name}=1]\n    echo\n@limits ${name} 1s\n@requires ${name} >= 1\n@platforms ${name}\n`,
];
const yaml = (name: string): string =>
  `name: it\ndescription: It.\n${name}: 1\nshell: ${name}\nscript: ${name} {x}\nparameters:\n  x: {type: ${name}, description: It, ${name}: 2}\nplatforms: [${name}]\n`;

/** What is said, without the name and what is like it. */
function said(name: string, definition: (name: string) => string): readonly string[] {
  const text = definition(name);
  const { diagnostics } =
    definition === yaml
      ? analyzeYamlFile({ path: "it.yaml", text })
      : analyzeToolFile(parseToolFile({ path: "it.tool", text }));
  return diagnostics.map(({ code, message }) => `${code} ${message.replaceAll(name, "NAME")}`);
}

test("each is told as any name that is not known", () => {
  const wrong = new Set<string>();
  for (const definition of [...definitions, yaml]) {
    const expected = said(UNKNOWN, definition);
    assert.ok(expected.length < 12);
    for (const name of names)
      if (JSON.stringify(said(name, definition)) !== JSON.stringify(expected))
        wrong.add(`${name}: ${definition(name)}`);
  }
  assert.equal([...wrong], []);
});

test("a tool that runs one stops nothing", async () => {
  using bench = testProject(
    Object.fromEntries(
      names.map((name) => [
        `.tools/${name.toLowerCase()}.tool`,
        `Do it.\n\n@title It\n@name ${name.toLowerCase()}\n@wrapped run_command\n@command ${name} {f}\n@param f {string} [required] It\n`,
      ]),
    ),
  );
  for (const words of [
    ["list"],
    ["check"],
    ["doctor"],
    ["explain", "tostring", "x"],
    ["new", "--from", "constructor a --valueOf b"],
    ["call", "list_dir"],
  ]) {
    const { stdout, stderr } = await bench.run(words);
    assert.not.match(`${stdout}${stderr}`, /failed\[bug\]/, words.join(" "));
  }
});

test.run();
