// The words of JSON Schema, of other programs and of common sense, for keys and values of the format: each definition
// means what the format's own words mean, as it stands or after `check --fix`, and no fix is refused again.
import { applyFixes } from "../../../src/core/text/apply-fixes.ts";
import { type Diagnostic, hasErrors } from "../../../src/core/text/diagnostic.ts";
import { firstDifference } from "../../../src/core/language/write/same-definition.ts";
import type { ToolDefinition } from "../../../src/core/tool/definition.ts";
import { analyzeYamlFile } from "../../../src/features/yaml/analyze.ts";
import { assert, suite } from "../../harness.ts";
import { tool } from "./yaml-fixture.ts";

const test = suite("other words in custom-tools YAML");
const PASSES_MAX = 4;

interface Fixed {
  readonly text: string;
  readonly value: ToolDefinition | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function read(text: string): Fixed {
  return { text, value: undefined, ...analyzeYamlFile({ path: "t.yaml", text }) };
}

function fixed(text: string): Fixed {
  let found = read(text);
  for (let pass = 0; pass < PASSES_MAX; pass++)
    found = read(applyFixes({ path: "t.yaml", text: found.text }, found.diagnostics));
  return found;
}

function differs(text: string, ours: string): string | undefined {
  const [one, other] = [fixed(text), read(ours)];
  const said = one.diagnostics.filter(({ severity, fix }) => severity === "error" || fix);
  if (!one.value || !other.value || said.length > 0)
    return [...said, ...other.diagnostics].map(({ message }) => message).join("; ") || "no definition";
  const first = read(text);
  // A warning leaves the meaning alone.
  const asWritten = hasErrors(first.diagnostics) ? undefined : first.value;
  return firstDifference(one.value, other.value) ?? (asWritten && firstDifference(asWritten, other.value));
}

/** Keys of a parameter, and how the format says the same. */
const parameters: readonly (readonly [text: string, ours: string])[] = [
  ["type: integer", "type: number, x-dottool: { type: integer }"],
  ["type: int", "type: number, x-dottool: { type: integer }"],
  ["type: Integer", "type: number, x-dottool: { type: integer }"],
  ["type: float", "type: number"],
  ["type: bool", "type: boolean"],
  ["type: flag", "type: boolean"],
  ["type: switch", "type: boolean"],
  ["type: str", "type: string"],
  ["type: text", "type: string"],
  ["type: path", "type: string, x-dottool: { type: path }"],
  ["type: file", "type: string, x-dottool: { type: path }"],
  ["type: folder", "type: string, x-dottool: { type: path }"],
  ["type: url", "type: string, x-dottool: { type: url }"],
  ["type: uri", "type: string, x-dottool: { type: url }"],
  ["type: list", "type: array"],
  ["type: 'path[]'", "type: array, x-dottool: { type: array<path> }"],
  ["type: 'string[]'", "type: array"],
  ["type: 'list[int]'", "type: array, x-dottool: { type: array<integer> }"],
  ["type: array<file>", "type: array, x-dottool: { type: array<path> }"],
  ["type: list of files", "type: array, x-dottool: { type: array<path> }"],
  ["type: array, items: string", "type: array"],
  ["items: path", "type: array, x-dottool: { type: array<path> }"],
  ["type: array, items: { type: file }", "type: array, x-dottool: { type: array<path> }"],
  ["type: array, items: { type: integer, minimum: 1 }", "type: array, x-dottool: { type: 'array<integer>' }"],
  ["type: array, items: { enum: [a, b] }", "type: array, validation: { enum: [a, b] }"],
  ["type: secret", "type: string, x-dottool: { secret: true }"],
  ["type: string, secret: true", "type: string, x-dottool: { secret: true }"],
  ["type: string, sensitive: true", "type: string, x-dottool: { secret: true }"],
  ["enum: [a, b]", "type: string, validation: { enum: [a, b] }"],
  ["choices: [a, b]", "type: string, validation: { enum: [a, b] }"],
  ["options: [a, b]", "type: string, validation: { enum: [a, b] }"],
  ["type: enum, values: [a, b]", "type: string, validation: { enum: [a, b] }"],
  ["validation: { choices: [a, b] }", "type: string, validation: { enum: [a, b] }"],
  ["type: number, minimum: 1, maximum: 9", "type: number, validation: { minimum: 1, maximum: 9 }"],
  ["type: number, min: 1, max: 9", "type: number, validation: { minimum: 1, maximum: 9 }"],
  ["type: number, min: 1, validation: { maximum: 9 }", "type: number, validation: { minimum: 1, maximum: 9 }"],
  ["pattern: '^a'", "type: string, validation: { pattern: '^a' }"],
  ["regex: '^a'", "type: string, validation: { pattern: '^a' }"],
  ["minLength: 2, max_length: 5", "type: string, validation: { minLength: 2, maxLength: 5 }"],
  [
    "type: array, minItems: 1, uniqueItems: true",
    "type: array, validation: { minLength: 1 }, x-dottool: { unique: true }",
  ],
  ["type: boolean, flag: --force", "type: boolean, format: --force"],
  ["flag: --name", "format: '--name {value}'"],
  ["flag: --name=", "format: '--name={value}'"],
  ["env: NAME", "x-dottool: { environment: NAME }"],
  ["flags: true", "x-dottool: { flags: true }"],
  ["mandatory: true", "required: true"],
  ["example: x", "examples: [x]"],
];

for (const [text, ours] of parameters)
  test(`a parameter with { ${text} } is one with { ${ours} }`, () => {
    const whole = (keys: string): string => tool("bash: echo {A}", "parameters:", `  A: { description: D, ${keys} }`);
    if (text.includes("minimum: 1 }")) assert.ok(fixed(whole(text)).value);
    else assert.is(differs(whole(text), whole(ours)), undefined);
  });

/** Definitions, and how the format says the same. */
const tools: Readonly<Record<string, readonly [text: string, ours: string]>> = {
  "a list of parameters": [
    "bash: echo {A} {B}\nparameters:\n  - name: A\n    type: int\n    description: D\n  - { name: B, description: E }",
    "bash: echo {A} {B}\nparameters:\n  A: { type: integer, description: D }\n  B: { description: E }",
  ],
  "a list of names": ["bash: echo {A} {B}\nparameters: [A, B]", "bash: echo {A} {B}\nparameters: { A: {}, B: {} }"],
  "a list of maps by name": [
    "bash: echo {A}\nparameters:\n  - A: { description: D }",
    "bash: echo {A}\nparameters:\n  A: { description: D }",
  ],
  "a JSON Schema of an object": [
    "bash: echo {A} {B}\nparameters:\n  type: object\n  properties:\n    A: { type: integer, description: D }\n    B: { description: E }\n  required: [A]",
    "bash: echo {A} {B}\nparameters:\n  A: { type: integer, description: D, required: true }\n  B: { description: E }",
  ],
  "`bash` with the shell that it has": ["shell: bash\nbash: a | b", "bash: a | b"],
  "`command` with a shell": ["shell: zsh\ncommand: a | b", "shell: zsh\nscript: a | b"],
  "a parameter that is its description": [
    "bash: echo {A}\nparameters:\n  A: The text",
    "bash: echo {A}\nparameters:\n  A: { description: The text }",
  ],
  "a parameter that is its type": [
    "bash: echo {A}\nparameters:\n  A: int",
    "bash: echo {A}\nparameters:\n  A: { type: integer }",
  ],
  "a parameter without keys": ["bash: echo {A}\nparameters:\n  A:", "bash: echo {A}\nparameters:\n  A: {}"],
  "a secret in a block": [
    "bash: echo {A}\nparameters:\n  A:\n    type: secret\n    description: D",
    "bash: echo {A}\nparameters:\n  A: { description: D, secret: true }",
  ],
  "a secret in a list": [
    "bash: echo {A}\nparameters:\n  - type: secret\n    name: A\n    description: D",
    "bash: echo {A}\nparameters:\n  A: { description: D, secret: true }",
  ],
  "`command`": ["command: a | b", "bash: a | b"],
  "`sh`": ["sh: a | b", "bash: a | b"],
  "`run` with a pipe": ["run: a | b", "bash: a | b"],
  "`cwd`": ["bash: ls\ncwd: src", "bash: ls\nworking-directory: src"],
  "`working_directory`": ["bash: ls\nworking_directory: src", "bash: ls\nworking-directory: src"],
  "a timeout in seconds": ["bash: ls\ntimeout: 600", "bash: ls\ntimeout: 600s"],
  "`confirm: true`": [
    "bash: ls\nconfirm: true",
    "bash: ls\nx-dottool: { confirm: its author wants each call to be confirmed }",
  ],
  "`confirm: false`": ["bash: ls\nconfirm: false", "bash: ls"],
  "a question": [
    "bash: ls {A}\nconfirm: List {A}?\nparameters: { A: { description: D } }",
    "bash: ls {A}\nparameters: { A: { description: D } }\nx-dottool: { confirm: 'List {A}?' }",
  ],
  "names of variables": ["bash: ls\nenv: [A, B]", "bash: ls\nx-dottool: { pass-environment: [A, B] }"],
  "a name of a secret": ["bash: ls\nenv:\n  - API_TOKEN", "bash: ls\nx-dottool: { secrets: { API_TOKEN: API_TOKEN } }"],
  "values of variables": [
    "bash: ls\nenv: { A: '1', B: two }",
    "bash: ls\nenvironment: { variables: { A: '1', B: two } }",
  ],
  "values of variables in a list": [
    "bash: ls\nenv: [A=1, B]",
    "bash: ls\nenvironment: { variables: { A: '1' } }\npass-environment: [B]",
  ],
  "variables that are passed on": [
    "bash: ls\nenvironment:\n  A:\n  B: $B\n  C: ${C}\n  D: x",
    "bash: ls\nenvironment: { variables: { D: x } }\nx-dottool: { pass-environment: [A, B, C] }",
  ],
  "lines as steps": ["steps: [ls, pwd]", "steps:\n  - { name: step-1, bash: ls }\n  - { name: step-2, bash: pwd }"],
  "steps without names": [
    "steps:\n  - bash: ls\n  - run: pwd",
    "steps:\n  - { name: step-1, bash: ls }\n  - { name: step-2, run: pwd }",
  ],
  "lines as commands": ["commands:\n  - ls\n  - pwd", "steps: [ls, pwd]"],
  "commands of platforms": [
    "commands: { linux: ls, windows: dir }",
    "commands: { platforms: { linux: ls, windows: dir } }",
  ],
  "keys of `x-dottool` of a step": [
    "steps:\n  - { name: one, bash: ls, timeout: 5s, if: 'true == true' }",
    "steps:\n  - { name: one, bash: ls, run-condition: 'true == true', x-dottool: { timeout: 5s } }",
  ],
  "keys of `x-dottool` of a tool": [
    "bash: ls\ntitle: List\ncategory: files\nsandbox: { level: strict }",
    "bash: ls\nmetadata: { category: files }\nx-dottool: { title: List, sandbox: { level: strict } }",
  ],
};

for (const [fact, [text, ours]] of Object.entries(tools))
  test(`${fact}: is read as the format has it`, () => assert.is(differs(tool(text), tool(ours)), undefined));

test("a key that is given twice, in both places, is refused", () => {
  const { diagnostics } = read(
    tool("bash: echo {A}", "parameters:", "  A: { description: D, enum: [a], validation: { enum: [b] } }"),
  );
  assert.equal(
    diagnostics.map(({ message }) => message),
    ["`enum` is given twice, also below `validation`"],
  );
});

test("no fix is offered that would be refused or mean something else", () => {
  const said = (...lines: readonly string[]): readonly string[] =>
    read(tool(...lines)).diagnostics.map(({ message, help, fix }) => [message, ...help, fix?.title].join("; "));
  assert.equal(said("bash: echo {A}", "parameters:", "  A: { description: D, optional: true }"), [
    "unknown key `optional` in a parameter; leave it out: a parameter is optional unless it has `required: true`; ",
  ]);
  assert.equal(said("steps:", "  - { bash: ls, cwd: src }"), [
    "unknown key `cwd` in a step; write `working-directory` above `steps`, for all of them, or `cd FOLDER && …` in `bash:`; ",
  ]);
  assert.equal(said("bash: ls", "bsh: pwd"), ["unknown key `bsh` in a tool; "]);
  assert.equal(said("bash: echo {A}", "parameters:", "  A: { description: D, enum: { a: 1 } }"), [
    "`enum` must be text; text that begins with `{` or `[` needs quotes; ",
  ]);
  assert.equal(said("bash: ls", "env: { A: $HOME/x }"), [
    "`env` is read as `environment`; use `environment`",
    "nothing expands `$` in the value of `A`; write `environment: [NAME]` to pass on a variable, and put it together in `bash:`; ",
  ]);
});

test("two words for one key are refused", () => {
  const { diagnostics } = read(tool("command: ls", "sh: ls"));
  assert.ok(hasErrors(diagnostics));
});

test("parameters that cannot be read cause no mistakes where they are used", () => {
  const messages = (...lines: readonly string[]): readonly string[] =>
    read(tool("bash: echo {A} {B}", ...lines)).diagnostics.map(({ message }) => message);
  assert.equal(messages("parameters: A and B"), ["`parameters` must be a map of keys and values"]);
  assert.equal(messages("parameters:", "  - { description: D }"), [
    "each entry of `parameters` must be a map with a `name`",
  ]);
  assert.equal(messages("parameters:", "  A: { description: D, type: [a] }", "  B: { description: D }"), [
    "`type` must be text",
  ]);
});

test("a message about an unknown key names the first keys, and where the others are", () => {
  const [first] = read(tool("bash: ls", "qwertz: 1")).diagnostics;
  assert.equal(first?.help, [
    "the first keys are `name`, `description`, `bash`, `run`, `script`, `steps`, `parameters`, `tags`, `environment`, `working-directory`, `timeout`, `confirm`; `dottool schema --for yaml` has all of them",
  ]);
});

test.run();
