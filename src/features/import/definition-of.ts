// An imported tool as a definition. Secrets become parameters that are read from the environment, and the variables of
// the caller that the original sees are passed on.
import { soundsSecret } from "../../core/text/secret-names.ts";
import { titleOf } from "../../core/language/fields/names.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import {
  type AliasDefinition,
  type CodeDefinition,
  type DefinitionHead,
  nothingDeclared,
  type StepsDefinition,
  type Surroundings,
  type WrappedDefinition,
} from "../../core/tool/definition.ts";
import { isStandIn } from "../new/secret-guesses.ts";
import { environmentNames } from "../new/starter.ts";
import { type ImportedTool, type Part, scriptBody, type ImportedStep } from "./imported-tool.ts";
import { SecretFinder } from "./secret-finder.ts";
import type { Spanned } from "../../core/text/source.ts";
import type { CommandTemplate, ShellPlaceholder } from "../../core/tool/command.ts";
import type { Template } from "../../core/tool/template.ts";
import { type Step, plainStep, type StepAction } from "../../core/tool/step.ts";

interface DefinitionPlace {
  /** The name of the tool. */
  readonly name: string;
  /** The folder of the source, relative to the project; undefined if it is the same. */
  readonly folder: string | undefined;
}

interface ImportedDefinition {
  readonly definition: AliasDefinition | WrappedDefinition | StepsDefinition | CodeDefinition;
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
  const parameters = tool.parameters.map((parameter) =>
    secrets.parameter({ ...parameter, description: parameterText(parameter.description) }),
  );
  const passed = callerSecrets(tool, new Set(environment.map((variable) => variable.name))).map((parameter) =>
    secrets.isTaken(parameter.name) ? { ...parameter, name: parameter.environment } : parameter,
  );
  const head = {
    ...headOf(tool, { name, secrets }),
    parameters: [...parameters, ...secrets.found(), ...passed],
    surroundings: surroundingsOf(hasCommand(runs), {
      cwd: folderOf(folder, tool.folder),
      environment: [
        ...environment,
        ...passed.map((parameter) => ({ name: parameter.environment, value: [{ parameter: parameter.name }] })),
      ],
    }),
    ignoreErrors: false,
  };
  return { definition: made(runs, head), secretVariables: secrets.variables() };
}

function hasCommand(runs: ImportedTool["runs"]): boolean {
  if (runs.kind === "steps") return runs.steps.some(({ does }) => does.kind === "script");
  return runs.kind === "script" || runs.kind === "command";
}

type Head = Omit<WrappedDefinition, "kind" | "base" | "commands" | "presets" | "defaults">;

function made(runs: ImportedTool["runs"], head: Head): ImportedDefinition["definition"] {
  if (runs.kind === "steps") return { ...head, kind: "steps", steps: runs.steps.map(stepOf), cleanup: [] };
  const { surroundings: _surroundings, ignoreErrors: _ignoreErrors, ...others } = head;
  if (runs.kind === "code")
    return {
      ...others,
      kind: "code",
      code: placed(runs.code),
      allows: runs.hosts.map((host) => ({ function: "fetch", host })),
    };
  if (runs.kind !== "wraps" || runs.presets.length > 0) return { ...head, ...wrapOf(runs) };
  return { ...others, kind: "alias", base: placed(runs.tool), defaults: [] };
}

function wrapOf(
  runs: Exclude<ImportedTool["runs"], { kind: "steps" | "code" }>,
): Pick<WrappedDefinition, "kind" | "base" | "commands" | "presets" | "defaults"> {
  const isWrap = runs.kind === "wraps";
  return {
    kind: "wrapped",
    base: placed(isWrap ? runs.tool : "run_command"),
    commands: isWrap ? [] : [{ command: commandOf(runs) }],
    presets: isWrap ? runs.presets.map(([key, value]) => ({ parameter: placed(key), text: placed(value) })) : [],
    defaults: [],
  };
}

function withoutSecretsIn(runs: ImportedTool["runs"], secrets: SecretFinder): ImportedTool["runs"] {
  switch (runs.kind) {
    case "script":
      return { ...runs, parts: secrets.parts(scriptBody(runs.parts)) };
    case "command":
      return { ...runs, words: runs.words.map((word) => secrets.parts([word].flat())) };
    case "wraps":
      return { ...runs, presets: runs.presets.map(([key, value]) => [key, secrets.template(value)]) };
    case "code":
      return runs;
    case "steps":
      return {
        ...runs,
        steps: runs.steps.map((step) =>
          step.does.kind === "reads"
            ? step
            : {
                ...step,
                does: { ...step.does, parts: secrets.parts(scriptBody(step.does.parts), step.does.kind === "prompt") },
              },
        ),
      };
  }
}

function headOf(
  tool: ImportedTool,
  { name, secrets }: { readonly name: string; readonly secrets: SecretFinder },
): Omit<DefinitionHead, "parameters"> {
  const { requires = [], platforms, confirm, tags = [], notes } = tool;
  return {
    name: placed(name),
    title: titleOf(name),
    description: descriptionText(secrets.hidden(tool.description)),
    ...nothingDeclared,
    declaredEffects: tags,
    requires: requires.map((program) => ({ program })),
    ...(platforms ? { platforms } : {}),
    ...(confirm === undefined ? {} : { confirm: oneLine(confirm) }),
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => secrets.hidden(oneLine(note))) }),
    origin: { kind: "forged" },
  };
}

/** A line that begins like an annotation would be one, and blanks at its end are not kept. */
function descriptionText(text: string): string {
  return text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .replaceAll(/^[ \t]*@(?=[A-Za-z])/gm, "at ")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();
}

/** Brackets at its beginning would be read as options or a type, and a default at its end as one that is meant. */
function parameterText(text: string): string {
  const line = oneLine(text)
    .replace(/^([[{][^\]}]*[\]}])\s+(\S.*)$/, "$2 $1")
    .replace(/\(defaults?(?: to)?[ :=]+([^\s()]+)\)(?=\.?$)/i, "(`$1` if it is left out)");
  return /^[[{]/.test(line) ? `such as ${line}` : line;
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
  const script = runs.kind === "script" ? textOf(runs.parts) : shellText;
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

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === "string" ? part : "x")).join("");
}

function isSetHere(parts: readonly Part[]): boolean {
  return (
    parts.length > 0 && parts.every((part) => typeof part === "string" && part !== "") && !isStandIn(parts.join(""))
  );
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

function folderOf(...folders: readonly (string | undefined)[]): string | undefined {
  const joined = folders.filter((folder) => folder !== undefined && folder !== "" && folder !== ".").join("/");
  return joined === "" ? undefined : joined;
}

// Parts of an imported tool as the templates of a definition.

type ScriptOrCommand = Extract<ImportedTool["runs"], { kind: "script" | "command" }>;

function commandOf(runs: ScriptOrCommand): CommandTemplate {
  if (runs.kind === "script") return { kind: "shell", shell: runs.shell, parts: runs.parts.map(shellPart) };
  return {
    kind: "direct",
    words: runs.words.map((word) => templateOf([word].flat())),
  };
}

/** Only the name is written; the rest is what reading the file finds. */
function shellPart(part: Part): string | ShellPlaceholder {
  return typeof part === "string"
    ? part
    : { placeholder: part.parameter, quoting: "bare", isWholeWord: true, startsWord: true, isAfterDashes: false };
}

function templateOf(parts: readonly Part[]): Template {
  return { parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })) };
}

/** The text of a file that is not written yet has no places. */
function placed<Value>(value: Value): Spanned<Value> {
  return { value, span: { source: { path: "imported.tool", text: "" }, start: 0, end: 0 } };
}

function stepOf({ name, does }: ImportedStep): Step {
  return {
    name: placed(name),
    action: actionOf(does),
    ...plainStep,
  };
}

function actionOf(does: ImportedStep["does"]): StepAction {
  switch (does.kind) {
    case "script":
      return { kind: "command", commands: [{ command: commandOf(does) }] };
    case "prompt":
      return { kind: "prompt", prompt: templateOf(does.parts) };
    case "reads":
      return {
        kind: "tool",
        tool: placed("read_file"),
        arguments: [{ parameter: placed("file_path"), text: placed(does.path) }],
      };
  }
}
