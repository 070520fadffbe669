// What a definition could run, as lines for a person who decides about it: commands, scripts, steps, code, their
// surroundings, and its tests. The lines are made from the parsed definition, so that they include everything that a
// call would use.
import { codeParameters } from "../../core/schema/program-text.ts";
import { addedWords } from "../../core/tool/added-words.ts";
import { possiblePaths, writtenReads, writtenWrites } from "../../core/policy/declared-paths.ts";
import type { CommandTemplate, PlatformCommand } from "../../core/tool/command.ts";
import { conditionText } from "../../core/tool/condition.ts";
import type { ParameterValue, StepsDefinition, Surroundings, ToolDefinition } from "../../core/tool/definition.ts";
import { openValuesOf, openValueTexts } from "../../core/tool/open-value.ts";
import type { Step, StepAction } from "../../core/tool/step.ts";
import type { Preset, Template } from "../../core/tool/template.ts";
import { commandText } from "./command-text.ts";

export function whatRuns(definition: ToolDefinition): readonly string[] {
  return [
    ...ownParts(definition),
    ...programs(definition),
    ...(definition.kind === "code" ? [] : addedWords(definition)),
    ...transforms(definition),
    ...needs(definition),
    ...testParts(definition),
  ];
}

function programs({ parameters }: ToolDefinition): readonly string[] {
  return codeParameters(parameters).map((name) => `\`{${name}}\` is a program that the caller writes`);
}

function ownParts(definition: ToolDefinition): readonly string[] {
  switch (definition.kind) {
    case "base":
      return [];
    case "alias":
      return [`calls \`${definition.base.value}\``, ...defaultParts(definition.defaults)];
    case "wrapped":
      return [
        ...definition.commands.flatMap(platformParts),
        ...(definition.commands.length === 0 ? [`calls \`${definition.base.value}\``] : []),
        ...presetParts(definition.presets),
        ...defaultParts(definition.defaults),
        ...(definition.fallback ? ["if it fails:", ...indented(commandParts(definition.fallback))] : []),
        ...surroundingParts(definition.surroundings),
      ];
    case "steps":
      return [
        ...definition.steps.flatMap((step) => stepParts(step, "step", definition)),
        ...definition.cleanup.flatMap((step) => stepParts(step, "at the end", definition)),
        ...surroundingParts(definition.surroundings),
      ];
    case "code":
      return block("JavaScript in the sandbox", definition.code.value);
  }
}

function platformParts({ platform, command }: PlatformCommand): readonly string[] {
  return platform === undefined ? commandParts(command) : [`on ${platform}:`, ...indented(commandParts(command))];
}

function commandParts(command: CommandTemplate): readonly string[] {
  if (command.kind === "shell") return block(`script for ${command.shell}`, commandText(command));
  return [...block("runs", commandText(command)), ...openValueTexts(openValuesOf(command))];
}

/** Returns rows of a text, which stays on one line if it has only one. */
function block(title: string, text: string): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.length === 1 ? [`${title}: ${lines[0] ?? ""}`] : [`${title}:`, ...indented(lines)];
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function stepParts(step: Step, word: string, definition: StepsDefinition): readonly string[] {
  const { name, action, when, forEach, stdin, fallback } = step;
  const facts = [
    ...(when ? [`if ${conditionText(when.condition)}`] : []),
    ...(forEach ? block("for each of", templateText(forEach.items)) : []),
    ...(stdin ? block("with the input", templateText(stdin)) : []),
    ...actionParts(action, definition),
    ...(fallback ? ["if it fails:", ...indented(actionParts(fallback, definition))] : []),
  ];
  return [`${word} ${name.value}:`, ...indented(facts)];
}

function actionParts(action: StepAction, { security }: StepsDefinition): readonly string[] {
  switch (action.kind) {
    case "command":
      return action.commands.flatMap(platformParts);
    case "tool":
      return [`calls \`${action.tool.value}\``, ...indented(presetParts(action.arguments))];
    case "prompt":
      return block(
        `asks ${action.provider === undefined ? "a model" : `the model of \`${action.provider}\``}`,
        templateText(action.prompt),
      );
    case "code":
      return block(
        action.language === "javascript" ? "JavaScript in the sandbox" : `Python, ${pythonPlace(security)}`,
        action.code.value,
      );
  }
}

function pythonPlace(security: StepsDefinition["security"]): string {
  const level = security?.sandbox ?? "strict";
  return level === "none" || level === "limits" ? "outside the sandbox" : "in the sandbox where that works";
}

function surroundingParts({
  cwd,
  stdin,
  environment,
  environmentFile,
  inheritsEnvironment,
  passed = [],
  secrets = [],
}: Surroundings): readonly string[] {
  return [
    ...(cwd ? block("in the folder", templateText(cwd)) : []),
    ...(stdin ? block("with the input", templateText(stdin)) : []),
    ...environment.flatMap(({ name, value }) => block(`with the variable ${name}`, templateText(value))),
    ...(environmentFile === undefined ? [] : block("with the variables of the file", environmentFile)),
    ...(inheritsEnvironment ? ["with all variables of the caller's environment but secrets"] : []),
    ...passed.map((name) => `with your variable ${name}`),
    ...secrets.map(({ variable, secret, hosts }) =>
      hosts
        ? `with your secret \`${secret}\` in requests to ${hosts.join(" and ")} alone, for the variable ${variable}`
        : `with your secret \`${secret}\` as the variable ${variable}`,
    ),
  ];
}

function presetParts(presets: readonly Preset[]): readonly string[] {
  return presets.flatMap(({ parameter, text }) => block(`with ${parameter.value}`, text.value));
}

function defaultParts(defaults: readonly ParameterValue[]): readonly string[] {
  return defaults.map(({ parameter, value }) => `with ${parameter.value}, by default: ${JSON.stringify(value.value)}`);
}

function transforms({ parameters }: ToolDefinition): readonly string[] {
  return parameters.flatMap(({ name, transform }) =>
    transform === undefined ? [] : block(`JavaScript in the sandbox, on ${name}`, transform),
  );
}

function needs({ requires, security, parameters }: ToolDefinition): readonly string[] {
  return [
    ...requires.flatMap(({ program, range }) => (range === undefined ? [] : [`runs \`${program} --version\` first`])),
    ...(security?.permissions ?? [])
      .filter((permission) => !/^filesystem:(?:read|write):/.test(permission))
      .map((permission) => `asks for the permission ${permission}`),
    ...(security?.sandbox ? [`its commands run at the sandbox level ${security.sandbox}`] : []),
    ...(security?.hosts ?? []).map((host) => `may reach the host ${host}`),
    ...possiblePaths(writtenReads(security), parameters).map((path) => `may read ${path}`),
    ...possiblePaths(writtenWrites(security), parameters).map((path) => `may write ${path}`),
  ];
}

function testParts({ tests }: ToolDefinition): readonly string[] {
  return tests.flatMap(({ name, setup, cleanup }) =>
    [...setup, ...cleanup].flatMap((line) => block(`its test \`${name}\` runs, with \`dottool test\``, line)),
  );
}

function templateText({ parts }: Template): string {
  return parts.map((part) => (typeof part === "string" ? part : `{${part.placeholder}}`)).join("");
}
