// A definition as the text of a `.tool` file: what is read from it is the definition again. `convert` compares, so nothing is lost unseen.
import type { PlatformCommand } from "../../tool/command.ts";
import type { DeclaredLimits, DefinitionHead, Expectation, Interaction, Surroundings, ToolDefinition, ToolTest } from "../../tool/definition.ts";
import { CannotWrite } from "./cannot-write.ts";
import { commandSource, templateText } from "./command-text.ts";
import { declarationText, namedTypesIn, patternText } from "./parameter-text.ts";
import { durationText, indented, sizeText } from "./quantity-text.ts";
import { stepsLines } from "./steps-text.ts";
import { typeText } from "../../schema/describe.ts";

/** Throws `CannotWrite` for what a `.tool` file has no words for. */
export function toolText(definition: ToolDefinition): string {
  const lines = [
    ...headLines(definition),
    ...madeOfLines(definition),
    ...parameterLines(definition),
    ...needsLines(definition),
    ...asksLines(definition),
    ...limitLines(definition.limits),
    ...wordsLines(definition),
    ...definition.tests.map(testText),
  ];
  const description = descriptionText(definition.description);
  return `${description === "" ? "" : `${description}\n\n`}${lines.join("\n")}\n`;
}

function descriptionText(description: string): string {
  if (/^[ \t]*@[A-Za-z]/m.test(description)) throw new CannotWrite("a description with a line that begins like an annotation");
  return description;
}

/** One line: what goes on below it would be joined with blanks. */
function line(keyword: string, text: string): string {
  if (/[\n\r]/.test(text)) throw new CannotWrite(`line breaks in \`@${keyword}\``);
  return `@${keyword} ${text}`;
}

function headLines({ title, name, declaredEffects, tags }: ToolDefinition): readonly string[] {
  const words = [...declaredEffects, ...tags];
  return [...(title === "" ? [] : [line("title", title)]), line("name", name.value.replace(/^.*\//, "")), ...(words.length === 0 ? [] : [line("tags", wordsText(words))])];
}

/** In quotes where blanks or commas would part it. */
function wordsText(words: readonly string[]): string {
  return words.map((word) => (/^[^\s,"][^\s,]*$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

function madeOfLines(definition: ToolDefinition): readonly string[] {
  switch (definition.kind) {
    case "base":
      throw new CannotWrite("a tool that is made in TypeScript");
    case "alias":
      return [line("wrapped", definition.base.value), ...definition.defaults.map(({ parameter, value }) => line("default", `${parameter.value} = ${defaultText(value.value)}`))];
    case "wrapped":
      return [
        line("wrapped", definition.base.value),
        ...definition.commands.flatMap(commandLines),
        ...definition.presets.map(({ parameter, text }) => line("with", `${parameter.value} = ${text.value}`)),
        ...definition.defaults.map(({ parameter, value }) => line("default", `${parameter.value} = ${defaultText(value.value)}`)),
        ...surroundingLines(definition.surroundings),
        ...(definition.fallback ? [line("fallback", commandSource(definition.fallback))] : []),
        ...(definition.ignoreErrors ? ["@ignore-errors"] : []),
      ];
    case "steps":
      return [...surroundingLines(definition.surroundings), ...(definition.ignoreErrors ? ["@ignore-errors"] : []), ...stepsLines(definition)];
    case "code":
      return [`@code\n${indented(definition.code.value)}`];
  }
}

function defaultText(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && value === value.trim() && !/^["[{]|[\n\r]/.test(value);
  return isPlain ? value : JSON.stringify(value);
}

function commandLines({ platform, command }: PlatformCommand): readonly string[] {
  const at = platform === undefined ? "" : `(${platform})`;
  const text = commandSource(command);
  if (command.kind === "direct") return [platform === undefined ? "" : `@shell${at} none`, line(`command${at}`, text)].filter((one) => one !== "" && (platform !== undefined || one.startsWith("@command")));
  return [`@shell${at} ${command.shell}`, text.includes("\n") ? `@script${at}\n${indented(text)}` : line(`command${at}`, text)];
}

function surroundingLines({ cwd, stdin, environment, inheritsEnvironment, secrets = [], interaction }: Surroundings): readonly string[] {
  return [
    ...(cwd ? [line("cwd", templateText(cwd))] : []),
    ...environment.map(({ name, value }) => line("env", `${name}=${templateText(value)}`)),
    ...secrets.map(({ variable, secret }) => line("env", `${variable}=secret:${secret}`)),
    ...(inheritsEnvironment ? ["@env-inherit yes"] : []),
    ...(stdin ? [stdinText(templateText(stdin))] : []),
    ...(interaction ? [interactiveText(interaction)] : []),
  ];
}

function interactiveText({ timeoutMs, defaultResponse = "" }: Interaction): string {
  if (defaultResponse.trim() !== defaultResponse || defaultResponse.startsWith("timeout=")) throw new CannotWrite("a default response like this in `@interactive`");
  return line("interactive", [timeoutMs === undefined ? "" : `timeout=${durationText(timeoutMs)}`, defaultResponse].filter((part) => part !== "").join(" ")).trimEnd();
}

function stdinText(text: string): string {
  return text.includes("\n") ? `@stdin\n${indented(text)}` : line("stdin", text);
}

function parameterLines({ parameters, returns }: DefinitionHead): readonly string[] {
  const types = namedTypesIn(parameters, returns?.schema).flatMap((type) => [`@type ${type.typeName ?? ""} {object}`, ...type.properties.map((property) => line("property", `${type.typeName ?? ""}.${declarationText(property, "property")}`))]);
  const declared = parameters.filter(({ fromStdin }) => !fromStdin).map((parameter) => line("param", declarationText(parameter, "param")));
  return [...types, ...declared, ...(returns ? [line("returns", `{${typeText(returns.schema)}}${returns.description === "" ? "" : ` ${returns.description}`}`)] : [])];
}

function needsLines({ requires, depends, platforms }: DefinitionHead): readonly string[] {
  return [
    ...(requires.length === 0 ? [] : [line("requires", requires.map(({ program, range }) => (range === undefined ? program : `${program} ${range}`)).join(", "))]),
    ...(depends.length === 0 ? [] : [line("depends", depends.map(({ tool, range }) => (range === undefined ? tool : `${tool}@${range}`)).join(" "))]),
    ...(platforms ? [line("platforms", platforms.join(" "))] : []),
  ];
}

function asksLines({ security, schemaOmits = [], cycodVersion }: DefinitionHead): readonly string[] {
  const { privilege, isolation, permissions = [], justification } = security ?? {};
  if (security && privilege === undefined && isolation === undefined && permissions.length === 0 && justification === undefined) throw new CannotWrite("a `security` that asks for nothing");
  return [
    ...(privilege ? [line("privilege", privilege)] : []),
    ...(isolation ? [line("isolation", isolation)] : []),
    ...(permissions.length === 0 ? [] : [line("permissions", wordsText(permissions))]),
    ...(justification === undefined ? [] : [line("justification", justification)]),
    ...(schemaOmits.length === 0 ? [] : [line("schema-omits", schemaOmits.join(" "))]),
    ...(cycodVersion === undefined ? [] : [line("cycod-version", cycodVersion)]),
  ];
}

function limitLines({ timeoutMs, outputBytesMax, memoryBytesMax, cpuMsMax, retries }: DeclaredLimits): readonly string[] {
  const limits = [
    ...(outputBytesMax === undefined ? [] : [`output=${sizeText(outputBytesMax)}`]),
    ...(memoryBytesMax === undefined ? [] : [`memory=${sizeText(memoryBytesMax)}`]),
    ...(cpuMsMax === undefined ? [] : [`cpu=${durationText(cpuMsMax)}`]),
  ];
  return [
    ...(timeoutMs === undefined ? [] : [line("timeout", durationText(timeoutMs))]),
    ...(limits.length === 0 ? [] : [line("limit", limits.join(" "))]),
    ...(retries ? [line("retry", `${retries.attempts}${retries.delayMs > 0 ? ` delay=${durationText(retries.delayMs)}` : ""}`)] : []),
  ];
}

function wordsLines({ category, keywords, version, examples, deprecated, help, changelog }: DefinitionHead): readonly string[] {
  return [
    ...(category === undefined ? [] : [line("category", category)]),
    ...(keywords.length === 0 ? [] : [line("keywords", wordsText(keywords))]),
    ...(version === undefined ? [] : [line("version", version)]),
    ...examples.map((example) => line("example", JSON.stringify(example))),
    ...(deprecated === undefined ? [] : [line("deprecated", deprecated)]),
    ...(help === undefined ? [] : [help.includes("\n") ? `@help\n${indented(help)}` : line("help", help)]),
    ...changelog.map((change) => line("changelog", change)),
  ];
}

function testText(test: ToolTest): string {
  const rows = [
    ...(test.description === undefined ? [] : [`about ${test.description}`]),
    ...test.setup.map((text) => `setup ${text}`),
    ...(Object.keys(test.arguments).length === 0 ? [] : [`with ${JSON.stringify(test.arguments)}`]),
    ...test.expectations.map((expectation) => `expect ${expectation.kind} ${expectedText(expectation)}`),
    ...test.cleanup.map((text) => `cleanup ${text}`),
  ];
  if (rows.some((row) => row.includes("\n"))) throw new CannotWrite(`line breaks in the test \`${test.name}\``);
  return `\n${line("test", `${test.name}${test.folder === "definition" ? " in ." : ""}`)}\n${indented(rows.join("\n"))}`;
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

/** Quotes keep blanks at the ends, and line breaks. */
function plainOrQuoted(text: string): string {
  return text === "" || text !== text.trim() || /^"|[\n\r]/.test(text) ? JSON.stringify(text) : text;
}
