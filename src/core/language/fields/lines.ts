// Checks of annotations before their texts are read: whether they are known, repeated, supported yet, and in their
// place.
import type { Span } from "../../text/source.ts";
import { type Analysis, type Details, nearestOf, replacing } from "../analysis.ts";
import { checkContinuations } from "./option-lines.ts";
import { optionNames, plainOptionNames } from "./options.ts";
import { annotationKinds, isFreeKeyword, keywordOf } from "../syntax/annotations.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { sliced } from "../syntax/mapped-text.ts";

const keywords: readonly string[] = [...annotationKinds.keys()];

export function checkLines(analysis: Analysis): void {
  for (const line of analysis.file.oddLines) oddLine(line, analysis);
  for (const text of analysis.file.strayText) strayText(text, analysis);
  for (const annotation of analysis.annotations) {
    const kind = annotationKinds.get(annotation.keyword);
    if (annotation.written !== undefined) otherName(annotation, annotation.written, analysis);
    if (kind) checkQualifier(annotation, kind.takesPlatform === true, analysis);
    else if (!isFreeKeyword(annotation.keyword)) unknownAnnotation(annotation, analysis);
    checkContinuations(annotation, analysis);
  }
  for (const [keyword, kind] of annotationKinds) if (!kind.repeats) onlyOne(analysis.all(keyword), analysis);
}

/** Reports a line that begins like an annotation; the keyword ends at the first character that cannot be in one. */
function oddLine(line: MappedText, analysis: Analysis): void {
  const keyword = /^@([A-Za-z][A-Za-z0-9-]*)/.exec(line.text)?.[1] ?? "";
  const end = 1 + keyword.length;
  const near = annotationKinds.has(keyword) ? keyword : meantKeyword(keyword);
  if (near !== undefined) analysis.noteMeant(near, sliced(line, end));
  const next = line.text[end] ?? "";
  // `@name: x` and `@name=x` come from other languages; `@param{string}` lacks a space.
  const slip = (next === ":" || next === "=") && line.text.length > end + 1 ? 1 : 0;
  const behind = line.text[end + slip] ?? " ";
  const after = /[ \t(]/.test(behind) ? "" : " ";
  if (near !== keyword && keyword !== "" && !isFreeKeyword(keyword))
    return noAnnotation({ keyword, meant: near, at: spanWithin(line, 0, end + slip), after }, analysis);
  const isSure = near === keyword && (slip === 1 || /["{[]/.test(next));
  const at = spanWithin(line, end, Math.min(end + 1, line.text.length));
  analysis.error(
    "malformed-annotation",
    `\`@${near ?? keyword}\` must be written as \`@${near ?? keyword} ${annotationKinds.get(near ?? "")?.form ?? "text"}\``,
    {
      at,
      label: next === "(" ? "expected a platform in parentheses, such as (windows)" : "expected a space",
      fix: isSure
        ? replacing(at, slip === 1 ? after : ` ${next}`, slip === 1 ? `remove the \`${next}\`` : "add a space")
        : undefined,
    },
  );
}

function strayText(text: MappedText, analysis: Analysis): void {
  const firstLine = { ...text.span, end: Math.min(text.span.end, endOfLine(text.span)) };
  analysis.error("stray-text", "this text does not belong to any annotation", {
    at: firstLine,
    label: "a blank line or a body ended the annotation above",
    help: [
      "remove the blank line to continue the annotation",
      "put text for people before the first annotation, or in `@help` and `@note`",
    ],
  });
}

function endOfLine(span: Span): number {
  const newline = span.source.text.indexOf("\n", span.start);
  return newline === -1 ? span.end : newline;
}

function otherName(annotation: Annotation, written: string, analysis: Analysis): void {
  const { keyword, keywordSpan } = annotation;
  analysis.warn("unknown-annotation", `\`@${written}\` is read as \`@${keyword}\``, {
    at: keywordSpan,
    fix: replacing(keywordSpan, `@${keyword}`),
  });
}

function unknownAnnotation(annotation: Annotation, analysis: Analysis): void {
  const { keyword, keywordSpan } = annotation;
  const { text, span } = annotation.text;
  const [, secret, hosts = ""] = (keyword === "secret" && /^([A-Z_][A-Z0-9_]*)((?:\s+for=\S+)?)$/.exec(text)) || [];
  if (secret !== undefined) {
    const isPlaced = ["command", "script"].some((one) =>
      analysis.all(one).some((command) => `${command.text.text}${command.body?.text ?? ""}`.includes(`{${secret}}`)),
    );
    const meant =
      isPlaced && hosts === ""
        ? `@param ${secret} {string} [required, secret, env=${secret}]`
        : `@env ${secret}=secret:${secret}${hosts}`;
    const fix = replacing({ ...keywordSpan, end: span.end }, meant, `write \`${meant}\``);
    const passed = analysis.all("env").find((env) => env.text.text === secret);
    const edits = passed
      ? [
          { span: passed.span, text: meant },
          { span: { ...keywordSpan, end: endOfLine(keywordSpan) }, text: "" },
        ]
      : fix.edits;
    return analysis.error("unknown-annotation", "unknown annotation `@secret`", {
      at: keywordSpan,
      fix: { ...fix, edits },
    });
  }
  const instead = ofSwitch(keyword, text) ?? ofShell(annotation, analysis);
  if (instead) {
    const { keyword: own, written, end } = instead;
    analysis.noteMeant(own, annotation.text);
    return analysis.error("unknown-annotation", `unknown annotation \`@${keyword}\``, {
      at: keywordSpan,
      fix: replacing(
        { ...keywordSpan, end: end === "keyword" ? keywordSpan.end : span.end },
        written,
        `write \`${written.replace("\n", "` and `")}\``,
      ),
    });
  }
  const meant = meantKeyword(keyword);
  if (meant !== undefined) analysis.noteMeant(meant, annotation.text);
  noAnnotation({ keyword, meant, at: keywordSpan, after: "" }, analysis);
}

interface Instead {
  /** The annotation that is meant. */
  readonly keyword: string;
  readonly written: string;
  /** The end of what is replaced. */
  readonly end: "keyword" | "text";
}

/** Returns the parameter that `@switch NAME text` declares. */
function ofSwitch(keyword: string, text: string): Instead | undefined {
  const [, name = "", said = ""] = (keyword === "switch" && /^([A-Za-z_][\w-]*)([ \t].*)?$/s.exec(text)) || [];
  return name === "" ? undefined : { keyword: "param", written: `@param ${name} {boolean}${said}`, end: "text" };
}

/** Returns the command for a shell that is named by its shell: `@bash echo …`. */
function ofShell({ keyword }: Annotation, analysis: Analysis): Instead | undefined {
  if (!/^(?:bash|sh|zsh|pwsh)$/.test(keyword)) return undefined;
  if (["command", "script", "shell", "step"].some((other) => analysis.has(other))) return undefined;
  return { keyword: "command", written: `@shell ${keyword}\n@command`, end: "keyword" };
}

interface NoAnnotation {
  readonly keyword: string;
  readonly meant: string | undefined;
  readonly at: Span;
  /** The text that has to follow the repaired keyword. */
  readonly after: string;
}

function noAnnotation({ keyword, meant, at, after }: NoAnnotation, analysis: Analysis): void {
  if (isOption(keyword)) {
    const help = [
      `write it in brackets after a \`@param\`: \`@param NAME {string} [${keyword}${plainOptionNames.includes(keyword) ? "" : "=…"}]\``,
    ];
    return analysis.error(
      "unknown-annotation",
      `unknown annotation \`@${keyword}\`: \`${keyword}\` is an option of parameters`,
      { at, help },
    );
  }
  analysis.error("unknown-annotation", `unknown annotation \`@${keyword}\``, {
    at,
    label: meant === undefined ? "" : `did you mean \`@${meant}\`?`,
    help: meant === undefined ? [`\`@x-${keyword}\` is free for other programs`] : [],
    fix: meant === undefined ? undefined : replacing(at, `@${meant}${after}`, `use \`@${meant}\``),
  });
}

/** Whether the keyword is an option of parameters and not another name of an annotation. */
function isOption(keyword: string): boolean {
  return optionNames.includes(keyword) && keywordOf(keyword) === undefined;
}

function meantKeyword(keyword: string): string | undefined {
  if (isOption(keyword)) return undefined;
  return keywordOf(keyword) ?? nearestOf(keyword, keywords);
}

function checkQualifier(annotation: Annotation, takesPlatform: boolean, analysis: Analysis): void {
  if (!annotation.qualifier || takesPlatform) return;
  const span = { ...annotation.keywordSpan, start: annotation.keywordSpan.end, end: annotation.qualifier.span.end + 1 };
  analysis.error("malformed-annotation", `\`@${annotation.keyword}\` cannot have a platform`, {
    at: span,
    help: ["only `@command`, `@script` and `@shell` can be given for each platform"],
    fix: { title: "remove the platform", edits: [{ span, text: "" }] },
  });
}

function onlyOne(annotations: readonly Annotation[], analysis: Analysis): void {
  const [first, ...others] = annotations;
  if (!first) return;
  for (const other of others)
    duplicateAnnotation(analysis, `there can be only one \`@${first.keyword}\` in a file`, { first, other });
}

export function duplicateAnnotation(
  analysis: Analysis,
  message: string,
  {
    first,
    other,
    help = [],
    offers,
  }: Pick<Details, "help" | "offers"> & { readonly first: Annotation; readonly other: Annotation },
): void {
  analysis.error("duplicate-annotation", message, {
    at: other.keywordSpan,
    help,
    offers,
    related: [{ span: first.keywordSpan, text: "the first one is here" }],
  });
}
