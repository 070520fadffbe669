// The references of a composed tool, in the words of steps: `$steps.read.total` is `{read.json.total}`.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { presetText as writtenText } from "../../core/language/fields/values.ts";
import { withoutNeedless } from "../../core/text/literal-braces.ts";
import { doubledBraces } from "../../core/language/write/command-text.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { ComposedStep } from "./request.ts";
import { Refused } from "./refusal.ts";

/** What a step may refer to: the parameters, and the steps before it. */
export interface ReferenceScope {
  readonly step: string;
  readonly parameters: readonly Parameter[];
  readonly before: readonly ComposedStep[];
}

/** `$input.a`, `input.a`: the dollar sign belongs to the form outside of braces. */
const PATH = String.raw`(?:\.[A-Za-z0-9_-]+|\[(?:[0-9]+|"[A-Za-z0-9_-]+"|'[A-Za-z0-9_-]+')\])*`;
const ROOT = "(?:input|prev|steps)";
const WHOLE = new RegExp(`^\\$(${ROOT}${PATH})$`);
const INSIDE = /\$\$|\$\{\s*\$?([^{}]*?)\s*\}/g;
const IN_CONDITION = new RegExp(
  String.raw`("(?:[^"\\]|\\.)*"|'[^']*')|\$(?:\{\s*\$?([^{}]*?)\s*\}|(${ROOT}${PATH}))`,
  "g",
);
const LOOKS_LIKE_REFERENCE = /^\$[A-Za-z_]/;

/** Returns the text below a step for one parameter of its tool. Throws `Refused`. */
export function presetText(value: Json, parameter: Parameter | undefined, scope: ReferenceScope): string {
  const isText = parameter?.schema.type === "string";
  const filled = templateOf(value, scope);
  if (typeof filled !== "string" && !isText) return JSON.stringify(filled).replaceAll("$", "\\u0024");
  const text = typeof filled === "string" ? filled : JSON.stringify(filled);
  // In the language of steps, `${` begins no reference.
  if (/\$\{[^{}]*[.[]/.test(text))
    throw new Refused("syntax", `a text in the step \`${scope.step}\` has a dollar sign before a part of a value`, [
      "put a space between them",
    ]);
  return writtenText(text);
}

function templateOf(value: Json, scope: ReferenceScope): Json {
  if (typeof value === "string") return textTemplate(value, scope);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => templateOf(item, scope));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, templateOf(item, scope)]));
}

function textTemplate(text: string, scope: ReferenceScope): Json {
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole === "input") return wholeInput(scope);
  if (whole !== undefined) return `{${reference(whole, scope)}}`;
  if (LOOKS_LIKE_REFERENCE.test(text))
    throw new Refused("syntax", `\`${text}\` in the step \`${scope.step}\` begins like a reference and is none`, [
      "references are `$input`, `$input.NAME`, `$prev`, `$steps.STEP.NAME` and `$steps[0].NAME`; inside a text write `${input.NAME}`, and `$$` for a dollar sign",
    ]);
  let from = 0;
  let template = "";
  for (const match of text.matchAll(INSIDE)) {
    template += doubledBraces(text.slice(from, match.index));
    const [mark, inside] = match;
    template += mark === "$$" ? "$" : `{${reference(inside ?? "", scope)}}`;
    from = match.index + mark.length;
  }
  return withoutNeedless(template + doubledBraces(text.slice(from)));
}

/** `$input` alone is an object of all arguments that there are. */
function wholeInput({ parameters }: ReferenceScope): JsonObject {
  return Object.fromEntries(parameters.map(({ name }) => [name, `{${name}}`]));
}

/** Returns a condition in the words of steps. Throws `Refused`. */
export function conditionOf(condition: string, scope: ReferenceScope): string {
  return condition.replaceAll(IN_CONDITION, (mark, ...[quoted, braced, plain]: readonly (string | undefined)[]) => {
    const written = quoted === undefined ? (braced ?? plain) : undefined;
    return written === undefined ? mark : `{${reference(written, scope)}}`;
  });
}

/** Returns a reference without its braces. */
function reference(written: string, scope: ReferenceScope): string {
  const segments = segmentsOf(written);
  const [root, ...path] = segments ?? [];
  switch (root) {
    case "input":
      return inputReference(written, path, scope);
    case "prev": {
      const last = scope.before.at(-1);
      if (!last)
        throw new Refused("syntax", `\`$prev\` in the step \`${scope.step}\`: there is no step before it`, [
          "the first step takes its values from `$input`",
        ]);
      return stepReference(last.name, path);
    }
    case "steps": {
      const [step, ...inner] = path;
      return stepReference(stepNamed(written, step, scope).name, inner);
    }
    default:
      throw new Refused("syntax", `unknown reference \`${written}\` in the step \`${scope.step}\``, [
        "references begin with `input`, `prev` or `steps`",
      ]);
  }
}

function segmentsOf(written: string): readonly (string | number)[] | undefined {
  if (!new RegExp(`^[A-Za-z_][A-Za-z0-9_-]*${PATH}$`).test(written)) return undefined;
  return [...written.matchAll(/[A-Za-z0-9_-]+/g)].map(([segment], index) =>
    index > 0 && /^[0-9]+$/.test(segment) ? Number(segment) : segment,
  );
}

function inputReference(
  written: string,
  [name, ...inner]: readonly (string | number)[],
  { step, parameters }: ReferenceScope,
): string {
  const names = parameters.map((parameter) => parameter.name);
  if (name === undefined)
    throw new Refused("syntax", `\`$input\` inside a text in the step \`${step}\` names no value`, [
      `write \`\${input.NAME}\`, or \`$input\` alone for all arguments as an object`,
    ]);
  const parameter = parameters.find((one) => one.name === String(name));
  if (!parameter)
    throw new Refused(
      "syntax",
      `unknown reference \`${written}\` in the step \`${step}\`: there is no input \`${String(name)}\`${didYouMean(String(name), names)}`,
      [names.length === 0 ? "the tool has no inputs" : `the inputs are ${names.map((one) => `\`${one}\``).join(", ")}`],
    );
  const { schema } = parameter;
  const [first] = inner;
  if (
    schema.type === "object" &&
    !schema.open &&
    first !== undefined &&
    !schema.properties.some((property) => property.name === String(first))
  )
    throw new Refused("syntax", `unknown reference \`${written}\` in the step \`${step}\``, [
      `\`${String(name)}\` has ${schema.properties.map((one) => `\`${one.name}\``).join(", ")}`,
    ]);
  return `${String(name)}${pathText(inner)}`;
}

function stepNamed(
  written: string,
  step: string | number | undefined,
  { step: current, before }: ReferenceScope,
): ComposedStep {
  const found = typeof step === "number" ? before[step] : before.find(({ name }) => name === step);
  if (found) return found;
  const names = before.map(({ name }) => name);
  throw new Refused(
    "syntax",
    `unknown reference \`${written}\` in the step \`${current}\`: there is no step \`${String(step ?? "")}\` before it${didYouMean(String(step ?? ""), names)}`,
    [
      names.length === 0
        ? "it is the first step, and takes its values from `$input`"
        : `the steps before it are ${names.map((name) => `\`${name}\``).join(", ")}`,
    ],
  );
}

function stepReference(step: string, path: readonly (string | number)[]): string {
  return path.length === 0 ? `${step}.value` : `${step}.json${pathText(path)}`;
}

function pathText(path: readonly (string | number)[]): string {
  return path.map((segment) => (typeof segment === "number" ? `[${segment}]` : `.${segment}`)).join("");
}
