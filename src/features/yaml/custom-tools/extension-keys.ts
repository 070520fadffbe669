// The keys below `x-dottool`, for what a `.tool` file can say and the custom-tools YAML has no key for.
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
} from "../key-values.ts";
import { partsKeys, textKeys } from "./text-keys.ts";

export const typeWords = ["string", "number", "boolean", "array", "object"] as const;

/** The keys that name a command; exactly one is given. */
export const commandKeys = ["bash", "cmd", "pwsh", "run", "script"] as const;

export const shells = ["bash", "sh", "zsh", "pwsh", "cmd"] as const;

export const commandValues: Readonly<Record<string, KeyValue>> = {
  bash: text("a command or script for bash; `{NAME}` is a value", "find {FOLDER} -name {PATTERN}"),
  cmd: text("a command for cmd, on Windows"),
  pwsh: text("a command or script for PowerShell"),
  run: text("one command without a shell", "git status"),
  script: text("a script for `shell`"),
};
export const shellValue: KeyValue = choice(shells, "the shell for the `script`", "bash");

/** Actions of a step that run no command. */
const modelAndCodeValues: Readonly<Record<string, KeyValue>> = {
  prompt: text("asks a model", "Summarize: {fetch.output}"),
  provider: text("the model to ask, by its name in the configuration", "claude"),
  javascript: text("JavaScript for the sandbox", "return a.length"),
  python: text("Python for `python3`"),
  leaves: texts("for code: the variables that other steps read; the first has the name of the step", [
    "count",
    "names",
  ]),
};

const actionValues: Readonly<Record<string, KeyValue>> = {
  ...commandValues,
  shell: shellValue,
  "use-tool": text("another tool, called with `with`", "read_file"),
  with: named(undefined, "arguments of that tool; `{NAME}` is a value"),
  optional: texts("names below `with` that are left out if the tool has no such parameter", ["input"]),
  ...modelAndCodeValues,
};
/** The keys that name an action; exactly one is given. */
export const actionKinds = [...commandKeys, "use-tool", "prompt", "javascript", "python"] as const;

export const actionKeys = describedKeys("what a step does", actionValues, { oneOf: actionKinds });

export const platformEntryKeys = describedKeys(
  "an entry of `commands`",
  {
    platform: choice(
      ["windows", "linux", "macos", "unix"],
      "the platform that it runs on; default: all without an entry",
    ),
    ...commandValues,
    shell: shellValue,
  },
  { oneOf: commandKeys },
);

export const fallbackKeys = describedKeys(
  "`fallback`",
  { ...commandValues, shell: shellValue },
  { oneOf: commandKeys },
);

export const parameterExtensionKeys = describedKeys(`\`x-dottool\` of a parameter`, {
  type: text("the type as in a `.tool` file", "array<path>"),
  pattern: text("a regular expression between slashes that must match the whole text", "/[a-z]+/i"),
  reject: text("a regular expression between slashes; text that matches is refused", "/^-/"),
  transforms: texts("`trim`, `lower` and `upper`, for other types than a plain string", ["trim"]),
  unique: flag("an array has no duplicate items"),
  flags: flag("its values may begin with `-`"),
  secret: flag("never logged or shown"),
  environment: text("the environment variable that gives the default", "API_TOKEN"),
  hidden: flag("accepted, but not offered to callers"),
  option: text("another name for the command line", "source-language"),
  stdin: flag("if a call leaves it out, it takes the piped input"),
});

export const validationKeys = describedKeys(
  "`validation`",
  {
    minimum: number("of a number", { least: -Infinity, isWhole: false }, 1),
    maximum: number("of a number", { least: -Infinity, isWhole: false }, 100),
    pattern: text("a regular expression that matches anywhere in the text", "^[a-z]+$"),
    minLength: number("of a string in characters, of an array in items", { least: 0, isWhole: true }),
    maxLength: number("of a string in characters, of an array in items", { least: 0, isWhole: true }),
    enum: texts("the accepted strings or numbers", ["json", "text"]),
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

/** The keys of a property of a type. Keys about the parameter of a call are not among them. */
export const propertyKeys = describedKeys("a property", {
  type: text("the type as in a `.tool` file; default `string`", "array<integer>"),
  description: text("what a value means"),
  required: flag("a value must have this property"),
  default: value("the value if it is missing"),
  validation: map(validationKeys, "which values are accepted"),
  pattern: text("a regular expression between slashes that must match the whole text"),
  reject: text("a regular expression between slashes; text that matches is refused"),
  transforms: texts("`trim`, `lower` and `upper`", ["trim"]),
  unique: flag("an array has no duplicate items"),
  examples: values("examples of values"),
});

export const stepExtensionKeys = describedKeys(`\`x-dottool\` of a step`, {
  optional: texts("for `use-tool`: names below `with` that are left out where the tool has no such parameter", [
    "input",
  ]),
  ...modelAndCodeValues,
  commands: maps(platformEntryKeys, "a command for each platform"),
  once: flag("must not run twice: resuming a run does not repeat it"),
  "for-each": text("a list: the step runs once for each item, which is `{item}`", "{FILES}"),
  on: choice(["queue"], "for `use-tool` with `for-each`: workers make the calls"),
  concurrency: number("the number of items at a time", { least: 1, isWhole: true }, 4),
  timeout: duration("the time limit of each attempt", "30s"),
  cache: duration("how long an output is reused for the same values", "1h"),
  input: text("what it reads from standard input", "{fetch.output}"),
  backoff: choice(["none", "exponential"], "each delay of `retry` is twice the one before it"),
  fallback: map(actionKeys, "runs instead when all attempts have failed"),
});

const filePathAndText = describedKeys("`file-contains`", {
  path: text("the file", "out.txt"),
  text: text("text that it contains"),
});

export const expectationKeys = describedKeys(
  "an expectation",
  {
    "exit-code": number("the exit code", { least: 0, isWhole: true }, 0),
    "output-contains": text("text that the output contains"),
    "output-equals": text("the whole output"),
    "output-not-contains": text("text that the output does not contain"),
    "output-matches": text("a regular expression between slashes that matches in the output", "/^\\d+$/m"),
    "error-contains": text("text that the error output contains"),
    "file-exists": text("a file that exists after the call"),
    "directory-exists": text("a folder that exists after the call"),
    "not-file-exists": text("a file that does not exist after the call"),
    "file-contains": map(filePathAndText, "a file, and text that it contains"),
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
  folder: choice(["temporary", "definition"], "`definition`: runs in the folder of this file instead of an empty one"),
  setup: texts("commands for sh, run before the test", ["touch a.txt"]),
  expected: maps(expectationKeys, "what else must be true after the call"),
});

export const returnsKeys = describedKeys(
  "`returns`",
  {
    type: text("the type of the result, as in a `.tool` file", "array<string>"),
    description: text("what the result is"),
  },
  { required: ["type"] },
);

const retryLimitKeys = describedKeys(
  "`retry`",
  {
    attempts: number("the number of attempts in all", { least: 1, isWhole: true }, 3),
    delay: duration("the time before the next attempt", "1s"),
  },
  { required: ["attempts"] },
);
export const limitKeys = describedKeys("`limits`", {
  output: text("the most output of a call", "10MiB"),
  cpu: duration("the most processor time of a call", "10s"),
  processes: number("the most processes and threads of a command", { least: 1, isWhole: true }, 100),
  rate: text("how often it may be called", "10/min"),
  retry: map(retryLimitKeys, "retries when the command fails"),
});
export const retryOfLimitsKeys = retryLimitKeys;

export const sandboxKeys = describedKeys("`sandbox`", {
  level: choice(["none", "limits", "strict", "custom"], "the level that its commands run at", "strict"),
  network: texts("hosts that its commands may reach", ["api.github.com"]),
  writes: texts("paths that its commands may write; `{NAME}` is a value", ["."]),
});

export const toolExtensionKeys = describedKeys(`\`x-dottool\` of a tool`, {
  title: text("a name for people", "Find Files"),
  wraps: text("the tool that this one is made from; default `run_command`", "read_file"),
  with: named(undefined, "values for parameters of that tool; `{NAME}` is a value", { timeout: 5 }),
  defaults: named(undefined, "other defaults for parameters of that tool"),
  commands: maps(platformEntryKeys, "a command for each platform, each with its own shell"),
  fallback: map(fallbackKeys, "a command for when all attempts have failed"),
  javascript: text("the tool is JavaScript for the sandbox", "return a + b"),
  allow: texts("for JavaScript: what it may reach with `crypto`, `fs.readFile`, `fetch` and `tools.call`", [
    "fetch api.example.com",
  ]),
  output: text("for steps: the result; default: the output of the last step that ran", "{count.stdout}"),
  cleanup: maps(actionKeys, "for steps: runs at the end, also after a failure"),
  ...partsKeys("extension"),
  types: named({ is: "named", of: { is: "map", keys: propertyKeys } }, "named object types and their properties"),
  returns: map(returnsKeys, "the shape of the result"),
  examples: values("arguments of example calls", [{ FOLDER: "src" }]),
  "pass-environment": texts("the caller's environment variables that are passed on as they are", ["AWS_PROFILE"]),
  secrets: named({ is: "text" }, "environment variables and the names of the user's secrets that they get", {
    API_TOKEN: "API_KEY",
  }),
  limits: map(limitKeys, "limits of a call"),
  sandbox: map(sandboxKeys, "what its commands may reach"),
  ...textKeys("extension"),
  annotations: texts("annotations of other programs: `x-` with a name, then text", ["x-team core"]),
});
