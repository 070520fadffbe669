// Messages about YAML definitions speak of its keys: annotations and options of `.tool` files are not known there.
import "../../windows-shells.ts";
import { stringify } from "yaml";
import { listDir } from "../../../src/features/files/list-dir.ts";
import { runCommand } from "../../../src/core/base/run-command.ts";
import { writeFile } from "../../../src/features/files/write-file.ts";
import { createToolBuilder } from "../../../src/core/builder/tool-builder.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { annotationKinds } from "../../../src/core/language/syntax/annotations.ts";
import { allWorded, wordedFor } from "../../../src/core/language/yaml-words.ts";
import type { Diagnostic } from "../../../src/core/text/diagnostic.ts";
import { assert, suite } from "../../harness.ts";
import { attacks, flows } from "../command-attack-rows.ts";
import { specialAttacks } from "../command-special-rows.ts";
import { optionAttacks } from "../option-rows.ts";
import { directRows, scriptRows, untried } from "../program-rows.ts";
import { refusedCmd, refusedPwsh } from "../windows-rows.ts";

const test = suite("yaml/words");

/** An annotation, or an option in brackets or with `=`, as `.tool` files have them. */
const ANNOTATION =
  /`@(?:name|title|wrapped|command|script|shell|param|type|with|default|env|stdin|cwd|secret|step|tags|limit|timeout|retry|fallback|test|example|returns|requires|depends)\b|`\[[a-z-]+[=\]](?!::)|`flag[=`]|\bthe flag\b/;

function textsOf({ message, at, help, fix }: Diagnostic): readonly string[] {
  return [message, at?.text ?? "", ...help, fix?.title ?? ""];
}

function wrongIn(definition: object): readonly string[] {
  const { diagnostics } = analyzeYamlFile({ path: "tool.yaml", text: stringify(definition) });
  return diagnostics.flatMap(textsOf).filter((text) => ANNOTATION.test(text));
}

function definitionOf(key: string, template: string): object {
  const names = new Set(
    [...template.replaceAll("{flag}", "{on}").matchAll(/\{([a-z_]\w*)\}/gi)].map(([, name = ""]) => name),
  );
  return {
    name: "it",
    description: "Runs it",
    // A parameter with the name of a key would look like one.
    [key]: template.replaceAll("{flag}", "{on}"),
    parameters: Object.fromEntries([...names].map((name) => [name, { type: "string", description: "A text" }])),
  };
}

test("every annotation in a message is the key that says the same", () => {
  const yaml = { path: "tool.yaml", text: "" };
  const wrong = [...annotationKinds.keys()].flatMap((keyword) =>
    [`write \`@${keyword}\``, `write \`@${keyword} x = y\``].filter((text) => wordedFor(yaml, text).includes("@")),
  );
  assert.equal(wrong, []);
  assert.is(wordedFor(yaml, "set a longer limit with `@timeout`"), "set a longer limit with `timeout`");
  assert.is(wordedFor({ path: "a.tool", text: "" }, "with `@timeout`"), "with `@timeout`");
});

test("what is refused of a command is said without annotations, in every kind of command", () => {
  const rows: readonly (readonly [key: string, templates: readonly string[]])[] = [
    ["bash", [...attacks, ...flows, ...specialAttacks].map(({ template }) => template)],
    ["bash", [...directRows, ...scriptRows, ...optionAttacks].map(({ template }) => template)],
    ["run", [...directRows.map(({ template }) => template), ...untried]],
    ["cmd", refusedCmd],
    ["pwsh", refusedPwsh],
  ];
  const wrong = new Set<string>();
  for (const [key, templates] of rows)
    for (const template of templates) for (const text of wrongIn(definitionOf(key, template))) wrong.add(text);
  assert.equal([...wrong], []);
});

const parameter = (name: string, more: object = {}): object => ({
  [name]: { type: "string", description: "A text", ...more },
});

test("what is refused of parameters, types and wrapped tools is said with the keys of the format", async () => {
  const head = { name: "it", description: "Does it" };
  const rows: readonly (readonly [definition: object, help: string])[] = [
    [
      { ...head, "x-dottool": { wraps: "write_file" }, parameters: parameter("a") },
      "add `file_path:` below `with`, or declare `file_path` below `parameters`",
    ],
    [
      { ...head, "x-dottool": { wraps: "run_command" }, parameters: parameter("a") },
      "write what to run, for example `run: echo {a}`",
    ],
    [
      { ...head, "x-dottool": { wraps: "run_command", with: { command: "echo {a}" } }, parameters: parameter("a") },
      "write the command below `run:` or `bash:`, which keeps values apart from the program",
    ],
    [
      { ...head, bash: "ls", "x-dottool": { wraps: "list_dir" }, parameters: parameter("a") },
      "set its parameters with `with`, or wrap `run_command`",
    ],
    [
      { ...head, bash: "ls", "x-dottool": { returns: { type: "zzzz" }, types: { Edit: { a: {} } } } },
      'the types are string, integer, number, boolean, object, path, url, code, any, array<TYPE>, choices such as {"a"|"b"}, and the names below `types` of `x-dottool`',
    ],
    [
      { ...head, bash: 'eval "{a}"', parameters: parameter("a") },
      "or declare `a` with `type: code`: the value is a program on purpose, and a model's call is asked about",
    ],
    [
      { ...head, bash: "ls {a}", parameters: parameter("a", { format: "-x '{value}" }) },
      'write words with `{value}`, as in `format: "--depth {value}"`',
    ],
  ];
  const baseTools = new Map([listDir, writeFile, runCommand].map((tool) => [tool.definition.name.value, tool]));
  const builder = createToolBuilder({
    platform: "linux",
    definition: () => undefined,
    baseTool: (name) => baseTools.get(name),
    names: () => [...baseTools.keys()],
  });
  for (const [definition, help] of rows) {
    const read = analyzeYamlFile({ path: "tool.yaml", text: stringify(definition) });
    const texts = [
      ...read.diagnostics,
      ...(read.value ? allWorded(builder.build(read.value).diagnostics) : []),
    ].flatMap(textsOf);
    assert.equal(
      [definition, texts.filter((text) => ANNOTATION.test(text)), texts.includes(help) ? help : texts],
      [definition, [], help],
    );
  }
});

test.run();
