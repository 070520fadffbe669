// Every definition of the tests and of the bundle is written as YAML and read again, and is the same; so is one that
// went through both formats.
import fc from "fast-check";
import { firstDifference } from "../../../src/core/language/write/same-definition.ts";
import { assert, suite } from "../../harness.ts";
import { generatedDefinition } from "./generated-definition.ts";
import { formatOf, knownDefinitions, readText, rewritten, writeText } from "./definitions.ts";

const test = suite("yamlText");
const known = knownDefinitions();

test("there are definitions of both formats to try", () => {
  assert.ok(known.length > 60);
  assert.ok(known.filter(([path]) => formatOf(path) === "yaml").length >= 8);
});

test("toolText and yamlText write every definition so that it reads as the same, and writes as the same text", () => {
  const outcomes = known.flatMap(([path, definition]) =>
    (["tool", "yaml"] as const).map((format) => [path, format, rewritten(format, definition)]),
  );
  assert.equal(
    outcomes.filter(([, , outcome]) => outcome !== "same"),
    [],
  );
});

test("a definition that goes through the other format and back is the same", () => {
  const lost = known.flatMap(([path, definition]) => {
    const name = definition.name.value;
    const there = readText("yaml", `${name}.yaml`, writeText("yaml", definition));
    const back = there && readText("tool", `${name}.tool`, writeText("tool", there));
    const difference = back ? firstDifference(definition, back) : "all";
    return difference === undefined ? [] : [`${path}: ${difference}`];
  });
  assert.equal(lost, []);
});

test("toolText and yamlText write any definition so that it reads as the same", () => {
  fc.assert(
    fc.property(generatedDefinition, (definition) => {
      assert.equal([rewritten("tool", definition), rewritten("yaml", definition)], ["same", "same"]);
    }),
    { numRuns: 40 },
  );
});

const tool = `Counts what is in a folder.

@title Count files
@name count
@tags read run files
@timeout 60s
@param dir {path} [required] Where to look
@param words {array<string>} [default=["a: b", "yes"] min=1] Words
@step list runs
    ls -1 {dir}
@step count bash [retry=3 delay=1s] [when={list.exit-code} == 0]
    printf '%s\\n' "{list}" | wc -l
    echo "# done: yes"
@step each sh [for-each={words} concurrency=4 timeout=5s]
    echo {item}
@step away uses wc [for-each={words} on=queue concurrency=200]
    path = {item}
@cleanup bash
    rm -rf {TEMP_DIR}/x
@test counts
    with {"dir": "."}
    expect exit-code 0
    expect output-matches /^\\d+$/
`;

const yaml = `name: count
description: Counts what is in a folder.
steps:
  - name: list
    run: ls -1 {dir}
  - name: count
    bash: |
      printf '%s\\n' "{list}" | wc -l
      echo "# done: yes"
    run-condition: "{list.exit-code} == 0"
    error-handling:
      retry:
        attempts: 3
        delay: 1000
  - name: each
    script: echo {item}
    shell: sh
    x-dottool:
      for-each: "{words}"
      concurrency: 4
      timeout: 5s
  - name: away
    use-tool: wc
    with:
      path: "{item}"
    x-dottool:
      for-each: "{words}"
      "on": queue
      concurrency: 200
parameters:
  dir:
    type: string
    description: Where to look
    required: true
    x-dottool:
      type: path
  words:
    type: array
    description: Words
    default: ["a: b", "yes"]
    validation:
      minLength: 1
resources:
  cleanup:
    - final-command: rm -rf {TEMP_DIR}/x
tests:
  - name: counts
    parameters:
      dir: "."
    expected:
      exit-code: 0
    x-dottool:
      expected:
        - output-matches: /^\\d+$/
tags: [read, run, files]
timeout: 60000
x-dottool:
  title: Count files
`;

test("yamlText writes a default of null", () => {
  const definition = readText(
    "tool",
    "t.tool",
    "D\n\n@name t\n@command echo {a}\n@param a {any} [default=null] A value\n",
  );
  assert.is(definition && rewritten("yaml", definition), "same");
});

test("yamlText is what a person would write", () => {
  const definition = readText("tool", "count.tool", tool);
  assert.is(definition && writeText("yaml", definition), yaml);
});

test.run();
