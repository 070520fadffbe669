// The examples in the document of meta-tools, and each key with its effect: definitions in a folder, called through the
// real gate.
import { writeFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { assert, suite } from "../../harness.ts";
import { KEY, startModelServer } from "../../base/model-server.ts";
import { allKeys } from "../../../src/features/yaml/meta-tools/keys.ts";
import { lines } from "../../lines.ts";
import { type StepsFixture, withSteps } from "../../steps/steps-fixture.ts";
import { wordList } from "../../lines.ts";

// The strict server wants this key.
process.env["META_TEST_KEY"] = KEY;

const test = suite("meta-tools");

const summarizeAndTranslate = lines(
  "name: summarize-and-translate",
  "description: Summarize text then translate the summary",
  "version: 1.0.0",
  "category: Text",
  "",
  "steps:",
  "  - type: tool",
  "    tool: official/summarize         # Tool to call (owner/name or just name for local)",
  '    input: "{input}"                 # What to pass as input (supports variable substitution)',
  "    args:                            # Optional arguments to pass to the tool",
  '      max_words: "100"',
  "    output_var: summary              # Variable to store the output",
  "",
  "  - type: tool",
  "    tool: official/translate",
  '    input: "{summary}"               # Use output from previous step',
  "    args:",
  '      target_language: "{language}"  # Can use tool\'s own arguments',
  "    output_var: translated",
  "",
  'output: "{translated}"',
  "",
  "arguments:",
  '  - flag: "--language"',
  "    variable: language",
  '    default: "Spanish"',
  '    description: "Target language for translation"',
);

/** A tool that repeats what it was asked for. */
const summarize = lines(
  "name: summarize",
  "description: Summarize text",
  "version: 1.2.0",
  "steps:",
  "  - type: prompt",
  '    prompt: "{max_words} words of {input}"',
  "    output_var: summary",
  "arguments:",
  '  - flag: "--max-words"',
  "    variable: max_words",
  "    type: integer",
  "    default: 10",
  "    description: Words at most",
);
const translate = lines(
  "name: translate",
  "description: Translate text",
  "version: 1.2.0",
  "steps:",
  "  - type: code",
  "    code: text = f'{target_language}({input})'",
  "    output_var: text",
  "arguments:",
  "  - variable: target_language",
  "    required: true",
  "    description: The language",
);

const pipeline = lines(
  "name: code-review-pipeline",
  "description: Comprehensive code review using multiple specialized tools",
  "version: 1.0.0",
  "category: Developer",
  "dependencies:",
  "  - official/analyze-complexity",
  "  - official/find-bugs",
  "  - official/suggest-improvements",
  "steps:",
  "  # Step 1: Analyze code complexity",
  "  - type: tool",
  "    tool: official/analyze-complexity",
  '    input: "{input}"',
  "    output_var: complexity_report",
  "",
  "  # Step 2: Find potential bugs",
  "  - type: tool",
  "    tool: official/find-bugs",
  '    input: "{input}"',
  "    output_var: bug_report",
  "",
  "  # Step 3: Generate improvement suggestions based on findings",
  "  - type: tool",
  "    tool: official/suggest-improvements",
  "    input: |",
  "      ## Code: {input}",
  "      ## Complexity Analysis: {complexity_report}",
  "      ## Bug Report: {bug_report}",
  "    output_var: suggestions",
  "output: |",
  "  # Code Review Results",
  "  ## Complexity Analysis",
  "  {complexity_report}",
  "  ## Potential Issues",
  "  {bug_report}",
  "  ## Improvement Suggestions",
  "  {suggestions}",
);

function counter(name: string, what: string): string {
  return lines(
    `name: ${name}`,
    `description: Count ${what}`,
    "steps:",
    "  - type: code",
    `    code: found = f"${what} in {len(input)} characters"`,
    "    output_var: found",
  );
}

const MODELS = lines(
  "providers:",
  "  default: echo",
  "  echo: { kind: mock }",
  "  loud: { kind: command, command: [tr, a-z, A-Z] }",
);

/** `yaml` are definitions by their path below `.tools`, without the ending. */
async function withMetaTools(
  yaml: Readonly<Record<string, string>>,
  body: (bench: StepsFixture) => Promise<void>,
  models = MODELS,
): Promise<void> {
  const files = Object.fromEntries(Object.entries(yaml).map(([name, text]) => [`.tools/${name}.yaml`, text]));
  await withSteps(
    {},
    async (bench) => {
      const path = join(process.env["XDG_CONFIG_HOME"] ?? "", "dottool/config.yaml");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, models);
      await body(bench);
    },
    files,
  );
}

const official = { "official/summarize": summarize, "official/translate": translate };

async function sound(bench: StepsFixture): Promise<void> {
  assert.equal(
    (await bench.opened.diagnostics()).map(({ code, message }) => `${code}: ${message}`),
    [],
  );
}

test("summarize-and-translate passes text, arguments and defaults from step to step", async () => {
  await withMetaTools({ "summarize-and-translate": summarizeAndTranslate, ...official }, async (bench) => {
    await sound(bench);
    assert.is(
      await bench.said("summarize-and-translate", { input: "a long text" }),
      "Spanish(100 words of a long text)",
    );
    assert.is(
      await bench.said("summarize-and-translate", { input: "{summary} $(id)", language: "Klingon {input}" }),
      "Klingon {input}(100 words of {summary} $(id))",
    );
  });
});

test("code-review-pipeline joins the reports of three tools, and says which one is missing", async () => {
  const reviewers = {
    "official/analyze-complexity": counter("analyze-complexity", "loops"),
    "official/find-bugs": counter("find-bugs", "bugs"),
    "official/suggest-improvements": counter("suggest-improvements", "ideas"),
  };
  await withMetaTools({ "code-review-pipeline": pipeline, ...reviewers }, async (bench) => {
    await sound(bench);
    assert.is(
      await bench.said("code-review-pipeline", { input: "x = 1" }),
      "# Code Review Results\n## Complexity Analysis\nloops in 5 characters\n## Potential Issues\nbugs in 5 characters\n## Improvement Suggestions\nideas in 96 characters",
    );
  });
  await withMetaTools({ "code-review-pipeline": pipeline }, async (bench) => {
    const missing = (await bench.opened.diagnostics())
      .filter(({ code }) => code === "unknown-base-tool")
      .map(({ message }) => message);
    assert.equal(missing, [
      "there is no tool `official/analyze-complexity` to use",
      "there is no tool `official/find-bugs` to use",
      "there is no tool `official/suggest-improvements` to use",
    ]);
  });
});

test("a dependency's versions are checked before anything runs", async () => {
  const tool = lines(
    "name: needs",
    "description: Needs another",
    "dependencies: [official/translate@^2.0.0]",
    "steps:",
    "  - type: code",
    "    code: x = 1",
    "    output_var: x",
  );
  await withMetaTools({ needs: tool, ...official }, async (bench) => {
    assert.is(
      await bench.said("needs"),
      "failed[unavailable]: `needs` cannot run here\n  it depends on `official/translate` ^2.0.0; the installed `official/translate` is 1.2.0\n  = get a definition of `official/translate` that is ^2.0.0",
    );
  });
});

test("a tool that fails fails the one that calls it, with the step's name", async () => {
  const outer = lines(
    "name: outer",
    "description: Calls",
    "steps:",
    "  - type: tool",
    "    tool: official/translate",
    "    output_var: text",
  );
  const failing = lines(
    "name: outer",
    "description: Calls",
    "steps:",
    "  - type: tool",
    "    tool: inner",
    "    output_var: text",
  );
  const inner = lines(
    "name: inner",
    "description: Fails",
    "steps:",
    "  - type: code",
    "    code: import sys; sys.exit('no such luck')",
    "    output_var: never",
  );
  await withMetaTools({ outer, ...official }, async (bench) => {
    assert.equal(
      (await bench.opened.diagnostics()).map(({ message }) => message),
      ["the parameter `target_language` of `official/translate` is not set"],
    );
  });
  await withMetaTools({ outer: failing, inner }, async (bench) => {
    assert.is(
      await bench.said("outer"),
      "failed[step-failed]: step `text` (`inner`): step `never` (`python3`): `python3` ended with exit code 1",
    );
  });
});

test("a tool of an owner is called by both names, and the message says so", async () => {
  const calls = (name: string, tool: string): string =>
    lines(`name: ${name}`, "description: Calls", "steps:", "  - type: tool", `    tool: ${tool}`, "    output_var: x");
  await withMetaTools(
    {
      one: calls("one", "summarize"),
      two: calls("two", "official/sumarize"),
      three: calls("three", "other/thing"),
      ...official,
    },
    async (bench) => {
      assert.equal(
        (await bench.opened.diagnostics()).map(({ message, at, help }) => [message, at?.text, ...help]),
        [
          [
            "there is no tool `other/thing` to use",
            "",
            "put its definition into a tool folder, as `other/thing.tool` or `other/thing.yaml`",
            "`dottool install --deps three` looks for a package that has it",
            "`dottool list --all` shows all tools",
          ],
          ["there is no tool `official/sumarize` to use", "did you mean `official/summarize`?"],
        ],
      );
    },
  );
});

test("a meta-tool may be `NAME/config.yaml`, also below an owner, and other configurations are no tools", async () => {
  const upper = (name: string): string =>
    lines(
      `name: ${name}`,
      "description: Says it loud",
      "steps:",
      "  - { type: code, language: javascript, code: return input.toUpperCase(), output_var: out }",
    );
  await withSteps(
    {},
    async (bench) => {
      assert.equal(
        [await bench.said("loud", { input: "a" }), await bench.said("official/louder", { input: "b" })],
        ["A", "B"],
      );
      assert.equal(
        (await bench.opened.diagnostics()).map(({ code, message }) => `${code}: ${message}`),
        ["file-name-differs: the tool `other` is defined in the folder `named`"],
      );
    },
    {
      ".tools/loud/config.yaml": upper("loud"),
      ".tools/official/louder/config.yaml": upper("louder"),
      ".tools/named/config.yaml": upper("other"),
      ".tools/app/config.yaml": lines("name: app", "port: 80"),
    },
  );
});

test("tools that call each other in a circle are told", async () => {
  const calls = (name: string, other: string): string =>
    lines(`name: ${name}`, "description: Calls", "steps:", "  - type: tool", `    tool: ${other}`, "    output_var: x");
  await withMetaTools({ one: calls("one", "two"), two: calls("two", "one") }, async (bench) => {
    assert.equal(
      (await bench.opened.diagnostics()).map(({ code }) => code),
      ["wrap-cycle"],
    );
  });
});

interface KeyRow {
  readonly key: string;
  /** The lines after `name` and `description`. */
  readonly yaml: readonly string[];
  readonly args?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly said: string;
}

const shout = ["steps:", "  - type: prompt", '    prompt: "{x}"', "    output_var: said"];

/** One for each key whose effect a call shows; those that a list shows are below. */
const keyRows: readonly KeyRow[] = [
  {
    key: "steps[tool].tool",
    yaml: ["steps:", "  - type: tool", "    tool: official/summarize", "    output_var: said"],
    args: { input: "it" },
    said: "10 words of it",
  },
  {
    key: "steps[tool].input",
    yaml: [
      "steps:",
      "  - type: tool",
      "    tool: official/summarize",
      '    input: "<{input}>"',
      "    output_var: said",
    ],
    args: { input: "it" },
    said: "10 words of <it>",
  },
  {
    key: "steps[tool].args",
    yaml: [
      "steps:",
      "  - type: code",
      "    code: n = 7",
      "    output_var: n",
      "  - type: tool",
      "    tool: official/summarize",
      '    args: { max_words: "{n}", input: \'"quoted"\' }',
      "    output_var: said",
    ],
    said: '7 words of "quoted"',
  },
  {
    key: "steps[tool].provider",
    yaml: ["steps:", "  - type: tool", "    tool: official/summarize", "    provider: loud", "    output_var: said"],
    args: { input: "it" },
    said: "10 WORDS OF IT",
  },
  {
    key: "steps[tool].output_var",
    yaml: [
      "steps:",
      "  - type: tool",
      "    tool: official/summarize",
      "    output_var: one",
      "  - type: tool",
      "    tool: official/summarize",
      '    input: "{one}"',
      "    output_var: two",
    ],
    args: { input: "it" },
    said: "10 words of 10 words of it",
  },
  {
    key: "steps[prompt].prompt",
    yaml: ["steps:", "  - type: prompt", '    prompt: "{{not}} {} {input} {\\"json\\": 1}"', "    output_var: said"],
    args: { input: "it" },
    said: '{not} {} it {"json": 1}',
  },
  {
    key: "steps[prompt].provider",
    yaml: ["steps:", "  - type: prompt", "    prompt: quiet", "    provider: loud", "    output_var: said"],
    said: "QUIET",
  },
  {
    key: "steps[prompt].output_var",
    yaml: [...shout, 'output: "<{said}>"', "arguments:", "  - variable: x", "    description: X"],
    args: { x: "a" },
    said: "<a>",
  },
  {
    key: "steps[code].code",
    yaml: [
      "steps:",
      "  - type: code",
      "    code: |",
      "      words = input.split()",
      "      count = len(words)",
      "    output_var: count",
    ],
    args: { input: "a b c" },
    said: "3",
  },
  {
    key: "steps[code].output_var",
    yaml: [
      "steps:",
      "  - type: code",
      "    code: |",
      "      print('to nobody')",
      "      one, two = 'first', ['a', 1]",
      "    output_var: one, two",
      'output: "{one} {two} {two.json[1]}"',
    ],
    said: 'first ["a", 1] 1'.replace(", ", ","),
  },
  {
    key: "steps[code].language",
    yaml: [
      "steps:",
      "  - type: code",
      "    language: javascript",
      "    code: return input.toUpperCase()",
      "    output_var: said",
    ],
    args: { input: "it" },
    said: "IT",
  },
  {
    key: "steps[tool].type",
    yaml: ["steps:", "  - { type: tool, tool: official/summarize, output_var: a }"],
    args: { input: "it" },
    said: "10 words of it",
  },
  { key: "steps[prompt].type", yaml: ["steps:", "  - { type: prompt, prompt: hi, output_var: a }"], said: "hi" },
  { key: "steps[code].type", yaml: ["steps:", "  - { type: code, code: a = 'hi', output_var: a }"], said: "hi" },
  {
    key: "steps",
    yaml: [
      "steps:",
      "  - { type: prompt, prompt: one, output_var: a }",
      "  - { type: prompt, prompt: two, output_var: b }",
    ],
    said: "two",
  },
  {
    key: "output",
    yaml: [...shout, "output: |", "  [{said}]", "  {{x}}", "arguments:", "  - variable: x", "    description: X"],
    args: { x: "a" },
    said: "[a]\n{x}",
  },
  {
    key: "arguments",
    yaml: [...shout, "arguments:", "  - variable: x", "    description: X"],
    args: { x: "a" },
    said: "a",
  },
  {
    key: "arguments[].variable",
    yaml: [...shout, "arguments:", "  - variable: x", "    description: X"],
    args: { x: "{said}" },
    said: "{said}",
  },
  {
    key: "arguments[].default",
    yaml: [...shout, "arguments:", "  - variable: x", "    default: 007", "    description: X"],
    said: "007",
  },
  {
    key: "arguments[].type",
    yaml: [...shout, "arguments:", "  - variable: x", "    type: integer", "    description: X"],
    args: { x: "many" },
    said: "failed[invalid-arguments]: `t` does not accept these arguments\n  x  expected integer, got the string \"many\"\n  = call it like this: dottool t --x='<x>'\n  = the value of `x` is a placeholder; replace it with yours",
  },
  {
    key: "arguments[].required",
    yaml: [...shout, "arguments:", "  - variable: x", "    required: true", "    description: X"],
    said: "failed[invalid-arguments]: `t` does not accept these arguments\n  x  expected string, got nothing\n  = call it like this: dottool t --x='<x>'\n  = the value of `x` is a placeholder; replace it with yours",
  },
  {
    key: "arguments[].choices",
    yaml: [...shout, "arguments:", "  - variable: x", "    choices: [short, long]", "    description: X"],
    args: { x: "longg" },
    said: 'failed[invalid-arguments]: `t` does not accept these arguments\n  x  expected "short"|"long", got the string "longg"\n  = call it like this: dottool t --x long\n  = the value of `x` is not the one you gave; check it',
  },
];

test("every key of a call does what it says", async () => {
  const name = (index: number): string => `t${index}`;
  const tools = Object.fromEntries(
    keyRows.map(({ yaml }, index) => [name(index), lines(`name: ${name(index)}`, "description: Do it", ...yaml)]),
  );
  await withMetaTools({ ...tools, ...official }, async (bench) => {
    await sound(bench);
    const said = await Promise.all(
      keyRows.map(async ({ key, args }, index) => [
        key,
        (await bench.said(name(index), args)).replaceAll(name(index), "t"),
      ]),
    );
    assert.equal(
      said,
      keyRows.map(({ key, said: wanted }) => [key, wanted]),
    );
  });
});

/** Keys whose effect is seen in the definition as a whole, on the command line, or in both. */
const otherKeys = wordList(`
  name description version category tags dependencies arguments[].flag arguments[].description x-dottool
  x-dottool.sandbox
`);

test("each key has its test", () => {
  const known = allKeys.flatMap(([path, { keys }]) => keys.map((key) => `${path}${key}`));
  assert.equal([...keyRows.map(({ key }) => key), ...otherKeys].sort(), known.toSorted());
});

test("what its Python may reach comes from `sandbox`", async () => {
  const steps = lines("steps:", '  - { type: code, output_var: said, code: "said = 1" }');
  await withMetaTools(
    {
      named: lines(
        "description: Do it",
        "x-dottool: { sandbox: { network: [api.example.com], writes: [out/] } }",
        steps,
      ),
      none: lines("description: Do it", "x-dottool: { sandbox: { level: none } }", steps),
    },
    async ({ opened }) => {
      await opened.session.registry.complete();
      const securityOf = (name: string): unknown => opened.session.registry.find(name)?.definition.security;
      assert.equal(securityOf("named"), {
        permissions: [],
        sandbox: "strict",
        hosts: ["api.example.com"],
        writes: ["out/"],
      });
      assert.equal(securityOf("none"), { permissions: [], sandbox: "none" });
    },
  );
});

test("what a list shows of a tool comes from its keys", async () => {
  const tool = lines(
    "name: told",
    "description: |",
    "  Say it.",
    "version: 2.1.0",
    "category: Text",
    "tags: [read, words]",
    "dependencies: [official/translate@^1.0.0, official/summarize]",
    "steps:",
    '  - { type: prompt, prompt: "{x}", output_var: said }',
    "arguments:",
    '  - flag: "--the-x"',
    "    variable: x",
    "    description: What to say",
  );
  await withMetaTools({ told: tool, ...official }, async ({ opened }) => {
    await opened.session.registry.complete();
    const definition = opened.session.registry.find("told")?.definition;
    const { title, description, version, category, tags, declaredEffects, depends, parameters } = definition ?? {};
    assert.equal(
      { title, description, version, category, tags, declaredEffects, depends, parameters },
      {
        title: "Told",
        description: "Say it.",
        version: "2.1.0",
        category: "Text",
        tags: ["words"],
        declaredEffects: ["read"],
        depends: [{ tool: "official/translate", range: "^1.0.0" }, { tool: "official/summarize" }],
        parameters: [
          { name: "x", description: "What to say", schema: { type: "string" }, required: false, option: "the-x" },
        ],
      },
    );
  });
});

test("a tool without `input` is called without it, unless the step gives one", async () => {
  const plain = (own: string): string =>
    lines(
      "name: lists",
      "description: List",
      "steps:",
      "  - type: tool",
      "    tool: read_file",
      "    args: { file_path: note.txt }",
      ...(own === "" ? [] : [own]),
      "    output_var: text",
    );
  await withMetaTools({ lists: plain("") }, async (bench) => {
    writeFileSync(join(bench.folder, "note.txt"), "a note\n");
    assert.match(await bench.said("lists", { input: "x" }), /a note/);
  });
  await withMetaTools({ lists: plain('    input: "x"') }, async (bench) => {
    assert.equal(
      (await bench.opened.diagnostics()).map(({ message }) => message),
      ["`read_file` has no parameter `input`"],
    );
  });
});

test("a prompt goes to the model as it is written, with the values in it", async () => {
  const server = await startModelServer({ pieces: ["Bon", "jour"] });
  const tool = lines(
    "name: greet",
    "description: Greet",
    "steps:",
    "  - type: prompt",
    "    prompt: |",
    "      Translate:",
    '      "{input}"',
    "    output_var: said",
    'output: "{said}!"',
  );
  try {
    await withMetaTools(
      { greet: tool },
      async (bench) => {
        assert.is(await bench.said("greet", { input: "Hello {said}" }), "Bonjour!");
        const { messages } = JSON.parse(server.seen[0]?.body ?? "{}") as { readonly messages?: unknown };
        assert.equal(messages, [{ role: "user", content: 'Translate:\n"Hello {said}"' }]);
      },
      lines(
        "providers:",
        `  api: { kind: openai, url: "${server.origin}/v1", model: small-1, key: "env:META_TEST_KEY" }`,
      ),
    );
  } finally {
    await server.close();
  }
});

test.run();
