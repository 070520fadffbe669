// Outlines what steps would do with the arguments of a call, as far as that is known before they run.
import type { Json, JsonObject } from "../schema/json.ts";
import { type Reference, parseReference } from "../tool/reference.ts";
import { outputNames } from "../tool/step.ts";
import type { StepOutline } from "../tool/step-outline.ts";
import type { Template } from "../tool/template.ts";
import type { PlannedStep, StepsPlan } from "./plan.ts";
import { RunValues } from "./run-values.ts";

/** Outlines the steps in the order written, cleanups last. `cwd` is the absolute path where the call would run. */
export function outlineSteps(plan: StepsPlan, args: JsonObject, cwd: string): readonly StepOutline[] {
  const values = new RunValues(args, { WORKSPACE: cwd, TOOL_NAME: plan.name }, plan.parameters);
  const later = new Set([
    ...plan.steps.flatMap(({ step }) => outputNames(step).map(({ value }) => value)),
    "TEMP_DIR",
    "item",
    "index",
  ]);
  const valueOf = (reference: Reference): Json | undefined =>
    later.has(reference.root) && !plan.parameters.includes(reference.root)
      ? `{${reference.text}}`
      : values.valueOf(reference);
  const outline = (planned: PlannedStep, isCleanup: boolean): StepOutline => {
    const { step, after, effects, fallback } = planned;
    const read: JsonObject = Object.fromEntries(
      planned.references.flatMap((reference): (readonly [string, Json])[] => {
        const value = valueOf(reference);
        return value === undefined ? [] : [[reference.text, value]];
      }),
    );
    const expansion = planned.expand?.(read);
    const fallbackExpansion = fallback?.expand?.(read);
    return {
      step,
      isCleanup,
      after,
      effects,
      tool: planned.tool,
      ...(expansion ? { expansion } : {}),
      ...(step.forEach ? { items: filled(step.forEach.items, valueOf) } : {}),
      ...(fallback
        ? { fallback: { tool: fallback.tool, ...(fallbackExpansion ? { expansion: fallbackExpansion } : {}) } }
        : {}),
    };
  };
  return [
    ...plan.steps.map((planned) => outline(planned, false)),
    ...plan.cleanup.map((planned) => outline(planned, true)),
  ];
}

function filled(template: Template, valueOf: (reference: Reference) => Json | undefined): string {
  return template.parts.map((part) => (typeof part === "string" ? part : textOf(part.placeholder, valueOf))).join("");
}

function textOf(written: string, valueOf: (reference: Reference) => Json | undefined): string {
  const reference = parseReference(written);
  const value = reference && valueOf(reference);
  return value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
}
