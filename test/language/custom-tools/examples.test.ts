// The definitions in the specification of custom-tools YAML, unchanged, completed only where it leaves a part out: each
// loads, and runs if its programs exist.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../../harness.ts";
import { saidOf, withTools } from "./yaml-fixture.ts";

const test = suite("examples of the custom-tools specification");

const simple = `name: simple-tool
description: A simple tool
bash: command {PARAM}
parameters:
  PARAM:
    type: string
    description: A parameter
`;

// The specification writes `command {PARAM}` for any command. bash has a command of that name, which runs its words.
test("a single step", () =>
  withTools({ "simple-tool": simple.replace("bash: command", "bash: echo command") }, async ({ said }) => {
    assert.equal(
      saidOf(simple).filter((line) => !line.startsWith("file-name-differs")),
      ["parameter-as-program: `{PARAM}` would choose the program to run"],
    );
    assert.is(await said("simple-tool", { PARAM: "a; b" }), "command a; b\n");
  }));

test("several steps with a condition", () =>
  withTools(
    {
      "multi-step-tool": `name: multi-step-tool
description: A tool with multiple steps
steps:
  - name: step1
    bash: echo one {PARAM}
  - name: step2
    bash: echo two
    run-condition: "{step1.exit-code} == 0"
parameters:
  PARAM:
    type: string
    description: A parameter
`,
    },
    async ({ said }) => assert.is(await said("multi-step-tool", { PARAM: "x" }), "two\n"),
  ));

const findFiles = `name: find-files
description: Find files matching a pattern
commands:
  default: find {DIRECTORY} -name "{PATTERN}"
  platforms:
    windows: powershell -Command "Get-ChildItem -Path '{DIRECTORY}' -Filter '{PATTERN}' -Recurse"
    unix: find {DIRECTORY} -name "{PATTERN}"
parameters:
  DIRECTORY:
    type: string
    description: Directory to search in
  PATTERN:
    type: string
    description: File pattern to match
`;

test("platform-specific commands", () =>
  withTools({ "find-files": findFiles }, async ({ said, folder }) => {
    mkdirSync(join(folder, "a b"));
    for (const name of ["one.txt", "two.txt", "three.md"]) writeFileSync(join(folder, "a b", name), "");
    assert.equal((await said("find-files", { DIRECTORY: "a b", PATTERN: "*.txt" })).trim().split("\n").sort(), [
      "a b/one.txt",
      "a b/two.txt",
    ]);
  }));

const parameter = `name: t
description: D
bash: echo {NAME}
parameters:
  NAME:
    type: string                # Parameter type
    description: Description    # Human-readable description
    required: true              # Whether parameter is required
    default: Default value      # Default value if not provided
    validation:                 # Validation rules
      minimum: 1                # For number type
      maximum: 100              # For number type
      pattern: "^[a-z]+$"       # Regex pattern for string type
    transform: "value.toLowerCase()"  # Transform function
    examples: ["example1", "example2"]  # Example values
`;

test("the definition of a parameter loads, and its contradictions are told", () =>
  withTools({ t: parameter }, async ({ said }) => {
    assert.is(await said("t", { NAME: "ABC" }), "abc\n");
    assert.equal(saidOf(parameter), [
      "conflicting-keys: `NAME` is required, so its default is never used",
      "wrong-value: `minimum` is not supported for string",
      "wrong-value: `maximum` is not supported for string",
      "example-mismatch: this example does not fit the parameter, and is ignored",
      "example-mismatch: this example does not fit the parameter, and is ignored",
    ]);
  }));

test("errors and recovery", () =>
  withTools(
    {
      t: `name: t
description: D
ignore-errors: false
steps:
  - name: step1
    bash: exit 7
    continue-on-error: true
    error-handling:
      retry:
        attempts: 3
        delay: 1
      fallback: echo alternative {PARAM}
parameters: { PARAM: { description: P } }
`,
    },
    async ({ said }) => assert.is(await said("t", { PARAM: "x" }), "alternative x\n"),
  ));

test("parallel steps", () =>
  withTools(
    {
      t: `name: t
description: D
steps:
  - name: step1
    bash: echo one
    parallel: false  # Default is sequential

  - name: step2
    bash: echo two
    parallel: true   # Execute in parallel with previous step

  - name: step3
    bash: echo {step1} {step2} three
    wait-for: [step1, step2]  # Wait for specific steps to complete
`,
    },
    async ({ said }) => assert.is(await said("t"), "one two three\n"),
  ));

test("streaming of output", () =>
  withTools(
    {
      t: `name: t
description: D
steps:
  - name: generate-large-output
    bash: seq 3
    output:
      mode: stream         # Options: buffer, stream
      buffer-limit: 10MB   # Maximum size when buffering
      stream-callback: console  # Where to stream (console, file, function)
`,
    },
    async ({ said }) => assert.is(await said("t"), "1\n2\n3\n"),
  ));

test("function calling, security and paths", () =>
  assert.equal(
    saidOf(`name: t
description: D
run: git clone {URL} {DIRECTORY}
function-calling:
  schema-generation:
    parameter-mapping:
      string: "string"
      number: "number"
      boolean: "boolean"
      array: "array"
    include-descriptions: true
    include-defaults: true
    example-generation: true
security:
  execution-privilege: same-as-user  # Options: same-as-user, reduced, elevated
  isolation: process                 # Options: none, process, container
  required-permissions:
    - "filesystem:write:{DIRECTORY}"
    - "network:external:api.github.com"
  justification: "Required for cloning GitHub repositories"
file-paths:
  normalize: true                  # Convert paths to platform-specific format
  working-directory: "{WORKSPACE}"
  temp-directory: "{TEMP}/cycod-tools/{TOOL_NAME}"
  cross-platform:
    windows-separator: "\\\\"
    unix-separator: "/"
    auto-convert: true
resources:
  timeout: 60000                   # Timeout in milliseconds
  max-memory: 512MB                # Maximum memory usage
  cleanup:
    - delete-temp-files: true
    - final-command: "rm -rf {TEMP_DIR}"
interactive: false                 # Whether tool requires user interaction
platforms: [windows, linux, macos] # Supported platforms
tags: [category1, category2, read]
parameters:
  URL: { description: U, required: true }
  DIRECTORY: { description: D, required: true }
`),
    [],
  ));

const gitClone = `name: git-clone
description: Clone a repository
bash: git -c protocol.file.allow=always clone --quiet {URL} {DIRECTORY} && echo "Cloning into '{DIRECTORY}'..."
parameters:
  URL: { description: Where it is, required: true }
  DIRECTORY: { description: Where to put it, required: true }
  BRANCH: { description: Which branch, default: main }
tests:
  - name: basic-test
    description: "Test basic functionality"
    parameters:
      URL: "https://example.com/repo.git"
      DIRECTORY: "test-dir"
    expected:
      exit-code: 0
      output-contains: "Cloning into 'test-dir'..."
      file-exists: "test-dir/.git/config"
    cleanup:
      - "rm -rf test-dir"
`;

test("composition, an alias and a test around git clone", () =>
  withTools(
    {
      "git-clone": gitClone.replace("default: main", "required: false"),
      "clone-repo": `name: clone-repo
description: Clone it here
steps:
  - name: clone-repo-step
    use-tool: git-clone
    with:
      URL: "{REPO_URL}"
      DIRECTORY: "{WORKSPACE}/here"
parameters:
  REPO_URL: { description: R, required: true }
`,
      "clone-my-repo": `name: clone-my-repo
type: alias
base-tool: git-clone
default-parameters:
  URL: "origin's repo"
  DIRECTORY: "./repos/{BRANCH}"
`,
    },
    async ({ said, folder }) => {
      const origin = join(folder, "origin's repo");
      const git = (...words: readonly string[]): void =>
        void execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", ...words], {
          stdio: "ignore",
        });
      git("init", origin);
      git("-C", origin, "commit", "--allow-empty", "-m", "First");
      assert.match(await said("git-clone", { URL: origin, DIRECTORY: "plain" }), "Cloning into 'plain'...");
      assert.match(await said("clone-repo", { REPO_URL: origin }), "Cloning into");
      assert.match(await said("clone-my-repo", { BRANCH: "main branch" }), "Cloning into './repos/main branch'...");
      assert.equal(
        ["plain", "here", "repos/main branch"].map((name) => existsSync(join(folder, name, ".git", "config"))),
        [true, true, true],
      );
    },
  ));

test.run();
