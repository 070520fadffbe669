// `steps`: each calls a tool, asks a model or runs code, and puts its output into a variable for the steps below it.
import type { Span, Spanned } from "../../../core/text/source.ts";
import { type Step, plainStep, type StepAction } from "../../../core/tool/step.ts";
import type { Preset } from "../../../core/tool/template.ts";
import type { Declaration, MappedText } from "../../../core/language/syntax/ast.ts";
import { type Findings, nearestOf, replacing } from "../../../core/language/findings.ts";
import { readTemplate } from "../../../core/language/kinds/step-options.ts";
import { sliced, trimmed } from "../../../core/language/syntax/mapped-text.ts";
import type { ReferenceScope } from "../../../core/language/syntax/references.ts";
import { Fields } from "../fields.ts";
import { checkUnique, isName } from "../names.ts";
import { entryOf, toJson, type YamlMap, type YamlNode } from "../node.ts";
import { stepKeys, type StepType, stepTypes } from "./keys.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const TOOL = /^(?:[A-Za-z_][A-Za-z0-9_-]{0,63}\/)?[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
export const INPUT = "input";

interface TypedStep {
  readonly fields: Fields;
  readonly type: StepType;
  /** At least one variable. The first one names the step. */
  readonly variables: readonly [Spanned<string>, ...Spanned<string>[]];
}

export interface ReadSteps {
  readonly steps: readonly Step[];
  readonly scope: ReferenceScope;
}

export function readSteps(tool: Fields, parameters: readonly Declaration[]): ReadSteps {
  const value = tool.entry("steps")?.value;
  const items = value?.kind === "list" ? value.items : [];
  const typed = items.flatMap((item) => typedStep(item, tool) ?? []);
  checkUnique(
    typed.flatMap((step) => step.variables),
    {
      parameters,
      message: (name, isParameter) =>
        `the variable \`${name}\` is already used by ${isParameter ? "an argument" : "another step"}`,
      help: (name) => `give the output another name, so that \`{${name.slice(0, 64)}}\` is unambiguous`,
    },
    tool.findings,
  );
  const variables = [...typed.flatMap((step) => step.variables), ...items.flatMap(plainVariable)];
  // A mistake in one step is not reported again for steps that read it.
  const scope: ReferenceScope = {
    parameters,
    steps: [...new Map(variables.map(({ value: name, span }) => [name, { name, span }])).values()],
    hasItem: false,
  };
  return { scope, steps: typed.flatMap((step) => readStep(step, scope) ?? []) };
}

function plainVariable(item: YamlNode): readonly Spanned<string>[] {
  const name = item.kind === "map" ? entryOf(item, "output_var")?.value : undefined;
  return name?.kind === "scalar" && NAME.test(name.text.text) ? [{ value: name.text.text, span: name.text.span }] : [];
}

function startOf({ span }: YamlNode): Span {
  return { ...span, end: Math.min(span.end, span.start + 1) };
}

function typedStep(item: YamlNode, tool: Fields): TypedStep | undefined {
  const { findings } = tool;
  if (item.kind !== "map") return void tool.wrong(item, "steps", "a list of maps, each with `type`");
  const type = typeOf(item, findings);
  if (!type) return undefined;
  const fields = new Fields(item, stepKeys[type], findings);
  const [first, ...others] = readVariables(fields, type);
  if (first) return { fields, type, variables: [first, ...others] };
  if (!fields.has("output_var"))
    findings.error("missing-name", "this step has no `output_var`", {
      at: startOf(item),
      help: ["add `output_var:`, so that the steps below can read its output"],
    });
  return undefined;
}

/** Returns undefined if a problem was reported. */
function typeOf(item: YamlMap, findings: Findings): StepType | undefined {
  const entry = entryOf(item, "type");
  const guess = stepTypes.find((type) => entryOf(item, type));
  if (!entry)
    return void findings.error("wrong-value", "this step has no `type`", {
      at: startOf(item),
      help: [guess ? `add \`type: ${guess}\`` : "the types are `tool`, `prompt` and `code`"],
    });
  const text = entry.value.kind === "scalar" ? entry.value.text : undefined;
  const type = stepTypes.find((one) => one === text?.text);
  if (type) return type;
  const meant = guess ?? (text && nearestOf(text.text.toLowerCase(), stepTypes));
  return void findings.unknown("wrong-value", "`type` must be `tool`, `prompt` or `code`", {
    at: text && text.text !== "" ? text.span : entry.value.span,
    meant,
  });
}

/** Reads one variable, or for code several, as a list or with commas. */
function readVariables(fields: Fields, type: StepType): readonly Spanned<string>[] {
  const { findings } = fields;
  if (!fields.has("output_var")) return [];
  const texts =
    type === "code"
      ? fields.texts("output_var").flatMap(splitByCommas)
      : [fields.text("output_var")].filter((text) => text !== undefined);
  return texts.flatMap((found) => {
    const help = type !== "code" && found.text.includes(",") ? "only code can have several variables" : undefined;
    return isName("variable name", { text: found.text, span: found.span, help }, findings)
      ? [{ value: found.text, span: found.span }]
      : [];
  });
}

function splitByCommas(text: MappedText): readonly MappedText[] {
  const parts: MappedText[] = [];
  for (let start = 0; start <= text.text.length; ) {
    const comma = text.text.indexOf(",", start);
    const end = comma === -1 ? text.text.length : comma;
    parts.push(trimmed(sliced(text, start, end)));
    start = end + 1;
  }
  return parts;
}

function readStep({ fields, type, variables }: TypedStep, scope: ReferenceScope): Step | undefined {
  const action = readAction(fields, { type, variables, scope });
  return (
    action && {
      name: variables[0],
      action,
      ...plainStep,
    }
  );
}

interface ActionOptions extends Pick<TypedStep, "type" | "variables"> {
  readonly scope: ReferenceScope;
}

function readAction(fields: Fields, { type, variables, scope }: ActionOptions): StepAction | undefined {
  const text = fields.text(type);
  if (!text && !fields.has(type))
    fields.findings.error("empty-command", `the step \`${variables[0].value}\` is empty`, {
      at: variables[0].span,
      help: [
        `add \`${type}:\` with ${{ tool: "the name of a tool", prompt: "what to ask", code: "Python code" }[type]}`,
      ],
    });
  switch (type) {
    case "tool":
      return toolAction(text, fields);
    case "prompt": {
      const prompt = text && readTemplate(text, scope, fields.findings);
      const provider = readProvider(fields);
      return prompt && { kind: "prompt", prompt, ...(provider === undefined ? {} : { provider }) };
    }
    case "code": {
      const language = fields.has("language")
        ? fields.choice("language", ["python", "javascript"], { python3: "python", py: "python", js: "javascript" })
        : "python";
      if (text && language === "python") checkLeft(text, variables, fields.findings);
      const code =
        text && language && ({ kind: "code", language, code: { value: text.text, span: text.span } } as const);
      return code && (variables.length > 1 ? { ...code, leaves: variables } : code);
    }
  }
}

/** Checks the outputs of Python, which assigns each to its variable, or prints it if there is only one. */
function checkLeft({ text, span }: MappedText, variables: TypedStep["variables"], findings: Findings): void {
  for (const { value: name, span: at } of variables) {
    if (name.includes("-"))
      findings.error("invalid-name", `\`${name.slice(0, 64)}\` is not a valid Python variable`, {
        at,
        fix: replacing(at, name.replaceAll("-", "_")),
      });
    else if (
      !new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(text) &&
      !(variables.length === 1 && /print|stdout/.test(text))
    ) {
      findings.warn("wrong-value", `this code never sets its output \`${name.slice(0, 64)}\``, {
        at,
        related: [{ span: { ...span, end: Math.min(span.end, span.start + 1) }, text: "the code" }],
        help: [`write \`${name.slice(0, 64)} = …\` in the code`],
      });
    }
  }
}

function readProvider(fields: Fields): string | undefined {
  const text = fields.text("provider");
  if (!text || PROVIDER.test(text.text)) return text?.text;
  return void fields.findings.error("wrong-value", "`provider` must be a name from the user's `config.yaml`", {
    at: text.span,
    label: "expected letters, digits, `-` and `_`",
  });
}

function toolAction(text: MappedText | undefined, fields: Fields): StepAction | undefined {
  const presets = readArgs(fields);
  const provider = readProvider(fields);
  const given = fields.entry(INPUT);
  const twice = presets.find(({ parameter }) => parameter.value === INPUT);
  if (given && twice)
    fields.findings.error("conflicting-keys", "`input` is given twice", {
      at: twice.parameter.span,
      related: [{ span: given.keySpan, text: "first given here" }],
    });
  const written = given && fields.textOf(given.value, INPUT);
  const span = given?.keySpan ?? text?.span ?? fields.place("tool");
  const name = { value: INPUT, span };
  const input: readonly Preset[] = written
    ? [{ parameter: name, text: asPreset(written) }]
    : given || twice
      ? []
      : [{ parameter: name, text: { value: `{${INPUT}}`, span }, isOptional: true }];
  if (!text) return undefined;
  if (!TOOL.test(text.text))
    return void fields.findings.error("wrong-value", `\`${text.text.slice(0, 64)}\` is not a valid tool name`, {
      at: text.span,
      label: "expected `NAME` or `OWNER/NAME`",
    });
  return {
    kind: "tool",
    tool: { value: text.text, span: text.span },
    arguments: [...input, ...presets],
    ...(provider === undefined ? {} : { provider }),
  };
}

function readArgs(fields: Fields): readonly Preset[] {
  return fields.entries("args").flatMap(({ key, keySpan, value }): Preset[] => {
    const parameter = { value: key, span: keySpan };
    if (value.kind !== "scalar")
      return [{ parameter, text: { value: JSON.stringify(toJson(value)), span: value.span } }];
    if (value.value === "") return [{ parameter, text: { value: '""', span: value.span } }];
    const text = fields.textOf(value, key);
    return text ? [{ parameter, text: asPreset(text) }] : [];
  });
}

/** Returns a text as a preset. In double quotes, it would be read as JSON and lose the quotes. */
function asPreset({ text, span }: MappedText): Spanned<string> {
  return { value: text.startsWith('"') ? JSON.stringify(text) : text, span };
}
