// A parameter that changes its value with an expression does so when it is called through the gate. A wrap calls its
// base tool directly, so it may only pass such a parameter on as it is.
import type { Diagnostic } from "../text/diagnostic.ts";
import { isLiteral } from "../tool/template.ts";
import type { WrappedDefinition } from "../tool/definition.ts";
import type { BaseTool } from "../tool/tool.ts";
import { parseValueTemplate } from "../language/template.ts";

export function lostTransforms(definition: WrappedDefinition, base: BaseTool): readonly Diagnostic[] {
  if (definition.commands.length > 0) return [];
  const names = definition.parameters.map(({ name }) => name);
  return base.parameters
    .filter(({ transform }) => transform !== undefined)
    .flatMap(({ name, schema }): readonly Diagnostic[] => {
      const preset = definition.presets.find(({ parameter }) => parameter.value === name);
      const template = preset && parseValueTemplate(preset.text, schema, names).value;
      // What an author fixes is written as it shall be.
      if (preset ? !template || isLiteral(template) : !names.includes(name)) return [];
      return [
        {
          code: "parameter-mismatch",
          severity: "error",
          message: `\`${definition.base.value}\` changes its \`${name}\` with an expression, which a wrap would pass by`,
          at: { span: preset?.text.span ?? definition.base.span, text: "" },
          related: [],
          help: [`let a step use it: \`@step NAME uses ${definition.base.value}\``],
        },
      ];
    });
}
