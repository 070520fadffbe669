// Every key of commands and steps, of the format and below `x-dottool`.
import { ATTEMPTS_MAX } from "../../../core/language/fields/limits.ts";
import { type Step, STEP_OUTPUT_BYTES_MAX, type StepOutput, type StepRetries } from "../../../core/tool/step.ts";
import { actionKinds, commandKeys, scriptReaders } from "./command-keys.ts";
import { describedKeys, EXTENSION, type PlainKey, says, saysSeveral } from "../described-keys.ts";
import {
  choice,
  condition,
  duration,
  flag,
  map,
  maps,
  named,
  number,
  placedWords,
  size,
  template,
  text,
  texts,
} from "../key-values.ts";

export const commandValues: Readonly<Record<string, PlainKey>> = {
  bash: text("a command or script for bash; `{NAME}` is a value", "find {FOLDER} -name {PATTERN}"),
  cmd: text("a command for cmd, on Windows"),
  pwsh: text("a command or script for PowerShell"),
  run: text("one command without a shell", "git status"),
  script: text("a script for `shell`"),
};
export const shellValue: PlainKey = choice(
  scriptReaders,
  "what reads the `script`: a shell, or a program such as `python3`",
  "bash",
);

/** Actions of a step that run no command. */
const modelAndCodeValues: Readonly<Record<string, PlainKey>> = {
  prompt: text("asks a model", "Summarize: {fetch.output}"),
  provider: text("the model to ask, by its name in the configuration", "claude"),
  javascript: text("JavaScript for the sandbox", "return a.length"),
  python: text("Python for `python3`"),
  leaves: texts("for code: the variables that other steps read; the first has the name of the step", [
    "count",
    "names",
  ]),
};

const actionValues: Readonly<Record<string, PlainKey>> = {
  ...commandValues,
  shell: shellValue,
  "use-tool": text("another tool, called with `with`", "read_file"),
  with: named(undefined, "arguments of that tool; `{NAME}` is a value"),
  optional: texts("names below `with` that are left out if the tool has no such parameter", ["input"]),
  ...modelAndCodeValues,
};

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

export const platformCommandKeys = describedKeys(
  "`platforms`",
  {
    windows: text('for Windows: a line for cmd, or `powershell -Command "…"`', "dir {FOLDER}"),
    linux: text("for Linux, in bash"),
    macos: text("for macOS, in bash"),
    unix: text("for Linux and macOS, in bash", "ls {FOLDER}"),
  },
  { alsoRead: { macos: "mac osx darwin", windows: "win win32" } },
);

export const commandsKeys = describedKeys(
  "`commands`",
  {
    default: text("the command where no platform has one; in bash", "ls {FOLDER}"),
    platforms: map(platformCommandKeys, "commands for one platform"),
  },
  { lifts: ["platforms"] },
);

const DELAY_MS_MAX = 3_600_000;
export const retryKeys = describedKeys<StepRetries>(
  "`retry`",
  {
    attempts: says(
      "attempts",
      number("the number of attempts in all", { least: 1, most: ATTEMPTS_MAX, isWhole: true }, 3),
    ),
    delay: says(
      "delayMs",
      number(
        "milliseconds between two attempts",
        { least: 0, most: DELAY_MS_MAX, isWhole: true, unit: "milliseconds" },
        1000,
      ),
    ),
  },
  { required: ["attempts"] },
);

export const errorHandlingKeys = describedKeys<Pick<Step, "retries">>("`error-handling`", {
  retry: says("retries", map(retryKeys, "retries when the step fails", { delayMs: 0, isExponential: false })),
  fallback: text("a command for when all attempts have failed, in the step's shell", "echo none"),
});

const backoff: PlainKey<boolean> = {
  ...choice(["none", "exponential"], "each delay of `retry` is twice the one before it"),
  read: (fields, key) => fields.choice(key, ["none", "exponential"]) === "exponential" || undefined,
  write: (isExponential) => (isExponential ? "exponential" : undefined),
};

export const outputKeys = describedKeys<StepOutput>("`output`", {
  mode: says(
    "mode",
    choice(
      ["buffer", "stream"],
      "`stream` passes output on as it comes; `buffer` fails the step past its limit",
      "buffer",
    ),
  ),
  "buffer-limit": says("bytesMax", size("the most output that other steps can read", "10MB")),
  "stream-callback": choice(["console"], "where a stream goes: to the caller"),
});

export const stepExtensionKeys = describedKeys<Step>(`\`x-dottool\` of a step`, {
  optional: texts("for `use-tool`: names below `with` that are left out where the tool has no such parameter", [
    "input",
  ]),
  ...modelAndCodeValues,
  commands: maps(platformEntryKeys, "a command for each platform"),
  once: says("isOnce", flag("must not run twice: resuming a run does not repeat it")),
  "for-each": text("a list: the step runs once for each item, which is `{item}`", "{FILES}"),
  on: choice(["queue"], "for `use-tool` with `for-each`: workers make the calls"),
  concurrency: number("the number of items at a time", { least: 1, isWhole: true }, 4),
  timeout: says("timeoutMs", duration("the time limit of each attempt", "30s")),
  cache: says("cacheMs", duration("how long an output is reused for the same values", "1h")),
  input: says("stdin", template("what it reads from standard input", "{fetch.output}")),
  backoff: says("retries.isExponential", backoff),
  fallback: map(actionKeys, "runs instead when all attempts have failed"),
});

export const stepKeys = describedKeys<Step>(
  "a step",
  {
    name: text("its name; other steps read its output as `{NAME.output}`", "clone"),
    ...commandValues,
    shell: shellValue,
    "continue-on-error": says("continuesOnError", flag("a failure of this step does not stop the others")),
    "run-condition": says("when", condition("the step is skipped if this is false", "{build.exit-code} == 0")),
    parallel: says("isParallel", flag("starts when the step before it starts")),
    "wait-for": says("waitsFor", placedWords("the steps that it waits for; default: the one before it", ["clone"])),
    "use-tool": text("another tool, called with `with`", "read_file"),
    with: named(undefined, "arguments of that tool; `{NAME}` is a value", { file_path: "{clone.output}" }),
    "error-handling": saysSeveral(map(errorHandlingKeys, "what happens when the step fails")),
    output: says(
      "output",
      map(outputKeys, "how its output is stored", { mode: "buffer", bytesMax: STEP_OUTPUT_BYTES_MAX }),
    ),
    [EXTENSION]: saysSeveral(map(stepExtensionKeys, "keys of dottool for a step")),
  },
  {
    oneOf: [...commandKeys, "use-tool"],
    lifts: [EXTENSION],
    instead: {
      "cwd dir working-directory":
        "write `working-directory` above `steps`, for all of them, or `cd FOLDER && …` in `bash:`",
      "env environment": "write `environment` above `steps`, for all of them",
      "retry retries": "write `error-handling: { retry: { attempts: 3 } }`",
    },
    alsoRead: {
      name: "id",
      "run-condition": "if when condition",
      "wait-for": "needs depends-on",
      "use-tool": "uses tool",
      with: "parameters args arguments",
      bash: "command sh",
    },
  },
);
