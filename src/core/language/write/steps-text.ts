// Steps as `@step`, `@cleanup` and `@output`.
import { conditionText } from "../../tool/condition.ts";
import type { StepsDefinition } from "../../tool/definition.ts";
import { concurrencyText, type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../tool/step.ts";
import { CannotWrite } from "./cannot-write.ts";
import { commandSource, templateText } from "./command-text.ts";
import { durationText, indented, sizeQuantity } from "./quantity-text.ts";
import { type Lines, linesOf, nothing } from "./tool-lines.ts";

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

const options: Lines<Step> = {
  // The name stands before the options.
  name: nothing,
  action: ({ action }) => actionOptions(action),
  waitsFor: ({ waitsFor }) => (waitsFor ? [`wait-for=${waitsFor.map(({ value }) => value).join(",")}`] : []),
  isParallel: ({ isParallel }) => (isParallel ? ["parallel"] : []),
  continuesOnError: ({ continuesOnError }) => (continuesOnError ? ["continue-on-error"] : []),
  isOnce: ({ isOnce }) => (isOnce ? ["once"] : []),
  retries: ({ retries }) =>
    retries
      ? [
          `retry=${retries.attempts}`,
          ...(retries.delayMs > 0 ? [`delay=${durationText(retries.delayMs)}`] : []),
          ...(retries.isExponential ? ["backoff=exponential"] : []),
        ]
      : [],
  timeoutMs: ({ timeoutMs }) => (timeoutMs === undefined ? [] : [`timeout=${durationText(timeoutMs)}`]),
  forEach: ({ forEach }) =>
    forEach
      ? [
          `for-each=${quoted(templateText(forEach.items))}`,
          ...(forEach.isQueued ? ["on=queue"] : []),
          ...(concurrencyText(forEach) === undefined ? [] : [`concurrency=${forEach.concurrency}`]),
        ]
      : [],
  output: ({ output }) => [
    ...(output.mode === "stream" ? ["output=stream"] : []),
    ...(output.bytesMax === STEP_OUTPUT_BYTES_MAX ? [] : [`buffer-limit=${sizeQuantity(output.bytesMax)}`]),
  ],
  cacheMs: ({ cacheMs }) => (cacheMs === undefined ? [] : [`cache=${durationText(cacheMs)}`]),
  stdin: ({ stdin }) => (stdin ? [`stdin=${quoted(templateText(stdin))}`] : []),
  fallback: ({ fallback }) => (fallback ? ["fallback"] : []),
  // The condition has brackets of its own, because it extends to the closing one.
  when: nothing,
};

function optionsText(step: Step): string {
  const written = linesOf(options, step);
  const when = step.when ? ` [when=${conditionText(step.when.condition)}]` : "";
  return `${written.length === 0 ? "" : ` [${written.join(" ")}]`}${when}`;
}

function actionOptions(action: StepAction): readonly string[] {
  const optional =
    action.kind === "tool"
      ? action.arguments.filter(({ isOptional }) => isOptional).map(({ parameter }) => parameter.value)
      : [];
  const leaves = action.kind === "code" ? (action.leaves ?? []).map(({ value }) => value) : [];
  const provider = providerOf(action);
  return [
    ...(provider === undefined ? [] : [`provider=${provider}`]),
    ...(optional.length === 0 ? [] : [`optional=${optional.join(",")}`]),
    ...(leaves.length === 0 ? [] : [`leaves=${leaves.join(",")}`]),
  ];
}

function providerOf(action: StepAction): string | undefined {
  return action.kind === "prompt" || action.kind === "tool" ? action.provider : undefined;
}

function quoted(text: string): string {
  if (/^\{[^{}"\s,\]]*\}$/.test(text)) return text;
  if (/["\\\n]/.test(text)) throw new CannotWrite("an option of a step with quotes in it");
  return `"${text}"`;
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
