// The order of steps: which step waits for which, as a graph without cycles, and its problems.
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import { wordedFor } from "../yaml-words.ts";
import { sureName } from "../../text/suggest.ts";
import { diagnosticOf, replacing } from "../findings.ts";
import { referencesIn } from "../../tool/condition.ts";
import type { StepsDefinition } from "../../tool/definition.ts";
import { outputNames, type Step } from "../../tool/step.ts";
import { referencesOfStep } from "../syntax/step-references.ts";

export interface OrderedStep {
  readonly step: Step;
  /** Names of the steps that must have ended. */
  readonly after: readonly string[];
}

/** In the order written. */
export type StepOrder = readonly OrderedStep[];

/**
 * A step waits for those that `wait-for` names, or else for the one before it and for all that run in parallel with
 * that one. A parallel step waits for what the one before it waits for. `unread` are steps with a mistake that has been
 * reported.
 */
export function orderSteps(
  definition: Pick<StepsDefinition, "steps" | "surroundings">,
  unread: readonly string[] = [],
): Checked<StepOrder> {
  const { steps } = definition;
  const byName = new Map(steps.flatMap((step) => outputNames(step).map(({ value }) => [value, step] as const)));
  const unknown = steps.flatMap((step) =>
    (step.waitsFor ?? [])
      .filter(({ value }) => !byName.has(value))
      .map((name) => ({ name: name.value, diagnostic: unknownStep(name, step, [...byName.keys()]) })),
  );
  if (unknown.length > 0)
    return { diagnostics: unknown.filter(({ name }) => !unread.includes(name)).map(({ diagnostic }) => diagnostic) };
  const order = implicitOrder(steps);
  const circle = circleIn(order);
  if (circle) return { diagnostics: [circleOf(circle, byName)] };
  const before = ancestors(order);
  const diagnostics = order.flatMap((ordered) =>
    readingProblems(ordered.step, before.get(ordered.step.name.value) ?? new Set(), { byName, definition }),
  );
  return { value: order, diagnostics };
}

function implicitOrder(steps: readonly Step[]): StepOrder {
  const order: OrderedStep[] = [];
  /** The steps so far that run in parallel. */
  let group: string[] = [];
  for (const step of steps) {
    const previous = order.at(-1);
    const isBeside = step.isParallel && previous !== undefined;
    const after = step.waitsFor ? step.waitsFor.map(({ value }) => value) : isBeside ? previous.after : group;
    group = isBeside ? [...group, step.name.value] : [step.name.value];
    order.push({ step, after });
  }
  return order;
}

/** Returns, for each step, every step that has ended when it starts. */
function ancestors(order: StepOrder): ReadonlyMap<string, ReadonlySet<string>> {
  const after = new Map(order.map((one) => [one.step.name.value, one.after]));
  const known = new Map<string, ReadonlySet<string>>();
  // A recursion would be a thousand levels deep for a thousand steps in a row.
  for (const name of sortedNames(order)) {
    const all = new Set<string>();
    for (const direct of after.get(name) ?? []) {
      all.add(direct);
      for (const far of known.get(direct) ?? []) all.add(far);
    }
    known.set(name, all);
  }
  return known;
}

/** Returns each step after those that it waits for, without steps in a cycle. */
function sortedNames(order: StepOrder): readonly string[] {
  const waiting = new Map(order.map(({ step, after }) => [step.name.value, new Set(after).size]));
  const followers = new Map<string, string[]>();
  for (const { step, after } of order)
    for (const name of new Set(after)) followers.set(name, [...(followers.get(name) ?? []), step.name.value]);
  const ready = order.filter(({ after }) => after.length === 0).map(({ step }) => step.name.value);
  for (let at = 0; at < ready.length; at++) {
    for (const follower of followers.get(ready[at] ?? "") ?? []) {
      const left = (waiting.get(follower) ?? 1) - 1;
      waiting.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return ready;
}

function circleIn(order: StepOrder): readonly string[] | undefined {
  const sorted = new Set(sortedNames(order));
  const stuck = new Map(
    order.filter(({ step }) => !sorted.has(step.name.value)).map(({ step, after }) => [step.name.value, after]),
  );
  const [first] = stuck.keys();
  if (first === undefined) return undefined;
  const path: string[] = [];
  for (let at: string | undefined = first; at !== undefined; at = stuck.get(at)?.find((name) => stuck.has(name))) {
    const seen = path.indexOf(at);
    if (seen !== -1) return path.slice(seen);
    path.push(at);
  }
  return path;
}

function unknownStep(name: NonNullable<Step["waitsFor"]>[number], step: Step, names: readonly string[]): Diagnostic {
  const near = sureName(
    name.value,
    names.filter((one) => one !== step.name.value),
  );
  return diagnosticOf("unknown-step", `there is no step \`${name.value}\` to wait for`, {
    at: name.span,
    ...(near === undefined
      ? { help: [`the steps are ${names.map((one) => `\`${one}\``).join(", ")}`] }
      : { label: `did you mean \`${near}\`?`, fix: replacing(name.span, near) }),
  });
}

function circleOf(names: readonly string[], byName: ReadonlyMap<string, Step>): Diagnostic {
  const spans = names.flatMap((name) => {
    const step = byName.get(name);
    return step ? [step.waitsFor?.find(({ value }) => names.includes(value))?.span ?? step.name.span] : [];
  });
  const [first, ...others] = spans;
  if (!first) throw new Error("a circle has steps");
  const circle = [...names, names[0] ?? ""].map((name) => `\`${name}\``).join(" > ");
  return diagnosticOf("step-cycle", `these steps wait for each other in a circle: ${circle}`, {
    at: first,
    label: names.length === 1 ? "waits for itself" : "",
    related: others.map((span) => ({ span, text: "" })),
    help: ["remove one of these dependencies"],
  });
}

interface Reading {
  readonly byName: ReadonlyMap<string, Step>;
  readonly definition: Pick<StepsDefinition, "surroundings">;
}

/** Reports steps that read an output which does not exist yet, or may never exist. */
function readingProblems(
  step: Step,
  before: ReadonlySet<string>,
  { byName, definition }: Reading,
): readonly Diagnostic[] {
  const asked = new Set(step.when ? referencesIn(step.when.condition).map(({ root }) => root) : []);
  const told = new Set<string>();
  return referencesOfStep(step, definition.surroundings).flatMap((reference): Diagnostic[] => {
    if (told.has(reference.root)) return [];
    const other = byName.get(reference.root);
    if (!other) return [];
    const span = step.when && asked.has(reference.root) ? step.when.span : step.name.span;
    if (!before.has(other.name.value)) {
      told.add(reference.root);
      const isOwn = other === step;
      const message = isOwn
        ? `the step \`${step.name.value}\` reads its own \`{${reference.text}}\``
        : `the step \`${step.name.value}\` reads \`{${reference.text}}\`, but may run before \`${reference.root}\` has ended`;
      const related = isOwn ? [] : [{ span: other.name.span, text: "it does not wait for this step" }];
      const help = isOwn ? [] : [wordedFor(span.source, `make it wait: \`[wait-for=${reference.root}]\``)];
      return [diagnosticOf("reads-ahead", message, { at: span, related, help })];
    }
    const isOpen =
      other.when !== undefined &&
      reference.default === undefined &&
      !asked.has(reference.root) &&
      !sameCondition(step, other);
    if (isOpen) told.add(reference.root);
    return isOpen ? [mayNotHaveRun(step, other, { text: reference.text, span })] : [];
  });
}

function sameCondition(one: Step, other: Step): boolean {
  return one.when !== undefined && JSON.stringify(one.when.condition) === JSON.stringify(other.when?.condition);
}

function mayNotHaveRun(
  step: Step,
  other: Step,
  read: { readonly text: string; readonly span: Step["name"]["span"] },
): Diagnostic {
  const message = `the step \`${step.name.value}\` reads \`{${read.text}}\`, but \`${other.name.value}\` may have been skipped`;
  const help = `give a default, \`{${read.text}:-none}\`, or run it only \`[when={${other.name.value}.ok}]\``;
  const found = diagnosticOf("may-not-have-run", message, {
    at: read.span,
    label: "it is empty then",
    related: other.when ? [{ span: other.when.span, text: "skipped if this is false" }] : [],
    help: [wordedFor(read.span.source, help)],
  });
  return { ...found, severity: "warning" };
}
