// Steps as `@step`, `@cleanup` and `@output`.
import { conditionText } from "../../tool/condition.ts";
import type { StepsDefinition } from "../../tool/definition.ts";
import { itemReferences, runReferences, type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../tool/step.ts";
import { CannotWrite } from "./cannot-write.ts";
import { commandSource, templateText } from "./command-text.ts";
import { durationText, indented, sizeText } from "./quantity-text.ts";

export function stepsLines(definition: StepsDefinition): readonly string[] {
  const { steps, cleanup, output, parameters } = definition;
  const roots = new Set([...parameters.map(({ name }) => name), ...steps.map(({ name }) => name.value), ...runReferences, ...itemReferences]);
  return [
    ...steps.map((step) => [`@step ${step.name.value} ${kindText(step.action)}${optionsText(step)}`, ...bodyLines(step, roots)].join("\n")),
    ...cleanup.map((step) => [`@cleanup ${kindText(step.action)}`, ...bodyLines(step, roots)].join("\n")),
    ...(output ? [`@output\n${indented(templateText(output))}`] : []),
  ];
}

function kindText(action: StepAction): string {
  switch (action.kind) {
    case "tool":
      if (action.provider !== undefined) throw new CannotWrite("a provider for the prompts in a tool that a step calls");
      if (action.arguments.some(({ isOptional }) => isOptional)) throw new CannotWrite("a step that passes `input` on where the tool takes one; give it `input: \"{input}\"`");
      return `uses ${action.tool.value}`;
    case "prompt":
      return "prompt";
    case "code":
      if (action.leaves) throw new CannotWrite("code with several outputs");
      return action.language === "javascript" ? "code" : "python";
    case "command": {
      const [only, ...others] = action.commands;
      if (!only || others.length > 0 || only.platform !== undefined) throw new CannotWrite("a step with a command for each platform");
      return only.command.kind === "direct" ? "runs" : only.command.shell;
    }
  }
}

function optionsText(step: Step): string {
  const { waitsFor, retries, forEach, output, stdin, action } = step;
  const options = [
    ...(waitsFor ? [`wait-for=${waitsFor.map(({ value }) => value).join(",")}`] : []),
    ...(step.isParallel ? ["parallel"] : []),
    ...(step.continuesOnError ? ["continue-on-error"] : []),
    ...(retries ? [`retry=${retries.attempts}`, ...(retries.delayMs > 0 ? [`delay=${durationText(retries.delayMs)}`] : []), ...(retries.isExponential ? ["backoff=exponential"] : [])] : []),
    ...(step.timeoutMs === undefined ? [] : [`timeout=${durationText(step.timeoutMs)}`]),
    ...(forEach ? [`for-each=${quoted(templateText(forEach.items))}`, ...(forEach.concurrency > 1 ? [`concurrency=${forEach.concurrency}`] : [])] : []),
    ...(output.mode === "stream" ? ["output=stream"] : []),
    ...(output.bytesMax === STEP_OUTPUT_BYTES_MAX ? [] : [`buffer-limit=${sizeText(output.bytesMax)}`]),
    ...(step.cacheMs === undefined ? [] : [`cache=${durationText(step.cacheMs)}`]),
    ...(stdin ? [`stdin=${quoted(templateText(stdin))}`] : []),
    ...(action.kind === "prompt" && action.provider !== undefined ? [`provider=${action.provider}`] : []),
    ...(step.fallback ? ["fallback"] : []),
  ];
  const when = step.when ? ` [when=${conditionText(step.when.condition)}]` : "";
  return `${options.length === 0 ? "" : ` [${options.join(" ")}]`}${when}`;
}

function quoted(text: string): string {
  if (/^\{[^{}"\s,\]]*\}$/.test(text)) return text;
  if (/["\\\n]/.test(text)) throw new CannotWrite("an option of a step with quotes in it");
  return `"${text}"`;
}

function bodyLines({ action, fallback }: Step, roots: ReadonlySet<string>): readonly string[] {
  const main = bodyText(action, roots);
  return [...(main === "" ? [] : [indented(main)]), ...(fallback ? [indented("fallback:"), indented(indented(bodyText(fallback, roots)))] : [])];
}

function bodyText(action: StepAction, roots: ReadonlySet<string>): string {
  switch (action.kind) {
    case "command":
      return commandSource(action.commands[0]?.command ?? { kind: "direct", words: [] }, roots);
    case "tool":
      return action.arguments.map(({ parameter, text }) => `${parameter.value} = ${text.value.replaceAll("\n", "\n    ")}`).join("\n");
    case "prompt":
      return templateText(action.prompt);
    case "code":
      return action.code.value;
  }
}
