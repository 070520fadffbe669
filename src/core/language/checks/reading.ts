// Definitions that claim to read only but count as running programs. The author learns why models are asked about it.
import { commandsOf, type ToolDefinition } from "../../tool/definition.ts";
import { openValueText } from "../../tool/open-value.ts";
import type { Analysis } from "../analysis.ts";

/** Warns of the first value that a command of `definition` may run. */
export function checkReading(definition: ToolDefinition, analysis: Analysis): void {
  const { declaredEffects, parameters } = definition;
  const tags = analysis.first("tags");
  const [open] = commandsOf(definition).flatMap(({ mayRun = [] }) => mayRun);
  if (!tags || !open || !declaredEffects.includes("read") || declaredEffects.includes("run")) return;
  const parameter = parameters.find(({ name }) => name === open.value);
  const item = parameter?.schema.type === "array" ? parameter.schema.items : parameter?.schema;
  const isText = item?.type === "string" && item.format !== "url" && parameter?.flags !== true;
  const choices = `give \`${open.value}\` choices, as in \`{"one"|"two"}\``;
  const plain = open.by === "subcommand" ? [] : ["or allow only plain words: `pattern=/[A-Za-z0-9_.-]+/`"];
  analysis.warn("counts-as-run", "this tool says that it only reads, but it counts as one that runs programs", {
    at: tags.span,
    label: openValueText(open),
    help: isText ? [choices, ...plain, "or add `run` to its tags"] : ["add `run` to its tags"],
  });
}
