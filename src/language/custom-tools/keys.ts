// Every key of the custom-tools YAML, by the map that it stands in: what it holds and what it does.
import {
  choice,
  choices,
  type DescribedKeys,
  describedKeys,
  duration,
  flag,
  type KeyValue,
  map,
  mapList,
  maps,
  mapsIn,
  named,
  number,
  text,
  texts,
  value,
  values,
} from "../yaml/key-values.ts";
import {
  commandValues,
  parameterExtensionKeys,
  shellValue,
  stepExtensionKeys,
  testExtensionKeys,
  toolExtensionKeys,
  typeWords,
  validationKeys,
} from "./extension-keys.ts";

/** What is ours and not of the format: read and checked like everything else. */
export const EXTENSION = "x-dottool";

/** Of those one says what runs. */
export const commandKeys = ["bash", "cmd", "pwsh", "run", "script"] as const;

export const platformCommandKeys = describedKeys(
  "`platforms`",
  {
    windows: text('for Windows: a line for cmd, or `powershell -Command "…"`', "dir {FOLDER}"),
    linux: text("for Linux, in bash"),
    macos: text("for macOS, in bash"),
    unix: text("for Linux and macOS, in bash", "ls {FOLDER}"),
  },
  { alsoCalled: { mac: "macos", osx: "macos", darwin: "macos", win: "windows", win32: "windows" } },
);

export const commandsKeys = describedKeys("`commands`", {
  default: text("where no platform's own command is given; in bash", "ls {FOLDER}"),
  platforms: map(platformCommandKeys, "commands for one platform"),
});

export const retryKeys = describedKeys(
  "`retry`",
  {
    attempts: number("how often it is tried, in all", { least: 1, isWhole: true }, 3),
    delay: number("milliseconds between two attempts", { least: 0, isWhole: true }, 1000),
  },
  { required: ["attempts"] },
);

export const errorHandlingKeys = describedKeys("`error-handling`", {
  retry: map(retryKeys, "tries again when the step fails"),
  fallback: text("a command for when all attempts have failed, in the step's shell", "echo none"),
});

export const outputKeys = describedKeys("`output`", {
  mode: choice(
    ["buffer", "stream"],
    "`stream` passes output on as it comes; `buffer` fails the step past its limit",
    "buffer",
  ),
  "buffer-limit": text("the most output that other steps can read", "10MB"),
  "stream-callback": choice(["console"], "where a stream goes: to whoever called"),
});

export const stepKeys = describedKeys(
  "a step",
  {
    name: text("by which other steps read its output: `{NAME.output}`", "clone"),
    ...commandValues,
    shell: shellValue,
    "continue-on-error": flag("a failure of this step fails nothing else"),
    "run-condition": text("the step is skipped where this is false", "{build.exit-code} == 0"),
    parallel: flag("starts when the step before it starts"),
    "wait-for": texts("the steps that it waits for; else the one before it", ["clone"]),
    "use-tool": text("another tool, called with `with`", "read_file"),
    with: named(undefined, "arguments of that tool; `{NAME}` is a value", { file_path: "{clone.output}" }),
    "error-handling": map(errorHandlingKeys, "what happens when the step fails"),
    output: map(outputKeys, "what is kept of its output"),
    [EXTENSION]: map(stepExtensionKeys, "what only dottool knows of a step"),
  },
  {
    required: ["name"],
    oneOf: [...commandKeys, "use-tool"],
    alsoCalled: {
      if: "run-condition",
      when: "run-condition",
      condition: "run-condition",
      needs: "wait-for",
      "depends-on": "wait-for",
      uses: "use-tool",
      tool: "use-tool",
      parameters: "with",
      command: "bash",
    },
  },
);

export const parameterSecurityKeys = describedKeys("`security` of a parameter", {
  "escape-shell": flag("always `true`: a value never becomes program text"),
});

export const parameterKeys = describedKeys(
  "a parameter",
  {
    type: choice(typeWords, "what a value is; default `string`", "string"),
    description: text("what a value means: all that a model knows of it", "The folder to look in"),
    required: flag("a call must give it"),
    default: value("the value of a call that does not give it", "."),
    validation: map(validationKeys, "which values are accepted"),
    transform: text("JavaScript that sees `value` and gives the one that is used", "value.toLowerCase()"),
    format: text("the words that a present value becomes", "--depth={value}"),
    examples: values("values that fit", ["src"]),
    "detailed-help": text("more about it, for `show` and help"),
    security: map(parameterSecurityKeys, "how the value reaches a shell"),
    [EXTENSION]: map(parameterExtensionKeys, "what only dottool knows of a parameter"),
  },
  {
    alsoCalled: {
      desc: "description",
      example: "examples",
      help: "detailed-help",
      pattern: "validation",
      minimum: "validation",
      maximum: "validation",
      enum: "validation",
    },
  },
);

export const environmentKeys = describedKeys("`environment`", {
  variables: named({ is: "text" }, "environment variables; `{NAME}` is a value", { DEBUG: "1" }),
  inherit: flag("the command sees the caller's environment"),
});

export const mappingKeys = describedKeys(
  "`parameter-mapping`",
  Object.fromEntries(
    typeWords.map((type): [string, KeyValue] => [
      type,
      choice(type === "number" ? ["number", "integer"] : [type], `what a model sends for ${type}`),
    ]),
  ),
);
export const schemaGenerationKeys = describedKeys("`schema-generation`", {
  "parameter-mapping": map(mappingKeys, "the types that models are told"),
  "include-descriptions": flag("`false`: models are given no descriptions of parameters"),
  "include-defaults": flag("`false`: models are given no defaults"),
  "example-generation": flag("`false`: models are given no examples"),
});
export const functionCallingKeys = describedKeys("`function-calling`", {
  "schema-generation": map(schemaGenerationKeys, "the schema that models are given"),
});

export const securityKeys = describedKeys("`security`", {
  "execution-privilege": choice(
    ["same-as-user", "reduced", "elevated"],
    "the rights that it needs; what cannot be given makes a call fail",
    "same-as-user",
  ),
  isolation: choice(["none", "process", "container"], "the walls that it needs around it", "process"),
  "required-permissions": texts(
    "`filesystem:read:PATH`, `filesystem:write:PATH`, `network:external:HOST` or `process`",
    ["filesystem:write:{FOLDER}"],
  ),
  justification: text("why it needs them"),
});

export const crossPlatformKeys = describedKeys("`cross-platform`", {
  "windows-separator": choice(["\\"], "what Windows says"),
  "unix-separator": choice(["/"], "what Linux and macOS say"),
  "auto-convert": flag("the same as `normalize`"),
});
export const filePathsKeys = describedKeys("`file-paths`", {
  normalize: flag("`\\` in the definition's own paths is `/`, which every platform reads"),
  "working-directory": text("the same as `working-directory` of the tool", "{WORKSPACE}"),
  "temp-directory": text(
    "where programs put temporary files: made for each run, removed after it",
    "{TEMP}/{TOOL_NAME}",
  ),
  "cross-platform": map(crossPlatformKeys, "how paths are written"),
});

export const metadataKeys = describedKeys(
  "`metadata`",
  {
    category: text("what it belongs to", "development"),
    subcategory: text("what in that", "version-control"),
    tags: texts("more `tags`", ["git"]),
    "search-keywords": texts("other words that people search with", ["checkout"]),
  },
  { alsoCalled: { keywords: "search-keywords" } },
);

export const cleanupKeys = describedKeys("`cleanup`", {
  "delete-temp-files": flag("always `true`"),
  "final-command": text("runs when all is over, whatever happened", "rm -rf {TEMP_DIR}/cache"),
});
export const resourcesKeys = describedKeys(
  "`resources`",
  {
    timeout: duration("how long a call may take", 60000),
    "max-memory": text("how much memory a call may take", "512MB"),
    cleanup: maps(cleanupKeys, "what is done when it has ended"),
  },
  { alsoCalled: { memory: "max-memory" } },
);

export const interactiveKeys = describedKeys("`interactive-options`", {
  timeout: number("milliseconds that a person has for an answer", { least: 0, isWhole: true }, 30000),
  "default-response": text("what is answered then, and at once where there is nobody", "y"),
});

export const expectedKeys = describedKeys("`expected`", {
  "exit-code": number("the exit code", { least: 0, isWhole: true }, 0),
  "output-contains": texts("what stands somewhere in the output", "done"),
  "file-exists": texts("a file that is there then", "out.txt"),
});
export const testKeys = describedKeys(
  "a test",
  {
    name: text("a name of its own", "counts"),
    description: text("what it shows"),
    parameters: named(undefined, "the arguments of the call", { FOLDER: "." }),
    expected: map(expectedKeys, "what must be true then"),
    cleanup: texts("lines for sh, run after it", ["rm out.txt"]),
    [EXTENSION]: map(testExtensionKeys, "what only dottool knows of a test"),
  },
  { required: ["name"], alsoCalled: { with: "parameters", arguments: "parameters", expect: "expected" } },
);

export const changelogKeys = describedKeys(
  "an entry of `changelog`",
  {
    version: text("since when", "1.1.0"),
    changes: texts("what changed", "Reads folders too"),
  },
  { required: ["changes"] },
);

export const toolKeys: DescribedKeys = describedKeys(
  "a tool",
  {
    name: text("what it is called; default: the file's name", "find-files"),
    description: text(
      "what it does and when to use it: all that a model knows of it",
      "Finds files whose name matches a pattern.",
    ),
    version: text("its version", "1.0.0"),
    "min-cycod-version": text("the oldest CYCOD that reads it", "1.0.0"),
    ...commandValues,
    shell: shellValue,
    commands: map(commandsKeys, "a command for each platform"),
    steps: mapList(stepKeys, "several commands and tools, in order"),
    parameters: named({ is: "map", keys: parameterKeys }, "what a call gives"),
    environment: map(environmentKeys, "environment variables of its commands"),
    "function-calling": map(functionCallingKeys, "what models are told of its parameters"),
    security: map(securityKeys, "what it asks of the machine, and why"),
    "file-paths": map(filePathsKeys, "its folders, and how paths are written"),
    metadata: map(metadataKeys, "how it is found"),
    resources: map(resourcesKeys, "what a call may take, and what is cleaned up"),
    interactive: flag("it asks the person at the terminal"),
    "interactive-options": map(interactiveKeys, "how it asks"),
    type: choice(["alias"], "another name for `base-tool`"),
    "base-tool": text("of an alias: the tool that it stands for", "find-files"),
    "default-parameters": named(undefined, "of an alias: other defaults", { FOLDER: "src" }),
    tests: maps(testKeys, "what it promises about itself; `dottool test` runs them"),
    changelog: maps(changelogKeys, "what changed, and when"),
    tags: texts(
      "`read`, `write`, `run` and `network` say what it may do to the world; the other words are for searching",
      ["read", "files"],
    ),
    platforms: choices(["windows", "linux", "macos", "unix"], "where it works; default: everywhere", [
      "linux",
      "macos",
    ]),
    "working-directory": text("the folder that it runs in, from the caller's", "{WORKSPACE}"),
    timeout: duration("how long a call may take: milliseconds, or with a unit", 60000),
    "ignore-errors": flag("a failure of the command is none of the tool"),
    input: text("what its commands read from standard input", "{TEXT}"),
    [EXTENSION]: map(toolExtensionKeys, "what only dottool knows of a tool"),
  },
  {
    oneOf: [...commandKeys, "commands", "steps", "type"],
    alsoCalled: {
      usage: "description",
      about: "description",
      summary: "description",
      params: "parameters",
      arguments: "parameters",
      args: "parameters",
      inputs: "parameters",
      cwd: "working-directory",
      env: "environment",
      command: "bash",
      sh: "bash",
      shellscript: "script",
      powershell: "pwsh",
      exec: "run",
    },
  },
);

/** For what has to name them all: the path of each map of the format, and its keys. */
export const allKeys = mapsIn(toolKeys, EXTENSION);
