// An alias: the same tool under another name, perhaps with other defaults.
import type { JsonObject } from "../schema/json.ts";
import type { Parameter } from "../schema/parameter.ts";
import { type Checked, hasErrors } from "../text/diagnostic.ts";
import type { AliasDefinition } from "../tool/definition.ts";
import type { BaseTool, Tool } from "../tool/tool.ts";
import { withDefaults } from "./base-parameters.ts";
import { effectsOver } from "./effects.ts";
import { inheritedNeeds } from "./inherited-needs.ts";
import { processLimitDiagnostics } from "./process-limits.ts";
import { templateDefaults } from "./template-defaults.ts";

/** Builds an alias. Texts for people that it does not have are the base tool's. */
export function aliasTool(definition: AliasDefinition, base: BaseTool): Checked<Tool> {
  const templates = templateDefaults(definition, base);
  const given = withDefaults({ ...definition, defaults: templates.plain }, base.parameters);
  const parameters = {
    value: given.value?.map((parameter) =>
      templates.names.has(parameter.name) ? withoutDefault(parameter) : parameter,
    ),
    diagnostics: [...templates.diagnostics, ...given.diagnostics],
  };
  const misplaced = base.runsProcess
    ? []
    : processLimitDiagnostics(definition, { made: `\`${definition.base.value}\``, span: definition.base.span });
  if (!parameters.value || hasErrors(parameters.diagnostics) || misplaced.length > 0)
    return { diagnostics: [...parameters.diagnostics, ...misplaced] };
  const own = base.definition;
  const tool: BaseTool = {
    definition: {
      ...definition,
      title: definition.title === "" ? own.title : definition.title,
      description: definition.description === "" ? own.description : definition.description,
      examples: definition.examples.length === 0 ? own.examples : definition.examples,
      limits: { ...own.limits, ...definition.limits },
      ...inheritedNeeds(definition, own),
      parameters: parameters.value,
      ...(own.returns && !definition.returns ? { returns: own.returns } : {}),
    },
    effects: effectsOver(base.effects, definition.declaredEffects),
    parameters: parameters.value,
    safeTextLength: base.safeTextLength,
    underlying: [base],
    ...(base.endingMs === undefined ? {} : { endingMs: base.endingMs }),
    ...(base.wrap ? { wrap: base.wrap } : {}),
    ...(base.runsProcess ? { runsProcess: true } : {}),
    ...(base.quotesFiles ? { quotesFiles: true } : {}),
    ...(base.longestMs ? { longestMs: base.longestMs } : {}),
    check: (args) => {
      const issues = templates.check(args);
      return issues.length > 0 ? issues : (base.check?.(templates.fill(args)) ?? []);
    },
    ...(base.askedTimeoutMs
      ? { askedTimeoutMs: (args: JsonObject) => base.askedTimeoutMs?.(templates.fill(args)) }
      : {}),
    ...(base.outline ? { outline: base.outline } : {}),
    expand: (args) => base.expand?.(templates.fill(args)) ?? { tool: own.name.value, arguments: templates.fill(args) },
    below: (args) => [templates.fill(args)],
    execute: (args, context) => base.execute(templates.fill(args), context),
  };
  return { value: Object.freeze(tool), diagnostics: parameters.diagnostics };
}

function withoutDefault({ default: _default, ...parameter }: Parameter): Parameter {
  return { ...parameter, required: false };
}
