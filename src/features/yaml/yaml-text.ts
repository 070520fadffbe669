// Writes a definition as a custom-tools YAML. Reading that text gives the same definition, and `convert` compares the
// two, so nothing is silently lost.
import { Document, isScalar, visit } from "yaml";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import { toolRecord } from "./yaml-tool.ts";

const LINE_CHARACTERS_MAX = 90;

/** Throws `CannotWrite` for what the format has no words for. */
export function yamlText(definition: ToolDefinition): string {
  // Some quotes are only needed for readers of YAML 1.1, to which `yes` is not text.
  const document = new Document(toolRecord(definition), { compat: "yaml-1.1", aliasDuplicateObjects: false });
  visit(document, {
    Seq: (_key, list) => {
      const texts = list.items.map((item) => (isScalar(item) ? String(item.value) : undefined));
      const isShort =
        texts.every((text) => text !== undefined && !text.includes("\n")) &&
        texts.join(", ").length < LINE_CHARACTERS_MAX;
      if (isShort) list.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, blockQuote: "literal", flowCollectionPadding: false });
}
