// Random definitions: parameters of all types, steps with all options, and texts that a careless writer would break.
import fc from "fast-check";
import type { Json } from "../../../src/core/schema/json.ts";
import { numberChoices } from "../../../src/core/schema/number-choices.ts";
import { isAny, type NumberSchema, type Parameter, type ParameterSchema } from "../../../src/core/schema/parameter.ts";
import type { Condition } from "../../../src/core/tool/condition.ts";
import { parseReference } from "../../../src/core/tool/reference.ts";
import type { CommandTemplate, PlatformChoice, PlatformCommand } from "../../../src/core/tool/command.ts";
import type {
  DeclaredSecurity,
  DefinitionHead,
  Expectation,
  Interaction,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  ToolTest,
  WrappedDefinition,
} from "../../../src/core/tool/definition.ts";
import { type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../../src/core/tool/step.ts";
import type { Span, Spanned } from "../../../src/core/text/source.ts";
import { eachTextField, readTextFields, type TextValues } from "../../../src/core/language/text-fields.ts";
import type { Preset } from "../../../src/core/tool/template.ts";
import { conditions } from "../generated-condition.ts";

const source = { path: "t.tool", text: "" };
const span: Span = { source, start: 0, end: 0 };
const spanned = <Value>(value: Value): Spanned<Value> => ({ value, span });

/** One line with a meaning in the language, without blanks at its ends. */
const oddWords = [
  "yes",
  "no",
  "null",
  "~",
  "1e3",
  "0x1",
  "007",
  "true",
  "-",
  "- a",
  "a: b",
  "a #b",
  "#a",
  "{a",
  "}",
  "{}",
  "{{x}}",
  "}}",
  '{"a": {"b": 1}}',
  "[a]",
  "it's",
  '"q"',
  '\\n "',
  "é漢字🎉",
  "%TAG",
  "@at",
  "`tick`",
  "|",
  ">",
  "&a",
  "*a",
  "!t",
  "? k",
  "a,b",
  "<<",
  "---",
  "...",
  "=",
  "$HOME",
  "a\\",
  "1.0",
  "2026-11-21",
  "x".repeat(300),
];
export const line = fc.oneof(
  fc.constantFrom(...oddWords),
  fc
    .string({ minLength: 1, maxLength: 20 })
    .map((text) => text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim())
    .filter((text) => text !== ""),
);
/**
 * Plain words. Text that would be read as a type or as options, or begins an annotation, is no description in either
 * language.
 */
const prose = line.filter((text) => !/^[[{@]/.test(text) && !/^\s*@/m.test(text));
/** What a person would say: without an arrow, and with single blanks. */
const said = line
  .map((text) =>
    text
      .replaceAll(/[→{]|->/g, "")
      .replaceAll(/\s+/g, " ")
      .trim(),
  )
  .filter((text) => text !== "" && !text.startsWith("@"));
const paragraphs = fc.array(prose, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"));
/** Texts whose indents, blank lines and trailing blanks count. */
const body = fc
  .tuple(
    prose,
    fc.array(
      fc.oneof(
        fc.constant(""),
        prose.map((one) => `  ${one}`),
        prose.map((one) => `\t${one}`),
        prose.map((one) => `${one}  `),
        prose,
      ),
      { maxLength: 4 },
    ),
    prose,
  )
  .map(([first, between, last]) => [first, ...between, last].join("\n"));
const word = fc.constantFrom("read", "git", "files", "a-b", "c_d", "42", "yes", "x.y", "pull request");
const name = fc.constantFrom("alpha", "beta", "gamma", "delta", "A", "B_2", "c-d");
const milliseconds = fc.constantFrom(1, 250, 1_000, 1_500, 60_000, 90_000, 3_600_000);
const bytes = fc.constantFrom(1, 999, 1_000, 1_024, 1_500_000, 10 * 1024 * 1024 + 1);

/** Removes undefined fields: an absent field is no field. */
function present<Value extends object>(value: { readonly [Key in keyof Value]: Value[Key] | undefined }): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;
}

function maybe<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

const pattern = fc.constantFrom(
  "[a-z]+",
  "a|b",
  String.raw`\d{2}`,
  "^x$",
  "a/b".replace("/", String.raw`\/`),
  ".*",
  "[\\s\\S]*(?:x)[\\s\\S]*",
);
const patterns = fc.record({ source: pattern, flags: fc.constantFrom("", "i", "m") });

const text: fc.Arbitrary<ParameterSchema> = fc
  .record({
    format: maybe(fc.constantFrom("path" as const, "url" as const)),
    choices: maybe(fc.uniqueArray(line, { minLength: 1, maxLength: 4 })),
    pattern: maybe(patterns),
    reject: maybe(patterns),
    minimumLength: maybe(fc.nat(5)),
    maximumLength: maybe(fc.integer({ min: 5, max: 400 })),
    transforms: maybe(fc.constantFrom(["trim"] as const, ["lower", "trim"] as const)),
  })
  .map(({ choices, format, ...rest }) =>
    present({ type: "string" as const, ...rest, format: choices ? undefined : format, choices }),
  );
const numeric: fc.Arbitrary<NumberSchema> = fc
  .record({
    type: fc.constantFrom("integer" as const, "number" as const),
    minimum: maybe(fc.integer({ min: -10, max: 0 })),
    maximum: maybe(fc.constantFrom(1, 1e9, 12.5)),
  })
  .map((schema) => present(schema));
const numbers: fc.Arbitrary<ParameterSchema> = fc
  .tuple(fc.uniqueArray(fc.constantFrom(0, 1, -2, 0.5, 1e-7, 1e21, 12.25), { minLength: 1, maxLength: 4 }), numeric)
  .map(([choices, bounds]) => ({ ...bounds, ...numberChoices(choices) }));
const record: fc.Arbitrary<ParameterSchema> = fc.constantFrom({ type: "object" as const, properties: [], open: true });
const any: fc.Arbitrary<ParameterSchema> = fc.constant({ type: "string" as const, format: "any" as const });
const boolean: fc.Arbitrary<ParameterSchema> = fc.constant({ type: "boolean" as const });

/** Removes the bounds of strings in a list, which cannot be written. */
function asItem(schema: ParameterSchema): ParameterSchema {
  if (schema.type !== "string")
    return schema.type === "integer" || schema.type === "number"
      ? present({ type: schema.type, choices: schema.choices })
      : schema;
  const { minimumLength: _least, maximumLength: _most, ...rest } = schema;
  return rest;
}

const list: fc.Arbitrary<ParameterSchema> = fc
  .record({
    items: fc.oneof(text, numeric, numbers, record, boolean, any).map(asItem),
    minimumItems: maybe(fc.nat(2)),
    maximumItems: maybe(fc.integer({ min: 2, max: 9 })),
    unique: maybe(fc.constant(true as const)),
  })
  .map((schema) => present({ type: "array" as const, ...schema }));
const named: fc.Arbitrary<ParameterSchema> = fc
  .array(fc.tuple(name, prose, fc.oneof(text, numeric, numbers, list, any), fc.boolean()), {
    minLength: 1,
    maxLength: 3,
  })
  .map((rows) => ({
    type: "object" as const,
    typeName: "Thing",
    open: false,
    properties: [...new Map(rows.map((row) => [row[0], row])).values()].map(
      ([property, description, schema, required]) => ({ name: property, description, schema, required }),
    ),
  }));

/** Returns a value that every check of the schema accepts, or none. */
function valueFor(schema: ParameterSchema, words: string): Json | undefined {
  switch (schema.type) {
    case "string":
      if (isAny(schema)) return [words, String(words.length), words.length, null, { [words]: [1.5] }][words.length % 5];
      return schema.pattern ||
        schema.reject ||
        schema.transforms ||
        schema.format ||
        schema.choices ||
        schema.minimumLength !== undefined ||
        (schema.maximumLength ?? 400) < [...words].length
        ? undefined
        : words;
    case "boolean":
      return words.length % 2 === 0;
    case "integer":
    case "number":
      return schema.choices ? undefined : 1;
    case "array":
      return schema.minimumItems === undefined && !schema.unique
        ? valueFor(schema.items, words) === undefined
          ? []
          : [valueFor(schema.items, words) ?? 0]
        : undefined;
    case "object":
      return schema.typeName === undefined ? { [words]: [words, null, { a: 1.5 }] } : undefined;
  }
}

const parameter: fc.Arbitrary<Parameter> = fc
  .record({
    name,
    description: prose,
    schema: fc.oneof(text, numeric, numbers, list, any, record, boolean, named),
    required: fc.boolean(),
    value: maybe(line),
    example: maybe(line),
    secret: maybe(fc.constant(true as const)),
    hidden: maybe(fc.constant(true as const)),
    environment: maybe(fc.constantFrom("TOKEN", "_X1")),
    flags: maybe(fc.constant(true as const)),
    flag: maybe(line),
    help: maybe(paragraphs),
  })
  .map(({ value, example, flags, flag, required, schema, ...rest }) =>
    present<Parameter>({
      ...rest,
      schema,
      required,
      default: value === undefined || required ? undefined : valueFor(schema, value),
      example: example === undefined ? undefined : valueFor(schema, example),
      flags: schema.type === "string" || schema.type === "array" ? flags : undefined,
      flag: flag === undefined ? undefined : `--${flag.replaceAll(/[{}'"\\]/g, "")}={value}`,
    }),
  );

const parameters = fc.array(parameter, { maxLength: 4 }).map((all) => {
  const unique = [...new Map(all.map((one) => [one.name, one])).values()];
  // One type, which several places use.
  const thing = unique.find(({ schema }) => schema.type === "object" && schema.typeName !== undefined)?.schema;
  return unique.map((one) =>
    thing && one.schema.type === "object" && one.schema.typeName !== undefined ? { ...one, schema: thing } : one,
  );
});

const expectation: fc.Arbitrary<Expectation> = fc.oneof(
  fc.record({ kind: fc.constant("exit-code" as const), exitCode: fc.nat(255) }),
  fc.record({
    kind: fc.constantFrom(
      "output-contains" as const,
      "output-equals" as const,
      "output-not-contains" as const,
      "error-contains" as const,
    ),
    text: fc.oneof(line, fc.constantFrom(" a ", "a\n", "\n", '"a"')),
  }),
  patterns.map((one) => ({ kind: "output-matches" as const, ...one })),
  fc.record({
    kind: fc.constantFrom("file-exists" as const, "directory-exists" as const, "not-file-exists" as const),
    path: line,
  }),
  fc.record({ kind: fc.constant("file-contains" as const), path: line, text: line }),
  fc.record({
    kind: fc.constant("result" as const),
    value: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json),
  }),
);
const test: fc.Arbitrary<ToolTest> = fc
  .record({
    name: line.filter((one) => !/ in \.$/.test(one)),
    description: maybe(line),
    folder: fc.constantFrom("temporary" as const, "definition" as const),
    arguments: fc.dictionary(name, fc.oneof(line, fc.integer(), fc.boolean(), fc.constant(null))),
    expectations: fc.array(expectation, { minLength: 1, maxLength: 4 }),
    setup: fc.array(line, { maxLength: 2 }),
    cleanup: fc.array(line, { maxLength: 2 }),
  })
  .map((one) => present(one));

const security = fc
  .record({
    privilege: maybe(fc.constantFrom("same-as-user" as const, "reduced" as const, "elevated" as const)),
    isolation: maybe(fc.constantFrom("none" as const, "process" as const, "container" as const)),
    permissions: fc.subarray([
      "filesystem:read:/a b",
      "filesystem:write:x,y",
      "network:external:example.org",
      "process",
    ]),
    justification: maybe(line),
    sandbox: maybe(fc.constantFrom("none" as const, "limits" as const, "custom" as const)),
  })
  .filter(
    ({ privilege, isolation, permissions, justification, sandbox }) =>
      privilege !== undefined ||
      isolation !== undefined ||
      permissions.length > 0 ||
      justification !== undefined ||
      sandbox !== undefined,
  )
  .map((one) => present<DeclaredSecurity>(one));

/** Returns the schema of a result, which has a type and no options. */
function bare(schema: ParameterSchema): ParameterSchema {
  return schema.type === "string"
    ? present({ type: schema.type, format: schema.format, choices: schema.choices })
    : schema.type === "integer" || schema.type === "number"
      ? present({ type: schema.type, choices: schema.choices })
      : schema;
}

const versions = fc.constantFrom("1.2.3", "0.1.0-beta.1");
const texts: fc.Arbitrary<TextValues> = fc
  .record(
    eachTextField(({ rule, repeats, takesBody, isVersion }): fc.Arbitrary<string | readonly string[] | undefined> => {
      if (rule) return maybe(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }));
      if (repeats) return maybe(fc.array(line, { minLength: 1, maxLength: 2 }));
      return maybe(isVersion ? versions : takesBody ? paragraphs : line);
    }),
  )
  .map((values) => readTextFields((_field, field) => values[field]));

const head = fc
  .record({
    title: maybe(line),
    description: fc.oneof(paragraphs, fc.constant("")),
    parameters,
    effects: fc.subarray(["read", "write", "run", "network"] as const),
    tags: fc.uniqueArray(word, { maxLength: 3 }),
    requires: fc.subarray([{ program: "git" }, { program: "rg", range: ">= 13 <15" }]),
    depends: fc.subarray([{ tool: "official/a", range: "^1.0.0" }, { tool: "b" }]),
    platforms: maybe(fc.subarray(["linux", "macos", "windows"] as const, { minLength: 1 })),
    tests: fc.array(test, { maxLength: 2 }),
    asks: fc.array(
      fc.oneof(
        fc.record({ text: said }),
        fc.record({ text: said, arguments: fc.dictionary(fc.constantFrom("a", "b_1"), line) }),
      ),
      { maxLength: 2 },
    ),
    timeoutMs: maybe(milliseconds),
    outputBytesMax: maybe(bytes),
    memoryBytesMax: maybe(bytes),
    cpuMsMax: maybe(milliseconds),
    rate: maybe(
      fc.record({
        calls: fc.integer({ min: 1, max: 10_000 }),
        perMs: fc.constantFrom(1_000, 60_000, 3_600_000, 86_400_000),
      }),
    ),
    retries: maybe(
      fc.record({ attempts: fc.integer({ min: 1, max: 100 }), delayMs: fc.oneof(fc.constant(0), milliseconds) }),
    ),
    texts,
    annotations: maybe(
      fc.array(
        fc.oneof(
          fc.constantFrom("x-flag", "x-team core", "x-a-b (c)"),
          line.map((one) => `x-free ${one}`),
        ),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    security: maybe(security),
    returns: maybe(
      fc.record({ schema: fc.oneof(text.map(bare), numeric.map(bare), record, boolean), description: prose }),
    ),
    schemaOmits: maybe(fc.subarray(["descriptions", "defaults", "examples"] as const, { minLength: 1 })),
  })
  .map(
    ({
      effects,
      timeoutMs,
      outputBytesMax,
      memoryBytesMax,
      cpuMsMax,
      rate,
      retries,
      title,
      tests,
      security: asked,
      tags,
      texts: { changelog, keywords, ...otherTexts },
      ...rest
    }): DefinitionHead =>
      present<DefinitionHead>({
        name: spanned("t"),
        title: title ?? "T",
        // The effects include what it asks for.
        declaredEffects: asked && asked.permissions.length > 0 ? ["read", "write", "run", "network"] : effects,
        tags: tags.filter((one) => one !== "read"),
        examples: [],
        tests: [...new Map(tests.map((one) => [one.name, one])).values()],
        limits: present({ timeoutMs, outputBytesMax, memoryBytesMax, cpuMsMax, rate, retries }),
        origin: { kind: "file", source, scope: "given" },
        ...rest,
        ...otherTexts,
        changelog: changelog ?? [],
        keywords: keywords ?? [],
        security: asked,
      }),
  );

const cautious = line
  .map((one) => one.replaceAll(/[{}'"\\`$!%^&|<>()*?[\]~#;=]/g, "").trim())
  .filter((one) => one !== "");

function command(names: readonly string[]): fc.Arbitrary<CommandTemplate> {
  const direct = fc.array(line, { minLength: 1, maxLength: 3 }).map(
    (words): CommandTemplate => ({
      kind: "direct",
      words: [{ parts: ["printf"] }, ...words.map((one) => ({ parts: [one] }))],
    }),
  );
  const shell = fc
    .tuple(fc.constantFrom("bash" as const, "sh" as const), fc.array(cautious, { minLength: 1, maxLength: 3 }))
    .map(
      ([shellName, words]): CommandTemplate => ({
        kind: "shell",
        shell: shellName,
        parts: [words.map((one) => `echo '${one}'`).join("\n")],
      }),
    );
  if (names.length === 0) return fc.oneof(direct, shell);
  const filled = fc.tuple(fc.constantFrom(...names), cautious).map(
    ([one, words]): CommandTemplate => ({
      kind: "direct",
      words: [{ parts: ["echo"] }, { parts: ["", { placeholder: one }] }, { parts: [words] }],
    }),
  );
  return fc.oneof(direct, shell, filled);
}

const surroundings: fc.Arbitrary<Surroundings> = fc
  .record({
    environment: fc.dictionary(fc.constantFrom("A", "B_1"), line),
    inheritsEnvironment: fc.boolean(),
    stdin: maybe(paragraphs),
    secrets: maybe(fc.constant([{ variable: "TOKEN", secret: "api-key" }])),
    interaction: maybe(
      fc
        .record({ timeoutMs: maybe(milliseconds), defaultResponse: maybe(line) })
        .map((one) => present<Interaction>(one)),
    ),
    cwd: maybe(fc.constantFrom("sub", "~/notes", "a b/c")),
    environmentFile: maybe(fc.constantFrom(".env", "config/dev.env")),
  })
  .map(({ environment, stdin, inheritsEnvironment, secrets, interaction, cwd, environmentFile }) =>
    present<Surroundings>({
      secrets,
      environmentFile,
      interaction,
      cwd: cwd === undefined ? undefined : { parts: [cwd] },
      environment: Object.entries(environment).map(([variable, value]) => ({
        name: variable,
        value: { parts: [value] },
      })),
      inheritsEnvironment,
      stdin: stdin === undefined || interaction ? undefined : { parts: [stdin] },
    }),
  );

const presets: fc.Arbitrary<readonly Preset[]> = fc
  .dictionary(
    name,
    fc.oneof(
      line.filter((one) => !one.startsWith('"')),
      fc.constantFrom("5", "true", "null", '["a","{x}"]', '{"a": 1}', "[1,2"),
    ),
  )
  .map((all) =>
    Object.entries(all).map(([parameterName, written]) => ({
      parameter: spanned(parameterName),
      text: spanned(written),
    })),
  );

function commands(names: readonly string[]): fc.Arbitrary<readonly PlatformCommand[]> {
  return fc
    .tuple(
      maybe(command(names)),
      fc.dictionary(fc.constantFrom("linux" as const, "windows" as const, "unix" as const), command(names), {
        maxKeys: 2,
      }),
    )
    .map(([plain, others]) => {
      const all = [
        ...(plain ? [{ command: plain }] : []),
        ...Object.entries(others).map(([platform, one]) => ({ platform: platform as PlatformChoice, command: one })),
      ];
      return all.length === 0 ? [{ command: { kind: "direct" as const, words: [{ parts: ["true"] }] } }] : all;
    });
}

const wrapped: fc.Arbitrary<WrappedDefinition> = head.chain((about) => {
  const names = about.parameters
    .filter(({ schema, flag }) => schema.type === "string" && flag === undefined)
    .map((one) => one.name);
  return fc
    .record({
      commands: commands(names),
      surroundings,
      ignoreErrors: fc.boolean(),
      fallback: maybe(
        fc.constant<CommandTemplate>({ kind: "direct", words: [{ parts: ["echo"] }, { parts: ["a: b"] }] }),
      ),
      presets: maybe(presets),
    })
    .map(({ fallback, commands: all, presets: given = [], ...rest }) =>
      present<WrappedDefinition>({
        kind: "wrapped",
        ...about,
        base: spanned("run_command"),
        commands: all,
        presets: given.filter(({ text: one }) => one.value === one.value.trim() && one.value !== ""),
        defaults: [],
        fallback: all.every(({ platform, command: one }) => platform !== undefined || one.kind === "direct")
          ? fallback
          : undefined,
        ...rest,
      }),
    );
});

function action(): fc.Arbitrary<StepAction> {
  return fc.oneof(
    commands([]).map((all): StepAction => ({ kind: "command", commands: all })),
    fc.tuple(presets, maybe(fc.constant("mock"))).map(
      ([written, provider]): StepAction =>
        present<Extract<StepAction, { kind: "tool" }>>({
          provider,
          kind: "tool",
          tool: spanned("read_file"),
          arguments: written
            .map((preset) => ({
              ...preset,
              text: spanned(preset.text.value.replaceAll(/[{}]/g, "").replace(/^"+/, "")),
            }))
            .filter(({ text: given }) => given.value !== "" && given.value === given.value.trim()),
        }),
    ),
    fc
      .tuple(body, maybe(fc.constantFrom("mock", "claude")))
      .map(
        ([prompt, provider]): StepAction =>
          present<Extract<StepAction, { kind: "prompt" }>>({ kind: "prompt", prompt: { parts: [prompt] }, provider }),
      ),
    fc
      .tuple(fc.constantFrom("javascript" as const, "python" as const), body)
      .map(([language, code]): StepAction => ({ kind: "code", language, code: spanned(code) })),
  );
}

/** Conditions on values that every run has. */
const ownConditions = conditions.map(
  (condition) =>
    JSON.parse(JSON.stringify(condition), (key, value: unknown) =>
      key === "reference" ? parseReference("TEMP_DIR") : value,
    ) as Condition,
);

const retries = fc.record({
  attempts: fc.integer({ min: 1, max: 100 }),
  delayMs: fc.oneof(fc.constant(0), milliseconds),
  isExponential: fc.boolean(),
});

/** Returns a fallback, with one command for all platforms. */
function fallbackOf(main: StepAction, other: StepAction | "same" | undefined): StepAction | undefined {
  const fallback = other === "same" ? main : other;
  if (fallback?.kind === "command")
    return fallback.commands.length === 1 && fallback.commands[0]?.platform === undefined ? fallback : undefined;
  return fallback;
}

function step(index: number): fc.Arbitrary<Step> {
  return fc
    .record({
      action: action(),
      condition: maybe(ownConditions),
      isParallel: fc.boolean(),
      continuesOnError: fc.boolean(),
      retries: maybe(retries),
      timeoutMs: maybe(milliseconds),
      cacheMs: maybe(milliseconds),
      stdin: maybe(cautious),
      mode: fc.constantFrom("buffer" as const, "stream" as const),
      bytesMax: fc.oneof(fc.constant(STEP_OUTPUT_BYTES_MAX), bytes),
      waits: maybe(fc.constant(true)),
      fallback: maybe(fc.oneof(fc.constant("same" as const), action())),
      concurrency: maybe(fc.integer({ min: 1, max: 16 })),
    })
    .map(({ condition, stdin, mode, bytesMax, waits, fallback, concurrency, ...rest }) =>
      present<Step>({
        name: spanned(`s${index}`),
        ...rest,
        when: condition === undefined ? undefined : { condition, span },
        waitsFor: waits && index > 0 ? [spanned(`s${index - 1}`)] : undefined,
        stdin: stdin === undefined ? undefined : { parts: [stdin] },
        output: { mode, bytesMax },
        forEach:
          concurrency === undefined ? undefined : { items: { parts: [{ placeholder: "TEMP_DIR" }] }, concurrency },
        fallback: fallbackOf(rest.action, fallback),
      }),
    );
}

const steps: fc.Arbitrary<StepsDefinition> = head.chain((about) =>
  fc
    .record({
      steps: fc
        .integer({ min: 1, max: 4 })
        .chain((count) => fc.tuple(...Array.from({ length: count }, (_one, index) => step(index)))),
      surroundings,
      output: maybe(paragraphs),
      ignoreErrors: fc.boolean(),
      cleanup: fc.array(
        action().map(
          (one): StepAction =>
            one.kind === "prompt"
              ? { kind: one.kind, prompt: one.prompt }
              : one.kind === "tool"
                ? { kind: one.kind, tool: one.tool, arguments: one.arguments }
                : one.kind === "command"
                  ? {
                      kind: one.kind,
                      commands: one.commands.slice(0, 1).map(({ command: only }) => ({ command: only })),
                    }
                  : one,
        ),
        { maxLength: 2 },
      ),
    })
    .map(({ output, cleanup, steps: all, surroundings: around, ignoreErrors }) =>
      present<StepsDefinition>({
        kind: "steps",
        ...about,
        steps: all,
        surroundings: all.some((one) => one.action.kind === "command")
          ? present<Surroundings>({ ...around, interaction: undefined })
          : { environment: [], inheritsEnvironment: false },
        ignoreErrors,
        output: output === undefined ? undefined : { parts: [output] },
        cleanup: cleanup.map((one, index) => ({
          name: spanned(index === 0 ? "cleanup" : `cleanup-${index + 1}`),
          action: one,
          isParallel: false,
          continuesOnError: true,
          output: { mode: "buffer" as const, bytesMax: STEP_OUTPUT_BYTES_MAX },
        })),
      }),
    ),
);

const alias: fc.Arbitrary<ToolDefinition> = fc
  .tuple(head, fc.dictionary(name, fc.oneof(line, fc.constantFrom("5", "true", " a ", "", "a\nb"))))
  .map(([about, defaults]) => ({
    ...about,
    kind: "alias" as const,
    parameters: [],
    base: spanned("read_file"),
    defaults: Object.entries(defaults).map(([one, value]) => ({ parameter: spanned(one), value: spanned(value) })),
  }));

const code: fc.Arbitrary<ToolDefinition> = fc
  .tuple(head, body)
  .map(([about, written]) => ({ ...about, kind: "code" as const, code: spanned(written) }));

export const generatedDefinition: fc.Arbitrary<ToolDefinition> = fc.oneof(wrapped, steps, alias, code);
