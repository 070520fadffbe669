// Parameters that nothing in a definition uses.
import { hasErrors } from "../../text/diagnostic.ts";
import type { ToolDefinition } from "../../tool/definition.ts";
import { parseReference } from "../../tool/reference.ts";
import type { Findings } from "../findings.ts";
import type { Declaration } from "../syntax/ast.ts";
import { commandReferences, referencesOfStep, surroundingReferences } from "../syntax/step-references.ts";

/** Warns of parameters that nothing uses. A text with an error may be the one that does. */
export function warnUnused(
  noun: "parameter" | "argument",
  parameters: readonly Declaration[],
  { definition, findings }: { readonly definition: ToolDefinition; readonly findings: Findings },
): void {
  const used = usedNames(definition);
  const isOdd = hasErrors(findings.diagnostics());
  for (const { parameter, span } of used ? parameters : [])
    if (!used?.has(parameter.name) && !(isOdd && findings.source.text.includes(`{${parameter.name}`)))
      findings.warn("unused-parameter", `unused ${noun} \`${parameter.name}\``, {
        at: span,
        help: [`write \`{${parameter.name}}\` where its value goes, or remove it`],
      });
}

/** Returns the names that the definition uses, or undefined if more than its texts can use names. */
function usedNames(definition: ToolDefinition): ReadonlySet<string> | undefined {
  switch (definition.kind) {
    case "base":
    case "alias":
    case "code":
      return undefined;
    case "wrapped": {
      if (definition.commands.length === 0) return undefined;
      const presets = definition.presets.flatMap(({ text }) =>
        [...text.value.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].map(([, name = ""]) => name),
      );
      const places = [
        ...definition.commands.map(({ command }) => command),
        ...(definition.fallback ? [definition.fallback] : []),
      ].flatMap(commandReferences);
      return new Set([...places, ...surroundingReferences(definition.surroundings), ...presets]);
    }
    case "steps": {
      const steps = [...definition.steps, ...definition.cleanup];
      // Code sees every argument.
      if (steps.some(({ action, fallback }) => action.kind === "code" || fallback?.kind === "code")) return undefined;
      const output = (definition.output?.parts ?? []).flatMap((part) =>
        typeof part === "string" ? [] : (parseReference(part.placeholder)?.root ?? []),
      );
      return new Set([
        ...steps.flatMap((step) => referencesOfStep(step, definition.surroundings).map(({ root }) => root)),
        ...output,
      ]);
    }
  }
}
