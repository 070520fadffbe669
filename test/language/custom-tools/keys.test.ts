// Every key of the custom-tools YAML has an effect or is refused. docs/custom-tools.md names these
// tests.
import { argumentsSchema } from "../../../src/core/schema/json-schema.ts";
import { assert, suite } from "../../harness.ts";
import { definitionOf, saidOf, tool, withTools } from "./yaml-fixture.ts";

const test = suite("keys of custom-tools YAML");

const A = ["parameters:", "  A: { description: A text }"];

function parameterA(...lines: readonly string[]): object {
  const {
    name: _name,
    description: _description,
    ...facts
  } = definitionOf(
    tool("bash: echo {A}", "parameters:", "  A:", "    description: A text", ...lines.map((line) => `    ${line}`)),
  ).parameters[0] ?? { name: "", description: "" };
  return facts;
}

test("name: from the text, else from the file", () => {
  assert.is(definitionOf("description: D\nbash: echo\n").name.value, "t");
  assert.is(definitionOf("name: T\ndescription: D\nbash: echo\n").name.value, "T");
  assert.equal(saidOf("name: two words\ndescription: D\nbash: echo\n"), [
    "invalid-name: `two words` is not a valid tool name",
  ]);
});

test("description: is shown to models", () => {
  assert.is(definitionOf(tool("bash: echo")).description, "Does something");
  assert.equal(saidOf("bash: echo\n"), ["missing-description: this tool has no description"]);
});

test("version: three numbers", () => {
  const { version } = definitionOf(tool("version: 1.2.0", "bash: echo"));
  assert.is(version, "1.2.0");
  assert.equal(saidOf(tool("version: 1.2", "bash: echo")), ["bad-version: `1.2` is not a valid version"]);
});

test("min-cycod-version: a newer format makes the call fail", () =>
  withTools(
    {
      old: tool("bash: echo hi", "min-cycod-version: 1.0.0").replace("name: t", "name: old"),
      newer: "description: D\nbash: echo hi\nmin-cycod-version: 1.0.1\n",
    },
    async ({ said }) => {
      assert.is(await said("old"), "hi\n");
      assert.match(await said("newer"), "it is written for CYCOD 1.0.1; dottool reads the format of 1.0.0");
    },
  ));

test("bash: runs in bash, with each value one word", () =>
  withTools(
    { t: tool('bash: "printf \'<%s>\' {A} \\"x{A}\\"; [[ -n $BASH_VERSION ]] && echo bash"', ...A) },
    async ({ said }) => assert.is(await said("t", { A: "a $(id) 'b'" }), "<a $(id) 'b'><xa $(id) 'b'>bash\n"),
  ));

test("run: runs without a shell", async () => {
  await withTools({ t: tool("run: printf '<%s>' {A} '$HOME'", ...A) }, async ({ said }) =>
    assert.is(await said("t", { A: "*" }), "<*><$HOME>"),
  );
  assert.equal(saidOf(tool("run: ls {A} | wc -l", ...A)), [
    "needs-shell: `|` needs a shell, but this command runs without one",
  ]);
});

test("cmd: a line for cmd.exe", () => {
  const definition = definitionOf(tool("cmd: dir {A}", ...A));
  assert.equal(
    definition.kind === "wrapped" &&
      definition.commands.map(({ command }) => command.kind === "shell" && command.shell),
    ["cmd"],
  );
});

test("pwsh: a script for PowerShell", () => {
  const definition = definitionOf(tool("pwsh: Get-ChildItem {A}", ...A));
  assert.equal(
    definition.kind === "wrapped" &&
      definition.commands.map(({ command }) => command.kind === "shell" && command.shell),
    ["pwsh"],
  );
});

test("script: runs in its shell", async () => {
  await withTools(
    { t: tool("script: |", "  for word in {A} b; do", '    echo "$word"', "  done", "shell: sh", ...A) },
    async ({ said }) => assert.is(await said("t", { A: "a a" }), "a a\nb\n"),
  );
  assert.equal(saidOf(tool("script: echo")), ["needs-shell: a `script` needs a shell"]);
});

test("shell: one of the known ones, and only for a script", () => {
  assert.equal(saidOf(tool("script: echo", "shell: powershell")), [
    "wrong-value: `shell` must be `bash`, `sh`, `zsh`, `pwsh`, `cmd`, `python3`, `python`, `node`, `bun`, `perl`, `ruby`, `php` or `Rscript`",
  ]);
  assert.equal(saidOf(tool("bash: echo", "shell: zsh")), ["conflicting-keys: `shell` can only be used with `script`"]);
});

test("commands: the default runs where no platform has its own", () =>
  withTools(
    { t: tool("commands:", "  default: echo default {A}", "  platforms: { windows: 'echo windows' }", ...A) },
    async ({ said }) => assert.is(await said("t", { A: "x" }), "default x\n"),
  ));

test("commands: the most specific platform wins", async () => {
  const definition = definitionOf(
    tool(
      "commands:",
      "  default: echo a",
      "  platforms:",
      "    windows: echo b",
      "    linux: echo c",
      "    macos: echo d",
      "    unix: echo e",
    ),
  );
  assert.equal(definition.kind === "wrapped" && definition.commands.map(({ platform }) => platform), [
    undefined,
    "windows",
    "linux",
    "macos",
    "unix",
  ]);
  await withTools(
    { t: tool("commands:", "  default: echo a", "  platforms: { unix: echo unix, windows: echo w }") },
    async ({ said }) => assert.is(await said("t"), "unix\n"),
  );
});

test("commands: a line for powershell is its script", () => {
  const definition = definitionOf(
    tool(
      "commands:",
      "  default: echo",
      "  platforms:",
      "    windows: powershell -Command \"Get-ChildItem -Filter '{A}'\"",
      ...A,
    ),
  );
  const windows =
    definition.kind === "wrapped"
      ? definition.commands.find(({ platform }) => platform === "windows")?.command
      : undefined;
  assert.is(windows?.kind === "shell" && windows.shell, "pwsh");
});

test("steps: run one after the other", () =>
  withTools(
    { t: tool("steps:", "  - name: one", "    bash: echo first", "  - name: two", "    bash: echo then {one.output}") },
    async ({ said }) => assert.is(await said("t"), "then first\n"),
  ));

test("steps: each has a unique name", () => {
  assert.equal(saidOf(tool("steps:", "  - name: one", "    bash: echo", "  - name: one", "    bash: echo")), [
    "duplicate-step: the name `one` is already used by another step",
  ]);
});

test("steps: a step runs a command of any kind", () =>
  withTools(
    {
      t: tool(
        "steps:",
        "  - { name: a, bash: echo a }",
        "  - { name: b, run: echo b }",
        "  - { name: c, script: echo c, shell: sh }",
        "  - { name: d, bash: 'echo {a}{b}{c}' }",
      ),
    },
    async ({ said }) => {
      assert.is(await said("t"), "abc\n");
      const windows = definitionOf(tool("steps:", "  - { name: a, cmd: dir }", "  - { name: b, pwsh: dir }"));
      assert.equal(
        windows.kind === "steps" &&
          windows.steps.map(({ action }) => action.kind === "command" && action.commands[0]?.command.kind),
        ["shell", "shell"],
      );
    },
  ));

test("steps: a step does one thing", () =>
  assert.equal(
    saidOf(
      tool(
        "steps:",
        "  - { name: a, bash: echo, use-tool: b }",
        "  - { name: b, bash: echo, shell: sh }",
        "  - { name: c }",
      ),
    ),
    [
      "conflicting-keys: a step has one action, and this has `bash` and `use-tool`",
      "conflicting-keys: `shell` can only be used with `script`",
      "empty-command: the step `c` is empty",
    ],
  ));

test("continue-on-error: a failure stops nothing", () =>
  withTools(
    {
      t: tool(
        "steps:",
        "  - { name: a, bash: exit 3, continue-on-error: true }",
        "  - { name: b, bash: 'echo {a.exit-code}' }",
      ),
    },
    async ({ said }) => assert.is(await said("t"), "3\n"),
  ));

test("run-condition: a step is skipped where it is false", async () => {
  await withTools(
    {
      t: tool(
        "steps:",
        "  - { name: a, bash: echo yes }",
        '  - { name: b, bash: echo no, run-condition: "{a.exit-code} == 1" }',
        "  - { name: c, bash: echo ran, run-condition: \"{a.output} == 'yes'\" }",
      ),
    },
    async ({ said }) => assert.is(await said("t"), "ran\n"),
  );
  assert.equal(
    saidOf(
      tool("steps:", '  - { name: a, bash: echo, run-condition: "{b.exit-code} == 0" }', "  - { name: b, bash: echo }"),
    ),
    ["reads-ahead: the step `a` reads `{b.exit-code}`, but may run before `b` has ended"],
  );
});

test("parallel: starts with the one before it", () => {
  const definition = definitionOf(
    tool("steps:", "  - { name: a, bash: echo }", "  - { name: b, bash: echo, parallel: true }"),
  );
  assert.equal(definition.kind === "steps" && definition.steps.map(({ isParallel }) => isParallel), [false, true]);
});

test("wait-for: names existing steps", async () => {
  await withTools(
    {
      t: tool(
        "steps:",
        "  - { name: a, bash: echo a }",
        "  - { name: b, bash: echo b, parallel: true }",
        "  - { name: c, bash: 'echo {a}{b}', wait-for: [a, b] }",
      ),
    },
    async ({ said }) => assert.is(await said("t"), "ab\n"),
  );
  assert.equal(saidOf(tool("steps:", "  - { name: a, bash: echo, wait-for: [b] }")), [
    "unknown-step: there is no step `b` to wait for",
  ]);
});

test("use-tool: calls another tool with the arguments below with", () =>
  withTools(
    {
      t: tool(
        "steps:",
        "  - name: a",
        "    use-tool: other",
        "    with:",
        '      TEXT: "<{A}>"',
        "      COUNT: 2",
        "      LIST: [x, '{A}']",
        ...A,
      ),
      other:
        "description: D\nbash: echo {TEXT} {COUNT} {LIST}\nparameters:\n  TEXT: { description: T, required: true }\n  COUNT: { type: number, description: N }\n  LIST: { type: array, description: L }\n",
    },
    async ({ said }) => assert.is(await said("t", { A: "a b" }), "<a b> 2 x a b\n"),
  ));

test("with: is for a step with use-tool", () =>
  assert.equal(saidOf(tool("steps:", "  - { name: a, bash: echo, with: { X: 1 } }")), [
    "conflicting-keys: `with` can only be used with `use-tool`",
  ]));

test("retry: the number of attempts in all", async () => {
  await withTools(
    {
      t: tool(
        "steps:",
        "  - name: a",
        "    bash: echo x >> tries; [ $(wc -l < tries) -ge 3 ] && echo done",
        "    error-handling: { retry: { attempts: 3, delay: 1 } }",
      ),
    },
    async ({ said }) => assert.is(await said("t"), "done\n"),
  );
  const definition = definitionOf(
    tool("steps:", "  - { name: a, bash: echo, error-handling: { retry: { attempts: 3, delay: 1000 } } }"),
  );
  assert.equal(definition.kind === "steps" && definition.steps[0]?.retries, {
    attempts: 3,
    delayMs: 1000,
    isExponential: false,
  });
});

test("fallback: runs when the attempts have failed", () =>
  withTools(
    {
      t: tool(
        "steps:",
        "  - name: a",
        "    bash: exit 1",
        "    error-handling: { fallback: 'echo instead {A}' }",
        ...A,
      ),
    },
    async ({ said }) => assert.is(await said("t", { A: "x" }), "instead x\n"),
  ));

test("output: more than the buffer limit fails the step, except in a stream", async () => {
  await withTools(
    {
      small:
        "description: D\nsteps:\n  - { name: a, bash: 'seq 1000', output: { mode: buffer, buffer-limit: 100B } }\n",
      stream:
        "description: D\nsteps:\n  - { name: a, bash: 'seq 1000', output: { mode: stream, buffer-limit: 100B, stream-callback: console } }\n",
    },
    async ({ said }) => {
      assert.match(await said("small"), "100 bytes of output");
      assert.is((await said("stream")).split("\n").length, 1001);
    },
  );
});

test("stream-callback: only console, with mode stream", () => {
  assert.equal(
    saidOf(
      tool(
        "steps:",
        "  - { name: a, bash: echo, output: { mode: stream, stream-callback: file } }",
        "  - { name: b, bash: echo, output: { stream-callback: console } }",
      ),
    ),
    ["wrong-value: `stream-callback` must be `console`", "conflicting-keys: `stream-callback` needs `mode: stream`"],
  );
});

test("type: of a parameter is checked", () => {
  assert.equal(parameterA("type: string"), { schema: { type: "string" }, required: false });
  assert.equal(parameterA("type: number"), { schema: { type: "number" }, required: false });
  assert.equal(parameterA("type: boolean"), { schema: { type: "boolean" }, required: false });
  assert.equal(parameterA("type: array"), { schema: { type: "array", items: { type: "string" } }, required: false });
  assert.equal(parameterA("type: object"), { schema: { type: "object", properties: [], open: true }, required: false });
});

test("required: a call without it is refused", () =>
  withTools(
    { t: tool("bash: echo {A}", "parameters: { A: { description: D, required: true } }") },
    async ({ said }) => {
      assert.match(await said("t"), "A  expected string, got nothing");
      assert.equal(
        saidOf(tool("bash: echo {A}", "parameters: { A: { description: D, required: true, default: x } }")),
        ["conflicting-keys: `A` is required, so its default is never used"],
      );
    },
  ));

test("default: by its type, text as written", () => {
  assert.equal(parameterA("default: 007"), { schema: { type: "string" }, required: false, default: "007" });
  assert.equal(parameterA("type: number", "default: 7"), { schema: { type: "number" }, required: false, default: 7 });
  assert.equal(parameterA("type: array", "default: [1, b]"), {
    schema: { type: "array", items: { type: "string" } },
    required: false,
    default: ["1", "b"],
  });
  assert.equal(saidOf(tool("bash: echo {A}", "parameters: { A: { description: D, type: number, default: x } }")), [
    "default-mismatch: this default does not fit the parameter",
  ]);
});

test("validation: minimum and maximum of numbers", () => {
  assert.equal(parameterA("type: number", "validation: { minimum: 1, maximum: 100 }"), {
    schema: { type: "number", minimum: 1, maximum: 100 },
    required: false,
  });
  assert.equal(saidOf(tool("bash: echo {A}", "parameters: { A: { description: D, validation: { minimum: 1 } } }")), [
    "wrong-value: `minimum` is not supported for string",
  ]);
});

test("validation: a pattern matches anywhere unless it is anchored", () =>
  withTools(
    {
      whole:
        "description: D\nbash: echo {A}\nparameters: { A: { description: D, validation: { pattern: '^[a-z]+$' } } }\n",
      part: "description: D\nbash: echo {A}\nparameters: { A: { description: D, validation: { pattern: '[a-z]+|^$' } } }\n",
    },
    async ({ said }) => {
      assert.equal(
        [
          await said("whole", { A: "abc" }),
          await said("part", { A: "1\nx2" }),
          (await said("whole", { A: "abc1" })).split("\n")[0],
          (await said("part", { A: "12" })).split("\n")[0],
        ],
        [
          "abc\n",
          "1\nx2\n",
          "failed[invalid-arguments]: `whole` does not accept these arguments",
          "failed[invalid-arguments]: `part` does not accept these arguments",
        ],
      );
    },
  ));

test("validation: lengths and choices of texts", () => {
  assert.equal(parameterA("validation: { minLength: 1, maxLength: 9, enum: [a, b] }"), {
    schema: { type: "string", choices: ["a", "b"], minimumLength: 1, maximumLength: 9 },
    required: false,
  });
});

test("validation: choices of numbers, all integers or not", () => {
  const choices = (listed: string) => JSON.stringify(parameterA("type: number", `validation: { enum: ${listed} }`));
  assert.match(choices("[1, 2]"), '{"type":"integer","choices":[1,2]}');
  assert.match(choices("[0.5, 1]"), '{"type":"number","choices":[0.5,1]}');
});

test("transform: chains of the usual methods are plain transforms", () => {
  assert.equal(parameterA('transform: "value.trim().toLowerCase()"'), {
    schema: { type: "string", transforms: ["trim", "lower"] },
    required: false,
  });
  assert.equal(parameterA('transform: "value.toUpperCase();"'), {
    schema: { type: "string", transforms: ["upper"] },
    required: false,
  });
});

test("transform: anything else runs in the sandbox before the checks", () =>
  withTools(
    {
      t: tool(
        "bash: echo {A} {N}",
        "parameters:",
        "  A: { description: D, transform: \"value.replace(/-/g, '_')\", validation: { pattern: '^[a-z_]+$' } }",
        "  N: { description: N, type: number, transform: value * 2, default: 4, validation: { maximum: 10 } }",
      ),
    },
    async ({ said }) => {
      assert.is(await said("t", { A: "a-b" }), "a_b 8\n");
      assert.match(await said("t", { A: "a", N: 6 }), "N  expected at most 10, got 12");
      assert.match(
        await said("t", { A: 5 }),
        "A  the transform `value.replace(/-/g, '_')` fails with this value: the code threw TypeError: not a function",
      );
    },
  ));

test("format: how a present value appears in the command", () =>
  withTools(
    { t: tool('bash: printf "<%s>" {A}', "parameters: { A: { description: D, format: '--param={value}' } }") },
    async ({ said }) => assert.equal([await said("t", { A: "x y" }), await said("t")], ["<--param=x y>", "<>"]),
  ));

test("examples: of a parameter are in its schema", () => {
  const { parameters } = definitionOf(
    tool("bash: echo {A}", 'parameters: { A: { description: D, examples: ["one", "two"] } }'),
  );
  assert.equal(argumentsSchema(parameters)["properties"], {
    A: { description: "D", type: "string", examples: ["one", "two"] },
  });
});

test("detailed-help: is shown with the tool", () =>
  assert.equal(parameterA("detailed-help: |", "  Line one.", "  Line two."), {
    schema: { type: "string" },
    required: false,
    help: "Line one.\nLine two.",
  }));

test("escape-shell: is always on", () => {
  assert.equal(parameterA("security: { escape-shell: true }"), { schema: { type: "string" }, required: false });
  assert.equal(
    saidOf(tool("bash: echo {A}", "parameters: { A: { description: D, security: { escape-shell: false } } }")),
    ["unsafe-placeholder: `escape-shell` cannot be switched off: a value never becomes program text"],
  );
});

test.run();
