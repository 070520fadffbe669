import type { Parameter } from "../../../core/schema/parameter.ts";
import type {
  DeclaredSecurity,
  DefinitionHead,
  Interaction,
  ToolTest,
  WrappedDefinition,
} from "../../../core/tool/definition.ts";
import { EXTENSION, describedKeys, type DescribedKeys, mapsIn, type PlainKey, says } from "../described-keys.ts";
import {
  choice,
  choices,
  duration,
  flag,
  map,
  mapList,
  maps,
  named,
  number,
  paragraph,
  prose,
  text,
  texts,
  value,
  values,
} from "../key-values.ts";
import { answer, permissions } from "./checked-texts.ts";
import { commandKeys, commandsKeys, commandValues, shellValue, stepKeys } from "./step-keys.ts";
import {
  parameterExtensionKeys,
  testExtensionKeys,
  toolExtensionKeys,
  typeWords,
  validationKeys,
} from "./extension-keys.ts";
import { partsKeys, textKeys, version } from "./text-keys.ts";

export const parameterSecurityKeys = describedKeys("`security` of a parameter", {
  "escape-shell": flag("always `true`: a value never becomes program text"),
});

export const parameterKeys = describedKeys<Parameter>(
  "a parameter",
  {
    type: choice(typeWords, "what a value is; default `string`", "string"),
    description: says("description", paragraph("what a value means; models see nothing else", "The folder to look in")),
    required: says("required", flag("a call must give it")),
    default: value("the value when a call does not give one", "."),
    validation: map(validationKeys, "which values are accepted"),
    transform: text("JavaScript that gets `value` and returns the value to use", "value.toLowerCase()"),
    format: text("the words that a given value becomes", "--depth={value}"),
    examples: values("examples of values", ["src"]),
    "detailed-help": says("help", text("more help, for `show` and `--help`")),
    security: map(parameterSecurityKeys, "how the value is passed to a shell"),
    [EXTENSION]: map(parameterExtensionKeys, "keys of dottool for a parameter"),
  },
  {
    alsoCalled: {
      description: "desc",
      examples: "example",
      "detailed-help": "help",
      validation: "pattern minimum maximum enum",
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
    typeWords.map((type): [string, PlainKey] => [
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

export const securityKeys = describedKeys<DeclaredSecurity>("`security`", {
  "execution-privilege": says(
    "privilege",
    choice(
      ["same-as-user", "reduced", "elevated"],
      "the privileges that it needs; a call fails if they are not available",
      "same-as-user",
    ),
  ),
  isolation: says("isolation", choice(["none", "process", "container"], "the isolation that it needs", "process")),
  "required-permissions": says(
    "permissions",
    permissions("`filesystem:read:PATH`, `filesystem:write:PATH`, `network:external:HOST` or `process`", [
      "filesystem:write:{FOLDER}",
    ]),
  ),
  justification: says("justification", paragraph("why it needs them")),
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
  { alsoCalled: { "search-keywords": "keywords" } },
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
  { alsoCalled: { "max-memory": "memory" } },
);

const ANSWER_MS_MAX = 86_400_000;
export const interactiveKeys = describedKeys<Interaction>("`interactive-options`", {
  timeout: says(
    "timeoutMs",
    number(
      "milliseconds to wait for an answer",
      { least: 0, most: ANSWER_MS_MAX, isWhole: true, unit: "milliseconds" },
      30000,
    ),
  ),
  "default-response": says(
    "defaultResponse",
    answer("the answer after that time, and at once if there is no terminal", "y"),
  ),
});

export const expectedKeys = describedKeys("`expected`", {
  "exit-code": number("the exit code", { least: 0, isWhole: true }, 0),
  "output-contains": texts("text that the output contains", "done"),
  "file-exists": texts("a file that exists after the call", "out.txt"),
});
export const testKeys = describedKeys<ToolTest>(
  "a test",
  {
    name: text("its name, unique in the file", "counts"),
    description: says("description", text("what it tests")),
    parameters: named(undefined, "the arguments of the call", { FOLDER: "." }),
    expected: map(expectedKeys, "what must be true after the call"),
    cleanup: says("cleanup", texts("commands for sh, run after the test", ["rm out.txt"])),
    [EXTENSION]: map(testExtensionKeys, "keys of dottool for a test"),
  },
  { required: ["name"], alsoCalled: { parameters: "with arguments", expected: "expect" } },
);

export const changelogKeys = describedKeys<{ readonly version: string; readonly changes: readonly string[] }>(
  "an entry of `changelog`",
  {
    version: says("version", version("the version with the change", "1.1.0")),
    changes: says("changes", texts("what changed", "Reads folders too")),
  },
  { required: ["changes"] },
);

type Said = DefinitionHead & Pick<WrappedDefinition, "ignoreErrors">;

export const toolKeys: DescribedKeys<Said> = describedKeys<Said>(
  "a tool",
  {
    name: text("its name; default: the name of the file", "find-files"),
    description: says(
      "description",
      prose("what it does and when to use it; models see nothing else", "Finds files whose name matches a pattern."),
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
    security: says("security", map(securityKeys, "what it needs from the machine, and why", { permissions: [] })),
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
    "ignore-errors": says("ignoreErrors", flag("the tool succeeds even if the command fails")),
    input: text("what its commands read from standard input", "{TEXT}"),
    [EXTENSION]: map(toolExtensionKeys, "keys of dottool for a tool"),
  },
  {
    oneOf: [...commandKeys, "commands", "steps", "type"],
    alsoCalled: {
      description: "usage about summary",
      parameters: "params arguments args inputs",
      "working-directory": "cwd",
      environment: "env",
      bash: "command sh",
      script: "shellscript",
      pwsh: "powershell",
      run: "exec",
    },
  },
);

/** The path of each map of the format with its keys, for checks that need all of them. */
export const allKeys = mapsIn(toolKeys, EXTENSION);
