// `dottool fmt`: writes a definition in the one layout. Order, groups and line breaks are the author's, while blanks
// and indents are ours. Text that does not fit its rule is laid out as text, so nothing is ever lost.
import { annotationKinds, askArrow } from "./annotations.ts";
import type { Annotation, MappedText, ToolFile } from "./ast.ts";
import { matchDeclaration, matchRule, matchRuleWithRest, type Part, type RuleName } from "./grammar.ts";

const INDENT = "    ";

/** Formats a file. Formatting twice changes nothing, and the definition stays equal. */
export function formatToolFile(file: ToolFile): string {
  const { source, description } = file;
  const pieces = [
    ...file.annotations.map((annotation) => ({
      span: annotation.span,
      text: annotationText(annotation),
      isStray: false,
    })),
    ...file.oddLines.map((line) => ({ span: line.span, text: linesOf(line).join(`\n${INDENT}`), isStray: false })),
    ...file.strayText.map((text) => ({ span: text.span, text: linesOf(text).join("\n"), isStray: true })),
  ].sort((one, other) => one.span.start - other.span.start);
  let formatted = description.text;
  let end: number | undefined;
  for (const piece of pieces) {
    const isApart = end === undefined || piece.isStray || hasBlankLine(source.text.slice(end, piece.span.start));
    formatted += `${formatted === "" ? "" : isApart ? "\n\n" : "\n"}${piece.text}`;
    end = piece.span.end;
  }
  return formatted === "" ? "" : `${formatted}\n`;
}

function hasBlankLine(between: string): boolean {
  return between.indexOf("\n") !== between.lastIndexOf("\n");
}

/** Returns the lines that a text was joined from, as written in the source. */
function linesOf(mapped: MappedText): readonly string[] {
  const { source, start, end } = mapped.span;
  const lines = source.text
    .slice(start, end)
    .split("\n")
    .map((line, index) =>
      line.replace(index === 0 ? /(?<![ \t\r])[ \t\r]+$/ : /^[ \t\uFEFF]+|(?<![ \t\r])[ \t\r]+$/g, ""),
    );
  return lines.filter((line) => line !== "");
}

function annotationText(annotation: Annotation): string {
  const { keyword, qualifier, body } = annotation;
  const isBodied = annotationKinds.get(keyword)?.takesBody === true;
  const lines = laidOut(annotation) ?? linesOf(annotation.text);
  // An indented continuation of `@command` would be read as its body.
  const text = lines.join(isBodied ? " " : `\n${INDENT}`);
  const head = `@${keyword}${qualifier ? `(${qualifier.text})` : ""}${text === "" ? "" : ` ${text}`}`;
  if (!body) return head;
  const rows = body.text.split("\n").map((row) => (keyword === "test" ? row.replace(/(?<![ \t])[ \t]+$/, "") : row));
  return [head, ...rows.map((row) => (row === "" ? "" : `${INDENT}${row}`))].join("\n");
}

/** Returns undefined if it has no special layout, or does not match its rule. */
function laidOut({ keyword, text }: Annotation): readonly string[] | undefined {
  const rule = annotationKinds.get(keyword)?.rule;
  switch (rule) {
    case undefined:
      return undefined;
    case "param":
    case "property":
    case "namedType":
    case "returns":
      return declarationLines(text, rule);
    case "words":
    case "depends":
    case "limits":
      return listLine(text, { rule, separator: " " });
    case "requires":
      return listLine(text, { rule, separator: ", " });
    case "ask":
      return askLines(text);
    case "assignment":
      return assignmentLines(text, keyword === "env" ? "=" : " = ");
  }
}

function declarationLines(mapped: MappedText, rule: RuleName): readonly string[] | undefined {
  const { part } = matchDeclaration(rule, mapped);
  if (!part) return undefined;
  const prose = part.parts.find((inner) => inner.rule === "prose");
  const owner = part.parts.find((inner) => inner.rule === "typeName");
  const head = part.parts
    .filter((inner) => inner !== prose && !(rule === "property" && inner === owner))
    .toSorted((one, other) => Number(other.rule === "name") - Number(one.rule === "name"))
    .map((inner) => {
      if (inner.rule === "type") return `{${inner.parts.map(typeText).join("")}}`;
      if (inner.rule === "options") return `[${inner.parts.map((option) => option.text.text).join(", ")}]`;
      return inner.rule === "propertyName" && owner ? `${owner.text.text}.${inner.text.text}` : inner.text.text;
    });
  return withHead(head.join(" "), prose?.text, " ");
}

function typeText(part: Part): string {
  if (part.rule === "arrayType") return `array<${part.parts.map(typeText).join("")}>`;
  return part.rule === "choices" || part.rule === "numberChoices"
    ? part.parts.map((choice) => choice.text.text).join("|")
    : part.text.text;
}

function listLine(
  mapped: MappedText,
  layout: { readonly rule: RuleName; readonly separator: string },
): readonly string[] | undefined {
  const { part } = matchRule(layout.rule, mapped);
  return (
    part && [
      part.parts.map(layout.rule === "requires" ? requirementText : (inner) => inner.text.text).join(layout.separator),
    ]
  );
}

function requirementText(requirement: Part): string {
  return requirement.parts.map((inner) => inner.text.text.replace(/(?<![ \t])[ \t]+$/, "")).join(" ");
}

function assignmentLines(mapped: MappedText, equals: string): readonly string[] | undefined {
  const { part } = matchRuleWithRest("assignment", mapped, { words: 2, hasBrackets: false });
  const [target, assigned] = part?.parts ?? [];
  return target && withHead(target.text.text, assigned?.text, assigned ? equals : equals.trimEnd());
}

/** The arrow of an ask has one form. */
function askLines(mapped: MappedText): readonly string[] {
  return linesOf(mapped)
    .join("\n")
    .replace(askArrow, (arrow) => (/\n[ \t]*$/.test(arrow) ? " →\n" : arrow.startsWith("\n") ? "\n→ " : " → "))
    .split("\n");
}

/** Lays out a text after its head. The free text keeps its line breaks. */
function withHead(head: string, rest: MappedText | undefined, separator: string): readonly string[] {
  const [first, ...others] = rest ? linesOf(rest) : [];
  return [`${head}${rest || separator.trim() !== "" ? separator : ""}${first ?? ""}`, ...others];
}
