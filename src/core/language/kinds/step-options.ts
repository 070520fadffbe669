// The options of `@step`, in brackets after its kind.
import { rowOf } from "../../text/row-of.ts";
import { concurrencyText, QUEUED_CONCURRENCY, type Step, STEP_OUTPUT_BYTES_MAX } from "../../tool/step.ts";
import { type Analysis, nearestOf, partOf } from "../analysis.ts";
import { ATTEMPTS_MAX, durationMs, sizeBytes } from "../fields/limits.ts";
import type { Template } from "../../tool/template.ts";
import type { Findings } from "../findings.ts";
import type { MappedText } from "../syntax/ast.ts";
import { conditionReferences, parseCondition } from "../syntax/condition.ts";
import type { Part } from "../syntax/grammar.ts";
import { CannotWrite } from "../write/cannot-write.ts";
import { templateText } from "../write/command-text.ts";
import { durationText, sizeQuantity } from "../write/quantity-text.ts";
import { sliced } from "../syntax/mapped-text.ts";
import { parseReferringTemplate, type ReferenceScope, unknownReference } from "../syntax/references.ts";

interface StepOption {
  /** The field of the step that it says, or a part of. */
  readonly says: keyof Step;
  /** Returns the text after `=`, or `true` for an option without one. Undefined if the step need not say it. */
  write(step: Step): string | boolean | undefined;
  readonly takes?: "nothing";
  /** The option without which it has no effect. */
  readonly needs?: string;
  /** Its names in other programs, with blanks between them. */
  readonly alsoCalled?: string;
}

function flag<Field extends keyof Step>(says: Field) {
  return { says, takes: "nothing", write: (step: Step) => Boolean(step[says]) } as const;
}

/** Every option of a step, in the order in which they are written. */
const stepOptions = {
  // It is in brackets of its own, because it extends to the closing one.
  when: { says: "when", write: () => undefined, alsoCalled: "if condition" },
  "wait-for": {
    says: "waitsFor",
    write: ({ waitsFor }) => waitsFor?.map(({ value }) => value).join(","),
    alsoCalled: "needs after",
  },
  parallel: flag("isParallel"),
  "continue-on-error": flag("continuesOnError"),
  once: flag("isOnce"),
  retry: { says: "retries", write: ({ retries }) => retries && `${retries.attempts}`, alsoCalled: "retries attempts" },
  delay: {
    says: "retries",
    write: ({ retries }) => retries !== undefined && retries.delayMs > 0 && durationText(retries.delayMs),
    needs: "retry",
  },
  backoff: { says: "retries", write: ({ retries }) => retries?.isExponential && "exponential", needs: "retry" },
  timeout: { says: "timeoutMs", write: ({ timeoutMs }) => timeoutMs !== undefined && durationText(timeoutMs) },
  "for-each": {
    says: "forEach",
    write: ({ forEach }) => forEach && quotedText(templateText(forEach.items)),
    alsoCalled: "foreach",
  },
  concurrency: { says: "forEach", write: ({ forEach }) => forEach && concurrencyText(forEach), needs: "for-each" },
  on: { says: "forEach", write: ({ forEach }) => forEach?.isQueued && "queue", needs: "for-each" },
  output: { says: "output", write: ({ output }) => output.mode === "stream" && "stream" },
  "buffer-limit": {
    says: "output",
    write: ({ output }) => output.bytesMax !== STEP_OUTPUT_BYTES_MAX && sizeQuantity(output.bytesMax),
  },
  fallback: flag("fallback"),
  cache: { says: "cacheMs", write: ({ cacheMs }) => cacheMs !== undefined && durationText(cacheMs), alsoCalled: "ttl" },
  stdin: { says: "stdin", write: ({ stdin }) => stdin && quotedText(templateText(stdin)), alsoCalled: "input" },
  provider: {
    says: "action",
    write: ({ action }) => (action.kind === "prompt" || action.kind === "tool") && action.provider,
  },
  leaves: {
    says: "action",
    write: ({ action }) => action.kind === "code" && action.leaves?.map(({ value }) => value).join(","),
  },
  optional: {
    says: "action",
    write: ({ action }) =>
      action.kind === "tool" &&
      action.arguments.flatMap(({ parameter, isOptional }) => (isOptional ? [parameter.value] : [])).join(","),
  },
} as const satisfies Readonly<Record<string, StepOption>>;

/** The compiler asks here for the option of a new field. */
const unsaid: Record<Exclude<keyof Step, (typeof stepOptions)[keyof typeof stepOptions]["says"] | "name">, never> = {};
const optionRows: readonly (readonly [string, StepOption])[] = Object.entries({ ...stepOptions, ...unsaid });
const optionNames: readonly string[] = optionRows.map(([name]) => name);

function isFlag(name: string): boolean {
  return optionRows.some(([one, { takes }]) => one === name && takes === "nothing");
}

/** Returns the options without the condition. */
export function stepOptionTexts(step: Step): readonly string[] {
  return optionRows.flatMap(([name, { write }]) => {
    const text = write(step);
    return text === undefined || text === false || text === "" ? [] : [text === true ? name : `${name}=${text}`];
  });
}

/** Returns a text that ends at the next blank, in quotes if it has one. */
function quotedText(text: string): string {
  if (/^\{[^{}"\s,\]]*\}$/.test(text)) return text;
  if (/["\\\n]/.test(text)) throw new CannotWrite("an option of a step with quotes in it");
  return `"${text}"`;
}

/** The limit of items at a time; more processes would only wait. */
export const CONCURRENCY_MAX = 16;
/** The limit of items that wait for workers. */
export const QUEUED_CONCURRENCY_MAX = 1_000;

interface StepOptions extends Omit<Step, "name" | "action" | "fallback"> {
  readonly hasFallback: boolean;
  readonly provider?: string;
  /** The variables of a code step. */
  readonly leaves?: readonly MappedText[];
  /** The optional arguments of a `uses` step. */
  readonly optional?: readonly MappedText[];
}

interface OptionContext {
  readonly scope: (hasItem: boolean) => ReferenceScope;
  readonly analysis: Analysis;
}

export function readStepOptions(written: readonly Part[], { scope, analysis }: OptionContext): StepOptions {
  const options = namedOptions(written, analysis);
  const value = (name: string): MappedText | undefined => options.get(name)?.value;
  const duration = (name: string): number | undefined => {
    const text = value(name);
    return text && durationMs(text, analysis);
  };
  const has = (name: string): boolean => options.has(name);
  const isQueued = readWord(value("on"), ["queue"], analysis) === "queue";
  const most = isQueued ? QUEUED_CONCURRENCY_MAX : CONCURRENCY_MAX;
  const concurrency = wholeNumber(value("concurrency"), { most, noun: "concurrent items" }, analysis);
  const forEach = readForEach(value("for-each"), { concurrency, isQueued }, { scope, analysis });
  for (const [name, { needs }] of optionRows) {
    const lone = needs !== undefined && !has(needs) ? options.get(name) : undefined;
    if (lone)
      analysis.error("malformed-option", `\`${name}\` has no effect without \`${needs}\``, { at: lone.name.span });
  }
  const inner = scope(forEach !== undefined);
  const condition = options.get("when")?.value;
  const when = condition && readCondition(condition, inner, analysis);
  const waitsFor = options.get("wait-for")?.list;
  const attempts = wholeNumber(value("retry"), { most: ATTEMPTS_MAX, noun: "attempts" }, analysis);
  const delayMs = duration("delay") ?? 0;
  const isExponential = readWord(value("backoff"), ["none", "exponential"], analysis) === "exponential";
  const timeoutMs = duration("timeout");
  const cacheMs = duration("cache");
  const bytesMax = value("buffer-limit");
  const stdinText = value("stdin");
  const stdin = stdinText && readTemplate(stdinText, inner, analysis);
  const provider = value("provider")?.text;
  const [leaves, optional] = ["leaves", "optional"].map((name) => options.get(name)?.list);
  return {
    ...(when ? { when } : {}),
    ...(waitsFor ? { waitsFor: waitsFor.map((name) => ({ value: name.text, span: name.span })) } : {}),
    isParallel: has("parallel"),
    continuesOnError: has("continue-on-error"),
    ...(has("once") ? { isOnce: true } : {}),
    ...(attempts === undefined ? {} : { retries: { attempts, delayMs, isExponential } }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(forEach ? { forEach } : {}),
    ...(stdin ? { stdin } : {}),
    output: {
      mode: readWord(value("output"), ["buffer", "stream"], analysis) === "stream" ? "stream" : "buffer",
      bytesMax: (bytesMax && sizeBytes(bytesMax, analysis)) ?? STEP_OUTPUT_BYTES_MAX,
    },
    ...(cacheMs === undefined ? {} : { cacheMs }),
    ...(provider === undefined ? {} : { provider }),
    ...(leaves ? { leaves } : {}),
    ...(optional ? { optional } : {}),
    hasFallback: has("fallback"),
  };
}

interface Option {
  readonly name: MappedText;
  readonly value?: MappedText;
  readonly list?: readonly MappedText[];
}

function namedOptions(written: readonly Part[], analysis: Analysis): ReadonlyMap<string, Option> {
  const found = new Map<string, Option>();
  for (const part of written) {
    const option = optionOf(part);
    const name = option.name.text;
    const known = found.get(name);
    if (known)
      analysis.error("malformed-option", `duplicate option \`${name}\``, {
        at: option.name.span,
        related: [{ span: known.name.span, text: "first given here" }],
      });
    else if (!optionNames.includes(name)) unknownOption(option.name, analysis);
    else if (isFlag(name) && option.value)
      analysis.error("malformed-option", `\`${name}\` does not take a value`, { at: option.value.span });
    else if (!isFlag(name) && !option.value && !option.list)
      analysis.error("malformed-option", `\`${name}\` needs a value`, {
        at: option.name.span,
        label: `expected \`${name}=…\``,
      });
    else found.set(name, option);
  }
  return found;
}

function optionOf(part: Part): Option {
  const condition = partOf(part, "condition");
  const list = partOf(part, "waitFor");
  const named = partOf(part, "named");
  const head = (name: string): MappedText => sliced(part.text, 0, name.length);
  if (condition) return { name: head("when"), value: unquoted(condition.text) };
  if (list) return { name: head(/^[a-z-]*/.exec(part.text.text)?.[0] ?? ""), list: list.parts.map((one) => one.text) };
  const name = named && partOf(named, "optionName");
  const value = named && partOf(named, "stepValue");
  return { name: name?.text ?? part.text, ...(value ? { value: unquoted(value.text) } : {}) };
}

/** Removes `"…"` around the whole text. There are no escapes, so offsets in the file stay right. */
function unquoted(text: MappedText): MappedText {
  return /^"[^"\\]*"$/.test(text.text) ? sliced(text, 1, text.text.length - 1) : text;
}

function unknownOption(name: MappedText, analysis: Analysis): void {
  analysis.unknown("malformed-option", `unknown step option \`${name.text}\``, {
    at: name.span,
    meant: meantOption(name.text.toLowerCase()),
    help: [`the options are ${optionNames.join(", ")}`],
  });
}

function meantOption(name: string): string | undefined {
  const near = nearestOf(name, [...optionNames, ...Object.keys(otherNames)]);
  return near === undefined ? undefined : (rowOf(otherNames, near) ?? near);
}

const otherNames: Readonly<Record<string, string>> = Object.fromEntries(
  optionRows.flatMap(([name, { alsoCalled }]) => (alsoCalled?.split(" ") ?? []).map((other) => [other, name])),
);
export const stepOptionWords: readonly string[] = [...optionNames, ...Object.keys(otherNames)];

function readCondition(text: MappedText, scope: ReferenceScope, analysis: Analysis): Step["when"] {
  const { value, diagnostics } = parseCondition(text);
  const unknown = conditionReferences(text).flatMap((reference) => unknownReference(reference, scope) ?? []);
  const told = diagnostics.map((one) =>
    !one.fix && one.at?.text.includes("the end of the condition")
      ? {
          ...one,
          help: ["`when` goes on to the closing bracket: other options are in brackets of their own", ...one.help],
        }
      : one,
  );
  analysis.add([...told, ...unknown]);
  return value && { condition: value, span: text.span };
}

function readForEach(
  items: MappedText | undefined,
  { concurrency, isQueued }: { readonly concurrency: number | undefined; readonly isQueued: boolean },
  { scope, analysis }: OptionContext,
): Step["forEach"] {
  const template = items && readTemplate(items, scope(false), analysis);
  if (!template) return undefined;
  if (template.parts.every((part) => typeof part === "string"))
    analysis.error("malformed-option", "`for-each` must name a list, such as `{files}`", { at: items.span });
  if (isQueued) return { items: template, concurrency: concurrency ?? QUEUED_CONCURRENCY, isQueued };
  return { items: template, concurrency: concurrency ?? 1 };
}

function wholeNumber(
  text: MappedText | undefined,
  { most, noun }: { readonly most: number; readonly noun: string },
  analysis: Analysis,
): number | undefined {
  if (!text) return undefined;
  const value = /^\d{1,9}$/.test(text.text) ? Number(text.text) : 0;
  if (value >= 1 && value <= most) return value;
  analysis.error("malformed-option", `the number of ${noun} must be between 1 and ${most}`, { at: text.span });
  return undefined;
}

function readWord(text: MappedText | undefined, words: readonly string[], analysis: Analysis): string | undefined {
  if (!text || words.includes(text.text)) return text?.text;
  analysis.unknown("malformed-option", `this must be ${words.join(" or ")}`, {
    at: text.span,
    meant: nearestOf(text.text, words),
  });
  return undefined;
}

export function readTemplate(text: MappedText, scope: ReferenceScope, analysis: Findings): Template | undefined {
  const { value, diagnostics } = parseReferringTemplate(text, scope);
  analysis.add(diagnostics);
  return value;
}
