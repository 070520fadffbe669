// The changes of a definition to its base tool's parameters: defaults by `@default`, fixed values by `@with`.
import { valueOfText } from "../schema/convert-text.ts";
import { validateValue } from "../schema/validate.ts";
import type { Parameter } from "../schema/parameter.ts";
import type { Checked, Diagnostic } from "../text/diagnostic.ts";
import type { Spanned } from "../text/source.ts";
import { nearestNames, sureName } from "../text/suggest.ts";
import type { AliasDefinition, WrappedDefinition } from "../tool/definition.ts";

/** Returns the base tool's parameters with the definition's `@default` values. */
export function withPresetDefaults(
  definition: AliasDefinition | WrappedDefinition,
  parameters: readonly Parameter[],
): Checked<readonly Parameter[]> {
  const diagnostics: Diagnostic[] = [];
  const changed = new Map<string, Parameter>();
  for (const { parameter: named, value } of definition.defaults) {
    const parameter = parameters.find((candidate) => candidate.name === named.value);
    if (!parameter) {
      diagnostics.push(unknownParameter(named, definition.base.value, parameters));
      continue;
    }
    // The definition alone does not know the type, so `7` is text until here.
    const typed = typeof value.value === "string" ? valueOfText(parameter.schema, value.value) : value.value;
    const issues = validateValue(parameter.schema, typed, parameter.name).issues;
    for (const issue of issues) diagnostics.push(mismatch(value, issue.message));
    changed.set(parameter.name, { ...parameter, default: typed, required: false });
  }
  if (diagnostics.length > 0) return { diagnostics };
  return { value: parameters.map((parameter) => changed.get(parameter.name) ?? parameter), diagnostics };
}

export function unknownParameter(named: Spanned<string>, base: string, parameters: readonly Parameter[]): Diagnostic {
  const names = parameters.map((parameter) => parameter.name);
  // `path` can only mean `file_path` where no other name has this word.
  const [word, ...others] = names.filter((name) => name.split("_").includes(named.value));
  const sure = word !== undefined && others.length === 0 ? word : sureName(named.value, names);
  const near = sure ?? nearestNames(named.value, names)[0];
  return {
    code: "unknown-base-parameter",
    severity: "error",
    message: `\`${base}\` has no parameter \`${named.value}\``,
    at: { span: named.span, text: near === undefined ? "" : `did you mean \`${near}\`?` },
    related: [],
    help:
      names.length === 0
        ? [`\`${base}\` has no parameters`]
        : [`it has ${names.map((name) => `\`${name}\``).join(", ")}`],
    ...(sure === undefined ? {} : { fix: { title: `use \`${sure}\``, edits: [{ span: named.span, text: sure }] } }),
  };
}

function mismatch(value: Spanned<unknown>, message: string): Diagnostic {
  return {
    code: "default-mismatch",
    severity: "error",
    message: `this default does not fit the parameter: ${message}`,
    at: { span: value.span, text: "" },
    related: [],
    help: [],
  };
}
