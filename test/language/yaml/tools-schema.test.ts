// grammar/tools.schema.json, which editors read: it accepts what the readers accept, and refuses what it can recognize
// as wrong.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { toolsSchema } from "../../../src/features/yaml/tools-schema.ts";
import { yamlText } from "../../../src/features/yaml/yaml-text.ts";
import { assert, suite } from "../../harness.ts";
import { formatOf, knownDefinitions, yamlTexts } from "../write/definitions.ts";

const test = suite("tools.schema.json");
const schema = toolsSchema();
const accepts = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);

function refusal(text: string): string | undefined {
  return accepts(parse(text))
    ? undefined
    : (accepts.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}

test("grammar/tools.schema.json is made of the readers' keys", () => {
  assert.equal(
    JSON.parse(readFileSync(new URL("../../../grammar/tools.schema.json", import.meta.url), "utf8")),
    schema,
  );
});

test("toolsSchema accepts every YAML definition of the tests that can be read", () => {
  const texts = yamlTexts();
  assert.ok(texts.length >= 8);
  assert.equal(
    texts.flatMap(([path, text]) => (refusal(text) === undefined ? [] : [`${path}: ${refusal(text)}`])),
    [],
  );
});

test("toolsSchema accepts everything that yamlText writes", () => {
  const refused = knownDefinitions().flatMap(([, definition]) => refusal(yamlText(definition)) ?? []);
  assert.equal(refused, []);
  assert.ok(knownDefinitions().some(([path]) => formatOf(path) === "tool"));
});

const broken: Readonly<Record<string, string>> = {
  "a key that nobody knows": "name: a\nbash: ls\ndescripton: x\n",
  "two things that run": "name: a\nbash: ls\nrun: ls\n",
  "text for a flag": "name: a\nbash: ls\nignore-errors: sometimes\n",
  "a word that is none of a few": "name: a\nbash: ls\nplatforms: [amiga]\n",
  "a type that there is not": "name: a\nbash: ls\nparameters:\n  A: { type: strng }\n",
  "a key that is one map too high": "name: a\nbash: ls\nminimum: 1\n",
  "a parameter in a list without a name": "name: a\nbash: ls\nparameters:\n  - { type: string }\n",
  "a step that does two things": "name: a\nsteps:\n  - { name: one, bash: ls, use-tool: b }\n",
  "steps that are no list": "name: a\nsteps: { name: one, bash: ls }\n",
  "text for a number": "name: a\nbash: ls\ntests:\n  - { name: t, expected: { exit-code: zero } }\n",
  "a retry without a count": "name: a\nsteps:\n  - { name: one, bash: ls, error-handling: { retry: { delay: 10 } } }\n",
  "a timeout without a unit": "name: a\nbash: ls\ntimeout: soon\n",
  "a step of a meta-tool without output_var": "name: a\nsteps:\n  - { type: prompt, prompt: Hi }\n",
  "a key of another kind of step":
    "name: a\nsteps:\n  - { type: prompt, prompt: Hi, output_var: a, language: python }\n",
  "a forge tool with a command": "name: a\nentrypoint: run\nbash: ls\n",
  "an unknown key below x-dottool": "name: a\nbash: ls\nx-dottool: { titel: A }\n",
  "an expectation that is two":
    "name: a\nbash: ls\ntests:\n  - { name: t, x-dottool: { expected: [{ result: 1, exit-code: 0 }] } }\n",
};

for (const [fact, text] of Object.entries(broken))
  test(`toolsSchema refuses ${fact}`, () => assert.ok(refusal(text) !== undefined, text));

test.run();
