// Steps as `@step`, `@cleanup` and `@output`.
import { conditionText } from "../../tool/condition.ts";
import type { StepsDefinition } from "../../tool/definition.ts";
import type { Step, StepAction } from "../../tool/step.ts";
import { stepOptionTexts } from "../kinds/step-options.ts";
import { CannotWrite } from "./cannot-write.ts";
import { commandSource, templateText } from "./command-text.ts";
import { indented } from "./quantity-text.ts";

export function stepLines(definition: StepsDefinition): readonly string[] {
  return definition.steps.flatMap(stepTexts);
}

export function cleanupLines(definition: StepsDefinition): readonly string[] {
  return definition.cleanup.map((step) => [`@cleanup ${cleanupKind(step.action)}`, ...bodyLines(step)].join("\n"));
}

export function outputLines({ output }: StepsDefinition): readonly string[] {
  return output ? [`@output\n${indented(templateText(output))}`] : [];
}

function cleanupKind(action: StepAction): string {
  if (providerOf(action) !== undefined) throw new CannotWrite("a provider in `@cleanup`");
  return kindText(action);
}

/** Returns one line for each platform; the options are on the first. */
function stepTexts(step: Step): readonly string[] {
  const { action, name } = step;
  if (action.kind !== "command")
    return [[`@step ${name.value} ${kindText(action)}${optionsText(step)}`, ...bodyLines(step)].join("\n")];
  const [first, ...others] = action.commands.map((command) => ({
    at: command.platform === undefined ? "@step" : `@step(${command.platform})`,
    action: { kind: "command", commands: [{ command: command.command }] } as const,
  }));
  if (!first) throw new CannotWrite("a step without a command");
  return [
    [
      `${first.at} ${name.value} ${kindText(first.action)}${optionsText(step)}`,
      ...bodyLines({ ...step, action: first.action }),
    ].join("\n"),
    ...others.map(({ at, action: other }) =>
      [`${at} ${name.value} ${kindText(other)}`, indented(bodyText(other))].join("\n"),
    ),
  ];
}

function kindText(action: StepAction): string {
  switch (action.kind) {
    case "tool":
      return `uses ${action.tool.value}`;
    case "prompt":
      return "prompt";
    case "code":
      return action.language === "javascript" ? "code" : "python";
    case "command": {
      const [only, ...others] = action.commands;
      if (!only || others.length > 0 || only.platform !== undefined)
        throw new CannotWrite("a step with a command for each platform");
      return only.command.kind === "direct" ? "runs" : only.command.shell;
    }
  }
}

function optionsText(step: Step): string {
  const written = stepOptionTexts(step);
  const when = step.when ? ` [when=${conditionText(step.when.condition)}]` : "";
  return `${written.length === 0 ? "" : ` [${written.join(" ")}]`}${when}`;
}

function providerOf(action: StepAction): string | undefined {
  return action.kind === "prompt" || action.kind === "tool" ? action.provider : undefined;
}

function bodyLines({ action, fallback }: Step): readonly string[] {
  const main = bodyText(action);
  if (!fallback) return main === "" ? [] : [indented(main)];
  if (/^fallback:/m.test(main)) throw new CannotWrite("a line `fallback:` in a step that has a fallback");
  const provider = providerOf(fallback);
  const kind = `${kindText(fallback) === kindText(action) ? "" : ` ${kindText(fallback)}`}${provider === undefined ? "" : ` [provider=${provider}]`}`;
  return [
    ...(main === "" ? [] : [indented(main)]),
    indented(`fallback:${kind}`),
    indented(indented(bodyText(fallback))),
  ];
}

function bodyText(action: StepAction): string {
  switch (action.kind) {
    case "command":
      return commandSource(action.commands[0]?.command ?? { kind: "direct", words: [] }, { hasReferences: true });
    case "tool":
      return action.arguments
        .map(({ parameter, text }) => `${parameter.value} = ${text.value.replaceAll("\n", "\n    ")}`)
        .join("\n");
    case "prompt":
      return templateText(action.prompt);
    case "code":
      return action.code.value;
  }
}
