// An entry of `steps`: calls a tool, asks a model or runs code, and puts its output into a variable for the steps below it.
import type { Spanned } from "../../../core/text/source.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { type Findings, nearestOf, replacing } from "../../../core/language/findings.ts";
import { sliced, trimmed } from "../../../core/language/syntax/mapped-text.ts";
import { EXTENSION } from "../described-keys.ts";
import { Fields } from "../fields.ts";
import { isName } from "../names.ts";
import { entryOf, mapOf, textNode, type YamlEntry, type YamlMap, type YamlNode } from "../node.ts";
import { stepKeys, type StepType, stepTypes } from "./keys.ts";

export const INPUT = "input";

/** Returns the same as a step of a custom-tools YAML; undefined if a problem was reported. */
export function stepNode(item: YamlNode, tool: Fields): YamlNode | undefined {
  const { findings } = tool;
  if (item.kind !== "map") return void tool.wrong(item, "steps", "a list of maps, each with `type`");
  const type = typeOf(item, findings);
  if (!type) return undefined;
  const fields = new Fields(item, stepKeys[type], findings);
  const variables = readVariables(fields, type);
  const [first] = variables;
  const action = fields.entry(type);
  if (!fields.has("output_var"))
    findings.error("missing-name", "this step has no `output_var`", {
      at: fields.start,
      help: ["add `output_var:`, so that the steps below can read its output"],
    });
  if (!action)
    findings.error("empty-command", `this step has no \`${type}\``, {
      at: first?.span ?? fields.start,
      help: [
        `add \`${type}:\` with ${{ tool: "the name of a tool", prompt: "what to ask", code: "Python code" }[type]}`,
      ],
    });
  if (!first || !action || !fields.text(type)) return undefined;
  const name: YamlEntry = { key: "name", keySpan: first.span, value: textNode(first.value, first.span) };
  const step = (own: readonly YamlEntry[], below: readonly YamlEntry[]): YamlMap =>
    mapOf(
      [
        name,
        ...own,
        ...(below.length === 0 ? [] : [{ key: EXTENSION, keySpan: action.keySpan, value: mapOf(below, item.span) }]),
      ],
      item.span,
    );
  const provider = [fields.entry("provider") ?? []].flat();
  switch (type) {
    case "tool": {
      const { given, optional } = toolArguments(fields, action);
      return step(
        [
          { ...action, key: "use-tool" },
          { key: "with", keySpan: action.keySpan, value: mapOf(given, item.span) },
        ],
        [...provider, ...optional],
      );
    }
    case "prompt":
      return step([], [action, ...provider]);
    case "code": {
      const language = fields.has("language")
        ? fields.choice("language", ["python", "javascript"], { python3: "python", py: "python", js: "javascript" })
        : "python";
      const code = fields.text(type);
      if (code && language === "python") checkLeft(code, variables, findings);
      const items = variables.map(({ value, span }) => textNode(value, span));
      const leaves: YamlEntry = {
        key: "leaves",
        keySpan: first.span,
        value: { kind: "list", items, span: first.span },
      };
      return language && step([], [{ ...action, key: language }, ...(variables.length > 1 ? [leaves] : [])]);
    }
  }
}

/** Returns undefined if a problem was reported. */
function typeOf(item: YamlMap, findings: Findings): StepType | undefined {
  const entry = entryOf(item, "type");
  const guess = stepTypes.find((type) => entryOf(item, type));
  if (!entry)
    return void findings.error("wrong-value", "this step has no `type`", {
      at: { ...item.span, end: Math.min(item.span.end, item.span.start + 1) },
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
  return [...text.text.matchAll(/(?<=^|,)[^,]*/g)].map(({ index, 0: { length } }) =>
    trimmed(sliced(text, index, index + length)),
  );
}

/** Checks the outputs of Python, which assigns each to its variable, or prints it if there is only one. */
function checkLeft({ text, span }: MappedText, variables: readonly Spanned<string>[], findings: Findings): void {
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

/** The input of this tool is passed on unless the step says otherwise, to a tool that takes one. */
function toolArguments(
  fields: Fields,
  { keySpan }: YamlEntry,
): { readonly given: readonly YamlEntry[]; readonly optional: readonly YamlEntry[] } {
  const input = fields.entry(INPUT);
  const others = fields.entries("args");
  const twice = others.find(({ key }) => key === INPUT);
  if (input && twice)
    fields.findings.error("conflicting-keys", "`input` is given twice", {
      at: twice.keySpan,
      related: [{ span: input.keySpan, text: "first given here" }],
    });
  if (input || twice) return { given: [...(input ? [input] : []), ...others], optional: [] };
  const passed: YamlEntry = { key: INPUT, keySpan, value: textNode(`{${INPUT}}`, keySpan) };
  return { given: [passed, ...others], optional: [{ key: "optional", keySpan, value: textNode(INPUT, keySpan) }] };
}
