// Writes a definition as a `.tool` file. Reading that file gives the same definition, and `convert` compares the two,
// so nothing is silently lost.
import { typeText } from "../../schema/describe.ts";
import type {
  AliasDefinition,
  CodeDefinition,
  DefinitionHead,
  Interaction,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  WrappedDefinition,
  Expectation,
  ToolTest,
} from "../../tool/definition.ts";
import { isImpliedInput } from "../kinds/composed.ts";
import { hasMarks } from "../fields/plain-description.ts";
import { CannotWrite } from "./cannot-write.ts";
import { declarationText, namedTypesIn, patternText } from "./parameter-text.ts";
import { durationText, indented } from "./quantity-text.ts";
import { type Lines, line, linesOf, nothing, optionalLine, wordsText } from "./tool-lines.ts";
import { eachPartsField, eachTextField, type PartsFieldName, type TextFieldName } from "../text-fields.ts";
import { checkedTexts } from "../fields/checked-fields.ts";
import { partsTexts } from "../fields/parts.ts";
import { secretUseText } from "../fields/secret-use.ts";
import type { PlatformCommand } from "../../tool/command.ts";
import { allowanceText } from "../fields/allowances.ts";
import { asScript } from "../kinds/program-script.ts";
import { commandSource, templateText } from "./command-text.ts";
import { cleanupLines, outputLines, stepLines } from "./steps-text.ts";

/** Throws `CannotWrite` for what a `.tool` file cannot express. */
export function toolText(definition: ToolDefinition): string {
  const lines = [...linesOf(opening, definition), ...madeOfLines(definition), ...linesOf(others, definition)];
  const { description } = definition;
  if (/^[ \t]*@[A-Za-z]/m.test(description))
    throw new CannotWrite("a description with a line that begins like an annotation");
  // Above the annotations, it would be read as a comment or a heading.
  const above = hasMarks(description) ? `@description\n${indented(description)}\n` : `${description}\n\n`;
  return `${description === "" ? "" : above}${lines.join("\n")}\n`;
}

type Opening = "description" | "title" | "name" | "declaredEffects" | "tags" | "origin";

const opening: Lines<DefinitionHead, Opening> = {
  // The description stands above the first annotation.
  description: nothing,
  title: ({ title }) => optionalLine("title", title),
  name: ({ name }) => [line("name", name.value.replace(/^.*\//, ""))],
  declaredEffects: ({ declaredEffects, tags }) => optionalLine("tags", wordsText([...declaredEffects, ...tags])),
  tags: nothing,
  origin: nothing,
};

const { version, cycodVersion, category, keywords, ...texts }: Lines<DefinitionHead, TextFieldName> = eachTextField(
  (field, name) =>
    ({ [name]: value }) => {
      if (typeof value === "string" && field.takesBody && value.includes("\n"))
        return [`@${field.keyword}\n${indented(value)}`];
      if (field.rule) return optionalLine(field.keyword, wordsText([value ?? []].flat()));
      return [value ?? []].flat().flatMap((text) => optionalLine(field.keyword, text));
    },
);

const { requires, depends, ...parts }: Lines<DefinitionHead, PartsFieldName> = eachPartsField(
  ({ keyword, joinedBy }, name) =>
    (definition) => {
      const written = [partsTexts(definition)[name] ?? []].flat();
      return joinedBy === undefined
        ? written.map((text) => line(keyword, text))
        : optionalLine(keyword, written.join(joinedBy));
    },
);

function checked(field: Parameters<typeof checkedTexts>[1]): (definition: DefinitionHead) => readonly string[] {
  return (definition) => checkedTexts(definition, field).flatMap(([keyword, text]) => optionalLine(keyword, text));
}

const others: Lines<DefinitionHead, Exclude<keyof DefinitionHead, Opening>> = {
  parameters: ({ parameters, returns }) => [
    ...typeLines(parameters, returns),
    ...parameters
      .filter((parameter) => !isImpliedInput(parameter))
      .map((parameter) => line("param", declarationText(parameter, "param"))),
  ],
  returns: ({ returns }) =>
    returns
      ? [line("returns", `{${typeText(returns.schema)}}${returns.description === "" ? "" : ` ${returns.description}`}`)]
      : [],
  requires,
  depends,
  platforms: checked("platforms"),
  security: checked("security"),
  schemaOmits: checked("schemaOmits"),
  cycodVersion,
  limits: checked("limits"),
  category,
  keywords,
  version,
  examples: ({ examples }) => examples.map((example) => line("example", JSON.stringify(example))),
  ...parts,
  ...texts,
  annotations: ({ annotations = [] }) => annotations.map((annotation) => `@${annotation}`),
  tests: ({ tests }) => tests.map(testText),
};

function typeLines(parameters: DefinitionHead["parameters"], returns: DefinitionHead["returns"]): readonly string[] {
  return namedTypesIn(parameters, returns?.schema).flatMap((type) => [
    `@type ${type.typeName ?? ""} {object}`,
    ...type.properties.map((property) =>
      line("property", `${type.typeName ?? ""}.${declarationText(property, "property")}`),
    ),
  ]);
}

function madeOfLines(definition: ToolDefinition): readonly string[] {
  switch (definition.kind) {
    case "base":
      throw new CannotWrite("a tool that is made in TypeScript");
    case "alias":
      return linesOf(aliasLines, definition);
    case "wrapped":
      return linesOf(wrapLines, definition);
    case "steps":
      return linesOf(stepsLines, definition);
    case "code":
      return linesOf(codeLines, definition);
  }
}

/** The fields of a definition that not every definition has. */
type Own<Definition> = Exclude<keyof Definition, keyof DefinitionHead | "kind">;

const aliasLines: Lines<AliasDefinition, Own<AliasDefinition>> = {
  base: ({ base }) => [line("wrapped", base.value)],
  defaults: defaultLines,
};

const wrapLines: Lines<WrappedDefinition, Own<WrappedDefinition>> = {
  base: ({ base }) => [line("wrapped", base.value)],
  commands: ({ commands }) => commands.flatMap(commandLines),
  presets: ({ presets }) => presets.map(({ parameter, text }) => line("with", `${parameter.value} = ${text.value}`)),
  defaults: defaultLines,
  surroundings: ({ surroundings }) => linesOf(surroundingLines, surroundings),
  fallback: ({ fallback }) => (fallback ? [line("fallback", commandSource(fallback))] : []),
  ignoreErrors: ignoreLines,
};

const stepsLines: Lines<StepsDefinition, Own<StepsDefinition>> = {
  surroundings: ({ surroundings }) => linesOf(surroundingLines, surroundings),
  ignoreErrors: ignoreLines,
  steps: stepLines,
  cleanup: cleanupLines,
  output: outputLines,
};

const codeLines: Lines<CodeDefinition, Own<CodeDefinition>> = {
  allows: ({ allows = [] }) => allows.map((allowance) => line("allow", allowanceText(allowance))),
  code: ({ code }) => [`@code\n${indented(code.value)}`],
};

const surroundingLines: Lines<Surroundings> = {
  cwd: ({ cwd }) => optionalLine("cwd", cwd && templateText(cwd)),
  environment: ({ environment }) => environment.map(({ name, value }) => line("env", `${name}=${templateText(value)}`)),
  secrets: ({ secrets = [] }) => secrets.map((one) => line("env", `${one.variable}=secret:${secretUseText(one)}`)),
  environmentFile: ({ environmentFile }) => optionalLine("env-file", environmentFile),
  passed: ({ passed = [] }) => passed.map((name) => line("env", name)),
  inheritsEnvironment: ({ inheritsEnvironment }) => (inheritsEnvironment ? ["@env-inherit yes"] : []),
  isolatesEnvironment: ({ isolatesEnvironment }) => (isolatesEnvironment ? ["@env-inherit no"] : []),
  stdin: ({ stdin }) => (stdin ? [stdinText(templateText(stdin))] : []),
  interaction: ({ interaction }) => (interaction ? [interactiveText(interaction)] : []),
};

function ignoreLines({ ignoreErrors }: Pick<WrappedDefinition, "ignoreErrors">): readonly string[] {
  return ignoreErrors ? ["@ignore-errors"] : [];
}

function defaultLines({ defaults }: Pick<WrappedDefinition, "defaults">): readonly string[] {
  return defaults.map(({ parameter, value }) => line("default", `${parameter.value} = ${defaultText(value.value)}`));
}

function defaultText(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && value === value.trim() && !/^["[{]|[\n\r]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function commandLines({ platform, command }: PlatformCommand): readonly string[] {
  const at = platform === undefined ? "" : `(${platform})`;
  const script = asScript(command);
  if (script) return [`@shell${at} ${script.program}`, `@script${at}\n${indented(script.text)}`];
  const text = commandSource(command);
  if (command.kind === "direct")
    return [platform === undefined ? "" : `@shell${at} none`, line(`command${at}`, text)].filter(
      (one) => one !== "" && (platform !== undefined || one.startsWith("@command")),
    );
  return [
    `@shell${at} ${command.shell}`,
    text.includes("\n") ? `@script${at}\n${indented(text)}` : line(`command${at}`, text),
  ];
}

function interactiveText({ timeoutMs, defaultResponse }: Interaction): string {
  const answer = defaultResponse === "" ? '""' : (defaultResponse ?? "");
  if (answer.trim() !== answer || answer.startsWith("timeout=") || defaultResponse === '""')
    throw new CannotWrite("a default response like this in `@interactive`");
  return line(
    "interactive",
    [timeoutMs === undefined ? "" : `timeout=${durationText(timeoutMs)}`, answer]
      .filter((part) => part !== "")
      .join(" "),
  ).trimEnd();
}

function stdinText(text: string): string {
  return text.includes("\n") ? `@stdin\n${indented(text)}` : line("stdin", text);
}

// A test as the lines of `@test`.

const rows: Lines<ToolTest> = {
  // The name and the folder are on the line of the annotation.
  name: nothing,
  folder: nothing,
  description: ({ description }) => (description === undefined ? [] : [`about ${description}`]),
  setup: ({ setup }) => setup.map((text) => `setup ${text}`),
  arguments: (test) => (Object.keys(test.arguments).length === 0 ? [] : [`with ${JSON.stringify(test.arguments)}`]),
  expectations: ({ expectations }) =>
    expectations.map((expectation) => `expect ${expectation.kind} ${expectedText(expectation)}`),
  cleanup: ({ cleanup }) => cleanup.map((text) => `cleanup ${text}`),
};

function testText(test: ToolTest): string {
  const lines = linesOf(rows, test);
  if (lines.some((row) => row.includes("\n"))) throw new CannotWrite(`line breaks in the test \`${test.name}\``);
  return `\n${line("test", `${test.name}${test.folder === "definition" ? " in ." : ""}`)}\n${indented(lines.join("\n"))}`;
}

function expectedText(expectation: Expectation): string {
  switch (expectation.kind) {
    case "exit-code":
      return String(expectation.exitCode);
    case "output-contains":
    case "output-equals":
    case "output-not-contains":
    case "error-contains":
      return plainOrQuoted(expectation.text);
    case "output-matches":
      return patternText(expectation);
    case "file-exists":
    case "directory-exists":
    case "not-file-exists":
      return plainOrQuoted(expectation.path);
    case "file-contains":
      return `${/^[^" \t\n]+$/.test(expectation.path) ? expectation.path : JSON.stringify(expectation.path)} ${plainOrQuoted(expectation.text)}`;
    case "result":
      return JSON.stringify(expectation.value);
  }
}

/** Returns a text, in quotes if it has blanks at its ends or line breaks. */
function plainOrQuoted(text: string): string {
  return text === "" || text !== text.trim() || /^"|[\n\r]/.test(text) ? JSON.stringify(text) : text;
}
