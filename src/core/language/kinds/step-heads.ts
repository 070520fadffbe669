// The lines of `@step`: name, kind and options. One step may have a line for each platform.
import { platformChoices, type PlatformChoice } from "../../tool/command.ts";
import { type Analysis, partOf, partsOf, replacing } from "../analysis.ts";
import { unknownPlatform } from "../fields/platforms.ts";
import { type Annotation, type Declaration, type MappedText, spanWithin } from "../syntax/ast.ts";
import type { Part } from "../syntax/grammar.ts";

export interface StepKind {
  readonly kind: MappedText;
  /** The tool after `uses`. */
  readonly tool?: MappedText;
}

export interface StepHead extends StepKind {
  readonly annotation: Annotation;
  readonly name: MappedText;
  /** `@step(windows)` */
  readonly platform?: PlatformChoice;
  readonly options: readonly Part[];
}

interface NamedHeads {
  /** The line with the options. */
  readonly head: StepHead;
  readonly others: readonly StepHead[];
}

export function readStepHeads(analysis: Analysis, declarations: readonly Declaration[]): readonly NamedHeads[] {
  const seen = new Map<string, StepHead[]>();
  for (const head of analysis.all("step").flatMap((annotation) => headOf(annotation, analysis))) {
    const name = head.name.text;
    const parameter = declarations.find((one) => one.parameter.name === name);
    const known = seen.get(name);
    if (!known && !parameter) seen.set(name, [head]);
    else if (known?.every(({ platform }) => platform !== head.platform)) addPlatform(known, head, analysis);
    else
      complain(
        head,
        { isParameter: parameter !== undefined, span: parameter?.span ?? known?.[0]?.name.span ?? head.name.span },
        analysis,
      );
  }
  return [...seen.values()].flatMap(([head, ...others]) => (head ? [{ head, others }] : []));
}

function complain(
  { name }: StepHead,
  { isParameter, span }: { readonly isParameter: boolean; readonly span: Declaration["span"] },
  analysis: Analysis,
): void {
  analysis.error(
    "duplicate-step",
    `the name \`${name.text}\` is already used by ${isParameter ? "a parameter" : "another step"}`,
    {
      at: name.span,
      related: [{ span, text: "first used here" }],
      help: ["give the step another name, so that `{NAME}` is unambiguous"],
    },
  );
}

const commandKinds = ["runs", "bash", "sh", "zsh", "pwsh", "cmd"];

/** Adds a line for another platform. Options belong on the first line of a step. */
function addPlatform(known: StepHead[], head: StepHead, analysis: Analysis): void {
  const [option] = head.options;
  const other = [...known, head].find(({ kind }) => !commandKinds.includes(kind.text));
  if (option)
    analysis.error("malformed-option", "the options of a step belong on its first line", {
      at: option.text.span,
      related: known[0] ? [{ span: known[0].name.span, text: "" }] : [],
    });
  if (other) analysis.error("malformed-annotation", "only commands can differ by platform", { at: other.kind.span });
  else known.push(head);
}

/** Matches a name without a kind, and a body that begins with an argument of a tool. */
const WITHOUT_KIND = /^([A-Za-z_][\w-]*)[ \t]*(?:\[.*)?$/;
const ARGUMENT = /^\s*[A-Za-z_][\w-]*[ \t]*=/;

function headOf(annotation: Annotation, analysis: Analysis): readonly StepHead[] {
  const { text, body } = annotation;
  const [, bare] = body && !ARGUMENT.test(body.text) ? (WITHOUT_KIND.exec(text.text) ?? []) : [];
  if (bare !== undefined) {
    const span = spanWithin(text, bare.length, bare.length);
    const fix = replacing(span, " runs", "write `runs`");
    analysis.malformed(annotation, { kind: "unexpected", span, expected: "`runs` for a command" }, fix);
    return [];
  }
  const part = analysis.read(annotation, "step");
  const name = part && partOf(part, "stepName")?.text;
  const kind = part && kindOfPart(part);
  if (!name || !kind) return [];
  const platform = platformChoices.find((choice) => choice === annotation.qualifier?.text);
  if (annotation.qualifier && !platform)
    unknownPlatform({ value: annotation.qualifier.text, span: annotation.qualifier.span }, platformChoices, analysis);
  return [{ annotation, name, ...kind, ...(platform ? { platform } : {}), options: partsOf(part, "stepOption") }];
}

/** Returns the kind of a `step` or a `cleanupStep`. */
export function kindOfPart(part: Part): StepKind | undefined {
  const tool = partOf(part, "uses")?.parts[0]?.text;
  const kind = partOf(part, "kindWord")?.text ?? partOf(part, "uses")?.text;
  return kind && { kind, ...(tool ? { tool } : {}) };
}
