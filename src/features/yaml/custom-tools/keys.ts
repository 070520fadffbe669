import { isJsonObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import type { AliasDefinition, DeclaredSecurity, DefinitionHead, ToolTest } from "../../../core/tool/definition.ts";
import {
  EXTENSION,
  describedKeys,
  type DescribedKeys,
  mapsIn,
  type PlainKey,
  says,
  saysSeveral,
} from "../described-keys.ts";
import {
  choice,
  described,
  duration,
  flag,
  map,
  maps,
  named,
  paragraph,
  placed,
  prose,
  readElsewhere,
  size,
  text,
  texts,
  value,
  values,
} from "../key-values.ts";
import { permissions } from "./checked-texts.ts";
import { byName } from "../yaml-data.ts";
import { commandKeys } from "./command-keys.ts";
import { commandsKeys, commandValues, shellValue, stepKeys } from "./step-keys.ts";
import {
  exitCode,
  parameterExtensionKeys,
  testExtensionKeys,
  type SaidBelow,
  toolExtensionKeys,
  typeNames,
  typeWords,
  validationKeys,
} from "./extension-keys.ts";
import { surroundingValues as around } from "./surroundings.ts";
import { partsKeys, textKeys } from "./text-keys.ts";
import {
  category,
  changelog,
  defaults,
  keywords,
  omitted,
  platforms,
  subcategory,
  tags,
  timeout,
} from "./tool-values.ts";

export const parameterSecurityKeys = describedKeys("`security` of a parameter", {
  "escape-shell": flag("always `true`: a value never becomes program text"),
});

export const parameterKeys = describedKeys<Parameter>(
  "a parameter",
  {
    type: choice(typeNames, "what a value is; default `string`", "string"),
    items: value("of an array: what its items are, a type or a map with `type` and `enum`", "path"),
    description: says("description", paragraph("what a value means; models see nothing else", "The folder to look in")),
    required: says("required", flag("a call must give it")),
    default: says("default", readElsewhere(value("the value when a call does not give one", "."))),
    validation: map(validationKeys, "which values are accepted"),
    transform: text("JavaScript that gets `value` and returns the value to use", "value.toLowerCase()"),
    format: says("flag", readElsewhere(text("the words that a given value becomes", "--depth={value}"))),
    examples: values("examples of values", ["src"]),
    "detailed-help": says("help", text("more help, for `show` and `--help`")),
    security: map(parameterSecurityKeys, "how the value is passed to a shell"),
    [EXTENSION]: saysSeveral(map(parameterExtensionKeys, "keys of dottool for a parameter")),
  },
  {
    lifts: ["validation", EXTENSION],
    instead: { "optional nullable": "leave it out: a parameter is optional unless it has `required: true`" },
    alsoRead: {
      description: "desc help doc summary",
      required: "mandatory",
      examples: "example",
      format: "flag",
      "detailed-help": "help",
    },
  },
);

/** For a list of parameters, which names each within. */
const listedParameterKeys = describedKeys(
  "a parameter in a list",
  { name: text("its name", "FOLDER"), ...(parameterKeys.values as Readonly<Record<string, PlainKey>>) },
  { required: ["name"], lifts: ["validation", EXTENSION] },
);

export const mappingKeys = describedKeys(
  "`parameter-mapping`",
  Object.fromEntries(
    typeWords.map((type): [string, PlainKey] => [
      type,
      choice(type === "number" ? ["number", "integer"] : [type], `the type that a model sends for ${type}`),
    ]),
  ),
);
type Omits = Required<Pick<DefinitionHead, "schemaOmits">>;
const schemaGenerationKeys = describedKeys<Omits>("`schema-generation`", {
  "parameter-mapping": map(mappingKeys, "the types in the schema for models"),
  "include-descriptions": says(
    "schemaOmits",
    omitted("descriptions", "`false`: the schema for models has no descriptions of parameters"),
  ),
  "include-defaults": says("schemaOmits", omitted("defaults", "`false`: the schema for models has no defaults")),
  "example-generation": says("schemaOmits", omitted("examples", "`false`: the schema for models has no examples")),
});
const functionCallingKeys = describedKeys<Omits>("`function-calling`", {
  "schema-generation": saysSeveral(map(schemaGenerationKeys, "the schema for models")),
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

const metadataKeys = describedKeys<DefinitionHead>(
  "`metadata`",
  {
    category: says("category", category),
    subcategory: says("category", subcategory),
    tags: texts("more `tags`", ["git"]),
    "search-keywords": says("keywords", keywords),
  },
  { alsoRead: { "search-keywords": "keywords" } },
);

const cleanupKeys = describedKeys("`cleanup`", {
  "delete-temp-files": flag("always `true`"),
  "final-command": text("runs at the end, also after a failure", "rm -rf {TEMP_DIR}/cache"),
});
const resourcesKeys = describedKeys<Pick<DefinitionHead, "limits">>(
  "`resources`",
  {
    timeout: duration("how long a call may take", 60000),
    "max-memory": says("limits.memoryBytesMax", size("how much memory a call may take", "512MB")),
    cleanup: maps(cleanupKeys, "runs at the end"),
  },
  { alsoRead: { "max-memory": "memory" } },
);

const testArguments: PlainKey<JsonObject> = {
  ...named(undefined, "the arguments of the call", { FOLDER: "." }),
  read: (fields, key) => {
    const json = fields.json(key);
    if (json !== undefined && !isJsonObject(json)) fields.entries(key);
    return isJsonObject(json) ? json : undefined;
  },
  write: (all) => byName(Object.entries(all)),
};

export const expectedKeys = describedKeys("`expected`", {
  "exit-code": exitCode,
  "output-contains": texts("text that the output contains", "done"),
  "file-exists": texts("a file that exists after the call", "out.txt"),
});
export const testKeys = describedKeys<ToolTest>(
  "a test",
  {
    name: says("name", readElsewhere(text("its name, unique in the file", "counts"))),
    description: says("description", text("what it tests")),
    parameters: says("arguments", testArguments),
    expected: map(expectedKeys, "what must be true after the call"),
    cleanup: says("cleanup", texts("commands for sh, run after the test", ["rm out.txt"])),
    [EXTENSION]: saysSeveral(map(testExtensionKeys, "keys of dottool for a test")),
  },
  { required: ["name"], lifts: [EXTENSION], alsoRead: { parameters: "with arguments", expected: "expect" } },
);

/** A tool as its keys say it: the fields of each kind are below the name of the kind. */
export type Said = SaidBelow & {
  readonly alias: AliasDefinition;
  readonly ignoreErrors: boolean;
};

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
    steps: described(
      { is: "maps", keys: stepKeys, isList: true, hasTexts: true },
      "several commands and tools, in order",
    ),
    parameters: {
      ...named({ is: "map", keys: parameterKeys }, "the parameters of a call"),
      also: [{ is: "maps", keys: listedParameterKeys, isList: true }],
    },
    environment: {
      ...around.environment,
      also: [{ is: "texts" }, { is: "named", of: { is: "text" } }],
    },
    "function-calling": saysSeveral(map(functionCallingKeys, "what the schema for models has of its parameters")),
    security: says("security", map(securityKeys, "what it needs from the machine, and why", { permissions: [] })),
    "file-paths": around["file-paths"],
    metadata: saysSeveral(map(metadataKeys, "what it can be found by")),
    resources: saysSeveral(map(resourcesKeys, "limits of a call, and what is cleaned up")),
    interactive: around.interactive,
    "interactive-options": around["interactive-options"],
    type: says("alias.kind", readElsewhere(choice(["alias"], "another name for `base-tool`"))),
    "base-tool": says("alias.base", placed("for an alias: the tool that it names", "find-files")),
    "default-parameters": says("alias.defaults", defaults("for an alias: other defaults", { FOLDER: "src" })),
    tests: maps(testKeys, "its tests; `dottool test` runs them"),
    changelog: says("changelog", changelog),
    tags,
    platforms: says("platforms", platforms),
    "working-directory": around["working-directory"],
    timeout: says("limits.timeoutMs", timeout),
    "ignore-errors": says("ignoreErrors", flag("the tool succeeds even if the command fails")),
    input: around.input,
    [EXTENSION]: saysSeveral(map(toolExtensionKeys, "keys of dottool for a tool")),
  },
  {
    oneOf: [...commandKeys, "commands", "steps", "type"],
    lifts: ["metadata", EXTENSION],
    instead: {
      "retry retries": "write `limits: { retry: { attempts: 3 } }`",
      "readonly read-only effects": "write `tags: [read]`, or `write`, `run` and `network`",
    },
    first: [
      ...["name", "description", "bash", "run", "script", "steps", "parameters"],
      ...["tags", "environment", "working-directory", "timeout", "confirm"],
    ],
    alsoRead: {
      description: "usage about summary desc",
      parameters: "params arguments args inputs",
      "working-directory": "cwd dir workdir",
      environment: "env",
      input: "stdin",
      tests: "test",
      bash: "command sh",
      script: "shellscript",
      pwsh: "powershell",
      run: "exec",
    },
  },
);

/** The path of each map of the format with its keys, for checks that need all of them. */
export const allKeys = mapsIn(toolKeys, EXTENSION);
