// Keys that occur once in a tool. See keys.test.ts for commands and parameters.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { yamlText } from "../../../src/features/yaml/yaml-text.ts";
import { argumentsSchema } from "../../../src/core/schema/json-schema.ts";
import { assert, suite } from "../../harness.ts";
import { needPrograms } from "../../programs-needed.ts";
import { definitionOf, saidOf, tool, withTools } from "./yaml-fixture.ts";

const test = suite("keys of custom-tools YAML, of a tool");

const A = ["parameters:", "  A: { description: A text }"];

test("environment: variables are templates, and nothing else is inherited", () =>
  withTools(
    {
      t: tool(
        "bash: 'echo \"$PROXY\" $DEBUG ${MINE:-none}'",
        "environment:",
        "  variables: { PROXY: 'http://{A}', DEBUG: 1 }",
        ...A,
      ),
      all: "description: D\nbash: echo ${MINE:-none}\nenvironment: { inherit: true }\n",
    },
    async ({ said }) => {
      process.env["MINE"] = "mine";
      try {
        assert.equal([await said("t", { A: "host" }), await said("all")], ["http://host 1 none\n", "mine\n"]);
      } finally {
        delete process.env["MINE"];
      }
    },
  ));

test("schema-generation: leaves parts out of the schema", () => {
  const { parameters, schemaOmits } = definitionOf(
    tool(
      "bash: echo {A}",
      "parameters: { A: { description: D, default: x, examples: [y] } }",
      "function-calling: { schema-generation: { include-descriptions: false, include-defaults: false, example-generation: false } }",
    ),
  );
  assert.equal(argumentsSchema(parameters, schemaOmits)["properties"], { A: { type: "string" } });
  assert.is(
    definitionOf(
      tool(
        "bash: echo",
        "function-calling: { schema-generation: { include-descriptions: true, include-defaults: true, example-generation: true } }",
      ),
    ).schemaOmits,
    undefined,
  );
});

test("parameter-mapping: a type is itself, and a number may be whole", () => {
  const mapping = (type: string, to: string): string =>
    tool(
      "bash: echo {A}",
      `parameters: { A: { type: ${type}, description: D } }`,
      `function-calling: { schema-generation: { parameter-mapping: { ${type}: ${to} } } }`,
    );
  assert.equal(definitionOf(mapping("number", "integer")).parameters[0]?.schema, { type: "integer" });
  for (const type of ["string", "number", "boolean", "array", "object"])
    assert.is(definitionOf(mapping(type, type)).parameters[0]?.schema.type, type);
  assert.equal(saidOf(mapping("array", "string")), [
    "wrong-value: the schema would ask models for string values, but a call accepts array values",
  ]);
});

test("security: a privilege that is not available makes the call fail", () => {
  const asking = (line: string): string => `description: D\nbash: echo hi\nsecurity: { ${line} }\n`;
  return withTools(
    {
      same: asking("execution-privilege: same-as-user, isolation: process"),
      none: asking("isolation: none"),
      reduced: asking("execution-privilege: reduced"),
      elevated: asking("execution-privilege: elevated"),
      container: asking("isolation: container"),
      alias: "type: alias\nbase-tool: container\n",
    },
    async ({ said }) => {
      assert.equal([await said("same"), await said("none")], ["hi\n", "hi\n"]);
      needPrograms("bwrap");
      assert.is(await said("reduced"), "hi\n");
      assert.match(
        await said("elevated"),
        "it asks for elevated rights, and a tool gets no more rights than its caller has",
      );
      const noContainer = "it asks for a container or a sandbox of yours, and none is configured";
      assert.match(await said("container"), noContainer);
      assert.match(await said("alias"), noContainer);
    },
  );
});

test("required-permissions: raise the effects, and are shown with their reason", () => {
  const definition = definitionOf(
    tool(
      "run: git clone {A}",
      ...A,
      "tags: [read]",
      "security:",
      "  required-permissions: ['filesystem:write:{A}', 'network:external:api.github.com']",
      "  justification: To clone",
    ),
  );
  assert.equal(
    [definition.declaredEffects, definition.security],
    [
      ["read", "write", "network"],
      { permissions: ["filesystem:write:{A}", "network:external:api.github.com"], justification: "To clone" },
    ],
  );
  assert.equal(
    definitionOf(tool("run: git", "security: { required-permissions: ['filesystem:read'] }")).declaredEffects,
    ["read", "run"],
  );
  assert.equal(saidOf(tool("run: git", "security: { required-permissions: ['filesystem:write:{B}', 'disk'] }")), [
    "unknown-placeholder: cannot find `B` in this tool",
    "wrong-value: `disk` is not a permission",
  ]);
});

test("normalize: makes slashes of backslashes in the definition's own paths", () => {
  const cwd = (line: string): unknown => {
    const definition = definitionOf(tool("bash: echo", `file-paths: { ${line} working-directory: 'a\\b' }`));
    return definition.kind === "wrapped" && definition.surroundings.cwd?.parts;
  };
  assert.equal(
    [cwd("normalize: true,"), cwd("cross-platform: { auto-convert: true },"), cwd("normalize: false,"), cwd("")],
    [["a/b"], ["a/b"], ["a\\b"], ["a\\b"]],
  );
  assert.equal(saidOf(tool("bash: echo", "file-paths: { normalize: true, cross-platform: { auto-convert: false } }")), [
    "conflicting-keys: `normalize` and `auto-convert` mean the same, but here they differ",
  ]);
});

test("cross-platform: separators are the platforms' own", () => {
  assert.equal(
    saidOf(tool("bash: echo", 'file-paths: { cross-platform: { windows-separator: "\\\\", unix-separator: "/" } }')),
    [],
  );
  assert.equal(
    saidOf(tool("bash: echo", 'file-paths: { cross-platform: { windows-separator: "/", unix-separator: ":" } }')),
    ["wrong-value: `windows-separator` must be `\\`", "wrong-value: `unix-separator` must be `/`"],
  );
});

test("working-directory: where the command runs, in either place", () =>
  withTools(
    {
      own: "description: D\nbash: pwd\nworking-directory: '{A}'\nparameters: { A: { description: D } }\n",
      paths: "description: D\nbash: pwd\nfile-paths: { working-directory: '{WORKSPACE}/sub' }\n",
      here: "description: D\nbash: pwd\nfile-paths: { working-directory: '{WORKSPACE}' }\n",
      home: "description: D\nbash: pwd -P\nworking-directory: '~'\n",
    },
    async ({ said, folder }) => {
      mkdirSync(join(folder, "sub"));
      assert.equal(
        [await said("own", { A: "sub" }), await said("paths"), await said("here")],
        [`${folder}/sub\n`, `${folder}/sub\n`, `${folder}\n`],
      );
      assert.is(await said("home"), `${homedir()}\n`);
      assert.match(await said("own", { A: "~" }), `${folder}/~`);
      assert.equal(saidOf(tool("bash: echo", "working-directory: a", "file-paths: { working-directory: b }")), [
        "conflicting-keys: a tool can have only one working directory",
      ]);
    },
  ));

test("temp-directory: a folder for each run, removed afterwards", () =>
  withTools(
    {
      t: tool(
        "bash: echo x > $TMPDIR/x; echo $TMPDIR",
        'file-paths: { temp-directory: "{TEMP}/cycod-tools/{TOOL_NAME}" }',
      ),
    },
    async ({ said }) => {
      const [first = "", second = ""] = [await said("t"), await said("t")].map((text) => text.trim());
      assert.not.equal(first, second);
      assert.equal(
        [first, second].map((folder) => existsSync(folder)),
        [false, false],
      );
      assert.equal(saidOf(tool("bash: echo", "file-paths: { temp-directory: /tmp/x }")), [
        "wrong-value: the folder for temporary files must be below `{TEMP}`: each run creates one",
      ]);
    },
  ));

test("metadata: has words to find a tool by", () => {
  const { category, tags, keywords, declaredEffects } = definitionOf(
    tool(
      "bash: echo",
      "tags: [a]",
      "metadata: { category: development, subcategory: version-control, tags: [git, a, network], search-keywords: [repo, clone] }",
    ),
  );
  assert.equal(
    { category, tags, keywords, declaredEffects },
    {
      category: "development/version-control",
      tags: ["a", "git"],
      keywords: ["repo", "clone"],
      declaredEffects: ["network"],
    },
  );
  assert.equal(saidOf(tool("bash: echo", "metadata: { subcategory: x }")), [
    "conflicting-keys: `subcategory` needs a `category`",
  ]);
});

test("timeout: milliseconds, in either place", async () => {
  assert.equal(
    [
      definitionOf(tool("bash: echo", "timeout: 60000")).limits,
      definitionOf(tool("bash: echo", "resources: { timeout: 5ms }")).limits,
      definitionOf(tool("bash: echo", "timeout: 2m")).limits,
    ],
    [{ timeoutMs: 60000 }, { timeoutMs: 5 }, { timeoutMs: 120000 }],
  );
  await withTools({ t: tool("bash: sleep 60", "timeout: 100ms") }, async ({ said }) =>
    assert.match(await said("t"), "timed out after 0.1 s"),
  );
  assert.equal(saidOf(tool("bash: echo", "timeout: 1s", "resources: { timeout: 2s }")), [
    "conflicting-keys: `timeout` and `resources.timeout` mean the same, but here they differ",
  ]);
});

test("max-memory: bounds the process", async () => {
  assert.equal(definitionOf(tool("bash: echo", "resources: { max-memory: 512MB }")).limits, {
    memoryBytesMax: 512_000_000,
  });
  await withTools(
    { t: tool("run: python3 -c 'x = bytearray(400000000)'", "resources: { max-memory: 50MB }") },
    async ({ call }) => assert.is((await call("t")).status, "failed"),
  );
});

test("cleanup: the final command also runs after a failure", () =>
  withTools(
    {
      t: tool(
        "bash: mkdir -p work; touch {TEMP_DIR}/x; exit 3",
        "resources:",
        "  cleanup:",
        "    - delete-temp-files: true",
        '    - final-command: "rmdir work; touch {A} cleaned"',
        ...A,
      ),
    },
    async ({ call, folder }) => {
      const result = await call("t", { A: "a b" });
      assert.is(result.status, "failed");
      assert.equal(
        readdirSync(folder)
          .filter((name) => !name.startsWith("."))
          .sort(),
        ["a b", "cleaned"],
      );
      assert.equal(saidOf(tool("bash: echo", "resources: { cleanup: [{ delete-temp-files: false }] }")), [
        "wrong-value: the temporary folder of a run is always removed",
      ]);
    },
  ));

test("interactive: without a terminal the default is answered at once", async () => {
  const asks = (...lines: readonly string[]): string =>
    ["description: D", "bash: 'read -r answer || answer=nothing; echo \"got $answer\"'", ...lines, ""].join("\n");
  await withTools(
    {
      default: asks("interactive: true", "interactive-options: { timeout: 30000, default-response: y }"),
      enter: asks("interactive: true", 'interactive-options: { default-response: "" }'),
      silent: asks("interactive: true"),
      not: asks("interactive: false"),
    },
    async ({ said }) =>
      assert.equal(
        [await said("default"), await said("enter"), await said("silent"), await said("not")],
        [
          "got y\ndottool answered with `y`, because it cannot ask without a terminal\n",
          "got \ndottool answered with the Enter key, because it cannot ask without a terminal\n",
          "got nothing\n",
          "got nothing\n",
        ],
      ),
  );
  assert.equal(saidOf(tool("bash: echo", "interactive-options: { timeout: 1 }")), [
    "conflicting-keys: `interactive-options` needs `interactive: true`",
  ]);
  assert.equal(saidOf(tool("bash: cat", "interactive: true", "input: x")), [
    "conflicting-keys: an interactive tool reads what the person answers, so it cannot have an `input`",
  ]);
});

const clone =
  "description: Clone\nbash: echo {URL} {DIRECTORY} {BRANCH}\nparameters:\n  URL: { description: U, required: true }\n  DIRECTORY: { description: D, required: true }\n  BRANCH: { description: B }\n";

test("alias: the base tool with other defaults", () =>
  withTools(
    {
      "git-clone": clone,
      mine: 'type: alias\nbase-tool: git-clone\ndefault-parameters:\n  URL: "https://github.com/my-org/my-repo.git"\n  DIRECTORY: "./repos/{BRANCH}"\n',
    },
    async ({ said }) => {
      assert.is(await said("mine", { BRANCH: "{URL}" }), "https://github.com/my-org/my-repo.git ./repos/{URL} {URL}\n");
      assert.is(await said("mine", { DIRECTORY: "{BRANCH}" }), "https://github.com/my-org/my-repo.git {BRANCH}\n");
      assert.match(
        await said("mine"),
        "BRANCH  is needed for the default of `DIRECTORY`; give it, or `DIRECTORY` itself",
      );
    },
  ));

test("alias: has no command", () =>
  assert.equal(saidOf("name: t\ntype: alias\nbash: echo\nparameters: {}\n"), [
    "missing-wrapped: this alias does not name its base tool",
    "conflicting-keys: an alias runs its base tool, so it cannot have `bash`",
    "conflicting-keys: an alias always has the `parameters` of its base tool",
  ]));

test("base-tool: is for an alias, and so are default-parameters", () =>
  assert.equal(saidOf(tool("bash: echo", "base-tool: x", "default-parameters: {}")), [
    "conflicting-keys: `base-tool` can only be used in an alias",
    "conflicting-keys: `default-parameters` can only be used in an alias",
  ]));

test("tests: belong to the tool", () => {
  const { tests } = definitionOf(
    tool(
      "bash: echo {A}",
      ...A,
      "tests:",
      "  - name: basic-test",
      "    description: Basic",
      "    parameters: { A: test value }",
      "    expected: { exit-code: 0, output-contains: Success, file-exists: output.txt }",
      '    cleanup: ["rm output.txt"]',
    ),
  );
  assert.equal(tests, [
    {
      name: "basic-test",
      description: "Basic",
      folder: "temporary",
      arguments: { A: "test value" },
      expectations: [
        { kind: "exit-code", exitCode: 0 },
        { kind: "output-contains", text: "Success" },
        { kind: "file-exists", path: "output.txt" },
      ],
      setup: [],
      cleanup: ["rm output.txt"],
    },
  ]);
});

test("changelog: a line for each version", () =>
  assert.equal(
    definitionOf(
      tool(
        "bash: echo",
        "changelog:",
        "  - { version: 1.0.0, changes: Initial release }",
        "  - version: 1.1.0",
        "    changes: [One, Two]",
      ),
    ).changelog,
    ["1.0.0 Initial release", "1.1.0 One; Two"],
  ));

test("tags: effects and custom tags", () => {
  const { declaredEffects, tags } = definitionOf(tool("bash: echo", "tags: [tag1, tag2, read]"));
  assert.equal({ declaredEffects, tags }, { declaredEffects: ["read"], tags: ["tag1", "tag2"] });
});

test("platforms: a call on any other platform is refused", () =>
  withTools({ t: tool("bash: echo", "platforms: [windows]") }, async ({ said }) => {
    assert.match(await said("t"), "it only runs on windows; this is");
    assert.equal(definitionOf(tool("bash: echo", "platforms: [unix]")).platforms, ["linux", "macos"]);
  }));

test("ignore-errors: counts a failure as a result", () =>
  withTools(
    {
      t: tool("bash: echo x; exit 4", "ignore-errors: true"),
      steps:
        "description: D\nignore-errors: true\nsteps:\n  - { name: a, bash: exit 3 }\n  - { name: b, bash: 'echo {a.exit-code}; exit 4' }\n",
    },
    async ({ call, said }) => {
      assert.equal([(await call("t")).status, (await call("steps")).status], ["ok", "ok"]);
      assert.is(await said("steps"), "3\n");
    },
  ));

test("input: is the standard input", async () => {
  await withTools({ t: tool("run: wc -c", 'input: "{A}"', ...A) }, async ({ said }) =>
    assert.is((await said("t", { A: "héllo" })).trim(), "6"),
  );
  assert.equal(saidOf(tool("bash: sh", 'input: "{A}"', ...A)), [
    "unsafe-placeholder: `sh` runs what it reads, so its input cannot contain a value",
  ]);
});

test("RAW: is refused, with the safe spelling", () =>
  assert.equal(saidOf(tool("bash: echo {RAW:A} {A}", ...A)), [
    "unsafe-placeholder: `{RAW:A}` would put a value into the program text, where it could run any command",
  ]));

test("requires and depends: texts with parts are read as in a `.tool` file, and reported where they are wrong", () => {
  const needing = (requires: string, depends: string): string =>
    tool("run: ls", "x-dottool:", `  requires: [${requires}]`, `  depends: [${depends}]`);
  const { requires, depends } = definitionOf(needing('"git >= 2.30, jq", rg', "'own/lib@\">=1 <2\"', other@^1"));
  assert.equal(requires, [{ program: "git", range: ">= 2.30" }, { program: "jq" }, { program: "rg" }]);
  assert.equal(depends, [
    { tool: "own/lib", range: ">=1 <2" },
    { tool: "other", range: "^1" },
  ]);
  assert.equal(saidOf(needing('">= 2", rg >= 1.y', "own/lib@>=1 <2, b@1.y")), [
    "wrong-value: `requires` must be written as `PROGRAM >= VERSION`",
    "bad-version: `>= 1.y` is not a valid version range",
    "wrong-value: `depends` must be written as `TOOL@VERSION`",
    "bad-version: `1.y` is not a valid version range",
  ]);
});

test("x-dottool.sandbox: hosts ask for the sandbox, as in a `.tool` file", () =>
  assert.equal(definitionOf(tool("run: ls", "x-dottool: { sandbox: { network: [api.github.com] } }")).security, {
    sandbox: "strict",
    hosts: ["api.github.com"],
    permissions: [],
  }));

test("environment: `inherit: false` is written as it is read", () => {
  const written = yamlText(definitionOf(tool("run: ls", "environment: { inherit: false }")));
  assert.match(written, "environment:\n  inherit: false\n");
});

test("arguments of a meta-tool: no two have the same flag", () =>
  assert.equal(
    saidOf(
      tool(
        "arguments:",
        "  - { variable: a, flag: --out, description: A text }",
        "  - { variable: b, flag: --out, description: A text }",
        "steps:",
        "  - { type: prompt, output_var: c, prompt: '{a} {b}' }",
      ),
    ).slice(0, 1),
    ["duplicate-parameter: duplicate argument `b`"],
  ));

test("names are case-sensitive", () =>
  assert.equal(saidOf(tool("bash: echo {a}", ...A)), ["unknown-placeholder: cannot find `a` in this tool"]));

test.run();
