// The Language Server Protocol: each request is answered from the text as it is now, and from what the last check knew
// around it.
import {
  CodeActionKind,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
} from "vscode-languageserver";
import { fileURLToPath } from "node:url";
import { TextDocument } from "vscode-languageserver-textdocument";
import { formatToolFile } from "../../core/language/syntax/format.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import type { CommandContext } from "../../cli/command.ts";
import { uriOf } from "./checked-documents.ts";
import { explained } from "./explained.ts";
import { completionItem, quickFixes } from "./protocol-words.ts";
import { OpenDocuments, type OpenDocument } from "./open-documents.ts";
import { effectHints, LINE_COMMAND, lineLenses, rangeOf, semanticTokens, symbolsOf, tokenTypes } from "./outline.ts";
import { declarationOf, type FilePlace, markIn, placesOf, renamed } from "./places.ts";
import { suggestions } from "./suggestions.ts";

export function serve(connection: Connection, context: CommandContext): void {
  const documents = new OpenDocuments(connection, context);
  let canWatch = false;
  connection.onInitialize((params) => {
    canWatch = params.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    documents.roots = rootsOf(params);
    return capabilities;
  });
  connection.onInitialized(() => {
    const watchers = [{ globPattern: "**/*.{tool,yaml,yml}" }];
    if (canWatch) void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
  });
  connection.onDidChangeWatchedFiles(() => documents.checkAll());
  answerAboutWords(connection, documents);
  answerAboutDocuments(connection, documents);
  documents.listen();
  connection.listen();
}

const capabilities: InitializeResult = {
  capabilities: {
    textDocumentSync: TextDocumentSyncKind.Incremental,
    completionProvider: { triggerCharacters: ["@", "{", "[", ".", "=", "|"] },
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    documentFormattingProvider: true,
    codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
    codeLensProvider: {},
    inlayHintProvider: true,
    executeCommandProvider: { commands: [LINE_COMMAND] },
    semanticTokensProvider: { legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] }, full: true },
  },
  serverInfo: { name: "dottool" },
};

function rootsOf({ workspaceFolders, rootUri }: InitializeParams): readonly string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  return uris.filter((uri) => uri.startsWith("file:")).map((uri) => fileURLToPath(uri));
}

/** Requests about the word at a place. */
function answerAboutWords(connection: Connection, documents: OpenDocuments): void {
  type At = OpenDocument & { readonly offset: number };
  const at = async ({ textDocument, position }: TextDocumentPositionParams): Promise<At | undefined> => {
    const open = await documents.now(textDocument.uri);
    return open && { ...open, offset: open.document.offsetAt(position) };
  };
  connection.onCompletion(async (params) => {
    const open = await at(params);
    if (!open) return null;
    const { looked, document, offset } = open;
    const found = await suggestions(looked.source, offset, looked.around);
    return found.map((one) => completionItem(one, document));
  });
  connection.onHover(async (params) => {
    const open = await at(params);
    const found = open && (await explained(open.looked.source, open.offset, open.looked.around));
    return open && found
      ? { contents: { kind: MarkupKind.Markdown, value: found.text }, range: rangeOf(found.span, open.document) }
      : null;
  });
  connection.onDefinition(async (params) => {
    const open = await at(params);
    const place = open && declarationOf(open.looked, open.offset);
    return place ? locationOf(place) : null;
  });
  connection.onReferences(async (params) => {
    const open = await at(params);
    return open ? placesOf(open.looked, open.offset).map(locationOf) : null;
  });
  connection.onPrepareRename(async (params) => {
    const open = await at(params);
    const mark = open && markIn(open.looked, open.offset);
    return open && (mark?.kind === "parameter" || mark?.kind === "reference")
      ? rangeOf(mark.span, open.document)
      : null;
  });
  connection.onRenameRequest(async (params) => {
    const open = await at(params);
    if (!open) return null;
    const answer = await renamed(open.looked, open.offset, { name: params.newName, documents });
    if ("problem" in answer) return new ResponseError(LSPErrorCodes.RequestFailed, answer.problem);
    const changes: Record<string, { range: Location["range"]; newText: string }[]> = {};
    for (const place of answer.places) {
      const { uri, range } = locationOf(place);
      (changes[uri] ??= []).push({ range, newText: params.newName });
    }
    return { changes };
  });
}

/** Requests about a whole document. */
function answerAboutDocuments(connection: Connection, documents: OpenDocuments): void {
  connection.onDocumentSymbol(async ({ textDocument: { uri } }) => {
    const open = await documents.now(uri);
    return open ? [...symbolsOf(open.looked.source, open.document)] : null;
  });
  connection.languages.semanticTokens.on(async ({ textDocument: { uri } }) => {
    const open = await documents.now(uri);
    return open ? semanticTokens(open.looked.source, open.document) : { data: [] };
  });
  connection.onDocumentFormatting(async ({ textDocument: { uri } }) => {
    const open = await documents.now(uri);
    if (!open || isYamlPath(open.looked.path) || open.looked.source.text.includes("\0")) return null;
    const { text } = open.looked.source;
    const formatted = formatToolFile(parseToolFile(open.looked.source));
    return formatted === text
      ? []
      : [{ range: rangeOf({ start: 0, end: text.length }, open.document), newText: formatted }];
  });
  // These show what a check has found, so they wait for that of the present text.
  connection.onCodeAction(async ({ textDocument: { uri }, range }) => {
    const checked = await documents.checked(uri);
    return checked ? [...quickFixes(checked, range)] : null;
  });
  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const checked = await documents.checked(uri);
    return checked ? [...lineLenses(checked.looked, checked.document)] : null;
  });
  connection.languages.inlayHint.on(async ({ textDocument: { uri } }) => {
    const checked = await documents.checked(uri);
    return checked ? [...effectHints(checked.looked, checked.document)] : null;
  });
  // Running a tool is the person's: the editor gets the line, for its terminal.
  connection.onExecuteCommand(({ command, arguments: [line] = [] }) => {
    if (command !== LINE_COMMAND || typeof line !== "string") return null;
    connection.window.showInformationMessage(`in a terminal: ${line}`);
    return line;
  });
}

function locationOf({ path, span }: FilePlace): Location {
  const uri = uriOf(path);
  return { uri, range: rangeOf(span, TextDocument.create(uri, "", 0, span.source.text)) };
}
