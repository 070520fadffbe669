// A parameter transforms its value only in a call through the gate. A wrap calls its base tool directly, so it may only
// pass such a parameter on unchanged.
import type { Diagnostic } from "../text/diagnostic.ts";
import { isLiteral } from "../tool/template.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool } from "../tool/tool.ts";
import { parseValueTemplate } from "../language/syntax/template.ts";

export function lostTransforms(definition: WrappedDefinition, base: BaseTool): readonly Diagnostic[] {
  if (definition.commands.length > 0) return [];
  const names = definition.parameters.map(({ name }) => name);
  return base.parameters
    .filter(({ transform }) => transform !== undefined)
    .flatMap(({ name, schema }): readonly Diagnostic[] => {
      const preset = definition.presets.find(({ parameter }) => parameter.value === name);
      const template = preset && parseValueTemplate(preset.text, schema, names).value;
      // A fixed value is written in its final form.
      if (preset ? !template || isLiteral(template) : !names.includes(name)) return [];
      return [
        {
          code: "parameter-mismatch",
          severity: "error",
          message: `\`${definition.base.value}\` transforms its \`${name}\` with an expression, which a wrapper would bypass`,
          at: { span: preset?.text.span ?? definition.base.span, text: "" },
          related: [],
          help: [`use it in a step: \`@step NAME uses ${definition.base.value}\``],
        },
      ];
    });
}
