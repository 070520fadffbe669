// An imported tool as a definition. Secrets become parameters that are read from the environment, and the variables of
// the caller that the original sees are passed on.
import { soundsSecret } from "../../base/secret-names.ts";
import { titleOf } from "../../language/fields/names.ts";
import type { Parameter } from "../../schema/parameter.ts";
import type { Spanned } from "../../text/source.ts";
import type { CommandTemplate, ShellPlaceholder } from "../../tool/command.ts";
import type { DefinitionHead, Surroundings, WrappedDefinition } from "../../tool/definition.ts";
import type { Template } from "../../tool/template.ts";
import { environmentNames } from "../guesses/starter.ts";
import type { ImportedTool, Part } from "./imported-tool.ts";
import { SecretFinder } from "./secret-finder.ts";

export interface DefinitionPlace {
  /** The name of the tool. */
  readonly name: string;
  /** The folder of the source, relative to the project; undefined if it is the same. */
  readonly folder: string | undefined;
}

export interface ImportedDefinition {
  readonly definition: WrappedDefinition;
  /** The variables that hold what the source has of secrets. */
  readonly secretVariables: readonly string[];
}

export function definitionOf(tool: ImportedTool, { name, folder }: DefinitionPlace): ImportedDefinition {
  const secrets = new SecretFinder(name, new Set(tool.parameters.map((parameter) => parameter.name)));
  const runs = withoutSecretsIn(tool.runs, secrets);
  const environment = (tool.environment ?? []).map((variable) => ({
    name: variable.name,
    value:
      soundsSecret(variable.name) && isSetHere(variable.value)
        ? [secrets.named(variable.name)]
        : secrets.parts(variable.value),
  }));
  const parameters = tool.parameters.map((parameter) => secrets.parameter(parameter));
  const passed = callerSecrets(tool, new Set(environment.map((variable) => variable.name))).map((parameter) =>
    secrets.isTaken(parameter.name) ? { ...parameter, name: parameter.environment } : parameter,
  );
  const definition: WrappedDefinition = {
    ...headOf(tool, { name, secrets }),
    parameters: [...parameters, ...secrets.found(), ...passed],
    kind: "wrapped",
    base: placed(runs.kind === "wraps" ? runs.tool : "run_command"),
    commands: runs.kind === "wraps" ? [] : [{ command: commandOf(runs) }],
    presets:
      runs.kind === "wraps"
        ? runs.presets.map(([key, value]) => ({ parameter: placed(key), text: placed(value) }))
        : [],
    defaults: [],
    surroundings: surroundingsOf(runs.kind !== "wraps", {
      cwd: folderOf(folder, tool.folder),
      environment: [
        ...environment,
        ...passed.map((parameter) => ({ name: parameter.environment, value: [{ parameter: parameter.name }] })),
      ],
    }),
    ignoreErrors: false,
  };
  return { definition, secretVariables: secrets.variables() };
}

type ScriptOrCommand = Exclude<ImportedTool["runs"], { kind: "wraps" }>;

function withoutSecretsIn(runs: ImportedTool["runs"], secrets: SecretFinder): ImportedTool["runs"] {
  switch (runs.kind) {
    case "script":
      return { ...runs, parts: secrets.parts(runs.parts) };
    case "command":
      return { ...runs, words: runs.words.map((word) => secrets.parts(word)) };
    case "wraps":
      return { ...runs, presets: runs.presets.map(([key, value]) => [key, secrets.template(value)]) };
  }
}

function headOf(
  tool: ImportedTool,
  { name, secrets }: { readonly name: string; readonly secrets: SecretFinder },
): Omit<DefinitionHead, "parameters"> {
  const { requires = [], platforms, confirm, timeoutMs, security, tags = [], notes } = tool;
  return {
    name: placed(name),
    title: titleOf(name),
    description: descriptionText(secrets.hidden(tool.description)),
    declaredEffects: tags,
    tags: [],
    keywords: [],
    requires: requires.map((program) => ({ program })),
    depends: [],
    ...(platforms ? { platforms } : {}),
    ...(confirm === undefined ? {} : { confirm: oneLine(confirm) }),
    examples: [],
    tests: [],
    limits: timeoutMs === undefined ? {} : { timeoutMs },
    ...(security ? { security: { ...security, permissions: [] } } : {}),
    changelog: [],
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => secrets.hidden(oneLine(note))) }),
    origin: { kind: "forged" },
  };
}

/** A line that begins like an annotation would be one. */
function descriptionText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .replaceAll(/^[ \t]*@(?=[A-Za-z])/gm, "at ")
    .trim();
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Variables of the caller that sound secret: a tool does not get them unless it names them. */
function callerSecrets(
  tool: ImportedTool,
  own: ReadonlySet<string>,
): readonly (Parameter & { readonly environment: string })[] {
  const { runs, shellText = "" } = tool;
  const script =
    runs.kind === "script" ? runs.parts.map((part) => (typeof part === "string" ? part : "x")).join("") : shellText;
  return [...environmentNames(script)]
    .filter((variable) => soundsSecret(variable) && !own.has(variable))
    .map((variable) => ({
      name: variable.toLowerCase(),
      description: `Read from \`${variable}\``,
      schema: { type: "string" },
      required: false,
      secret: true,
      environment: variable,
    }));
}

function isSetHere(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every((part) => typeof part === "string" && part !== "");
}

function commandOf(runs: ScriptOrCommand): CommandTemplate {
  if (runs.kind === "script") return { kind: "shell", shell: runs.shell, parts: runs.parts.map(shellPart) };
  return {
    kind: "direct",
    words: runs.words.map((parts) => ({
      parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })),
    })),
  };
}

/** Only the name is written; the rest is what reading the file finds. */
function shellPart(part: Part): string | ShellPlaceholder {
  return typeof part === "string"
    ? part
    : { placeholder: part.parameter, quoting: "bare", isWholeWord: true, startsWord: true, isAfterDashes: false };
}

interface Around {
  readonly cwd: string | undefined;
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
}

function surroundingsOf(hasCommand: boolean, { cwd, environment }: Around): Surroundings {
  return {
    ...(cwd === undefined || !hasCommand ? {} : { cwd: { parts: [cwd] } }),
    environment: environment.map(({ name, value }) => ({ name, value: templateOf(value) })),
    inheritsEnvironment: hasCommand,
  };
}

function templateOf(parts: readonly Part[]): Template {
  return { parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })) };
}

function folderOf(...folders: readonly (string | undefined)[]): string | undefined {
  const joined = folders.filter((folder) => folder !== undefined && folder !== "" && folder !== ".").join("/");
  return joined === "" ? undefined : joined;
}

function placed<Value>(value: Value): Spanned<Value> {
  return { value, span: { source: { path: "imported.tool", text: "" }, start: 0, end: 0 } };
}
