// The result of an analysis without places.
import type { Checked } from "../../src/core/text/diagnostic.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";

/** Returns the definition, and the codes and messages of its diagnostics in any order. */
export function meaningOf(checked: Checked<ToolDefinition>): unknown {
  const withoutPlaces = (key: string, value: unknown): unknown =>
    key === "span" || key === "source" ? undefined : value;
  return {
    value: checked.value && JSON.parse(JSON.stringify(checked.value, withoutPlaces)),
    diagnostics: checked.diagnostics.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`).sort(),
  };
}
