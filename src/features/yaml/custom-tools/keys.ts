// Every key of the custom-tools YAML, by its map: the type of its value and its effect.
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
} from "../key-values.ts";
import {
  commandKeys,
  commandValues,
  parameterExtensionKeys,
  shellValue,
  stepExtensionKeys,
  testExtensionKeys,
  toolExtensionKeys,
  typeWords,
  validationKeys,
} from "./extension-keys.ts";
import { partsKeys, textKeys } from "./text-keys.ts";

/** The key for our extensions of the format, which are read and checked like all other keys. */
export const EXTENSION = "x-dottool";

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
  default: text("the command where no platform has one; in bash", "ls {FOLDER}"),
  platforms: map(platformCommandKeys, "commands for one platform"),
});

export const retryKeys = describedKeys(
  "`retry`",
  {
    attempts: number("the number of attempts in all", { least: 1, isWhole: true }, 3),
    delay: number("milliseconds between two attempts", { least: 0, isWhole: true }, 1000),
  },
  { required: ["attempts"] },
);

export const errorHandlingKeys = describedKeys("`error-handling`", {
  retry: map(retryKeys, "retries when the step fails"),
  fallback: text("a command for when all attempts have failed, in the step's shell", "echo none"),
});

export const outputKeys = describedKeys("`output`", {
  mode: choice(
    ["buffer", "stream"],
    "`stream` passes output on as it comes; `buffer` fails the step past its limit",
    "buffer",
  ),
  "buffer-limit": text("the most output that other steps can read", "10MB"),
  "stream-callback": choice(["console"], "where a stream goes: to the caller"),
});

export const stepKeys = describedKeys(
  "a step",
  {
    name: text("its name; other steps read its output as `{NAME.output}`", "clone"),
    ...commandValues,
    shell: shellValue,
    "continue-on-error": flag("a failure of this step does not stop the others"),
    "run-condition": text("the step is skipped if this is false", "{build.exit-code} == 0"),
    parallel: flag("starts when the step before it starts"),
    "wait-for": texts("the steps that it waits for; default: the one before it", ["clone"]),
    "use-tool": text("another tool, called with `with`", "read_file"),
    with: named(undefined, "arguments of that tool; `{NAME}` is a value", { file_path: "{clone.output}" }),
    "error-handling": map(errorHandlingKeys, "what happens when the step fails"),
    output: map(outputKeys, "how its output is stored"),
    [EXTENSION]: map(stepExtensionKeys, "keys of dottool for a step"),
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
    description: text("what a value means; models see nothing else", "The folder to look in"),
    required: flag("a call must give it"),
    default: value("the value when a call does not give one", "."),
    validation: map(validationKeys, "which values are accepted"),
    transform: text("JavaScript that gets `value` and returns the value to use", "value.toLowerCase()"),
    format: text("the words that a given value becomes", "--depth={value}"),
    examples: values("examples of values", ["src"]),
    "detailed-help": text("more help, for `show` and `--help`"),
    security: map(parameterSecurityKeys, "how the value is passed to a shell"),
    [EXTENSION]: map(parameterExtensionKeys, "keys of dottool for a parameter"),
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
  inherit: flag("the command inherits the caller's environment"),
});

export const mappingKeys = describedKeys(
  "`parameter-mapping`",
  Object.fromEntries(
    typeWords.map((type): [string, KeyValue] => [
      type,
      choice(type === "number" ? ["number", "integer"] : [type], `the type that a model sends for ${type}`),
    ]),
  ),
);
export const schemaGenerationKeys = describedKeys("`schema-generation`", {
  "parameter-mapping": map(mappingKeys, "the types in the schema for models"),
  "include-descriptions": flag("`false`: the schema for models has no descriptions of parameters"),
  "include-defaults": flag("`false`: the schema for models has no defaults"),
  "example-generation": flag("`false`: the schema for models has no examples"),
});
export const functionCallingKeys = describedKeys("`function-calling`", {
  "schema-generation": map(schemaGenerationKeys, "the schema for models"),
});

export const securityKeys = describedKeys("`security`", {
  "execution-privilege": choice(
    ["same-as-user", "reduced", "elevated"],
    "the privileges that it needs; a call fails if they are not available",
    "same-as-user",
  ),
  isolation: choice(["none", "process", "container"], "the isolation that it needs", "process"),
  "required-permissions": texts(
    "`filesystem:read:PATH`, `filesystem:write:PATH`, `network:external:HOST` or `process`",
    ["filesystem:write:{FOLDER}"],
  ),
  justification: text("why it needs them"),
});

export const crossPlatformKeys = describedKeys("`cross-platform`", {
  "windows-separator": choice(["\\"], "the separator on Windows"),
  "unix-separator": choice(["/"], "the separator on Linux and macOS"),
  "auto-convert": flag("the same as `normalize`"),
});
export const filePathsKeys = describedKeys("`file-paths`", {
  normalize: flag("turns `\\` in paths of the definition into `/`, which works on every platform"),
  "working-directory": text("the same as `working-directory` of the tool", "{WORKSPACE}"),
  "temp-directory": text(
    "the folder for temporary files, created for each run and removed after it",
    "{TEMP}/{TOOL_NAME}",
  ),
  "cross-platform": map(crossPlatformKeys, "how paths are written"),
});

export const metadataKeys = describedKeys(
  "`metadata`",
  {
    category: text("its category", "development"),
    subcategory: text("its subcategory", "version-control"),
    tags: texts("more `tags`", ["git"]),
    "search-keywords": texts("more words to find it by", ["checkout"]),
  },
  { alsoCalled: { keywords: "search-keywords" } },
);

export const cleanupKeys = describedKeys("`cleanup`", {
  "delete-temp-files": flag("always `true`"),
  "final-command": text("runs at the end, also after a failure", "rm -rf {TEMP_DIR}/cache"),
});
export const resourcesKeys = describedKeys(
  "`resources`",
  {
    timeout: duration("how long a call may take", 60000),
    "max-memory": text("how much memory a call may take", "512MB"),
    cleanup: maps(cleanupKeys, "runs at the end"),
  },
  { alsoCalled: { memory: "max-memory" } },
);

export const interactiveKeys = describedKeys("`interactive-options`", {
  timeout: number("milliseconds to wait for an answer", { least: 0, isWhole: true }, 30000),
  "default-response": text("the answer after that time, and at once if there is no terminal", "y"),
});

export const expectedKeys = describedKeys("`expected`", {
  "exit-code": number("the exit code", { least: 0, isWhole: true }, 0),
  "output-contains": texts("text that the output contains", "done"),
  "file-exists": texts("a file that exists after the call", "out.txt"),
});
export const testKeys = describedKeys(
  "a test",
  {
    name: text("its name, unique in the file", "counts"),
    description: text("what it tests"),
    parameters: named(undefined, "the arguments of the call", { FOLDER: "." }),
    expected: map(expectedKeys, "what must be true after the call"),
    cleanup: texts("commands for sh, run after the test", ["rm out.txt"]),
    [EXTENSION]: map(testExtensionKeys, "keys of dottool for a test"),
  },
  { required: ["name"], alsoCalled: { with: "parameters", arguments: "parameters", expect: "expected" } },
);

export const changelogKeys = describedKeys(
  "an entry of `changelog`",
  {
    version: text("the version with the change", "1.1.0"),
    changes: texts("what changed", "Reads folders too"),
  },
  { required: ["changes"] },
);

export const toolKeys: DescribedKeys = describedKeys(
  "a tool",
  {
    name: text("its name; default: the name of the file", "find-files"),
    description: text(
      "what it does and when to use it; models see nothing else",
      "Finds files whose name matches a pattern.",
    ),
    ...textKeys("format"),
    ...partsKeys("format"),
    ...commandValues,
    shell: shellValue,
    commands: map(commandsKeys, "a command for each platform"),
    steps: mapList(stepKeys, "several commands and tools, in order"),
    parameters: named({ is: "map", keys: parameterKeys }, "the parameters of a call"),
    environment: map(environmentKeys, "environment variables of its commands"),
    "function-calling": map(functionCallingKeys, "what the schema for models has of its parameters"),
    security: map(securityKeys, "what it needs from the machine, and why"),
    "file-paths": map(filePathsKeys, "its folders, and how paths are written"),
    metadata: map(metadataKeys, "what it can be found by"),
    resources: map(resourcesKeys, "limits of a call, and what is cleaned up"),
    interactive: flag("it asks the person at the terminal"),
    "interactive-options": map(interactiveKeys, "how it asks"),
    type: choice(["alias"], "another name for `base-tool`"),
    "base-tool": text("for an alias: the tool that it names", "find-files"),
    "default-parameters": named(undefined, "for an alias: other defaults", { FOLDER: "src" }),
    tests: maps(testKeys, "its tests; `dottool test` runs them"),
    changelog: maps(changelogKeys, "what changed, and when"),
    tags: texts("`read`, `write`, `run` and `network` say what it may do; other words are for searching", [
      "read",
      "files",
    ]),
    platforms: choices(["windows", "linux", "macos", "unix"], "the platforms that it works on; default: all", [
      "linux",
      "macos",
    ]),
    "working-directory": text("the folder that it runs in, relative to the caller's", "{WORKSPACE}"),
    timeout: duration("how long a call may take: milliseconds, or with a unit", 60000),
    "ignore-errors": flag("the tool succeeds even if the command fails"),
    input: text("what its commands read from standard input", "{TEXT}"),
    [EXTENSION]: map(toolExtensionKeys, "keys of dottool for a tool"),
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

/** The path of each map of the format with its keys, for checks that need all of them. */
export const allKeys = mapsIn(toolKeys, EXTENSION);
