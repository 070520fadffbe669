// The annotations that are texts for people, all read in the same way.
import validVersion from "semver/functions/valid.js";
import type { Analysis } from "../analysis.ts";
import type { Annotation } from "../syntax/ast.ts";
import { readWords } from "./names.ts";
import { readTextFields, type TextField, type TextValues } from "../text-fields.ts";

export function readTexts(analysis: Analysis): TextValues {
  return readTextFields((field) => {
    const all = analysis.all(field.keyword);
    if (field.rule && all.length > 0) return [...new Set(readWords(field.keyword, analysis).map(({ value }) => value))];
    if (!field.repeats) return all[0] && readOne(all[0], field, analysis);
    return all.length === 0 ? undefined : all.map((annotation) => requiredText(annotation, analysis));
  });
}

function readOne(annotation: Annotation, { isVersion, empty }: TextField, analysis: Analysis): string | undefined {
  if (isVersion) return readVersion(annotation, analysis);
  const text = [annotation.text.text, annotation.body?.text ?? ""].filter((part) => part !== "").join("\n");
  return text === "" && empty !== undefined ? empty : text === "" ? requiredText(annotation, analysis) : text;
}

/** Returns the text of an annotation without any structure; reports an empty one. */
export function requiredText({ keyword, keywordSpan, text }: Annotation, analysis: Analysis): string {
  if (text.text === "")
    analysis.error("malformed-annotation", `\`@${keyword}\` is empty`, { at: keywordSpan, label: "expected text" });
  return text.text;
}

function readVersion(
  { keyword, keywordSpan, text: { text, span } }: Annotation,
  analysis: Analysis,
): string | undefined {
  if (validVersion(text) !== null) return text;
  analysis.error(
    "bad-version",
    text === "" ? `\`@${keyword}\` is empty` : `\`${text.slice(0, 64)}\` is not a valid version`,
    { at: text === "" ? keywordSpan : span, label: "expected three numbers, such as 1.2.0" },
  );
  return undefined;
}
