// Every key of the meta-tool YAML, by the map that it stands in. `README.md` beside this file says what each does.
import type { KnownKeys } from "../yaml/fields.ts";

export const stepTypes = ["tool", "prompt", "code"] as const;
export type StepType = (typeof stepTypes)[number];

export const toolKeys: KnownKeys = {
  owner: "a tool",
  keys: ["name", "description", "version", "category", "tags", "arguments", "dependencies", "steps", "output"],
  alsoCalled: { summary: "description", about: "description", parameters: "arguments", args: "arguments", params: "arguments", inputs: "arguments", requires: "dependencies", depends: "dependencies", outputs: "output", result: "output" },
};

export const argumentKeys: KnownKeys = {
  owner: "an argument",
  keys: ["flag", "variable", "type", "required", "choices", "default", "description"],
  alsoCalled: { name: "variable", help: "description", desc: "description", enum: "choices", option: "flag" },
};

const common = ["type", "output_var"];
const alsoCalled = { output: "output_var", "output-var": "output_var", outputVar: "output_var", var: "output_var", variable: "output_var" };

export const stepKeys: Readonly<Record<StepType, KnownKeys>> = {
  tool: { owner: "a step of the type `tool`", keys: [...common, "tool", "input", "args", "provider"], alsoCalled: { ...alsoCalled, arguments: "args", with: "args", parameters: "args", uses: "tool" } },
  prompt: { owner: "a step of the type `prompt`", keys: [...common, "prompt", "provider"], alsoCalled: { ...alsoCalled, text: "prompt", model: "provider" } },
  code: { owner: "a step of the type `code`", keys: [...common, "code", "language"], alsoCalled: { ...alsoCalled, script: "code", python: "code", lang: "language" } },
};

/** For what has to name them all: the path of each map, and its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["arguments[].", argumentKeys],
  ...stepTypes.map((type) => [`steps[${type}].`, stepKeys[type]] as const),
];
