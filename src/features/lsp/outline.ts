// What an editor draws around a definition: its outline, the colors of its words, its effects, and lines to run it.
import {
  type CodeLens,
  type DocumentSymbol,
  type InlayHint,
  type SemanticTokens,
  SemanticTokensBuilder,
  SymbolKind,
} from "vscode-languageserver";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { Findings } from "../../core/language/findings.ts";
import type { ToolFile } from "../../core/language/syntax/ast.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import type { SourceFile, Span } from "../../core/text/source.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import { readYaml } from "../yaml/document.ts";
import type { YamlEntry } from "../yaml/node.ts";
import type { Looked } from "./checked-documents.ts";
import { type MarkKind, marksIn, marksOf } from "./marks.ts";

/** Absent: as the editor draws other text. */
const tokenTypeOf: Readonly<Partial<Record<MarkKind, string>>> = {
  keyword: "keyword",
  name: "function",
  tool: "function",
  parameter: "parameter",
  toolParameter: "property",
  reference: "variable",
  step: "variable",
  type: "type",
  namedType: "type",
  parameterOption: "modifier",
  stepOption: "modifier",
  stepKind: "keyword",
};
export const tokenTypes: readonly string[] = [...new Set(Object.values(tokenTypeOf))];

export function semanticTokens(source: SourceFile, document: TextDocument): SemanticTokens {
  const builder = new SemanticTokensBuilder();
  let last = 0;
  for (const { kind, span } of marksIn(source)) {
    const type = tokenTypeOf[kind];
    const { line, character } = document.positionAt(span.start);
    const isOnLine = document.positionAt(span.end).line === line;
    if (type === undefined || !isOnLine || span.start < last) continue;
    builder.push(line, character, span.end - span.start, tokenTypes.indexOf(type), 0);
    last = span.end;
  }
  return builder.build();
}

export function symbolsOf(source: SourceFile, document: TextDocument): readonly DocumentSymbol[] {
  if (isYamlPath(source.path)) {
    const root = readYaml(source, new Findings(source));
    return root?.kind === "map" ? root.entries.map((entry) => keySymbol(entry, document)) : [];
  }
  const file = parseToolFile(source);
  const declared = marksOf(file).filter(({ kind }) => DECLARING.has(kind));
  const names = new Map(declared.map((mark) => [mark.annotation, mark]));
  return file.annotations.map((annotation) => {
    const { keyword, keywordSpan, span } = annotation;
    const mark = names.get(annotation);
    return {
      name: mark ? `@${keyword} ${mark.text}` : `@${keyword}`,
      kind: keyword === "step" ? SymbolKind.Function : mark ? SymbolKind.Variable : SymbolKind.Property,
      range: rangeOf(span, document),
      selectionRange: rangeOf(mark?.span ?? keywordSpan, document),
    };
  });
}

const DECLARING: ReadonlySet<MarkKind> = new Set(["name", "parameter", "step", "namedType"]);

function keySymbol({ key, keySpan, value }: YamlEntry, document: TextDocument): DocumentSymbol {
  const items = value.kind === "list" ? value.items : [value];
  const inner = items.flatMap((item) => (item.kind === "map" ? item.entries : []));
  return {
    name: key,
    kind: SymbolKind.Property,
    detail: value.kind === "scalar" ? (value.text.text.split("\n", 1)[0] ?? "") : "",
    range: rangeOf({ ...keySpan, end: Math.max(keySpan.end, value.span.end) }, document),
    selectionRange: rangeOf(keySpan, document),
    children: inner.map((entry) => keySymbol(entry, document)),
  };
}

export function rangeOf({ start, end }: Pick<Span, "start" | "end">, document: TextDocument) {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}

/** The place of a definition's name: its effects and lines are shown there. */
function namePlace(source: SourceFile): Span {
  const file: ToolFile | undefined = isYamlPath(source.path) ? undefined : parseToolFile(source);
  const name = file?.annotations.find(({ keyword }) => keyword === "name") ?? file?.annotations[0];
  if (name) return { source, start: name.keywordSpan.start, end: name.text.span.end };
  const start = /^name:/m.exec(source.text)?.index ?? 0;
  const end = source.text.indexOf("\n", start);
  return { source, start, end: end === -1 ? source.text.length : end };
}

export function effectHints({ source, entries, around }: Looked, document: TextDocument): readonly InlayHint[] {
  const tool = entries[0] && around.registry.find(entries[0].name);
  if (!tool) return [];
  const label = tool.effects.length === 0 ? "effects not known" : `effects: ${tool.effects.join(", ")}`;
  return [{ position: document.positionAt(namePlace(source).end), label, paddingLeft: true }];
}

/** The one command of this server. It gives the line back and runs nothing. */
export const LINE_COMMAND = "dottool.line";

export function lineLenses({ source, entries: [entry], opened }: Looked, document: TextDocument): readonly CodeLens[] {
  const definition = entry && opened.catalogue().definitionOf(entry);
  if (!entry || !definition) return [];
  const lines: readonly (readonly [title: string, line: string])[] = [
    ["run", `dottool run ${entry.name}`],
    ...(definition.tests.length > 0 ? [["test", `dottool test ${entry.name}`] as const] : []),
    ["what a model sees", `dottool schema ${entry.name} --for mcp`],
  ];
  const range = rangeOf(namePlace(source), document);
  return lines.map(([title, line]) => ({
    range,
    command: { title, command: LINE_COMMAND, arguments: [line, opened.cwd] },
  }));
}
