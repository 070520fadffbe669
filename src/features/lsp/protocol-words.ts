// What dottool says, in the words of the Language Server Protocol.
import {
  type CodeAction,
  CodeActionKind,
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic as ShownDiagnostic,
  DiagnosticSeverity,
  type Range,
  type TextEdit,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { resolve } from "node:path";
import type { Suggestion } from "../../core/language/author-help.ts";
import type { Diagnostic, Fix } from "../../core/text/diagnostic.ts";
import { positionOf, type Span } from "../../core/text/source.ts";
import { type Looked, uriOf } from "./checked-documents.ts";
import { rangeOf } from "./outline.ts";

export interface OpenDocument {
  readonly document: TextDocument;
  readonly looked: Looked;
}

export interface CheckedDocument extends OpenDocument {
  readonly version: number;
  readonly found: readonly (readonly [Diagnostic, ShownDiagnostic])[];
}

export function shownDiagnostic(diagnostic: Diagnostic, document: TextDocument, looked?: Looked): ShownDiagnostic {
  const { code, severity, message, at, related, help, fix } = diagnostic;
  const isHere = at !== undefined && at.span.source.path === looked?.source.path;
  const texts = [message, at?.text ?? "", fix ? `fix: ${fix.title}` : "", ...help.map((one) => `help: ${one}`)];
  const pathOf = ({ source }: Span): string => resolve(looked?.opened.cwd ?? "/", source.path);
  return {
    range: rangeOf(isHere ? at.span : { start: 0, end: 0 }, document),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code,
    source: "dottool",
    message: texts.filter((text) => text !== "").join("\n"),
    relatedInformation: related
      .filter(({ span }) => looked?.opened.host.instant.stat(pathOf(span)))
      .map(({ span, text }) => ({ location: { uri: uriOf(pathOf(span)), range: lineRange(span) }, message: text })),
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
  const isIn = ({ range: own }: ShownDiagnostic): boolean =>
    document.offsetAt(own.start) <= end && document.offsetAt(own.end) >= start;
  return found.flatMap(([{ fix, offers = [] }, shown]) =>
    (isIn(shown) ? [...(fix ? [fix] : []), ...offers] : [])
      .filter(({ edits }) => edits.every(({ span }) => span.source.path === looked.source.path))
      .map((one) => ({
        title: one.title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [shown],
        edit: { changes: { [document.uri]: editsOf(one, document) } },
        isPreferred: one === fix,
      })),
  );
}

function editsOf({ edits }: Fix, document: TextDocument): TextEdit[] {
  return edits.map(({ span, text }) => ({ range: rangeOf(span, document), newText: text }));
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
