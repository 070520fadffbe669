// A definition as the text of a custom-tools YAML: what is read from it is the definition again. `convert` compares, so
// nothing is lost unseen.
import { Document, isScalar, visit } from "yaml";
import type { ToolDefinition } from "../../tool/definition.ts";
import { toolRecord } from "./yaml-tool.ts";

const LINE_CHARACTERS_MAX = 90;

/** Throws `CannotWrite` for what the format has no words for. */
export function yamlText(definition: ToolDefinition): string {
  // Quotes for readers of YAML 1.1, to which `yes` is not text, do no harm.
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
