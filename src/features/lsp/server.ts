// The Language Server Protocol: each request is answered from the text as it is now, and from what the last check knew
// around it.
import {
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  MessageType,
  type RenameParams,
  ResponseError,
  type ShowMessageParams,
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
import { authorHelp } from "./answers.ts";
import { type CheckedDocument, completionItem, type OpenDocument, quickFixes } from "./protocol-words.ts";
import { OpenDocuments } from "./open-documents.ts";
import { effectHints, LINE_COMMAND, lineLenses, rangeOf, semanticTokens, symbolsOf, tokenTypes } from "./outline.ts";
import { markAt } from "./marks.ts";
import { declarationOf, type FilePlace, placesOf, renamed } from "./places.ts";

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
    if (canWatch)
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
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
  type At<Params> = OpenDocument & { readonly offset: number; readonly params: Params };
  const at =
    <Params extends TextDocumentPositionParams, Answer>(answer: (open: At<Params>) => Answer) =>
    async (params: Params): Promise<Awaited<Answer> | null> => {
      const open = await documents.now(params.textDocument.uri);
      return open ? await answer({ ...open, offset: open.document.offsetAt(params.position), params }) : null;
    };
  connection.onCompletion(
    at(({ looked: { source, around }, document, offset }) =>
      authorHelp.suggestions(source, offset, around).map((one) => completionItem(one, document)),
    ),
  );
  connection.onHover(
    at(({ looked, document, offset }) => {
      const found = authorHelp.explained(looked.source, offset, looked.around);
      const contents = { kind: MarkupKind.Markdown, value: found?.text ?? "" };
      return found ? { contents, range: rangeOf(found.span, document) } : null;
    }),
  );
  connection.onDefinition(
    at(({ looked, offset }) => {
      const place = declarationOf(looked, offset);
      return place ? locationOf(place) : null;
    }),
  );
  connection.onReferences(at(({ looked, offset }) => placesOf(looked, offset).map(locationOf)));
  connection.onPrepareRename(
    at(({ looked, document, offset }) => {
      const mark = markAt(looked.source, offset);
      return mark?.kind === "parameter" || mark?.kind === "reference" ? rangeOf(mark.span, document) : null;
    }),
  );
  connection.onRenameRequest(
    at(async ({ looked, offset, params: { newName } }: At<RenameParams>) => {
      const answer = await renamed(looked, offset, newName);
      if ("problem" in answer) throw new ResponseError(LSPErrorCodes.RequestFailed, answer.problem);
      const places = Map.groupBy(answer.places.map(locationOf), ({ uri }) => uri);
      const edits = [...places].map(([uri, all]) => [uri, all.map(({ range }) => ({ range, newText: newName }))]);
      return { changes: Object.fromEntries(edits) };
    }),
  );
}

/** Requests about a whole document. */
function answerAboutDocuments(connection: Connection, documents: OpenDocuments): void {
  type Of = { readonly textDocument: { readonly uri: string } };
  const now =
    <Answer>(answer: (open: OpenDocument) => Answer) =>
    async ({ textDocument: { uri } }: Of): Promise<Answer | null> => {
      const open = await documents.now(uri);
      return open ? answer(open) : null;
    };
  // What shows the results of a check waits for that of the present text.
  const checked =
    <Params extends Of, Answer>(answer: (open: CheckedDocument, params: Params) => Answer) =>
    async (params: Params): Promise<Answer | null> => {
      const open = await documents.checked(params.textDocument.uri);
      return open ? answer(open, params) : null;
    };
  connection.onDocumentSymbol(now(({ looked, document }) => [...symbolsOf(looked.source, document)]));
  const tokens = now(({ looked, document }) => semanticTokens(looked.source, document));
  connection.languages.semanticTokens.on(async (params) => (await tokens(params)) ?? { data: [] });
  connection.onDocumentFormatting(
    now(({ looked: { source }, document }) => {
      if (isYamlPath(source.path) || source.text.includes("\0")) return null;
      const newText = formatToolFile(parseToolFile(source));
      const range = rangeOf({ start: 0, end: source.text.length }, document);
      return newText === source.text ? [] : [{ range, newText }];
    }),
  );
  connection.onCodeAction(checked((open, { range }: CodeActionParams) => [...quickFixes(open, range)]));
  connection.onCodeLens(checked(({ looked, document }) => [...lineLenses(looked, document)]));
  connection.languages.inlayHint.on(checked(({ looked, document }) => [...effectHints(looked, document)]));
  // Running a tool is the person's: the editor gets the line, for its terminal.
  connection.onExecuteCommand(({ command, arguments: [line] = [] }) => {
    if (command !== LINE_COMMAND || typeof line !== "string") return null;
    const shown: ShowMessageParams = { type: MessageType.Info, message: `in a terminal: ${line}` };
    connection.sendNotification("window/showMessage", shown).catch(() => undefined);
    return line;
  });
}

function locationOf({ path, span }: FilePlace): Location {
  const uri = uriOf(path);
  return { uri, range: rangeOf(span, TextDocument.create(uri, "", 0, span.source.text)) };
}
