// The keys below `x-dottool`, for what a `.tool` file can say and the custom-tools YAML has no key for.
import { ATTEMPTS_MAX, PROCESSES_MOST } from "../../../core/language/fields/limits.ts";
import { plainTypeNames } from "../../../core/language/fields/types.ts";
import { sandboxLevels } from "../../../core/tool/confinement.ts";
import type { JsonObject } from "../../../core/schema/json.ts";
import { patternText } from "../../../core/language/write/parameter-text.ts";
import type { Parameter, Pattern } from "../../../core/schema/parameter.ts";
import type { Fields } from "../fields.ts";
import { plainContext } from "../template-text.ts";
import type { YamlRecord } from "../yaml-data.ts";
import type {
  CodeDefinition,
  DeclaredLimits,
  DeclaredSecurity,
  DefinitionHead,
  Expectation,
  Returns,
  StepsDefinition,
  Surroundings,
  ToolTest,
  WrappedDefinition,
} from "../../../core/tool/definition.ts";
import { describedKeys, type PlainKey, says, saysSeveral } from "../described-keys.ts";
import {
  choice,
  duration,
  flag,
  map,
  maps,
  named,
  number,
  paragraph,
  placed,
  rate,
  readElsewhere,
  row,
  size,
  template,
  text,
  texts,
  value,
  values,
} from "../key-values.ts";
import {
  allowances,
  annotations,
  environmentFile,
  hosts,
  optionName,
  readSlashed,
  variableName,
  writtenPaths,
} from "./checked-texts.ts";
import { commandRecord, readFallback } from "./command.ts";
import { actionKeys, fallbackKeys, platformEntryKeys } from "./step-keys.ts";
import { partsKeys, textKeys } from "./text-keys.ts";
import { defaults, presets, secrets } from "./tool-values.ts";

export const typeWords = ["string", "number", "boolean", "array", "object"] as const;

/** The types of `.tool` files that need no declaration, with the one that other programs call an array. */
export const typeNames = [
  ...new Set([...typeWords, ...plainTypeNames, ...plainTypeNames.map((name) => `array<${name}>`)]),
];

export const parameterExtensionKeys = describedKeys<Parameter>(
  `\`x-dottool\` of a parameter`,
  {
    type: text("the type as in a `.tool` file", "array<path>"),
    pattern: text("a regular expression between slashes that must match the whole text", "/[a-z]+/i"),
    reject: text("a regular expression between slashes; text that matches is refused", "/^-/"),
    transforms: texts("`trim`, `lower` and `upper`, for other types than a plain string", ["trim"]),
    unique: flag("an array has no duplicate items"),
    flags: says("flags", flag("its values may begin with `-`")),
    secret: says("secret", flag("never logged or shown")),
    environment: says("environment", variableName("the environment variable that gives the default", "API_TOKEN")),
    hidden: says("hidden", flag("accepted, but not offered to callers")),
    option: says("option", optionName("another name for the command line", "source-language")),
    stdin: says("fromStdin", flag("if a call leaves it out, it takes the piped input")),
  },
  { alsoRead: { unique: "uniqueItems", secret: "sensitive", environment: "env" } },
);

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
    alsoRead: {
      minimum: "min",
      maximum: "max",
      pattern: "regex regexp",
      minLength: "min-length min_length minItems",
      maxLength: "max-length max_length maxItems",
      enum: "choices options values",
    },
  },
);

/** The keys of a property of a type. Keys about the parameter of a call are not among them. */
export const propertyKeys = describedKeys<Parameter>(
  "a property",
  {
    type: text("the type as in a `.tool` file; default `string`", "array<integer>"),
    description: says("description", paragraph("what a value means")),
    required: says("required", flag("a value must have this property")),
    default: says("default", readElsewhere(value("the value if it is missing"))),
    validation: map(validationKeys, "which values are accepted"),
    pattern: text("a regular expression between slashes that must match the whole text"),
    reject: text("a regular expression between slashes; text that matches is refused"),
    transforms: texts("`trim`, `lower` and `upper`", ["trim"]),
    unique: flag("an array has no duplicate items"),
    examples: values("examples of values"),
  },
  { lifts: ["validation"] },
);

/** A text as it is, which may be empty or end with line breaks. */
function exact(does: string, example?: string): PlainKey<string> {
  const read = (fields: Fields, key: string): string | undefined => fields.scalar(key, "text")?.text.text;
  return row({ is: "text" }, [does, example], { read, write: (found) => found });
}
const filePathAndText = describedKeys<{ readonly path: string; readonly text: string }>(
  "`file-contains`",
  { path: says("path", exact("the file", "out.txt")), text: says("text", exact("text that it contains", "done")) },
  { required: ["path", "text"] },
);
const slashed = row<Pattern>(
  { is: "text" },
  ["a regular expression between slashes that matches in the output", "/^\\d+$/m"],
  { read: readSlashed, write: patternText },
);

export const exitCode = number("the exit code", { least: 0, most: 255, isWhole: true }, 0);
/** The field of each expectation that its key says; `*` stands for all of them. */
const expectations: { readonly [Kind in Expectation["kind"]]: readonly [field: string, row: PlainKey] } = {
  "exit-code": ["exitCode", exitCode as PlainKey],
  "output-contains": ["text", exact("text that the output contains") as PlainKey],
  "output-equals": ["text", exact("the whole output") as PlainKey],
  "output-not-contains": ["text", exact("text that the output does not contain") as PlainKey],
  "output-matches": ["*", slashed as PlainKey],
  "error-contains": ["text", exact("text that the error output contains") as PlainKey],
  "file-exists": ["path", exact("a file that exists after the call") as PlainKey],
  "directory-exists": ["path", exact("a folder that exists after the call") as PlainKey],
  "not-file-exists": ["path", exact("a file that does not exist after the call") as PlainKey],
  "file-contains": ["*", map(filePathAndText, "a file, and text that it contains") as PlainKey],
  result: ["value", value("the value of the result") as PlainKey],
};

export function readExpectation(fields: Fields, kind: Expectation["kind"]): Expectation | undefined {
  const [field, { read }] = expectations[kind];
  const found = read(fields, kind, plainContext(fields.findings));
  return found === undefined ? undefined : ({ kind, ...(field === "*" ? found : { [field]: found }) } as Expectation);
}

export function expectationRecord({ kind, ...fields }: Expectation): YamlRecord {
  const [field, { write }] = expectations[kind];
  return { [kind]: write(field === "*" ? fields : (fields as Readonly<Record<string, unknown>>)[field]) };
}

export const expectationKeys = describedKeys(
  "an expectation",
  Object.fromEntries(Object.entries(expectations).map(([kind, [, described]]) => [kind, described])),
  { oneOf: Object.keys(expectations) },
);

export const testExtensionKeys = describedKeys<ToolTest>(`\`x-dottool\` of a test`, {
  folder: says("folder", {
    ...choice(["temporary", "definition"], "`definition`: runs in the folder of this file instead of an empty one"),
    write: (folder) => (folder === "definition" ? folder : undefined),
  }),
  setup: says("setup", texts("commands for sh, run before the test", ["touch a.txt"])),
  expected: maps(expectationKeys, "what else must be true after the call"),
});

export const returnsKeys = describedKeys<Returns>(
  "`returns`",
  {
    type: text("the type of the result, as in a `.tool` file", "array<string>"),
    description: says("description", paragraph("what the result is")),
  },
  { required: ["type"] },
);

const retryLimitKeys = describedKeys<NonNullable<DeclaredLimits["retries"]>>(
  "`retry`",
  {
    attempts: says(
      "attempts",
      number("the number of attempts in all", { least: 1, most: ATTEMPTS_MAX, isWhole: true }, 3),
    ),
    delay: says("delayMs", duration("the time before the next attempt", "1s")),
  },
  { required: ["attempts"] },
);
const limitKeys = describedKeys<DeclaredLimits>("`limits`", {
  output: says("outputBytesMax", size("the most output of a call", "10MiB")),
  cpu: says("cpuMsMax", duration("the most processor time of a call", "10s")),
  processes: says(
    "processesMax",
    number("the most processes and threads of a command", { least: 1, most: PROCESSES_MOST, isWhole: true }, 100),
  ),
  rate: says("rate", rate("how often it may be called", "10/min")),
  retry: says("retries", map(retryLimitKeys, "retries when the command fails", { delayMs: 0 })),
});

export const sandboxKeys = describedKeys<DeclaredSecurity>("`sandbox`", {
  level: says("sandbox", choice(sandboxLevels, "the level that its commands run at", "strict")),
  network: says("hosts", hosts("hosts that its commands may reach", ["api.github.com"])),
  writes: says("writes", writtenPaths("paths that its commands may write; `{NAME}` is a value", ["."])),
});

export type SaidBelow = DefinitionHead & {
  readonly surroundings: Surroundings;
  readonly wrapped: WrappedDefinition;
  readonly steps: StepsDefinition;
  readonly code: CodeDefinition;
};

const base = placed("the tool that this one is made from; default `run_command`", "read_file");
const wraps: PlainKey<Pick<SaidBelow, "wrapped">> = {
  ...base,
  read: (fields, key, context) => {
    const found = base.read(fields, key, context);
    return found && { wrapped: { base: found } as WrappedDefinition };
  },
  write: ({ wrapped }) =>
    wrapped?.base.value === "run_command" && wrapped.commands.length > 0 ? undefined : wrapped?.base.value,
};

export const toolExtensionKeys = describedKeys<SaidBelow>(`\`x-dottool\` of a tool`, {
  title: says("title", paragraph("a name for people", "Find Files")),
  wraps: saysSeveral<Pick<SaidBelow, "wrapped">>(wraps),
  with: says("wrapped.presets", presets),
  defaults: says("wrapped.defaults", defaults("other defaults for parameters of that tool")),
  commands: maps(platformEntryKeys, "a command for each platform, each with its own shell"),
  fallback: says("wrapped.fallback", {
    ...map(fallbackKeys, "a command for when all attempts have failed"),
    read: readFallback,
    write: commandRecord,
  }),
  javascript: says("code.code", placed("the tool is JavaScript for the sandbox", "return a + b")),
  allow: says(
    "code.allows",
    allowances("for JavaScript: what it may reach with `crypto`, `fs.readFile`, `fetch` and `tools.call`", [
      "fetch api.example.com",
    ]),
  ),
  output: says(
    "steps.output",
    template("for steps: the result; default: the output of the last step that ran", "{count.stdout}"),
  ),
  cleanup: maps(actionKeys, "for steps: runs at the end, also after a failure"),
  ...partsKeys("extension"),
  types: named({ is: "named", of: { is: "map", keys: propertyKeys } }, "named object types and their properties"),
  returns: map(returnsKeys, "the shape of the result"),
  examples: says("examples", readElsewhere(values<JsonObject>("arguments of example calls", [{ FOLDER: "src" }]))),
  "pass-environment": says(
    "surroundings.passed",
    texts("the caller's environment variables that are passed on as they are", ["AWS_PROFILE"]),
  ),
  "env-file": says(
    "surroundings.environmentFile",
    environmentFile("a file with environment variables, which are hidden in the output", ".env"),
  ),
  secrets: says("surroundings.secrets", secrets),
  limits: says("limits", map(limitKeys, "limits of a call")),
  sandbox: says("security", map(sandboxKeys, "what its commands may reach")),
  ...textKeys("extension"),
  annotations: says(
    "annotations",
    annotations("annotations of other programs: `x-` with a name, then text", ["x-team core"]),
  ),
});
