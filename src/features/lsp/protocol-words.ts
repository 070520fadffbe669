// What dottool says, in the words of the Language Server Protocol.
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic as ShownDiagnostic,
  DiagnosticSeverity,
  type Range,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { resolve } from "node:path";
import type { Suggestion } from "../../core/language/author-help.ts";
import type { Diagnostic, Fix } from "../../core/text/diagnostic.ts";
import { positionOf, type Span } from "../../core/text/source.ts";
import { type Looked, uriOf } from "./checked-documents.ts";
import type { CheckedDocument } from "./open-documents.ts";
import { rangeOf } from "./outline.ts";

interface Around {
  readonly document: TextDocument;
  readonly looked: Looked | undefined;
}

export function shownDiagnostic(diagnostic: Diagnostic, { document, looked }: Around): ShownDiagnostic {
  const { code, severity, message, at, related, help, fix } = diagnostic;
  const isHere = at !== undefined && at.span.source.path === looked?.source.path;
  const label = at && at.text !== "" ? [at.text] : [];
  return {
    range: rangeOf(isHere ? at.span : { start: 0, end: 0 }, document),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "dottool",
    message: [message, ...label, ...(fix ? [`fix: ${fix.title}`] : []), ...help.map((one) => `help: ${one}`)].join(
      "\n",
    ),
    relatedInformation: related.map((one) => ({
      location: { uri: uriOf(resolve(looked?.opened.cwd ?? "/", one.span.source.path)), range: lineRange(one.span) },
      message: one.text,
    })),
  };
}

/** For a text that is not the document's. */
function lineRange({ source, start, end }: Span): Range {
  const [from, to] = [positionOf(source, start), positionOf(source, end)];
  return {
    start: { line: from.line - 1, character: from.column - 1 },
    end: { line: to.line - 1, character: to.column - 1 },
  };
}

/** Returns the fixes of the diagnostics in this range, and the changes that a person chooses between. */
export function quickFixes({ found, document, looked }: CheckedDocument, range: Range): readonly CodeAction[] {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return found.flatMap(([{ fix, offers = [] }, shown]) => {
    const isIn = document.offsetAt(shown.range.start) <= end && document.offsetAt(shown.range.end) >= start;
    const all = isIn ? [...(fix ? [fix] : []), ...offers] : [];
    return all
      .filter(({ edits }) => edits.every(({ span }) => span.source.path === looked.source.path))
      .map((one) => action(one, { shown, document, isPreferred: one === fix }));
  });
}

function action(
  { title, edits }: Fix,
  {
    shown,
    document,
    isPreferred,
  }: { readonly shown: ShownDiagnostic; readonly document: TextDocument; readonly isPreferred: boolean },
): CodeAction {
  const changes = {
    [document.uri]: edits.map(({ span, text }) => ({ range: rangeOf(span, document), newText: text })),
  };
  return { title, kind: CodeActionKind.QuickFix, diagnostics: [shown], edit: { changes }, isPreferred };
}

const itemKinds: Readonly<Record<Suggestion["kind"], CompletionItemKind>> = {
  annotation: CompletionItemKind.Keyword,
  key: CompletionItemKind.Property,
  kind: CompletionItemKind.Keyword,
  option: CompletionItemKind.Property,
  parameter: CompletionItemKind.Variable,
  step: CompletionItemKind.Variable,
  tool: CompletionItemKind.Function,
  type: CompletionItemKind.TypeParameter,
  value: CompletionItemKind.Value,
};

export function completionItem({ text, span, kind, does }: Suggestion, document: TextDocument): CompletionItem {
  return {
    label: text,
    kind: itemKinds[kind],
    ...(does === "" ? {} : { detail: does }),
    textEdit: { range: rangeOf(span, document), newText: text },
  };
}
