// An alias: the same tool under another name, perhaps with other defaults.
import type { Checked } from "../text/diagnostic.ts";
import type { AliasDefinition } from "../tool/definition.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { withDefaults } from "./base-parameters.ts";
import { raisedEffects } from "./effects.ts";
import { inheritedSecurity } from "./inherited-security.ts";
import { processLimitDiagnostics } from "./process-limits.ts";

/** The words for people that the alias does not give are the base tool's. */
export function aliasTool(definition: AliasDefinition, base: BaseTool): Checked<Tool> {
  const parameters = withDefaults(definition, base.parameters);
  const misplaced = (base.runsProcess ? [] : processLimitDiagnostics(definition, { made: `\`${definition.base.value}\``, span: definition.base.span }));
  if (!parameters.value || misplaced.length > 0) return { diagnostics: [...parameters.diagnostics, ...misplaced] };
  const own = base.definition;
  const tool: BaseTool = {
    definition: {
      ...definition,
      title: definition.title === "" ? own.title : definition.title,
      description: definition.description === "" ? own.description : definition.description,
      examples: definition.examples.length === 0 ? own.examples : definition.examples,
      limits: { ...own.limits, ...definition.limits },
      requires: [...own.requires, ...definition.requires],
      ...inheritedSecurity(definition, own),
      parameters: parameters.value,
      ...(own.returns && !definition.returns ? { returns: own.returns } : {}),
    },
    effects: raisedEffects(base.effects, definition.declaredEffects),
    parameters: parameters.value,
    safeTextLength: base.safeTextLength,
    ...(base.wrap ? { wrap: base.wrap } : {}),
    ...(base.runsProcess ? { runsProcess: true } : {}),
    ...(base.longestMs ? { longestMs: base.longestMs } : {}),
    ...(base.check ? { check: base.check } : {}),
    ...(base.askedTimeoutMs ? { askedTimeoutMs: base.askedTimeoutMs } : {}),
    expand: (args) => base.expand?.(args) ?? { tool: own.name.value, arguments: args },
    execute: (args, context) => base.execute(args, context),
  };
  return { value: Object.freeze(tool), diagnostics: parameters.diagnostics };
}
