// The keys below `x-dottool`: what a `.tool` file can say and the custom-tools YAML has no key for.
import {
  choice,
  describedKeys,
  duration,
  flag,
  type KeyValue,
  map,
  maps,
  named,
  number,
  text,
  texts,
  value,
  values,
} from "../yaml/key-values.ts";

export const typeWords = ["string", "number", "boolean", "array", "object"] as const;
const shells = ["bash", "sh", "zsh", "pwsh", "cmd"] as const;

export const commandValues: Readonly<Record<string, KeyValue>> = {
  bash: text("a command or script for bash; `{NAME}` is a value", "find {FOLDER} -name {PATTERN}"),
  cmd: text("a command for cmd, on Windows"),
  pwsh: text("a command or script for PowerShell"),
  run: text("one command without a shell", "git status"),
  script: text("a script for `shell`"),
};
export const shellValue: KeyValue = choice(shells, "what reads the `script`", "bash");

const actionValues: Readonly<Record<string, KeyValue>> = {
  ...commandValues,
  shell: shellValue,
  "use-tool": text("another tool, called with `with`", "read_file"),
  with: named(undefined, "arguments of that tool; `{NAME}` is a value"),
  optional: texts("names below `with` that are left out where the tool has no such parameter", ["input"]),
  prompt: text("asks a model", "Summarize: {fetch.output}"),
  provider: text("which model is asked, by its name in the configuration", "claude"),
  javascript: text("JavaScript for the sandbox", "return a.length"),
  python: text("Python for `python3`"),
  leaves: texts("of code: the variables that other steps read; the first is called as the step", ["count", "names"]),
};
/** Of those one says what is done. */
export const actionKinds = [
  "bash",
  "cmd",
  "pwsh",
  "run",
  "script",
  "use-tool",
  "prompt",
  "javascript",
  "python",
] as const;

export const actionKeys = describedKeys("what a step does", actionValues, { oneOf: actionKinds });

export const platformEntryKeys = describedKeys(
  "an entry of `commands`",
  {
    platform: choice(["windows", "linux", "macos", "unix"], "where it runs; default: wherever no other entry does"),
    ...commandValues,
    shell: shellValue,
  },
  { oneOf: ["bash", "cmd", "pwsh", "run", "script"] },
);

export const fallbackKeys = describedKeys(
  "`fallback`",
  { ...commandValues, shell: shellValue },
  { oneOf: ["bash", "cmd", "pwsh", "run", "script"] },
);

export const parameterExtensionKeys = describedKeys(`\`x-dottool\` of a parameter`, {
  type: text("the type as a `.tool` file has it", "array<path>"),
  pattern: text("a regular expression that matches all of the text, between slashes", "/[a-z]+/i"),
  reject: text("texts that match are refused", "/^-/"),
  transforms: texts("`trim`, `lower` and `upper`, for what is no text alone", ["trim"]),
  unique: flag("no item of an array stands twice"),
  flags: flag("its words may begin with `-`"),
  secret: flag("never logged or shown"),
  environment: text("the environment variable that gives the default", "API_TOKEN"),
  hidden: flag("accepted, and not offered to callers"),
  option: text("its name on the command line, where that is another one", "source-language"),
  stdin: flag("a call that leaves it out takes what is piped into the program"),
});

export const validationKeys = describedKeys(
  "`validation`",
  {
    minimum: number("of a number", { least: -Infinity, isWhole: false }, 1),
    maximum: number("of a number", { least: -Infinity, isWhole: false }, 100),
    pattern: text("a regular expression that matches anywhere in the text", "^[a-z]+$"),
    minLength: number("of a text in characters, of an array in items", { least: 0, isWhole: true }),
    maxLength: number("of a text in characters, of an array in items", { least: 0, isWhole: true }),
    enum: texts("the texts that are accepted", ["json", "text"]),
  },
  {
    alsoCalled: {
      min: "minimum",
      max: "maximum",
      regex: "pattern",
      "min-length": "minLength",
      "max-length": "maxLength",
      choices: "enum",
      values: "enum",
    },
  },
);

/** Of a type's property: what is about a parameter of a call has no place there. */
export const propertyKeys = describedKeys("a property", {
  type: text("what a value is, as a `.tool` file has it; default `string`", "array<integer>"),
  description: text("what a value means"),
  required: flag("a value must have it"),
  default: value("the value where it is missing"),
  validation: map(validationKeys, "which values are accepted"),
  pattern: text("a regular expression that matches all of the text, between slashes"),
  reject: text("texts that match are refused"),
  transforms: texts("`trim`, `lower` and `upper`", ["trim"]),
  unique: flag("no item of an array stands twice"),
  examples: values("values that fit"),
});

export const stepExtensionKeys = describedKeys(`\`x-dottool\` of a step`, {
  optional: texts("of `use-tool`: names below `with` that are left out where the tool has no such parameter", [
    "input",
  ]),
  prompt: text("asks a model", "Summarize: {fetch.output}"),
  provider: text("which model is asked, by its name in the configuration", "claude"),
  javascript: text("JavaScript for the sandbox", "return a.length"),
  python: text("Python for `python3`"),
  leaves: texts("of code: the variables that other steps read; the first is called as the step", ["count", "names"]),
  commands: maps(platformEntryKeys, "a command for each platform"),
  "for-each": text("a list: the step runs once for each item, which is `{item}`", "{FILES}"),
  concurrency: number("how many items at once", { least: 1, isWhole: true }, 4),
  timeout: duration("how long each attempt may take", "30s"),
  cache: duration("how long a good output may be used again for the same values", "1h"),
  input: text("what it reads from standard input", "{fetch.output}"),
  backoff: choice(["none", "exponential"], "each delay of `retry` is twice the one before it"),
  fallback: map(actionKeys, "what is done instead when all attempts have failed"),
});

const filePathAndText = describedKeys("`file-contains`", {
  path: text("the file", "out.txt"),
  text: text("what stands in it"),
});

export const expectationKeys = describedKeys(
  "an expectation",
  {
    "exit-code": number("the exit code", { least: 0, isWhole: true }, 0),
    "output-contains": text("what stands somewhere in the output"),
    "output-equals": text("the whole output"),
    "output-not-contains": text("what stands nowhere in the output"),
    "output-matches": text("a regular expression between slashes that matches in the output", "/^\\d+$/m"),
    "error-contains": text("what stands in the error output"),
    "file-exists": text("a file that is there then"),
    "directory-exists": text("a folder that is there then"),
    "not-file-exists": text("a file that is not there then"),
    "file-contains": map(filePathAndText, "a file, and what stands in it"),
    result: value("the value of the result"),
  },
  {
    oneOf: [
      "exit-code",
      "output-contains",
      "output-equals",
      "output-not-contains",
      "output-matches",
      "error-contains",
      "file-exists",
      "directory-exists",
      "not-file-exists",
      "file-contains",
      "result",
    ],
  },
);
export const fileContainsKeys = filePathAndText;

export const testExtensionKeys = describedKeys(`\`x-dottool\` of a test`, {
  folder: choice(["temporary", "definition"], "`definition`: it runs in the folder of this file, not in an empty one"),
  setup: texts("lines for sh, run before it", ["touch a.txt"]),
  expected: maps(expectationKeys, "what else must be true then"),
});

export const returnsKeys = describedKeys(
  "`returns`",
  {
    type: text("the type of the result, as a `.tool` file has it", "array<string>"),
    description: text("what it is"),
  },
  { required: ["type"] },
);

const retryLimitKeys = describedKeys(
  "`retry`",
  {
    attempts: number("how often it is tried, in all", { least: 1, isWhole: true }, 3),
    delay: duration("how long before the next attempt", "1s"),
  },
  { required: ["attempts"] },
);
export const limitKeys = describedKeys("`limits`", {
  output: text("how much output a call may have", "10MiB"),
  cpu: duration("how much processor time", "10s"),
  rate: text("how often it may be called", "10/min"),
  retry: map(retryLimitKeys, "tries again when the command fails"),
});
export const retryOfLimitsKeys = retryLimitKeys;

export const toolExtensionKeys = describedKeys(`\`x-dottool\` of a tool`, {
  title: text("a name for people", "Find Files"),
  wraps: text("the tool that this one is made from; default `run_command`", "read_file"),
  with: named(undefined, "values for parameters of that tool; `{NAME}` is a value", { timeout: 5 }),
  defaults: named(undefined, "other defaults for parameters of that tool"),
  commands: maps(platformEntryKeys, "a command for each platform, each with a shell of its own"),
  fallback: map(fallbackKeys, "a command for when all attempts have failed"),
  javascript: text("the tool is JavaScript for the sandbox", "return a + b"),
  output: text("of steps: the result; default: the output of the last step that ran", "{count.stdout}"),
  cleanup: maps(actionKeys, "of steps: what is done when all is over, whatever happened"),
  requires: texts("programs that must be there", ["git >= 2.30"]),
  depends: texts("tools that must be there", ["official/summarize@^1.0.0"]),
  types: named({ is: "named", of: { is: "map", keys: propertyKeys } }, "object types with a name: their properties"),
  returns: map(returnsKeys, "the shape of the result"),
  examples: values("arguments of calls that would work", [{ FOLDER: "src" }]),
  secrets: named({ is: "text" }, "environment variables whose values are secrets of the user, by the names of these", {
    API_TOKEN: "API_KEY",
  }),
  limits: map(limitKeys, "what a call may take"),
  deprecated: text("why it should not be used any more"),
  help: text("more about it, for `show` and help"),
  notes: texts("for the readers of the file"),
  annotations: texts("other programs' words: `x-` and a name, then text", ["x-team core"]),
});
