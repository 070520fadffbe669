// The values that a step reads. Every placeholder in its texts is a reference.
import type { CommandTemplate } from "../../tool/command.ts";
import { referencesIn } from "../../tool/condition.ts";
import type { Surroundings } from "../../tool/definition.ts";
import { parseReference, REFERENCE, type Reference } from "../../tool/reference.ts";
import type { Step, StepAction } from "../../tool/step.ts";
import type { Template } from "../../tool/template.ts";

/**
 * Returns the references in all texts of a step, including its condition, each once. `surroundings` are the tool's, for
 * steps that are commands.
 */
export function referencesOfStep(step: Step, surroundings?: Surroundings): readonly Reference[] {
  const { action, fallback, when, forEach, stdin } = step;
  const texts = [
    ...actionReferences(action),
    ...(fallback ? actionReferences(fallback) : []),
    ...(surroundings && action.kind === "command" ? surroundingReferences(surroundings) : []),
    ...(forEach ? templateReferences(forEach.items) : []),
    ...(stdin ? templateReferences(stdin) : []),
  ];
  return unique([
    ...texts.flatMap((text) => parseReference(text) ?? []),
    ...(when ? referencesIn(when.condition) : []),
  ]);
}

/** The text as written. */
export function actionReferences(action: StepAction): readonly string[] {
  switch (action.kind) {
    case "command":
      return action.commands.flatMap(({ command }) => commandReferences(command));
    case "tool":
      return action.arguments.flatMap(({ text }) =>
        [...text.value.matchAll(new RegExp(`\\{(${REFERENCE})\\}`, "g"))].map(([, written = ""]) => written),
      );
    case "prompt":
      return templateReferences(action.prompt);
    case "code":
      return [];
  }
}

export function commandReferences(command: CommandTemplate): readonly string[] {
  const parts = command.kind === "direct" ? command.words.flatMap((word) => word.parts) : command.parts;
  return parts.flatMap((part) => (typeof part === "string" ? [] : [part.placeholder]));
}

export function templateReferences(template: Template): readonly string[] {
  return template.parts.flatMap((part) => (typeof part === "string" ? [] : [part.placeholder]));
}

export function surroundingReferences({ cwd, stdin, environment }: Surroundings): readonly string[] {
  return [...(cwd ? [cwd] : []), ...(stdin ? [stdin] : []), ...environment.map(({ value }) => value)].flatMap(
    templateReferences,
  );
}

function unique(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [reference.text, reference])).values()];
}
