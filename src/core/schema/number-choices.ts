// Choices among numbers: `{1|2|3}`.
import { convertText } from "./convert-text.ts";
import type { NumberSchema } from "./parameter.ts";

/** Returns the number of a choice, or undefined if the text is none or would lose digits. */
export function exactNumber(text: string): number | undefined {
  const type = /^[+-]?\d+$/.test(text) ? "integer" : "number";
  const { value } = convertText({ type }, text);
  return typeof value === "number" ? value : undefined;
}

/** The choices are integers if all of them are. */
export function numberChoices(choices: readonly number[]): NumberSchema {
  return {
    type: choices.every((choice) => Number.isSafeInteger(choice)) ? "integer" : "number",
    choices: [...new Set(choices)],
  };
}
